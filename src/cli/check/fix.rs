use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use crate::analysis::{Document, Workspace};
use crate::diagnostic::{Edit, safe_edits};
use crate::text::Text;

/// How often fixes are applied to one text. Fixes that touch each other wait for the next pass, so a long row of them
/// needs several passes.
const ROUNDS: usize = 64;

/// Applies all safe fixes to a document, and those that become possible, until there are none. Returns whether the text
/// has changed.
pub(super) fn fix(document: &mut Document, workspace: &Arc<Workspace>) -> bool {
    let mut fixed = false;
    let mut seen = HashSet::from([fingerprint(document.text())]);
    for _ in 0..ROUNDS {
        let findings = document.findings(workspace);
        let edits = safe_edits(&findings);
        let text = Text::from(Edit::apply_all(document.text().as_str(), edits.iter().copied()));
        // Fixes that undo each other would otherwise never end.
        if edits.is_empty() || !seen.insert(fingerprint(&text)) {
            break;
        }
        fixed = true;
        document.set_text(text);
    }
    fixed
}

fn fingerprint(text: &Text) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.as_str().hash(&mut hasher);
    hasher.finish()
}
