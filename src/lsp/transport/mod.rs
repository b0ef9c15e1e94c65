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

use std::io::{self, BufWriter, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::{iter, thread};

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
        "textDocument/references" | "eval-ls/tests" => &SLOW,
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
        "textDocument/hover" | "textDocument/completion" | "textDocument/definition" | "textDocument/prepareRename"
    )
}

/// How many bytes are written at once, if they are of short messages. As much as a pipe on Linux holds.
const BATCH: usize = 64 << 10;

/// How many messages are written before all of them count as written.
const TOGETHER: usize = 64;

/// The queue to the client. Copies are the same queue.
#[derive(Clone)]
pub(crate) struct Outbox {
    /// `None` if it is closed.
    queue: Arc<Mutex<Option<mpsc::Sender<Outgoing>>>>,
}

/// Completes when nothing more will be written: everything is written and the [`Outbox`] was closed, or the output was closed.
pub(crate) type Written = oneshot::Receiver<()>;

/// A message to the client as JSON.
struct Outgoing {
    body: Vec<u8>,
    /// Dropped when the message is written.
    _until_written: Box<dyn Send>,
}

impl Outbox {
    /// Starts writing to `output`.
    pub(crate) fn new(output: impl Write + Send + 'static) -> io::Result<(Self, Written)> {
        let (queue, messages) = mpsc::channel();
        let (end, written) = oneshot::channel();
        thread::Builder::new().name("lsp-writer".to_owned()).spawn(move || {
            // The expected error is a closed output. The session learns about it from the end of the thread.
            let _ = write_all(&messages, output);
            let _ = end.send(());
        })?;
        Ok((Outbox { queue: Arc::new(Mutex::new(Some(queue))) }, written))
    }

    fn queue(&self) -> MutexGuard<'_, Option<mpsc::Sender<Outgoing>>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a message in JSON. Never waits. The second value is dropped when the message is written.
    pub(crate) fn send(&self, body: Vec<u8>, until_written: impl Send + 'static) {
        let message = Outgoing { body, _until_written: Box::new(until_written) };
        // This fails only if the output is closed, and then the session ends anyway.
        let _ = self.queue().as_ref().map(|queue| queue.send(message));
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

    /// Appends a notification. This bypasses the library, because the library builds a tree of every message first, which is slow
    /// for long messages. The last value is dropped when the message is written.
    ///
    /// # Errors
    ///
    /// If `params` cannot be serialized as JSON.
    pub(crate) fn notify(
        &self,
        method: &str,
        params: &impl Serialize,
        until_written: impl Send + 'static,
    ) -> serde_json::Result<()> {
        #[derive(Serialize)]
        struct Message<'a, P> {
            jsonrpc: &'static str,
            method: &'a str,
            params: P,
        }
        self.send(serde_json::to_vec(&Message { jsonrpc: "2.0", method, params })?, until_written);
        Ok(())
    }

    /// Drops all messages from now on.
    pub(crate) fn close(&self) {
        self.queue().take();
    }
}

fn write_all(messages: &mpsc::Receiver<Outgoing>, output: impl Write) -> io::Result<()> {
    let mut output = BufWriter::with_capacity(BATCH, output);
    while let Ok(first) = messages.recv() {
        let mut taken = Vec::new();
        for message in iter::once(first).chain(messages.try_iter()).take(TOGETHER) {
            write!(output, "Content-Length: {}\r\n\r\n", message.body.len())?;
            // A long message is not copied.
            output.write_all(&message.body)?;
            taken.push(message);
        }
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_notification_is_as_the_library_would_write_it() {
        let (input, output) = io::pipe().unwrap();
        let (outbox, _written) = Outbox::new(output).unwrap();
        let params = json!({ "a": ["é", 1] });
        outbox.notify("m", &params, ()).unwrap();
        outbox.request(&Request::build("m").params(params).finish());
        outbox.close();
        // Late messages are dropped.
        outbox.notify("m", &json!([]), ()).unwrap();
        let sent = io::read_to_string(input).unwrap();
        let (one, other) = sent.split_at(sent.len() / 2);
        assert_eq!(one, other);
    }

    #[test]
    fn it_is_known_when_a_notification_was_written() {
        let (input, output) = io::pipe().unwrap();
        let (outbox, _written) = Outbox::new(output).unwrap();
        let (until, written) = mpsc::channel::<()>();
        // More than a pipe holds.
        outbox.notify("m", &json!(["x".repeat(1 << 20)]), until).unwrap();
        let soon = std::time::Duration::from_millis(50);
        assert_eq!(written.recv_timeout(soon), Err(mpsc::RecvTimeoutError::Timeout));
        drop(input);
        assert_eq!(written.recv(), Err(mpsc::RecvError));
    }
}
