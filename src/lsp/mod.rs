//! The language server: the only part of this crate that knows the protocol.

pub mod transport;
