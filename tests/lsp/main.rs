//! The language server, seen from a client.

mod support;
mod transport;
