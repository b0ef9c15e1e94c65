//! From bytes to messages: splits the input into frames, reads their bodies as requests and responses, and tolerates what clients do
//! beside the protocol.
//!
//! A frame consists of header lines, an empty line, and as many bytes as `Content-Length` states. The input is read by
//! lines, and a line that *ends* in a `Content-Length` header begins a frame anywhere. No JSON text contains such a
//! line, because a line break in a string is escaped. So the session continues at the next such line after any
//! unreadable input, such as garbage or a body that is too long.
//!
//! The library refuses or drops messages of clients that deviate from the protocol:
//!
//! - Some clients do not encode all characters that a URI must not contain: `[`, `]`, `|`, `^`, spaces, and all beyond ASCII.
//! - Some announce capabilities in a form that the protocol does not have. The whole session would be refused because of a
//!   capability that may not matter here.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::sync::{LazyLock, Mutex, PoisonError};

use ls_types::{InitializeParams, Uri};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use thiserror::Error as ThisError;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Id, Response};

use crate::lsp::client::settings::log;
use crate::lsp::convert::to_lsp::replace_lone;

/// If a line is longer than this many bytes, only its end is examined.
const MAX_LINE: usize = 4096;

/// The bodies in an input, and the errors between them. It ends when the input does.
pub(crate) struct Frames<R> {
    input: BufReader<R>,
    /// The length of the body, if the current header states it.
    length: Option<u64>,
    /// Set by an error, until the next frame: all input between them is dropped without further errors.
    lost: bool,
}

enum Line {
    Blank,
    Length { bytes: u64, after_garbage: bool },
    OtherHeader,
    Garbage,
}

impl<R: Read> Frames<R> {
    pub(crate) fn new(input: R) -> Self {
        Frames { input: BufReader::with_capacity(64 << 10, input), length: None, lost: false }
    }

    /// Returns the body for the header; `None` if the input ends within it.
    fn body(&mut self, length: u64) -> Option<Vec<u8>> {
        // The length is not trusted. Memory for more than a large document is reserved when the bytes arrive.
        let mut body = Vec::with_capacity(length.min(1 << 20) as usize);
        match self.input.by_ref().take(length).read_to_end(&mut body) {
            Ok(read) => (read as u64 == length).then_some(body),
            Err(error) => {
                log(&format!("cannot read on: {error}"));
                None
            }
        }
    }

    /// Returns the next line, which ends with a line feed; `None` if the input ends before one.
    fn line(&mut self) -> Option<Line> {
        let mut line = Vec::new();
        loop {
            let chunk = match self.input.fill_buf() {
                Ok([]) => return None,
                Ok(chunk) => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    log(&format!("cannot read on: {error}"));
                    return None;
                }
            };
            let end = memchr::memchr(b'\n', chunk);
            let part = &chunk[..end.unwrap_or(chunk.len())];
            line.extend_from_slice(&part[part.len().saturating_sub(MAX_LINE)..]);
            line.drain(..line.len().saturating_sub(MAX_LINE));
            let read = end.map_or(chunk.len(), |end| end + 1);
            self.input.consume(read);
            if end.is_some() {
                return Some(Line::of(&line));
            }
        }
    }

    /// Reports an error, but only the first one before the next frame.
    fn lose(&mut self, fault: Fault) -> Option<Fault> {
        (!std::mem::replace(&mut self.lost, true)).then_some(fault)
    }
}

impl<R: Read> Iterator for Frames<R> {
    type Item = Result<Vec<u8>, Fault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let fault = match self.line()? {
                Line::Length { bytes, after_garbage } => {
                    let contradicts = self.length.replace(bytes).is_some_and(|before| before != bytes);
                    if contradicts || after_garbage { self.lose(Fault::Header) } else { None }
                }
                Line::OtherHeader => None,
                Line::Garbage => {
                    self.length = None;
                    self.lose(Fault::Header)
                }
                Line::Blank => match self.length.take() {
                    Some(length) if length > MAX_BODY => {
                        self.lost = true;
                        Some(Fault::TooLong { length })
                    }
                    Some(length) => {
                        self.lost = false;
                        return self.body(length).map(Ok);
                    }
                    None => None,
                },
            };
            if let Some(fault) = fault {
                return Some(Err(fault));
            }
        }
    }
}

impl Line {
    fn of(line: &[u8]) -> Line {
        let line = line.trim_ascii();
        if line.is_empty() {
            return Line::Blank;
        }
        if let Some((before, bytes)) = split_length(line) {
            return Line::Length { bytes, after_garbage: !before.is_empty() };
        }
        let name = memchr::memchr(b':', line).map_or(&[][..], |colon| line[..colon].trim_ascii_end());
        let is_name = !name.is_empty() && name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if is_name && !name.eq_ignore_ascii_case(b"content-length") { Line::OtherHeader } else { Line::Garbage }
    }
}

/// Returns the number of the `Content-Length` header at the end of `line`, and the text before that header.
fn split_length(line: &[u8]) -> Option<(&[u8], u64)> {
    let digits = line.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (before, number) = line.split_at(line.len() - digits);
    let before = before.trim_ascii_end().strip_suffix(b":")?.trim_ascii_end();
    let (before, name) = before.split_at_checked(before.len().checked_sub(b"content-length".len())?)?;
    if number.is_empty() || !name.eq_ignore_ascii_case(b"content-length") {
        return None;
    }
    // A number that does not fit into a u64 exceeds every limit.
    let bytes = str::from_utf8(number).ok()?.parse().unwrap_or(u64::MAX);
    Some((before.trim_ascii_end(), bytes))
}

/// The longest body that is accepted, in bytes.
pub(crate) const MAX_BODY: u64 = 64 << 20;

/// How deep arrays and objects of a member of a message may be nested. This is the limit of `serde_json`, which protects the
/// stack.
pub(crate) const MAX_DEPTH: usize = 127;

/// Why a message, or other input, was not accepted.
#[derive(Debug, ThisError, PartialEq, Eq)]
pub(crate) enum Fault {
    #[error("expected a header line such as `Content-Length: 123`; skipped to the next one")]
    Header,
    #[error("a message of {length} bytes is over the limit of 64 MiB ({MAX_BODY} bytes) and was skipped")]
    TooLong { length: u64 },
    #[error("expected a message in UTF-8, but its byte {at} (counted from 0) begins no character")]
    NotUtf8 { at: usize },
    #[error("expected a message in JSON: {0}")]
    NotJson(String),
    #[error("the message is nested over the limit of {MAX_DEPTH} levels and was skipped")]
    TooDeep,
    #[error("expected a JSON-RPC 2.0 request, notification or response: {0}")]
    NotAMessage(String),
}

impl Fault {
    /// Returns the error to answer with.
    pub(crate) fn error(&self) -> Error {
        let code = match self {
            Fault::Header | Fault::NotUtf8 { .. } | Fault::NotJson(_) => ErrorCode::ParseError,
            Fault::TooLong { .. } | Fault::TooDeep | Fault::NotAMessage(_) => ErrorCode::InvalidRequest,
        };
        Error { code, message: self.to_string().into(), data: None }
    }
}

/// The meaning of a frame for the session.
#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    /// A request of the client, or a notification, which has no id. Missing parameters are null.
    Call { method: String, id: Option<Id>, params: Value },
    /// The client's answer to a request of the server.
    Answer(Response),
    /// The server's answer to an unreadable message.
    Refusal(Response),
    /// The server's answer to a message that is too long, with a text for people: the message may have been the text of a file.
    TooLong(Response, String),
}

/// The members of a message. Their values are not read yet, because they may be nested too deep.
type Members<'a> = HashMap<String, &'a RawValue>;

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
        Err(fault) => return refuse(&fault, &Members::new()),
    };
    replace_lone(&mut body);
    let text = str::from_utf8(&body).map_err(|error| Fault::NotUtf8 { at: error.valid_up_to() });
    match text.and_then(members) {
        Ok(members) => sort(&members).map_or_else(|fault| refuse(&fault, &members), Some),
        Err(fault) => refuse(&fault, &Members::new()),
    }
}

fn members(text: &str) -> Result<Members<'_>, Fault> {
    serde_json::from_str(text).map_err(|error| match serde_json::from_str::<IgnoredAny>(text) {
        Err(error) => Fault::NotJson(error.to_string()),
        Ok(_) => Fault::NotAMessage(error.to_string()),
    })
}

/// Reads a member if the message has it.
fn member<T: DeserializeOwned>(members: &Members, name: &str) -> Result<Option<T>, Fault> {
    let read = members.get(name).map(|value| serde_json::from_str(value.get())).transpose();
    read.map_err(|error| match error.to_string() {
        text if text.starts_with("recursion limit exceeded") => Fault::TooDeep,
        text => Fault::NotAMessage(format!("`{name}`: {text}")),
    })
}

fn sort(members: &Members) -> Result<Incoming, Fault> {
    if member::<Value>(members, "jsonrpc")? != Some("2.0".into()) {
        return Err(Fault::NotAMessage("`jsonrpc` is not \"2.0\"".to_owned()));
    }
    match (member(members, "method")?, member(members, "id")?) {
        (Some(method), id) => {
            let mut params = member(members, "params")?.unwrap_or_default();
            encode(&mut params);
            Ok(Incoming::Call { method, id, params })
        }
        (None, Some(id)) => Ok(Incoming::Answer(match member(members, "error")? {
            None | Some(Value::Null) => Response::from_ok(id, member(members, "result")?.unwrap_or_default()),
            Some(error) => Response::from_error(id, client_error(&error)),
        })),
        (None, None) => Err(Fault::NotAMessage("it has neither `method` nor `id`".to_owned())),
    }
}

/// A request is answered with the error, and a notification is dropped. For a response, the error replaces its content,
/// so that the waiting code continues.
fn refuse(fault: &Fault, members: &Members) -> Option<Incoming> {
    let of = member::<String>(members, "method").ok().flatten().map(|method| format!(" (`{method}`)"));
    log(&format!("{fault}{}", of.unwrap_or_default()));
    let id = member(members, "id").unwrap_or(Some(Id::Null));
    match (members.get("method"), id) {
        (Some(_), None) => None,
        (None, Some(id)) if id != Id::Null => Some(Incoming::Answer(Response::from_error(id, fault.error()))),
        (_, id) => Some(Incoming::Refusal(Response::from_error(id.unwrap_or_default(), fault.error()))),
    }
}

/// An error of a client, which may have more or fewer fields than the protocol states.
fn client_error(error: &Value) -> Error {
    let code = error.get("code").and_then(Value::as_i64).map_or(ErrorCode::InternalError, ErrorCode::from);
    let message = error.get("message").and_then(Value::as_str).unwrap_or("no message").to_owned();
    Error { code, message: message.into(), data: error.get("data").cloned() }
}

/// The URIs that were encoded, as the client wrote them. A process has one client.
static SPELLINGS: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);

/// How many spellings are remembered: more documents than anybody opens.
const MOST: usize = 10_000;

/// The URI as the client wrote it. Some clients compare URIs as texts.
pub(crate) fn as_written(uri: &Uri) -> String {
    let spellings = SPELLINGS.lock().unwrap_or_else(PoisonError::into_inner);
    spellings.get(uri.as_str()).map_or_else(|| uri.as_str().to_owned(), String::clone)
}

/// Encodes the URIs in the parameters of a message. Members are URIs by their names: `uri`, `rootUri`, `uris` and so on.
pub(crate) fn encode(params: &mut Value) {
    match params {
        Value::Array(elements) => elements.iter_mut().for_each(encode),
        Value::Object(members) => {
            for (name, member) in members {
                let is_uri = matches!(name.as_str(), "uri" | "uris") || name.ends_with("Uri");
                if is_uri { encode_uris(member) } else { encode(member) }
            }
        }
        _ => {}
    }
}

fn encode_uris(value: &mut Value) {
    match value {
        Value::String(uri) if uri.parse::<Uri>().is_err() => {
            let encoded = encoded(uri);
            let mut spellings = SPELLINGS.lock().unwrap_or_else(PoisonError::into_inner);
            if spellings.len() < MOST {
                spellings.insert(encoded.clone(), uri.clone());
            }
            *uri = encoded;
        }
        Value::Array(uris) => uris.iter_mut().for_each(encode_uris),
        // The name may mean something else in parameters that this program does not know.
        other => encode(other),
    }
}

/// The text with each byte percent-encoded that no URI may contain after its authority.
fn encoded(uri: &str) -> String {
    // An address such as `[::1]` has brackets in the authority.
    let path = uri.find("://").map_or(0, |at| uri[at + 3..].find('/').map_or(uri.len(), |slash| at + 3 + slash));
    let (start, path) = uri.split_at(path);
    let mut encoded = start.to_owned();
    let bytes = path.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let is_escape = || matches!(&bytes[at..], [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        let is_allowed = byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=".contains(&byte) || is_escape();
        if is_allowed {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// The parameters of `initialize` without the members that cannot be read. If none remain that can be read, they are
/// unchanged, and the library refuses them.
pub(crate) fn readable(params: Value) -> Value {
    if is_readable(&params) { params } else { repaired(&params).unwrap_or(params) }
}

fn is_readable(params: &Value) -> bool {
    serde_json::from_value::<InitializeParams>(params.clone()).is_ok()
}

fn repaired(params: &Value) -> Option<Value> {
    let with_capabilities = |params: Value| match params {
        Value::Object(members) => {
            let mut all = Map::from_iter([("capabilities".to_owned(), json!({}))]);
            all.extend(members);
            Value::Object(all)
        }
        other => other,
    };
    readable_part("initialize", params, &|part| is_readable(&with_capabilities(part))).map(with_capabilities)
}

/// The value without the members that `fits` rejects; `None` if nothing fits.
fn readable_part(name: &str, value: &Value, fits: &dyn Fn(Value) -> bool) -> Option<Value> {
    if fits(value.clone()) {
        return Some(value.clone());
    }
    let members = value.as_object().into_iter().flatten().filter_map(|(key, member)| {
        let fits_alone = |part: Value| fits(Value::Object(Map::from_iter([(key.clone(), part)])));
        Some((key.clone(), readable_part(key, member, &fits_alone)?))
    });
    let rest = value.as_object().map(|_| Value::Object(members.collect()));
    let rest = rest.filter(|rest| fits(rest.clone()));
    if rest.is_none() {
        log(&format!("ignored `{name}` in the parameters of `initialize`: it has a wrong type"));
    }
    rest
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod tolerance {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_clients_do_not_encode_is_encoded() {
        for (given, expected) in [
            ("file:///app/[slug]/a.json", "file:///app/%5Bslug%5D/a.json"),
            ("file:///a|b^c d.json", "file:///a%7Cb%5Ec%20d.json"),
            ("file:///\u{e9}vals/\u{1f600}.json", "file:///%C3%A9vals/%F0%9F%98%80.json"),
            ("file:///100%/%5Bx%5D[", "file:///100%25/%5Bx%5D%5B"),
            ("file://[::1]/[x]", "file://[::1]/%5Bx%5D"),
            ("untitled:Untitled [1]", "untitled:Untitled%20%5B1%5D"),
        ] {
            let mut params = json!({ "textDocument": { "uri": given }, "rootUri": given, "uris": [given], "x": [[{ "uri": given }]] });
            encode(&mut params);
            let expected = json!({ "textDocument": { "uri": expected }, "rootUri": expected, "uris": [expected], "x": [[{ "uri": expected }]] });
            assert_eq!(params, expected);
            assert!(expected["rootUri"].as_str().unwrap().parse::<Uri>().is_ok());
        }
    }

    #[test]
    fn other_text_stays_as_it_is() {
        let params =
            json!({ "text": "[a b]", "uri": "file:///a%5bb?q#f", "newUri": { "text": "[ ]" }, "rootUri": null });
        let mut encoded = params.clone();
        encode(&mut encoded);
        assert_eq!(encoded, params);
    }

    #[test]
    fn only_wrong_members_are_ignored() {
        let given = json!({
            "processId": "many", "rootUri": 1, "trace": "loud",
            "initializationOptions": { "target": "agent" },
            "capabilities": {
                "general": { "positionEncodings": ["utf-8"] },
                "textDocument": {
                    "callHierarchy": [{ "dynamicRegistration": false }],
                    "completion": { "completionItem": { "snippetSupport": true, "labelDetailsSupport": "yes" } },
                    "semanticTokens": { "formats": "all" },
                },
            },
        });
        let kept = json!({
            "initializationOptions": { "target": "agent" },
            "capabilities": {
                "general": { "positionEncodings": ["utf-8"] },
                "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
            },
        });
        assert!(!is_readable(&given));
        assert_eq!(repaired(&given), Some(kept));
        assert_eq!(repaired(&json!({ "capabilities": 1 })), Some(json!({ "capabilities": {} })));
        assert_eq!(repaired(&json!(1)), None);
    }
}
