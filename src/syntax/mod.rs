//! JSON that may be broken: text in, a tree and its errors out, never a failure.
//!
//! [`parse`] accepts exactly what RFC 8259 and serde_json accept; of anything else it keeps as much structure as a
//! reader would see, and says each fault once, where it is. People type from left to right and mostly inside one
//! line, so that is what recovery is built for: an unclosed string ends with its line, and a bracket that is missing
//! counts as closed where what follows can only be read so.

mod cursor_context;
mod error;
mod lexer;
mod node;
mod parser;
mod repair;
mod string;
#[cfg(test)]
mod tests;
mod tree;

pub(crate) use cursor_context::{CursorContext, Follows, Slot};
pub(crate) use error::{Container, SyntaxError, SyntaxErrorKind};
pub use node::{Member, Node};
pub(crate) use node::{Path, Step, most_nodes};
pub use parser::parse;
pub(crate) use parser::{MAX_DEPTH, Parse, parse_case, parse_in_parts};
pub(crate) use repair::{Mistake, mistakes};
pub(crate) use string::{decode, encode, raw_span};
pub use tree::{Kind, Tree};
pub(crate) use tree::{NodeId, separator_before};
