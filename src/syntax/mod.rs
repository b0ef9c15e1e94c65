//! JSON that may be broken: text in, a tree and its errors out, never a failure.
//!
//! [`parse`] accepts exactly what RFC 8259 and serde_json accept; of anything else it keeps as much structure as a
//! reader would see, and says each fault once, where it is. People type from left to right and mostly inside one
//! line, so that is what recovery is built for: an unclosed string ends with its line, and a bracket that is missing
//! counts as closed where what follows can only be read so.

mod edit;
mod error;
mod lexer;
mod node;
mod parser;
mod path;
mod repair;
mod spot;
mod string;
mod tree;
mod value;

pub use edit::separator_before;
pub use error::{Container, SyntaxError, SyntaxErrorKind};
pub use node::{Member, Node};
pub use parser::{MAX_DEPTH, Parse, parse, parse_nested};
pub use path::{Path, Step};
pub use repair::{Mistake, Repair, mistakes};
pub use spot::{Follows, Open, Slot, Spot, Token};
pub use string::{RawOffsets, decode, encode, raw_span};
pub use tree::{Kind, NodeId, Tree};

#[cfg(test)]
mod tests;
