//! The errors of a message that no handler sees.

use thiserror::Error;
use tower_lsp_server::jsonrpc::{Error, ErrorCode};

/// The longest body that is accepted, in bytes.
pub(super) const MAX_BODY: u64 = 64 << 20;

/// How deep arrays and objects of a message may be nested, the message itself included. This is the limit of
/// `serde_json`, which protects the stack.
pub(super) const MAX_DEPTH: usize = 127;

/// Why a message, or other input, was not accepted.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum Fault {
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
    pub(super) fn error(&self) -> Error {
        let code = match self {
            Fault::Header | Fault::NoLength | Fault::NotUtf8 { .. } | Fault::NotJson(_) => ErrorCode::ParseError,
            Fault::TooLong { .. } | Fault::TooDeep | Fault::NotAMessage(_) => ErrorCode::InvalidRequest,
        };
        Error { code, message: self.to_string().into(), data: None }
    }
}
