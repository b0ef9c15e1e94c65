//! The words of a pattern: the role of each part of its text.
//!
//! [`tokens`] splits any text into [`Token`]s that cover it without a gap, in the same way as PCRE2's parser. The text
//! need not be a valid pattern. The tokens describe the text, not what it matches; lints, hovers and colours use them.
//! [`class_tokens`] does the same for the content of one character class.

mod class;
mod escape;
mod group;
mod lexer;
#[cfg(test)]
mod tests;
mod token;
mod tree;

pub(crate) use class::class_tokens;
pub(crate) use lexer::tokens;
pub(crate) use token::{Flags, Greed, Group, Token, TokenKind};
pub(crate) use tree::{Branch, Part, PartKind, PatternTree};
