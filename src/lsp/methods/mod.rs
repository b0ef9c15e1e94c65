//! What the server does when a client asks: one handler for each method and command.

mod capabilities;
mod pages;
mod server;

pub(in crate::lsp) use server::service;
