//! The language server: the only part of this crate that knows the protocol.
//!
//! ```text
//! client, protocol, convert ─► session ─► features ─► push ─► trust, runs ─► methods
//! ```
//!
//! - [`transport`] reads and writes messages, and survives any of them.
//! - `client` is what the client can do and wants; `protocol` has the types of `docs/lsp-extensions.md`; `convert`
//!   translates between LSP's types and this crate's.
//! - `session` is the state: open documents, configurations, answers, runs. A `Snapshot` is one open suite at one moment.
//! - `features` answers requests from a snapshot: convert in, one call, convert out.
//! - `push` sends everything that no request asked for: diagnostics, refreshes, events.
//! - `trust` asks a person before a target is started; `runs` starts a child process for each suite.
//! - `methods` has the two servers: `server` of the program, and `in_process` of a client in the same process, such as a page. Both
//!   answer with the table in `requests`. With the feature `server` alone, the library has nothing but `in_process`.
//!
//! A new feature is a function in `features/`, a request in `methods/requests`, and an announcement in `methods/mod.rs`.

mod client {
    pub(crate) mod settings;
}
mod convert {
    pub(crate) mod to_lsp;
    pub(crate) mod uris;
}
mod features {
    pub(crate) mod annotations;
    pub(crate) mod challenges;
    pub(crate) mod code_actions;
    pub(crate) mod configurations;
    pub(crate) mod diagnostics;
    pub(crate) mod positions;
    pub(crate) mod rename;
    #[cfg(feature = "program")]
    pub(crate) mod reports;
    pub(crate) mod structure;
    pub(crate) mod test_explorer;
    pub(crate) mod texts;
}
mod methods;
mod protocol;
#[cfg(feature = "program")]
mod push;
#[cfg(feature = "program")]
mod runs;
mod session {
    pub(crate) mod choices;
    pub(crate) mod configurations;
    pub(crate) mod open_document;
    #[cfg(feature = "program")]
    pub(crate) mod shared;
    pub(crate) mod state;
    pub(crate) mod suites;
    pub(crate) mod transcripts;
}
#[cfg(feature = "program")]
pub(crate) mod transport;
#[cfg(feature = "program")]
mod trust;

pub use methods::InProcessServer;
#[cfg(feature = "program")]
pub(crate) use methods::run;
