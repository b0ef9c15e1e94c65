//! The order of messages: one task starts every handler, keeps the waiting ones, and sends their results.

use std::any::Any;
use std::collections::VecDeque;
use std::future::{pending, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt, SinkExt, StreamExt};
use ls_types::MessageType;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp_server::{ClientSocket, ExitedError, LanguageServer, Loopback, LspService};
use tower_service::Service;

use crate::lsp::client::settings::log;
use crate::processes::{exists, gone};

use super::incoming::{Incoming, notification_fault, readable_part_of};
use super::{Contents, ExitReason, Hold, Outbox, Outgoing, Places, Slot, Written, is_small};

/// How long running handlers may take after the input has ended. A person who closes the editor does not notice it.
const LAST_HANDLERS: Duration = Duration::from_millis(300);

/// How many messages a handler may hold before no more are read. A run of a thousand cases sends fewer at once.
const MOST_HELD: usize = 256;

/// How long the last messages may take to be written. A person who closes the editor does not notice it.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// The session of one client.
pub(crate) struct Session<S> {
    service: LspService<S>,
    /// The requests and notifications of the server.
    requests: <ClientSocket as Loopback>::RequestStream,
    /// Where the client's answers to them go.
    answers: <ClientSocket as Loopback>::ResponseSink,
    /// The waiting handlers.
    pending: FuturesUnordered<BoxFuture<'static, Handled>>,
    /// What a handler holds until it has ended, see [`hold`](super::hold).
    hold: Hold,
    /// The messages that it holds.
    held: VecDeque<Incoming>,
    outbox: Outbox,
    places: Places,
    /// Completes when the client's process has exited.
    parent: BoxFuture<'static, ()>,
    /// Whether `shutdown` was asked for.
    shut_down: bool,
}

/// A request or notification, and its result.
struct Handled {
    method: String,
    id: Option<Id>,
    /// The client's process, if this is `initialize` and names it.
    client: Option<i64>,
    slot: Slot,
    outcome: Result<Result<Option<Response>, ExitedError>, Panic>,
}

/// The payload of a handler's panic.
type Panic = Box<dyn Any + Send>;

impl<S: LanguageServer> Session<S> {
    pub(crate) fn new(service: LspService<S>, socket: ClientSocket, outbox: Outbox) -> Self {
        let (requests, answers) = socket.split();
        let (pending, parent) = (FuturesUnordered::new(), pending().boxed());
        let (hold, held, places) = (Hold::Nothing, VecDeque::new(), Places::default());
        Session { service, requests, answers, pending, hold, held, outbox, places, parent, shut_down: false }
    }

    /// Serves until the session ends.
    pub(crate) async fn run(mut self, mut messages: mpsc::Receiver<Incoming>, mut written: Written) -> ExitReason {
        let mut last_handlers = pin!(sleep_until(Instant::now()));
        let mut input_ended = false;
        let reason = loop {
            if input_ended && self.pending.is_empty() {
                break ExitReason::InputEnded;
            }
            tokio::select! {
                message = messages.recv(), if !input_ended && self.held.len() < MOST_HELD => match message {
                    Some(message) => if let Some(reason) = self.receive(message).await {
                        break reason;
                    }
                    None => {
                        input_ended = true;
                        last_handlers.as_mut().reset(Instant::now() + LAST_HANDLERS);
                    }
                },
                Some(handled) = self.pending.next() => if let Some(reason) = self.end(handled).await {
                    break reason;
                },
                Some(request) = self.requests.next() => self.outbox.send(Outgoing::request(request)),
                () = &mut last_handlers, if input_ended => break ExitReason::InputEnded,
                () = &mut self.parent => break ExitReason::ParentDied,
                _ = &mut written => return ExitReason::OutputClosed,
            }
        };
        self.send_requests();
        drop(self);
        let _ = timeout(LAST_WORDS, written).await;
        reason
    }

    /// Sends the answer of a handler that has waited, and handles the messages that it has held.
    async fn end(&mut self, handled: Handled) -> Option<ExitReason> {
        let holds = handled.slot.holds();
        self.finish(handled);
        if holds != Hold::Nothing {
            self.hold = Hold::Nothing;
            while self.hold == Hold::Nothing
                && let Some(message) = self.held.pop_front()
            {
                if let Some(reason) = self.receive(message).await {
                    return Some(reason);
                }
            }
        }
        None
    }

    /// Whether a message is held. The client's own answers are not, and small requests are not if they see the text as the
    /// client sees it: if no edit is held.
    fn waits(&self, message: &Incoming) -> bool {
        let Incoming::Call(request) = message else { return false };
        let passes = match self.hold {
            Hold::Nothing => true,
            Hold::AllButSmall if is_small(request.method()) => !self.held.iter().any(changes_text),
            Hold::AllButSmall | Hold::All => false,
        };
        !passes && request.method() != "exit"
    }

    /// Handles a message; returns whether that ends the session.
    async fn receive(&mut self, message: Incoming) -> Option<ExitReason> {
        if self.waits(&message) {
            self.held.push_back(message);
            return None;
        }
        match message {
            Incoming::Call(request) => {
                let exits = request.method() == "exit";
                self.call(request).await;
                return exits.then_some(ExitReason::Exit { after_shutdown: self.shut_down });
            }
            // The library has no limit here, and refuses only after `exit`.
            Incoming::Answer(response) => drop(self.answers.send(response).await),
            Incoming::Refusal(response) => self.outbox.send(Outgoing::response(&response)),
            Incoming::TooLong(response, message) => {
                self.outbox.send(Outgoing::response(&response));
                let params = json!({ "type": MessageType::ERROR, "message": message });
                self.outbox.send(Outgoing::request(Request::build("window/showMessage").params(params).finish()));
            }
        }
        None
    }

    /// Starts a handler and runs it up to its first wait.
    async fn call(&mut self, request: Request) {
        let request = if request.method() == "initialize" { readable_part_of(request) } else { request };
        let (method, id) = (request.method().to_owned(), request.id().cloned());
        let client = request.params().filter(|_| method == "initialize").and_then(|params| params.get("processId"));
        let client = client.and_then(Value::as_i64);
        if let Some(fault) = notification_fault(&method, request.params()).filter(|_| id.is_none()) {
            log(&format!("ignored `{method}`: {fault}"));
        }
        if method == "shutdown" {
            self.shut_down = true;
        }
        if poll_fn(|cx| self.service.poll_ready(cx)).await.is_err() {
            return;
        }
        let slot = Slot::new(&self.places, &method);
        let handler = match catch_unwind(AssertUnwindSafe(|| self.service.call(request))) {
            Ok(handler) => slot.clone().around(AssertUnwindSafe(handler).catch_unwind()),
            Err(panic) => return self.finish(Handled { method, id, client, slot, outcome: Err(panic) }),
        };
        let held_by = slot.clone();
        let mut handler = handler.map(move |outcome| Handled { method, id, client, slot, outcome }).boxed();
        match (&mut handler).now_or_never() {
            Some(handled) => self.finish(handled),
            None => {
                if held_by.holds() != Hold::Nothing {
                    self.hold = held_by.holds();
                }
                self.pending.push(handler);
            }
        }
    }

    /// Sends the answer of a finished handler.
    fn finish(&mut self, Handled { method, id, client, slot, outcome }: Handled) {
        // A second `initialize` is refused, and must not change the process that the server watches.
        if let (Some(client), Ok(Ok(Some(response)))) = (client, &outcome)
            && response.is_ok()
        {
            self.watch_parent(client);
        }
        let response = match outcome {
            // The library drops its error for unknown methods that begin with `$/`. Only notifications may be ignored.
            Ok(Ok(None)) if method.starts_with("$/") => {
                id.map(|id| Response::from_error(id, Error::method_not_found()))
            }
            Ok(outcome) => outcome.ok().flatten(),
            Err(panic) => self.answer_panic(&method, id, &*panic),
        };
        let Some(response) = response else { return };
        // The handler's own messages, such as its progress, come before its response.
        self.send_requests();
        let Contents { answered, place, .. } = slot.take();
        let answered = answered.filter(|_| response.is_ok());
        self.outbox.send(Outgoing::answer(response.id(), answered, &response, place));
    }

    fn answer_panic(&mut self, method: &str, id: Option<Id>, panic: &(dyn Any + Send)) -> Option<Response> {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        let message = format!("the server panicked in `{method}`: {text}");
        log(&message);
        let id = id?;
        // The library still considers the id as used. Cancelling the finished request frees it.
        let cancel = Request::build("$/cancelRequest").params(json!({ "id": &id })).finish();
        let _ = self.service.call(cancel).now_or_never();
        Some(Response::from_error(id, Error { code: ErrorCode::InternalError, message: message.into(), data: None }))
    }

    /// Sends the pending messages of the server.
    fn send_requests(&mut self) {
        while let Some(Some(request)) = self.requests.next().now_or_never() {
            self.outbox.send(Outgoing::request(request));
        }
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
    let Incoming::Call(request) = message else { return false };
    matches!(request.method(), "textDocument/didOpen" | "textDocument/didChange" | "textDocument/didClose")
}
