//! Findings drawn for a terminal: the line with the fault underlined, what else it speaks of, and the fixes in words.
//!
//! Nothing of a file reaches the terminal as it is: see [`crate::text::visible`].

mod excerpt;
mod finding;

pub(crate) use finding::{Painter, printable};
