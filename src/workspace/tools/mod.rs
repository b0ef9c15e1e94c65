//! The tools that the files around a suite show.
//!
//! An [`Observer`] reads the files of a [`Scope`](super::Scope), each again only if it has changed. Files are hostile: the
//! bytes and the number of files are bounded, and nearer files are read first.

mod observer;
mod read;
#[cfg(test)]
mod tests;

pub(crate) use observer::{Observer, Observers, Tools};
