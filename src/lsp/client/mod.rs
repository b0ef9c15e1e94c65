//! What the client can do, and what it wants.

pub(crate) mod settings;
pub(crate) mod support;
