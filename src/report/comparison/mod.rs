//! A comparison of runs as text and as Markdown.

mod markdown;
mod text;
mod words;

pub(crate) use markdown::markdown;
pub(crate) use text::text;
