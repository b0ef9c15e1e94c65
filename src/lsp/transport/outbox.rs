//! Writes messages in a separate thread: a client that does not read blocks only that thread.

use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::{Arc, Weak, mpsc};
use std::thread;

use serde::Serialize;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp_server::jsonrpc::{Id, Request, Response};

use super::Place;

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
    use crate::lsp::transport::ANSWER_START;

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
