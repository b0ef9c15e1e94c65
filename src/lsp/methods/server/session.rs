//! The session of one client: one task starts every handler in the order of the messages, keeps the waiting ones, and sends their results.
//!
//! * Messages take effect in order: each handler runs up to its first pending `.await` before the next message is handled. A
//!   notification that waits holds the messages after it until it has taken effect; hovers and other small requests pass it.
//! * A handler that panics is answered with error −32603.
//! * A waiting handler, or a client that stops reading or answering, does not prevent the next message from being read.
//!   All handlers share one task, so long work belongs in a separate thread.

use std::collections::{HashMap, VecDeque};
use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::time::Duration;

use futures_util::future::{AbortHandle, Aborted, BoxFuture, abortable};
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, SinkExt, StreamExt};
use ls_types::MessageType;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};
use tower_lsp_server::jsonrpc::{Error, Id, Request, Response, Result};
use tower_lsp_server::{ClientSocket, Loopback, LspService};
use tower_service::Service;

use crate::lsp::client::settings::log;
use crate::lsp::methods::requests::{Fault, NOT_INITIALIZED};
use crate::lsp::transport::{Incoming, Outbox, Written, is_small, readable};
use crate::processes::{exists, gone};

use super::{Answered, Server, internal_error};

/// How long running handlers may take after the input has ended. A person who closes the editor does not notice it.
const LAST_HANDLERS: Duration = Duration::from_millis(300);

/// How many messages a handler may hold before no more are read. A run of a thousand cases sends fewer at once.
const MOST_HELD: usize = 256;

/// How long the last messages may take to be written. A person who closes the editor does not notice it.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The exit status for `exit` after `shutdown`, and that for every other end.
const POLITE: i32 = 0;
const HASTY: i32 = 1;

/// The session of one client.
pub(crate) struct Session {
    server: Server,
    /// What begins and ends the session, and refuses to do so twice.
    service: LspService<Server>,
    stage: Stage,
    /// The requests and notifications of the server.
    requests: <ClientSocket as Loopback>::RequestStream,
    /// Where the client's answers to them go.
    answers: <ClientSocket as Loopback>::ResponseSink,
    /// The waiting handlers.
    pending: FuturesUnordered<BoxFuture<'static, Handled>>,
    /// What cancels those of requests.
    cancellers: HashMap<Id, AbortHandle>,
    /// The method of the notification that waits, if one does.
    holder: Option<String>,
    /// The messages that it holds.
    held: VecDeque<Incoming>,
    outbox: Outbox,
    /// Completes when the client's process has exited.
    parent: BoxFuture<'static, ()>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Begins,
    Lasts,
    ShutDown,
}

/// A request or notification whose handler has ended. A notification has no id and no answer.
struct Handled {
    id: Option<Id>,
    outcome: Result<Option<Answered>>,
}

impl Session {
    pub(crate) fn new(service: LspService<Server>, socket: ClientSocket, outbox: Outbox) -> Self {
        let (requests, answers) = socket.split();
        Session {
            server: service.inner().clone(),
            service,
            stage: Stage::Begins,
            requests,
            answers,
            pending: FuturesUnordered::new(),
            cancellers: HashMap::new(),
            holder: None,
            held: VecDeque::new(),
            outbox,
            parent: pending().boxed(),
        }
    }

    /// Serves until the session ends; returns the exit status of the protocol.
    pub(crate) async fn run(mut self, mut messages: mpsc::Receiver<Incoming>, mut written: Written) -> i32 {
        let mut last_handlers = pin!(sleep_until(Instant::now()));
        let mut input_ended = false;
        let status = loop {
            if input_ended && self.pending.is_empty() {
                break HASTY;
            }
            tokio::select! {
                message = messages.recv(), if !input_ended && self.held.len() < MOST_HELD => match message {
                    Some(message) => if let Some(status) = self.receive(message).await {
                        break status;
                    }
                    None => {
                        input_ended = true;
                        last_handlers.as_mut().reset(Instant::now() + LAST_HANDLERS);
                    }
                },
                Some(handled) = self.pending.next() => if let Some(status) = self.end(handled).await {
                    break status;
                },
                Some(request) = self.requests.next() => self.outbox.request(&request),
                () = &mut last_handlers, if input_ended => break HASTY,
                () = &mut self.parent => break HASTY,
                _ = &mut written => return HASTY,
            }
        };
        self.outbox.close();
        let _ = timeout(LAST_WORDS, written).await;
        status
    }

    /// Sends the answer of a handler that has waited, and handles the messages that it has held.
    async fn end(&mut self, handled: Handled) -> Option<i32> {
        let has_held = handled.id.is_none();
        self.finish(handled);
        if has_held {
            self.holder = None;
            while self.holder.is_none()
                && let Some(message) = self.held.pop_front()
            {
                if let Some(status) = self.receive(message).await {
                    return Some(status);
                }
            }
        }
        None
    }

    /// Whether a message is held. The client's own answers are not, and small requests are not if they see the text as the
    /// client sees it: if no document is being opened, and no edit is held.
    fn waits(&self, message: &Incoming) -> bool {
        let (Some(holder), Incoming::Call { method, .. }) = (&self.holder, message) else { return false };
        let passes = is_small(method) && holder != "textDocument/didOpen" && !self.held.iter().any(changes_text);
        !passes && method != "exit"
    }

    /// Handles a message; returns the exit status if that ends the session.
    async fn receive(&mut self, message: Incoming) -> Option<i32> {
        if self.waits(&message) {
            self.held.push_back(message);
            return None;
        }
        match message {
            Incoming::Call { method, .. } if method == "exit" => {
                return Some(if self.stage == Stage::ShutDown { POLITE } else { HASTY });
            }
            Incoming::Call { method, id, params } => self.call(method, id, params).await,
            // The library has no limit here, and refuses only after `exit`.
            Incoming::Answer(response) => drop(self.answers.send(response).await),
            Incoming::Refusal(response) => self.send(&response),
            Incoming::TooLong(response, message) => {
                self.send(&response);
                let params = json!({ "type": MessageType::ERROR, "message": message });
                self.outbox.request(&Request::build("window/showMessage").params(params).finish());
            }
        }
        None
    }

    /// Starts a handler and runs it up to its first wait.
    async fn call(&mut self, method: String, id: Option<Id>, params: Value) {
        match (&*method, &id) {
            ("initialize" | "shutdown", Some(id)) => return self.begin_or_end(method, id.clone(), params).await,
            ("$/cancelRequest", None) => {
                let cancelled = Id::deserialize(&params["id"]).unwrap_or_default();
                return self.cancellers.get(&cancelled).into_iter().for_each(AbortHandle::abort);
            }
            _ if self.stage != Stage::Lasts => {
                let refused = match self.stage {
                    Stage::Begins => Fault::new(NOT_INITIALIZED, "Server not initialized").into(),
                    _ => Error::invalid_request(),
                };
                return self.finish(Handled { id, outcome: Err(refused) });
            }
            _ => {}
        }
        let (server, called, has_answer) = (self.server.clone(), method.clone(), id.is_some());
        let (handler, canceller) = abortable(caught(method.clone(), async move {
            if has_answer {
                return server.request(&called, params).await.map(Some);
            }
            // Else nobody would learn why an editor shows nothing.
            if let Err(fault) = server.notification(&called, params).await {
                log(&format!("ignored `{called}`: {}", fault.message));
            }
            Ok(None)
        }));
        if let Some(id) = &id {
            self.cancellers.insert(id.clone(), canceller);
        }
        let ended = |outcome: std::result::Result<_, Aborted>| Handled {
            id,
            outcome: outcome.unwrap_or_else(|_| Err(Error::request_cancelled())),
        };
        let mut handler = handler.map(ended).boxed();
        match (&mut handler).now_or_never() {
            Some(handled) => self.finish(handled),
            None => {
                if !has_answer {
                    self.holder = Some(method);
                }
                self.pending.push(handler);
            }
        }
    }

    /// Answers `initialize` or `shutdown`, neither of which waits.
    async fn begin_or_end(&mut self, method: String, id: Id, params: Value) {
        let begins = method == "initialize";
        let client = params["processId"].as_i64();
        let params = if begins { readable(params) } else { params };
        let called = Request::build(method.clone()).id(id.clone()).params(params).finish();
        let answered = self.service.call(called).map(|answered| Ok(answered.ok().flatten()));
        let response = match caught(method, answered).await {
            Ok(Some(response)) => response,
            Ok(None) => return,
            Err(error) => Response::from_error(id, error),
        };
        if response.is_ok() {
            self.stage = if begins { Stage::Lasts } else { Stage::ShutDown };
            if let Some(client) = client.filter(|_| begins) {
                self.watch_parent(client);
            }
        }
        self.send(&response);
    }

    /// Sends the answer of a finished handler.
    fn finish(&mut self, Handled { id, outcome }: Handled) {
        let Some(id) = id else { return };
        self.cancellers.remove(&id);
        match outcome {
            Ok(answered) => answered.into_iter().for_each(|(answer, place)| self.outbox.send(answer.to(&id), place)),
            Err(error) => self.send(&Response::from_error(id, error)),
        }
    }

    fn send(&self, response: &Response) {
        self.outbox.send(json!(response).to_string().into_bytes(), ());
    }

    /// Ends the session with the process that `initialize` names. A process that does not exist is not watched: the
    /// client may run outside of the container of the server. If it has ended, the input ends as well.
    fn watch_parent(&mut self, id: i64) {
        if exists(id) {
            self.parent = gone(id).boxed();
        } else {
            log(&format!("ignored `processId` of `initialize`: process {id} does not exist here"));
        }
    }
}

/// Whether a message opens, changes or closes a document.
fn changes_text(message: &Incoming) -> bool {
    let Incoming::Call { method, .. } = message else { return false };
    matches!(&**method, "textDocument/didOpen" | "textDocument/didChange" | "textDocument/didClose")
}

/// The outcome of a handler; an error if it panics.
async fn caught<T>(method: String, handler: impl Future<Output = Result<T>>) -> Result<T> {
    let outcome = AssertUnwindSafe(handler).catch_unwind().await;
    outcome.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        let message = format!("the server panicked in `{method}`: {text}");
        log(&message);
        Err(internal_error(message))
    })
}

#[cfg(test)]
mod tests {
    use tokio::runtime::Runtime;

    use super::super::service;
    use super::*;

    #[test]
    fn a_notification_that_waits_holds_all_but_small_requests() {
        let runtime = Runtime::new().unwrap();
        let _inside = runtime.enter();
        let (outbox, _written) = Outbox::new(std::io::sink()).unwrap();
        let (service, socket) = service(&outbox);
        let mut session = Session::new(service, socket, outbox);
        let message =
            |method: &str| Incoming::Call { method: method.to_owned(), id: Some(Id::Null), params: Value::Null };
        let [hover, outline, edit] =
            ["textDocument/hover", "textDocument/documentSymbol", "textDocument/didChange"].map(message);
        assert!(!session.waits(&outline));
        session.holder = Some("workspace/didChangeWatchedFiles".to_owned());
        assert!(session.waits(&outline) && session.waits(&edit) && !session.waits(&hover));
        assert!(!session.waits(&message("exit")));
        // A hover does not pass an edit, and sees the document that is being opened.
        session.held.push_back(edit);
        assert!(session.waits(&hover));
        session.held.clear();
        session.holder = Some("textDocument/didOpen".to_owned());
        assert!(session.waits(&hover));
        // The log shows why an unreadable one is ignored.
        let close = |params| runtime.block_on(session.server.notification("textDocument/didClose", params));
        assert_eq!(close(json!({})).unwrap_err().message, "missing field `textDocument`");
        assert!(close(json!({ "textDocument": { "uri": "file:///a" } })).is_ok());
    }

    #[test]
    fn a_panic_is_answered() {
        for waits in [false, true] {
            let handler = caught::<()>("m".to_owned(), async move {
                if waits {
                    tokio::task::yield_now().await;
                }
                panic!("on purpose")
            });
            let error = Runtime::new().unwrap().block_on(handler).unwrap_err();
            assert_eq!((error.code.code(), &*error.message), (-32603, "the server panicked in `m`: on purpose"));
        }
    }
}
