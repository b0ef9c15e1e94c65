//! Messages to bytes, in a thread of their own: a client that does not read stops only that thread.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use serde::Serialize;
use tokio::sync::{Notify, oneshot};
use tower_lsp_server::jsonrpc::{Request, Response};

/// While this many messages wait to be written, the server's own ones are held back where they come from. Responses
/// are not: each was asked for, and a handler that is done is not kept waiting.
const ROOM: usize = 64;

/// Messages that wait are written at once, up to about this many bytes of them.
const BATCH: usize = 64 << 10;

/// The way to the client.
pub(super) struct Outbox {
    queue: mpsc::Sender<Outgoing>,
    waiting: Arc<Waiting>,
}

/// Completes when nothing more will be written: everything is and the [`Outbox`] was dropped, or the output was closed.
pub(super) type Written = oneshot::Receiver<()>;

/// A message to the client.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Outgoing {
    /// An answer to the client.
    Response(Response),
    /// A request or notification of the server's.
    Request(Request),
}

#[derive(Default)]
struct Waiting {
    messages: AtomicUsize,
    fewer: Notify,
}

impl Outbox {
    /// Starts writing to `output`.
    pub(super) fn new(mut output: impl Write + Send + 'static) -> io::Result<(Self, Written)> {
        let (queue, messages) = mpsc::channel();
        let (end, written) = oneshot::channel();
        let waiting = Arc::<Waiting>::default();
        let shared = Arc::clone(&waiting);
        thread::Builder::new().name("lsp-writer".to_owned()).spawn(move || {
            // The one error to expect is that nobody reads any more, which the session learns from the thread's end.
            let _ = write_all(&messages, &shared, &mut output);
            let _ = end.send(());
        })?;
        Ok((Outbox { queue, waiting }, written))
    }

    /// Puts a message behind those that wait. Never waits itself.
    pub(super) fn send(&self, message: Outgoing) {
        self.waiting.messages.fetch_add(1, Ordering::Relaxed);
        // It fails only when the output is closed, and the session ends for that by itself.
        let _ = self.queue.send(message);
    }

    /// Whether the client keeps up with what the server has to say.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.messages.load(Ordering::Relaxed) < ROOM
    }

    /// Completes when it is worth asking [`Outbox::has_room`] again.
    pub(super) fn room(&self) -> impl Future<Output = ()> {
        self.waiting.fewer.notified()
    }
}

fn write_all(messages: &mpsc::Receiver<Outgoing>, waiting: &Waiting, output: &mut impl Write) -> io::Result<()> {
    let (mut batch, mut body) = (Vec::new(), Vec::new());
    while let Ok(first) = messages.recv() {
        let mut taken = 0;
        let mut next = Some(first);
        while let Some(message) = next {
            frame(&message, &mut body, &mut batch)?;
            taken += 1;
            next = if batch.len() < BATCH { messages.try_recv().ok() } else { None };
        }
        output.write_all(&batch)?;
        output.flush()?;
        waiting.messages.fetch_sub(taken, Ordering::Relaxed);
        waiting.fewer.notify_one();
        for buffer in [&mut batch, &mut body] {
            buffer.clear();
            buffer.shrink_to(BATCH);
        }
    }
    Ok(())
}

fn frame(message: &Outgoing, body: &mut Vec<u8>, batch: &mut Vec<u8>) -> io::Result<()> {
    body.clear();
    serde_json::to_writer(&mut *body, message)?;
    write!(batch, "Content-Length: {}\r\n\r\n", body.len())?;
    batch.extend_from_slice(body);
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn lengths_count_bytes() {
        let (mut body, mut batch) = (Vec::new(), Vec::new());
        for params in [json!(["é😀"]), json!([])] {
            let request = Request::build("m").params(params).finish();
            frame(&Outgoing::Request(request), &mut body, &mut batch).unwrap();
        }
        let expected = "Content-Length: 50\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[\"é😀\"]}\
                        Content-Length: 42\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}";
        assert_eq!(String::from_utf8(batch).unwrap(), expected);
    }
}
