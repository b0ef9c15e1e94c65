//! What the files around a suite have shown: which tools there are.
//!
//! A [`Place`] says which files those are. An [`Observer`] looks at them, and again whenever it is asked to; it reads no
//! file twice that is as it was. Files are hostile: what is read is bounded, in bytes and in number, and nearer files are
//! read first.

mod bounds;
mod counts;
mod find;
mod observer;
mod place;
mod read;
#[cfg(test)]
mod tests;

pub use counts::{ToolCounts, Tools};
pub use observer::Observer;
pub use place::Place;
