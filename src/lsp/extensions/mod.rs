//! What goes over the wire beyond the protocol: the types of `docs/lsp-extensions.md`, under the names that they have
//! there.

mod running;

pub(super) use running::{TestCase, TestSuite, TestsParams, TestsResult};
