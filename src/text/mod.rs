//! The text of a document, and places in it.
//!
//! This crate describes places as [`Span`]s of bytes. Only at its edges, where a person or a protocol needs a line and a
//! column, [`Text`] converts them to a [`Position`] in the requested [`Encoding`], and back.

mod buffer;
mod fold;
mod mapped;
mod span;
#[cfg(test)]
mod tests;
mod visible;

pub(crate) use buffer::EditError;
pub use buffer::Text;
pub(crate) use fold::{alike, as_seen, bare, compatible, fold, fold_char, fold_compatible, normalized};
pub(crate) use fold::{counted, hex, number, seconds};
pub(crate) use fold::{percent_decoded, percent_encoded, percent_encoded_path};
pub(crate) use mapped::Mapped;
pub use span::Span;
pub(crate) use span::{Encoding, LineColumn, LineRange, Position, changed};
pub(crate) use visible::{
    is_ignorable, is_invisible, is_mark, is_stand_in, is_within_a_word, visible, visible_start, visible_text,
};
