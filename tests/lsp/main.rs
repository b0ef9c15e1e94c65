//! The language server, seen from a client.

mod clients;
mod code_actions;
mod configuration;
mod diagnostics;
mod documents;
mod encodings;
mod order;
mod stdio;
mod support;
mod tools;
mod transport;
