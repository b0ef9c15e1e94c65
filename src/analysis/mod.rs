//! The façade: text in, answers out, for whoever asks. No I/O, no threads, no protocol.
//!
//! A [`Document`] keeps what was learnt of each case with that case, so that an edit costs one case and not the file.

mod document;
mod memo;
mod unit;

pub use document::Document;

#[cfg(test)]
mod tests;
