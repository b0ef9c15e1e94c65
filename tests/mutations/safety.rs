//! A safe fix never changes an author's text. If a quote, bracket, comma or colon is lost, applying all safe fixes and
//! then undoing the mistake gives the original values.

use std::sync::Arc;

use eval_ls::testing::{Document, Kind, Span, Text, Workspace, safe_edits};
use serde_json::Value;

use crate::mutations::edits::{Mistake, delete, inner, replace};
use crate::mutations::source::{Source, is_key, sources};
use crate::mutations::study::{apply, same, workspace};

#[test]
fn safe_fixes_and_then_undoing_the_mistake_give_the_original_values() {
    let sources = sources();
    let workspace = Arc::new(workspace());
    let changed: usize = std::thread::scope(|scope| {
        let check = |source| {
            let workspace = &workspace;
            scope.spawn(move || mistakes(source).iter().filter(|mistake| is_held(source, mistake, workspace)).count())
        };
        let workers: Vec<_> = sources.iter().map(check).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).sum()
    });
    assert!(changed > 100, "safe fixes were applied {changed} times only");
}

/// Each punctuation character lost once, and every string with other quotes or without quotes.
fn mistakes(source: &Source) -> Vec<Mistake> {
    let signs =
        source.text.match_indices(['"', '[', ']', '{', '}', ',', ':']).map(|(at, sign)| delete(at, at + sign.len()));
    let mut mistakes: Vec<_> = signs.collect();
    for node in source.nodes(|node| node.kind() == Kind::String && !is_key(node)) {
        for (before, after) in [("", ""), ("“", "”"), ("`", "`"), ("'", "'")] {
            mistakes.push(replace(node.span(), format!("{before}{}{after}", inner(node))));
        }
    }
    mistakes
}

/// Checks one mistake; returns whether a safe fix was applied.
fn is_held(source: &Source, mistake: &Mistake, workspace: &Arc<Workspace>) -> bool {
    let (broken, _) = apply(source.text, mistake);
    let found = Document::new(Text::new(&broken), Some(source.path.clone())).findings(workspace);
    let edits: Vec<_> = safe_edits(&found).into_iter().map(|edit| (edit.span, edit.text.clone())).collect();
    if edits.is_empty() {
        return false;
    }
    let (fixed, _) = apply(&broken, &edits);
    if let Ok(value) = serde_json::from_str::<Value>(&fixed) {
        assert!(same(&value, &source.value), "a safe fix gives other values: {mistake:?} in {}", source.path.display());
        return true;
    }
    let [(span, with)] = &mistake[..] else { panic!("a mistake in one place") };
    let lost = &source.text[span.range()];
    let place = Span::new(span.start, span.start + with.len());
    let grown: isize = edits
        .iter()
        .filter(|(edit, _)| edit.end <= place.start)
        .map(|(edit, text)| text.len() as isize - edit.len() as isize)
        .sum();
    let touches = edits.iter().any(|(edit, _)| edit.start < place.end && place.start < edit.end);
    assert!(!touches, "a safe fix is made within the mistake {mistake:?} in {}", source.path.display());
    let at = place.start.saturating_add_signed(grown);
    let restored = format!("{}{lost}{}", &fixed[..at], &fixed[at + with.len()..]);
    if let Ok(value) = serde_json::from_str::<Value>(&restored) {
        assert!(same(&value, &source.value), "fixed and restored: {mistake:?} in {}", source.path.display());
    }
    true
}
