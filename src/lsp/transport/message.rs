//! Reads message bodies as requests and responses, and handles all others.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Request, Response};

use crate::lsp::client::settings::log;
use crate::lsp::convert::surrogates;

use super::frame::Fault;
use super::tolerance;

/// The meaning of a frame for the session.
#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    /// A request or notification of the client.
    Call(Request),
    /// The client's answer to a request of the server.
    Answer(Response),
    /// The server's answer to an unreadable message.
    Refusal(Response),
    /// The server's answer to a message that is too long, with a text for people: the message may have been the text of a file.
    TooLong(Response, String),
}

/// Reads a body. `None` if it can be neither read nor answered; it is only logged.
pub(crate) fn receive(frame: Result<Vec<u8>, Fault>) -> Option<Incoming> {
    let mut body = match frame {
        Ok(body) => body,
        Err(fault @ Fault::TooLong { .. }) => {
            log(&fault.to_string());
            let advice = "If it was the text of a file, split the file, or run `eval-ls check` on it";
            let response = Response::from_error(Id::Null, fault.error());
            return Some(Incoming::TooLong(response, format!("eval-ls: {fault}. {advice}")));
        }
        Err(fault) => return refuse(&fault, Sender::default()),
    };
    surrogates::replace_lone(&mut body);
    match str::from_utf8(&body) {
        Ok(text) => match Message::read(text).and_then(Message::sort) {
            Ok(incoming) => Some(incoming),
            Err(fault) => refuse(&fault, Sender::of(text)),
        },
        Err(error) => refuse(&Fault::NotUtf8 { at: error.valid_up_to() }, Sender::default()),
    }
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    jsonrpc: Option<Cow<'a, str>>,
    #[serde(default, deserialize_with = "present")]
    id: Option<Id>,
    method: Option<String>,
    #[serde(default, deserialize_with = "present")]
    params: Option<Value>,
    result: Option<Value>,
    error: Option<Value>,
}

impl<'a> Message<'a> {
    fn read(text: &'a str) -> Result<Self, Fault> {
        let read = if is_object(text) {
            serde_json::from_str(text).map_err(|error| error.to_string())
        } else {
            Err("it is not an object".to_owned())
        };
        read.map_err(|error| fault(text, error))
    }

    fn sort(self) -> Result<Incoming, Fault> {
        match self.jsonrpc.as_deref() {
            Some("2.0") => {}
            Some(_) => return Err(Fault::NotAMessage("`jsonrpc` is not \"2.0\"".to_owned())),
            None => return Err(Fault::NotAMessage("`jsonrpc` is missing".to_owned())),
        }
        match (self.method, self.id) {
            (Some(method), id) => Ok(Incoming::Call(request(method, id, self.params))),
            // Some clients omit a null result.
            (None, Some(id)) => Ok(Incoming::Answer(match self.error {
                Some(error) => Response::from_error(id, client_error(error)),
                None => Response::from_ok(id, self.result.unwrap_or_default()),
            })),
            (None, None) => Err(Fault::NotAMessage("it has neither `method` nor `id`".to_owned())),
        }
    }
}

/// The readable parts of an unreadable message: `serde_json` skips the other fields without recursion.
#[derive(Default, Deserialize)]
struct Sender {
    id: Option<Value>,
    method: Option<Value>,
}

impl Sender {
    fn of(text: &str) -> Self {
        if is_object(text) { serde_json::from_str(text).unwrap_or_default() } else { Sender::default() }
    }
}

/// A request is answered with the error, and a notification is dropped. For a response, the error replaces its content,
/// so that the waiting code continues.
fn refuse(fault: &Fault, sender: Sender) -> Option<Incoming> {
    let of = sender.method.as_ref().and_then(Value::as_str).map(|method| format!(" (`{method}`)"));
    log(&format!("{fault}{}", of.unwrap_or_default()));
    let id = sender.id.map(|id| serde_json::from_value(id).unwrap_or(Id::Null));
    match (sender.method, id) {
        (Some(_), None) => None,
        (None, Some(id)) if id != Id::Null => Some(Incoming::Answer(Response::from_error(id, fault.error()))),
        (_, id) => Some(Incoming::Refusal(Response::from_error(id.unwrap_or(Id::Null), fault.error()))),
    }
}

/// Returns why `text` could not be read as a message. `serde_json` reports this only as text.
fn fault(text: &str, error: String) -> Fault {
    match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) => Fault::NotJson(error.to_string()),
        Ok(_) if error.starts_with("recursion limit exceeded") => Fault::TooDeep,
        Ok(_) => Fault::NotAMessage(error),
    }
}

/// Returns whether a JSON text is an object. For a struct, `serde` also accepts an array with the fields in order.
fn is_object(text: &str) -> bool {
    text.trim_ascii_start().starts_with('{')
}

fn request(method: String, id: Option<Id>, params: Option<Value>) -> Request {
    let mut request = Request::build(method);
    if let Some(id) = id {
        request = request.id(id);
    }
    if let Some(mut params) = params {
        tolerance::encode(&mut params);
        request = request.params(params);
    }
    request.finish()
}

/// An error of a client, which may have more or fewer fields than the protocol states.
fn client_error(error: Value) -> Error {
    let code = error.get("code").and_then(Value::as_i64).map_or(ErrorCode::InternalError, ErrorCode::from);
    let message = error.get("message").and_then(Value::as_str).unwrap_or("no message").to_owned();
    Error { code, message: message.into(), data: error.get("data").cloned() }
}

/// Distinguishes a null field from a missing one.
fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(field: D) -> Result<Option<T>, D::Error> {
    T::deserialize(field).map(Some)
}

#[cfg(test)]
mod tests;
