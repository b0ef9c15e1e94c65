//! Splits bytes into message bodies.
//!
//! A frame consists of header lines, an empty line, and as many bytes as `Content-Length` states. The input is read by
//! lines, and a line that *ends* in a `Content-Length` header begins a frame anywhere. No JSON text contains such a
//! line, because a line break in a string is escaped. So the session continues at the next such line after any
//! unreadable input, such as garbage or a body that is too long.

use std::io::{BufRead, BufReader, Read};

use thiserror::Error;
use tower_lsp_server::jsonrpc::{Error, ErrorCode};

use crate::lsp::client::settings::log;

/// If a line is longer than this many bytes, only its end is examined.
const MAX_LINE: usize = 4096;

/// The bodies in an input, and the errors between them. It ends when the input does.
pub(crate) struct Frames<R> {
    input: BufReader<R>,
    /// The length of the body, if the current header states it.
    length: Option<u64>,
    /// Whether the current header has other lines.
    other_headers: bool,
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
        Frames { input: BufReader::with_capacity(64 << 10, input), length: None, other_headers: false, lost: false }
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
                Line::OtherHeader => {
                    self.other_headers = true;
                    None
                }
                Line::Garbage => {
                    self.length = None;
                    self.lose(Fault::Header)
                }
                Line::Blank => {
                    let other_headers = std::mem::take(&mut self.other_headers);
                    match self.length.take() {
                        Some(length) if length > MAX_BODY => {
                            self.lost = true;
                            Some(Fault::TooLong { length })
                        }
                        Some(length) => {
                            self.lost = false;
                            return self.body(length).map(Ok);
                        }
                        None if other_headers => self.lose(Fault::NoLength),
                        None => None,
                    }
                }
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

/// How deep arrays and objects of a message may be nested, the message itself included. This is the limit of
/// `serde_json`, which protects the stack.
pub(crate) const MAX_DEPTH: usize = 127;

/// Why a message, or other input, was not accepted.
#[derive(Debug, Error, PartialEq, Eq)]
pub(crate) enum Fault {
    #[error("expected a header line such as `Content-Length: 123`; skipped to the next one")]
    Header,
    #[error("the header ended without a `Content-Length`; skipped to the next one")]
    NoLength,
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
            Fault::Header | Fault::NoLength | Fault::NotUtf8 { .. } | Fault::NotJson(_) => ErrorCode::ParseError,
            Fault::TooLong { .. } | Fault::TooDeep | Fault::NotAMessage(_) => ErrorCode::InvalidRequest,
        };
        Error { code, message: self.to_string().into(), data: None }
    }
}

#[cfg(test)]
mod tests;
