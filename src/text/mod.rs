//! The document's text, and where things are in it.
//!
//! Everything in this crate speaks of places as [`Span`]s of bytes. Only at the edges, where a person or a protocol
//! wants a line and a column, does [`Text`] turn them into a [`Position`] in the [`Encoding`] asked for, and back.

mod buffer;
mod encoding;
mod fold;
mod line_column;
mod number;
mod span;
mod visible;

pub use buffer::{EditError, Text};
pub use encoding::{Encoding, Position};
pub use fold::{fold, fold_char};
pub use line_column::{LineColumn, LineRange};
pub use number::{counted, number};
pub use span::Span;
pub use visible::{is_invisible, visible};

#[cfg(test)]
mod tests;
