//! Converts between the protocol's types and those of this crate.

pub(crate) mod surrogates;
pub(crate) mod to_lsp;
pub(crate) mod uris;
