//! The workshop board: a small live app to try the `browser` target on. A page with a board of widgets, and an assistant
//! that changes it with tools, streams its answers, and logs its tool calls as JSON lines.
//!
//! ```console
//! $ cargo run --example demo-app
//! $ cargo run -- run examples/demo-app --target app
//! ```

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod assistant;
mod board;
mod log;

use std::collections::HashMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderName};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use clap::{Parser, ValueEnum};
use futures_util::stream::poll_fn;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::sleep;

use assistant::Answer;
use board::Board;
use log::Log;

/// A bicycle workshop's board with an assistant, to try eval-ls on
#[derive(Debug, Parser)]
struct Options {
    /// Port on 127.0.0.1 to listen on; 0 selects a free port
    #[arg(long, default_value_t = 4870)]
    port: u16,

    /// Log file to append telemetry to
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/demo-app/telemetry/app.log"))]
    log: PathBuf,

    /// Behaviour of the app; `?mode=…` in the address overrides it for one page
    #[arg(long, value_enum, default_value_t = Mode::Normal)]
    mode: Mode,
}

/// The behaviour of the app.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Mode {
    /// Works normally
    Normal,
    /// Answers slowly
    Slow,
    /// Shows the chat late, and drops the connection during each answer
    Flaky,
    /// Ignores messages
    Silent,
    /// Never answers
    NeverSettling,
}

struct App {
    log: Log,
    mode: Mode,
    conversations: Mutex<HashMap<u64, Conversation>>,
}

struct Conversation {
    board: Board,
    mode: Mode,
    /// The last answer, for clients that lost the connection.
    last: Option<(String, Vec<&'static str>)>,
}

/// The maximum number of stored conversations.
const REMEMBERED: usize = 1000;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let options = Options::parse();
    let log = Log::open(&options.log)?;
    let app = Arc::new(App { log, mode: options.mode, conversations: Mutex::default() });
    let router = Router::new()
        .route("/", get(|| file("text/html", include_str!("page/index.html"))))
        .route("/space/{name}", get(|| file("text/html", include_str!("page/index.html"))))
        .route("/page.css", get(|| file("text/css", include_str!("page/page.css"))))
        .route("/page.js", get(|| file("text/javascript", include_str!("page/page.js"))))
        .route("/away", get(away))
        .route("/api/conversations", post(begin))
        .route("/api/conversations/{id}/messages", post(message))
        .route("/api/conversations/{id}/last", get(last))
        .with_state(app);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", options.port)).await?;
    println!("The workshop board is at http://{}/", listener.local_addr()?);
    println!("Telemetry goes to {}", options.log.display());
    axum::serve(listener, router).await?;
    Ok(())
}

async fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-store")], text)
}

/// Redirects to the same page at another address.
async fn away(uri: Uri, headers: axum::http::HeaderMap) -> Redirect {
    let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    Redirect::temporary(&format!("http://{}/{query}", host.replace("127.0.0.1", "localhost")))
}

#[derive(Deserialize)]
struct Begin {
    mode: Option<Mode>,
    space: Option<String>,
}

async fn begin(State(app): State<Arc<App>>, Query(begin): Query<Begin>) -> Json<Value> {
    let mode = begin.mode.unwrap_or(app.mode);
    let board = begin.space.map_or_else(Board::new, |name| Board::empty(&name));
    let mut conversations = app.conversations.lock().unwrap_or_else(PoisonError::into_inner);
    let id = conversations.keys().max().map_or(1, |last| last + 1);
    if conversations.len() >= REMEMBERED
        && let Some(oldest) = conversations.keys().min().copied()
    {
        conversations.remove(&oldest);
    }
    conversations.insert(id, Conversation { board: board.clone(), mode, last: None });
    Json(json!({ "id": id, "mode": mode, "board": board }))
}

#[derive(Deserialize)]
struct Message {
    text: String,
}

/// Streams the answer, one JSON object per line: `thinking`, `board`, `text`, `actions`, `done`.
async fn message(State(app): State<Arc<App>>, Path(id): Path<u64>, Json(message): Json<Message>) -> Response {
    let answered = {
        let mut conversations = app.conversations.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(conversation) = conversations.get_mut(&id) else { return StatusCode::NOT_FOUND.into_response() };
        let answer = assistant::answer(&message.text, &mut conversation.board);
        conversation.last = Some((answer.text.clone(), answer.actions.clone()));
        (answer, conversation.board.clone(), conversation.mode)
    };
    let (lines, body) = unbounded_channel();
    tokio::spawn(async move {
        let (answer, board, mode) = answered;
        app.log.write("assistant", "prompt", json!({ "conversation": id, "characters": message.text.chars().count() }));
        // A client that disconnected misses the rest.
        let _ = speak(&app.log, id, answer, board, mode, &lines).await;
    });
    stream(body)
}

/// Returns the whole last answer.
async fn last(State(app): State<Arc<App>>, Path(id): Path<u64>) -> Response {
    let conversations = app.conversations.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((text, actions)) = conversations.get(&id).and_then(|conversation| conversation.last.clone()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    Json(json!({ "text": text, "actions": actions })).into_response()
}

type Lines = UnboundedSender<Result<Bytes, Infallible>>;

/// The client disconnected.
struct Gone;

async fn speak(log: &Log, id: u64, answer: Answer, board: Board, mode: Mode, lines: &Lines) -> Result<(), Gone> {
    let slowness = if mode == Mode::Slow { 5 } else { 1 };
    let pause = |millis: u64| sleep(Duration::from_millis(millis * slowness));
    pause(300).await;
    if mode == Mode::NeverSettling {
        for seconds in 1.. {
            tell(lines, json!({ "thinking": format!("Thinking… {seconds} s") }))?;
            sleep(Duration::from_secs(1)).await;
        }
    }
    for call in &answer.tools {
        let source = format!("tool.{}", call.tool);
        log.write(&source, "start", json!({ "conversation": id, "input": call.input }));
        tell(lines, json!({ "thinking": format!("Thinking… {}", call.tool.replace('_', " ")) }))?;
        pause(120).await;
        let mut data = json!({ "conversation": id });
        if let (Some(data), Some(result)) = (data.as_object_mut(), call.result.as_object()) {
            data.extend(result.clone());
        }
        log.write(&source, "result", data);
    }
    tell(lines, json!({ "board": board }))?;
    let words: Vec<&str> = answer.text.split_inclusive([' ', '\n']).collect();
    for (index, word) in words.iter().enumerate() {
        if mode == Mode::Flaky && index == words.len() / 2 {
            return Ok(());
        }
        tell(lines, json!({ "text": word }))?;
        pause(12).await;
    }
    tell(lines, json!({ "actions": answer.actions, "done": true }))
}

fn tell(lines: &Lines, line: Value) -> Result<(), Gone> {
    lines.send(Ok(Bytes::from(format!("{line}\n")))).map_err(|_| Gone)
}

fn stream(mut body: UnboundedReceiver<Result<Bytes, Infallible>>) -> Response {
    let headers: [(HeaderName, &str); 2] = [(CONTENT_TYPE, "application/x-ndjson"), (CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(poll_fn(move |context| body.poll_recv(context)))).into_response()
}
