//! The client's end of the connection: it writes, reads in a separate thread, sorts, and answers the server's requests.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::model::Model;

type Answer = Box<dyn FnMut(&Value) -> Option<Value> + Send>;

pub(super) struct Wire {
    output: Mutex<Option<Box<dyn Write + Send>>>,
    answers: Mutex<HashMap<String, Answer>>,
    inbox: Mutex<Inbox>,
    arrived: Condvar,
    /// Tests the server's messages against the protocol.
    model: Mutex<Model>,
}

/// What came and was not taken yet.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    pub(super) responses: Vec<Value>,
    pub(super) others: Vec<Value>,
    /// Messages that violate the protocol.
    faults: Vec<String>,
    /// Why nothing more will come.
    end: Option<String>,
}

impl Wire {
    pub(super) fn new(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Arc<Self> {
        let wire = Arc::new(Wire {
            output: Mutex::new(Some(Box::new(output))),
            answers: Mutex::default(),
            inbox: Mutex::default(),
            arrived: Condvar::new(),
            model: Mutex::default(),
        });
        let reader = Arc::clone(&wire);
        thread::spawn(move || reader.read(BufReader::new(input)));
        wire
    }

    pub(super) fn answers(&self) -> MutexGuard<'_, HashMap<String, Answer>> {
        self.answers.lock().unwrap()
    }

    /// Writes, unless the server reads no more: that is for the test to find out by what it waits for.
    pub(super) fn write(&self, bytes: &[u8]) {
        if let Some(output) = &mut *self.output.lock().unwrap() {
            let _ = output.write_all(bytes).and_then(|()| output.flush());
        }
    }

    /// Takes note of a message before it is sent.
    pub(super) fn note(&self, message: &Value) {
        self.model.lock().unwrap().sent(message);
    }

    /// The messages so far that violate the protocol.
    pub(super) fn faults(&self) -> Vec<String> {
        self.inbox.lock().unwrap().faults.clone()
    }

    pub(super) fn close(&self) {
        self.output.lock().unwrap().take();
    }

    /// Waits until `take` accepts a message; else fails with the received messages.
    pub(super) fn wait<T>(
        &self,
        patience: Duration,
        mut take: impl FnMut(&mut Inbox) -> Option<T>,
    ) -> Result<T, String> {
        let start = Instant::now();
        let mut inbox = self.inbox.lock().unwrap();
        loop {
            if let Some(taken) = take(&mut inbox) {
                return Ok(taken);
            }
            let left = patience.saturating_sub(start.elapsed());
            if inbox.end.is_some() || left.is_zero() {
                return Err(format!("instead there is {inbox:#?}"));
            }
            inbox = self.arrived.wait_timeout(inbox, left).unwrap().0;
        }
    }

    fn read(&self, mut input: impl BufRead) {
        let end = loop {
            match read_frame(&mut input) {
                Ok(message) => self.receive(message),
                Err(end) => break end,
            }
        };
        self.inbox.lock().unwrap().end = Some(end);
        self.arrived.notify_all();
    }

    fn receive(&self, message: Value) {
        let checked = self.model.lock().unwrap().check(&message);
        if let Err(fault) = checked {
            self.inbox.lock().unwrap().faults.push(format!("{fault}, in {message}"));
        }
        if let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) {
            let answer = self.answers().get_mut(method).map_or(Some(Value::Null), |answer| answer(&message["params"]));
            if let Some(result) = answer {
                self.write(&frame(&json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string()));
            }
        }
        let mut inbox = self.inbox.lock().unwrap();
        let Inbox { responses, others, .. } = &mut *inbox;
        if message.get("method").is_some() { others } else { responses }.push(message);
        self.arrived.notify_all();
    }
}

/// Reads nothing until it is asked to.
pub(crate) struct Gate<R> {
    gate: Option<Receiver<()>>,
    input: R,
}

impl<R: Read> Gate<R> {
    /// Reads from `input` once something is received from `gate`.
    pub(crate) fn new(gate: Receiver<()>, input: R) -> Self {
        Gate { gate: Some(gate), input }
    }
}

impl<R: Read> Read for Gate<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if let Some(gate) = self.gate.take() {
            gate.recv().unwrap();
        }
        self.input.read(buffer)
    }
}

pub(crate) fn frame(body: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

/// Reads one message as strictly as a client may: exactly one header line, and JSON. Fails with what there is instead.
pub(crate) fn read_frame(input: &mut impl BufRead) -> Result<Value, String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut header = String::new();
    if input.read_line(&mut header).map_err(failed)? == 0 {
        return Err("the end of the output".to_owned());
    }
    let length = header.strip_prefix("Content-Length: ").and_then(|rest| rest.strip_suffix("\r\n")?.parse().ok());
    let length: usize = length.ok_or_else(|| format!("not a header: {header:?}"))?;
    let mut rest = vec![0; 2 + length];
    input.read_exact(&mut rest).map_err(failed)?;
    let body = rest.strip_prefix(b"\r\n").ok_or_else(|| format!("more than one header line: {rest:?}"))?;
    serde_json::from_slice(body).map_err(|error| format!("not JSON: {error}"))
}
