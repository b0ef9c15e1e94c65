//! The words of a pattern: what each stretch of its text is.
//!
//! [`tokens`] cuts any text into [`Token`]s that cover it without a gap, valid pattern or not, in the way PCRE2's own
//! parser does. They say what the author wrote, not what it matches: lints, hovers and colours are made from them.
//! [`class_tokens`] does the same for the inside of one character class.

mod class;
mod escape;
mod group;
mod lexer;
#[cfg(test)]
mod tests;
mod token;
mod tree;

pub use class::class_tokens;
pub use lexer::tokens;
pub use token::{Flags, Greed, Group, Token, TokenKind};
pub use tree::{Branch, Part, PartKind, PatternTree};
