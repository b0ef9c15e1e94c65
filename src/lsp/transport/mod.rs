//! Messages over a pair of byte streams with JSON-RPC, for the duration of the session.
//!
//! `tower-lsp-server` routes a message to its handler and tracks the states of the protocol. This module does
//! everything between the bytes and that service, and replaces the library's own loop, because a session must survive
//! every message of a client and every failure of a handler:
//!
//! ```text
//! input ─► incoming ─► session ─► outbox ─► output
//!          └ reader    task         └─ writer thread
//! ```
//!
//! * A message that cannot be read is answered with an error if possible, and skipped.
//! * Messages take effect in order: each handler runs up to its first pending `.await` before the next message is
//!   handled. The order applies up to that point, and not to the rest of the handler, unless it holds the next messages
//!   (see [`hold`]).
//! * A handler that panics is answered with error −32603.
//! * A waiting handler, or a client that stops reading or answering, does not prevent the next message from being read.
//!   All handlers share one task, so long work belongs in a separate thread.

mod incoming;
mod session;

use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak, mpsc};
use std::thread;

use incoming::{Frames, receive};
use serde::Serialize;
use serde_json::Value;
use session::Session;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tower_lsp_server::jsonrpc::{Id, Request, Response};
use tower_lsp_server::{ClientSocket, LanguageServer, LspService};

use crate::lsp::client::settings::log;

pub(crate) use incoming::as_written;

/// How many messages may be read ahead of the current one. Enough to find a cancellation behind the requests of one keystroke.
const READ_AHEAD: usize = 32;

/// The number of messages in an input, the unreadable ones that are answered with an error among them.
pub fn messages(input: &[u8]) -> usize {
    Frames::new(input).filter_map(receive).count()
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitReason {
    /// The client sent `exit`.
    Exit {
        /// Whether the client had sent `shutdown` before, as the protocol requires.
        after_shutdown: bool,
    },
    /// The input ended without `exit`.
    InputEnded,
    /// The output was closed: no one reads the answers.
    OutputClosed,
    /// The process that `initialize` named as the server's parent has exited.
    ParentDied,
}

impl ExitReason {
    /// The exit status of the protocol: 0 for `exit` after `shutdown`, 1 for every other end.
    pub fn status(self) -> i32 {
        match self {
            ExitReason::Exit { after_shutdown: true } => 0,
            _ => 1,
        }
    }
}

/// The connection to one client.
pub struct Connection {
    outbox: Outbox,
    written: Written,
}

impl Connection {
    /// Creates the connection to a client that reads from `output`.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub fn new(output: impl Write + Send + 'static) -> io::Result<Self> {
        let (outbox, written) = Outbox::new(output)?;
        Ok(Connection { outbox, written })
    }

    /// Creates the connection to the client on standard output.
    ///
    /// After that, the process reports a panic in one line and without a backtrace, because a client may not read
    /// standard error, and a full pipe would block the next panic.
    ///
    /// # Errors
    ///
    /// If a thread cannot be started, or standard output is not available.
    pub(crate) fn stdout() -> io::Result<Self> {
        std::panic::set_hook(Box::new(|panic| log(&panic.to_string())));
        Self::new(standard_output()?)
    }

    /// Returns a way to send long notifications to the client.
    pub(crate) fn notifier(&self) -> Notifier {
        self.outbox.notifier()
    }

    /// Serves the client, which writes to `input`, until the session ends. Returns the reason within a second.
    ///
    /// `initialize` must be answered without waiting: later messages are refused until it is.
    ///
    /// This needs a tokio runtime with an enabled timer. The thread that reads `input` may still be waiting when this
    /// returns, so the process should end with [`std::process::exit`].
    ///
    /// # Errors
    ///
    /// If a thread cannot be started.
    pub async fn serve<S: LanguageServer>(
        self,
        service: LspService<S>,
        socket: ClientSocket,
        input: impl Read + Send + 'static,
    ) -> io::Result<ExitReason> {
        let (sender, messages) = tokio::sync::mpsc::channel(READ_AHEAD);
        thread::Builder::new().name("lsp-reader".to_owned()).spawn(move || {
            for message in Frames::new(input).filter_map(receive) {
                if sender.blocking_send(message).is_err() {
                    break;
                }
            }
        })?;
        Ok(Session::new(service, socket, self.outbox).run(messages, self.written).await)
    }
}

/// Standard output without the line buffer of [`io::stdout`], which would split every frame after its header.
#[cfg(unix)]
fn standard_output() -> io::Result<impl Write + Send + 'static> {
    use std::os::fd::AsFd;
    Ok(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
fn standard_output() -> io::Result<impl Write + Send + 'static> {
    Ok(io::stdout())
}

/// How many results about open suites are computed or wait to be written. Each may be as large as the suite.
pub(crate) const QUICK_PLACES: usize = 3;
/// How many small results are computed or wait to be written. Small results never wait for large ones.
const SMALL_PLACES: usize = 4;
/// How many results that need a walk over the workspace's folders are computed or wait to be written.
const SLOW_PLACES: usize = 2;
/// How many results are computed at the same time, at most.
pub(crate) const PLACES: usize = QUICK_PLACES + SMALL_PLACES + SLOW_PLACES;

/// The requests about one place in a document.
const SMALL: [&str; 8] = [
    "textDocument/hover",
    "textDocument/completion",
    "completionItem/resolve",
    "textDocument/definition",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/signatureHelp",
    "textDocument/selectionRange",
];

/// Whether the result of a request of this method is small whatever the suite is.
pub(crate) fn is_small(method: &str) -> bool {
    SMALL.contains(&method)
}

/// The start of an answer, before its result.
pub(crate) const ANSWER_START: &[u8] = b"{\"jsonrpc\":\"2.0\",\"result\":";

tokio::task_local! {
    static SLOT: Slot;
}

/// The kind of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Work that reads what is in memory.
    Quick,
    /// Work that walks over the workspace's folders, and must not keep quick work waiting.
    Slow,
}

/// The limits of one session.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    quick: Arc<Semaphore>,
    small: Arc<Semaphore>,
    slow: Arc<Semaphore>,
}

/// A place among the results that are computed or wait to be written. It is free again when this is dropped.
pub(crate) type Place = OwnedSemaphorePermit;

/// What the handler of a request hands over to the session besides its result.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    places: Places,
    is_small: bool,
    contents: Arc<Mutex<Contents>>,
}

/// The contents of a slot.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    /// The start of the answer as JSON, up to the end of its result, if that replaces the result of the handler.
    pub(crate) answered: Option<Vec<u8>>,
    /// The place that is free when the answer is written.
    pub(crate) place: Option<Place>,
    /// Which of the next messages are held.
    holds: Hold,
}

impl Default for Places {
    fn default() -> Self {
        let places = |count| Arc::new(Semaphore::new(count));
        Places { quick: places(QUICK_PLACES), small: places(SMALL_PLACES), slow: places(SLOW_PLACES) }
    }
}

/// Which of the messages after it a handler holds until it has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hold {
    /// None.
    #[default]
    Nothing,
    /// All except small requests, such as hovers.
    AllButSmall,
    /// All.
    All,
}

/// Holds messages for the current handler. Must be called before its first `.await`. The handler must not wait for the client.
pub fn hold(hold: Hold) {
    Slot::current().contents().holds = hold;
}

impl Slot {
    /// A slot for a request of this method.
    pub(crate) fn new(places: &Places, method: &str) -> Slot {
        Slot { places: places.clone(), is_small: is_small(method), contents: Arc::default() }
    }

    /// The slot of the current handler. Other tasks have none.
    pub(crate) fn current() -> Slot {
        SLOT.get()
    }

    /// Runs a handler with this slot.
    pub(crate) fn around<F: Future>(self, handler: F) -> impl Future<Output = F::Output> {
        SLOT.scope(self, handler)
    }

    /// Waits for a place. A handler that has one must not wait for a second one, nor for a person.
    pub(crate) async fn enter(&self, work: Work) -> Place {
        let places = match work {
            Work::Quick if self.is_small => &self.places.small,
            Work::Quick => &self.places.quick,
            Work::Slow => &self.places.slow,
        };
        Arc::clone(places).acquire_owned().await.expect("the semaphore is never closed")
    }

    /// Keeps a place until the answer of the request is written.
    pub(crate) fn keep(&self, place: Place) {
        self.contents().place = Some(place);
    }

    /// Writes the result of the request as JSON, which replaces that of the handler.
    ///
    /// # Errors
    /// If it cannot be serialized.
    pub(crate) fn write(&self, result: &impl Serialize) -> serde_json::Result<()> {
        let mut answer = ANSWER_START.to_vec();
        serde_json::to_writer(&mut answer, result)?;
        self.contents().answered = Some(answer);
        Ok(())
    }

    /// Which of the next messages the handler holds.
    pub(crate) fn holds(&self) -> Hold {
        self.contents().holds
    }

    /// Takes the contents out of the slot.
    pub(crate) fn take(&self) -> Contents {
        std::mem::take(&mut *self.contents())
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waiting messages are written together, up to about this many bytes. As much as a pipe on Linux holds.
const BATCH: usize = 64 << 10;

/// The queue to the client.
pub(crate) struct Outbox {
    queue: Arc<mpsc::Sender<Outgoing>>,
}

/// A queue to the client that bypasses the library, because the library builds a tree of every message first, which is
/// slow for long messages. It does not keep the output open.
pub(crate) struct Notifier {
    queue: Weak<mpsc::Sender<Outgoing>>,
    /// Disconnected as soon as the last notification is written.
    last: Option<mpsc::Receiver<Infallible>>,
    /// The length of the last notification in bytes. The next one is often as long.
    length: usize,
}

/// Completes when nothing more will be written: everything is written and the [`Outbox`] was dropped, or the output was
/// closed.
pub(crate) type Written = oneshot::Receiver<()>;

/// A message to the client as JSON.
pub(crate) struct Outgoing {
    body: Vec<u8>,
    /// Dropped when the message is written: the place of an answer, which limits how many of them wait, or that for which a notifier waits.
    _until_written: Option<Box<dyn Send>>,
}

impl Outgoing {
    /// An answer to the client.
    pub(crate) fn response(response: &Response) -> Self {
        Self::plain(response)
    }

    /// The response, or the answer to the request `id` whose start is JSON up to the end of its result. The place of the request
    /// is free when it is written.
    pub(crate) fn answer(id: &Id, answered: Option<Vec<u8>>, response: &Response, place: Option<Place>) -> Self {
        let body = match answered {
            None => json(response),
            Some(mut body) => {
                body.extend_from_slice(b",\"id\":");
                body.extend(json(id));
                body.push(b'}');
                body
            }
        };
        Outgoing { body, _until_written: Some(Box::new(place)) }
    }

    /// A request or notification of the server's. The library sends null for missing parameters, which JSON-RPC does not
    /// allow.
    pub(crate) fn request(request: Request) -> Self {
        if request.params() != Some(&Value::Null) {
            return Self::plain(&request);
        }
        let (method, id, _) = request.into_parts();
        let without_params = Request::build(method);
        Self::plain(&match id {
            Some(id) => without_params.id(id).finish(),
            None => without_params.finish(),
        })
    }

    fn plain(message: &impl Serialize) -> Self {
        Outgoing { body: json(message), _until_written: None }
    }
}

fn json(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages have only keys that are strings")
}

impl Outbox {
    /// Starts writing to `output`.
    pub(crate) fn new(mut output: impl Write + Send + 'static) -> io::Result<(Self, Written)> {
        let (queue, messages) = mpsc::channel();
        let (end, written) = oneshot::channel();
        thread::Builder::new().name("lsp-writer".to_owned()).spawn(move || {
            // The expected error is a closed output. The session learns about it from the end of the thread.
            let _ = write_all(&messages, &mut output);
            let _ = end.send(());
        })?;
        Ok((Outbox { queue: Arc::new(queue) }, written))
    }

    /// Returns another queue to the same client.
    pub(crate) fn notifier(&self) -> Notifier {
        Notifier { queue: Arc::downgrade(&self.queue), last: None, length: 0 }
    }

    /// Appends a message. Never waits.
    pub(crate) fn send(&self, message: Outgoing) {
        // This fails only if the output is closed, and then the session ends anyway.
        let _ = self.queue.send(message);
    }
}

impl Notifier {
    /// Waits until the last notification is written, which may take long if the client does not read. After that, the
    /// latest content can be sent at once.
    pub(crate) fn ready(&mut self) {
        if let Some(last) = self.last.take() {
            // It never sends anything, and disconnects.
            let _ = last.recv();
        }
    }

    /// Sends a notification. It is dropped if the output is closed.
    ///
    /// # Errors
    ///
    /// If `params` cannot be serialized as JSON.
    pub(crate) fn notify(&mut self, method: &str, params: &impl Serialize) -> serde_json::Result<()> {
        #[derive(Serialize)]
        struct Message<'a, P> {
            jsonrpc: &'static str,
            method: &'a str,
            params: P,
        }
        let mut body = Vec::with_capacity(self.length + 256);
        serde_json::to_writer(&mut body, &Message { jsonrpc: "2.0", method, params })?;
        self.length = body.len();
        if let Some(queue) = self.queue.upgrade() {
            let (written, last) = mpsc::channel();
            self.last = Some(last);
            let _ = queue.send(Outgoing { body, _until_written: Some(Box::new(written)) });
        }
        Ok(())
    }
}

fn write_all(messages: &mpsc::Receiver<Outgoing>, output: &mut impl Write) -> io::Result<()> {
    let mut batch = Vec::new();
    while let Ok(first) = messages.recv() {
        let mut taken = Vec::new();
        let mut next = Some(first);
        while let Some(message) = next {
            frame(&message, &mut batch, output)?;
            taken.push(message);
            next = if batch.len() < BATCH { messages.try_recv().ok() } else { None };
        }
        output.write_all(&batch)?;
        output.flush()?;
        drop(taken);
        batch.clear();
        batch.shrink_to(BATCH);
    }
    Ok(())
}

/// Appends a message to the batch. A long message is written at once, because it need not be copied then.
fn frame(message: &Outgoing, batch: &mut Vec<u8>, output: &mut impl Write) -> io::Result<()> {
    write!(batch, "Content-Length: {}\r\n\r\n", message.body.len())?;
    if message.body.len() < BATCH {
        batch.extend_from_slice(&message.body);
        return Ok(());
    }
    output.write_all(batch)?;
    batch.clear();
    output.write_all(&message.body)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_notification_is_as_the_library_would_write_it() {
        let (input, output) = io::pipe().unwrap();
        let (outbox, _written) = Outbox::new(output).unwrap();
        let mut notifier = outbox.notifier();
        let params = json!({ "a": ["é", 1] });
        notifier.notify("m", &params).unwrap();
        notifier.ready();
        outbox.send(Outgoing::request(Request::build("m").params(params).finish()));
        drop(outbox);
        let sent = io::read_to_string(input).unwrap();
        let (one, other) = sent.split_at(sent.len() / 2);
        assert_eq!(one, other);
        // Late messages are dropped.
        notifier.notify("m", &json!([])).unwrap();
        notifier.ready();
    }

    #[test]
    fn a_notifier_is_ready_when_the_last_one_was_written() {
        let (input, output) = io::pipe().unwrap();
        let (outbox, _written) = Outbox::new(output).unwrap();
        let mut notifier = outbox.notifier();
        // More than a pipe holds.
        notifier.notify("m", &json!(["x".repeat(1 << 20)])).unwrap();
        let (sender, ready) = mpsc::channel();
        let waiting = thread::spawn(move || {
            notifier.ready();
            sender.send(()).unwrap();
        });
        assert_eq!(ready.recv_timeout(std::time::Duration::from_millis(50)), Err(mpsc::RecvTimeoutError::Timeout));
        drop(input);
        waiting.join().unwrap();
        assert_eq!(ready.recv(), Ok(()));
    }

    #[test]
    fn an_answer_in_json_is_as_the_library_would_write_it() {
        let result = json!({ "a": ["\u{e9}", 1] });
        for id in [Id::Number(7), Id::String("x\"y".to_owned())] {
            let response = Response::from_ok(id.clone(), result.clone());
            let answered = [ANSWER_START, result.to_string().as_bytes()].concat();
            let written = Outgoing::answer(&id, Some(answered), &response, None);
            assert_eq!(written.body, Outgoing::response(&response).body);
        }
    }

    #[test]
    fn lengths_count_bytes() {
        let mut batch = Vec::new();
        for params in [json!(["é😀"]), json!([])] {
            let request = Request::build("m").params(params).finish();
            frame(&Outgoing::request(request), &mut batch, &mut io::sink()).unwrap();
        }
        let expected = "Content-Length: 50\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[\"é😀\"]}\
                        Content-Length: 42\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}";
        assert_eq!(String::from_utf8(batch).unwrap(), expected);
    }
}
