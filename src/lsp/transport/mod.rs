//! Messages over a pair of byte streams with JSON-RPC: from bytes to messages, and back.
//!
//! The server loop of `tower-lsp-server` ends on a malformed frame, a panic and other faults. So `methods::server` has a separate one,
//! and this module does what is between it and the bytes:
//!
//! ```text
//! input ─► incoming ─► methods::server ─► outbox ─► output
//!          └ reader                       └─ writer thread
//! ```
//!
//! * A message that cannot be read is answered with an error if possible, and skipped.
//! * A client that stops reading does not prevent the next message from being read.

mod incoming;

use std::convert::Infallible;
use std::io::{self, Read, Write};
use std::sync::{Arc, Weak, mpsc};
use std::thread;

use incoming::{Frames, receive};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit, oneshot};
use tower_lsp_server::jsonrpc::Request;

pub(crate) use incoming::{Incoming, as_written, readable};

/// How many messages may be read ahead of the current one. Enough to find a cancellation behind the requests of one keystroke.
const READ_AHEAD: usize = 32;

/// The number of messages in an input, the unreadable ones that are answered with an error among them.
pub fn messages(input: &[u8]) -> usize {
    Frames::new(input).filter_map(receive).count()
}

/// Reads the messages of an input in a thread, which may still wait for more when nobody receives them.
///
/// # Errors
///
/// If the thread cannot be started.
pub(crate) fn read(input: impl Read + Send + 'static) -> io::Result<tokio::sync::mpsc::Receiver<Incoming>> {
    let (sender, received) = tokio::sync::mpsc::channel(READ_AHEAD);
    thread::Builder::new().name("lsp-reader".to_owned()).spawn(move || {
        for message in Frames::new(input).filter_map(receive) {
            if sender.blocking_send(message).is_err() {
                break;
            }
        }
    })?;
    Ok(received)
}

/// Standard output without the line buffer of [`io::stdout`], which would split every frame after its header.
///
/// # Errors
///
/// If it is not available.
#[cfg(unix)]
pub(crate) fn standard_output() -> io::Result<impl Write + Send + 'static> {
    use std::os::fd::AsFd;
    Ok(std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(not(unix))]
pub(crate) fn standard_output() -> io::Result<impl Write + Send + 'static> {
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

/// The places of this process, which has one client.
pub(crate) static QUICK: Semaphore = Semaphore::const_new(QUICK_PLACES);
static SMALL: Semaphore = Semaphore::const_new(SMALL_PLACES);
static SLOW: Semaphore = Semaphore::const_new(SLOW_PLACES);

/// A place among the results that are computed or wait to be written. It is free again when this is dropped.
pub(crate) type Place = SemaphorePermit<'static>;

/// The places for the results of a method.
pub(crate) fn places_for(method: &str) -> &'static Semaphore {
    match method {
        "workspace/symbol" | "textDocument/references" | "eval-ls/tests" => &SLOW,
        _ if is_small(method) => &SMALL,
        _ => &QUICK,
    }
}

/// Waits for a place. A handler that has one must not wait for a second one, nor for a person.
pub(crate) async fn enter(places: &'static Semaphore) -> Place {
    places.acquire().await.expect("the semaphore is never closed")
}

/// Whether a request of this method is about one place in a document, so that its result is small whatever the suite is.
pub(crate) fn is_small(method: &str) -> bool {
    matches!(
        method,
        "textDocument/hover"
            | "textDocument/completion"
            | "completionItem/resolve"
            | "textDocument/definition"
            | "textDocument/documentHighlight"
            | "textDocument/prepareRename"
            | "textDocument/signatureHelp"
            | "textDocument/selectionRange"
    )
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
struct Outgoing {
    body: Vec<u8>,
    /// Dropped when the message is written: the place of an answer, which limits how many of them wait, or that for which a notifier waits.
    _until_written: Box<dyn Send>,
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

    /// Appends a message in JSON. Never waits. The second value is dropped when the message is written.
    pub(crate) fn send(&self, body: Vec<u8>, until_written: impl Send + 'static) {
        // This fails only if the output is closed, and then the session ends anyway.
        let _ = self.queue.send(Outgoing { body, _until_written: Box::new(until_written) });
    }

    /// Appends a request or notification of the server. The library sends null for missing parameters, which JSON-RPC does not
    /// allow.
    pub(crate) fn request(&self, request: &Request) {
        let mut message = json!(request);
        if let Value::Object(members) = &mut message
            && members.get("params") == Some(&Value::Null)
        {
            members.remove("params");
        }
        self.send(message.to_string().into_bytes(), ());
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
            let _ = queue.send(Outgoing { body, _until_written: Box::new(written) });
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
        outbox.request(&Request::build("m").params(params).finish());
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
    fn lengths_count_bytes() {
        let mut batch = Vec::new();
        for body in ["[\"é😀\"]", "[]"] {
            let message = Outgoing { body: body.into(), _until_written: Box::new(()) };
            frame(&message, &mut batch, &mut io::sink()).unwrap();
        }
        let expected = "Content-Length: 10\r\n\r\n[\"é😀\"]Content-Length: 2\r\n\r\n[]";
        assert_eq!(String::from_utf8(batch).unwrap(), expected);
    }
}
