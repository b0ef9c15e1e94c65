//! Draws findings for a terminal: the underlined line, related places, and the titles of the fixes.
//!
//! No text of a file reaches the terminal unescaped, see [`crate::text::visible`].

mod excerpt;
mod finding;

pub(crate) use finding::{Painter, printable};
