use serde::Serialize;

/// The version of these extensions. It rises when something is removed or changes its meaning; additions leave it.
pub(in crate::lsp) const PROTOCOL: u32 = 1;

/// The key of [`Experimental`] in `experimental` of the server's capabilities.
pub(in crate::lsp) const EXPERIMENTAL: &str = "eval-ls";

/// The extensions that the server announces.
#[derive(Serialize)]
pub(in crate::lsp) struct Experimental {
    pub(in crate::lsp) protocol: u32,
}
