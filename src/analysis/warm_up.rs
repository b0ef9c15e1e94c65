use std::sync::Arc;

use super::{Document, Workspace};
use crate::text::Text;

/// A suite that uses everything that is initialized on first use.
const SUITE: &str =
    r#"{ "version": "0.3", "cases": [ { "expected": { "outcom": 1, "must_match_regex": ["a+b"] } } ] }"#;

/// Initializes what the first document would otherwise wait for: mostly schemas, which take some milliseconds. Call it in
/// a separate thread at start-up.
pub(crate) fn warm_up() {
    Document::new(Text::new(SUITE), None).findings(&Arc::new(Workspace::default()));
}
