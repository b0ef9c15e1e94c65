//! Completion at the end of every prefix of a suite never makes the suite less valid.

use super::*;
use crate::schema::{SchemaName, case_violations, frame_violations};
use crate::syntax::parse;

const SUITES: [&str; 3] = [
    include_str!("../../../../examples/brief-eval-set.v0.3.json"),
    include_str!("../../../../examples/synthesis-eval-set.v0.2.json"),
    include_str!("../../../../examples/tools-eval-set.v0.1.json"),
];

/// A response with special characters of JSON, of patterns and of snippets.
const RESPONSE: &str = "- a \"b\" \\c ${1:d} |e|, {f} 12 %\n* \t(g) [h] ^i$ 1.5";

/// The number of errors in a text: its syntax errors, and its violations of the schema.
fn faults(text: &str) -> (usize, usize) {
    let document = Document::new(Text::new(text), None);
    let version = SchemaName::from(document.version().version);
    let cases = document.case_nodes().map(|case| case_violations(case, version).len());
    (parse(text).errors.len(), cases.sum::<usize>() + frame_violations(document.root(), version).len())
}

/// Completes at `offset` and returns the number of items. If the rest of the line is `torn` away, a fixed syntax error may
/// reveal a schema violation that was hidden before, so the sum of both is compared.
fn check(world: &World, text: &str, offset: usize, torn: bool) -> usize {
    let before = faults(text);
    let Completions { items, layout } = world.complete(text, offset, None);
    let labels: HashSet<_> = items.iter().map(|item| &item.label).collect();
    assert_eq!(labels.len(), items.len(), "an item is offered twice: {:?}", text.split_at(offset));
    for item in &items {
        let after = accepted(text, offset, item, &layout, "");
        let faults = faults(&after);
        let is_no_worse = faults.0 <= before.0 && faults.1 <= before.1;
        let is_no_worse_in_all = torn && faults.0 + faults.1 <= before.0 + before.1;
        assert!(
            is_no_worse || is_no_worse_in_all,
            "{} brings {before:?} faults to {faults:?}:\n{}|{}\n{after}",
            item.label,
            &text[..offset],
            &text[offset..],
        );
    }
    items.len()
}

/// Completes at every third byte of each prefix; at some of them also in the whole text, and in the text without the rest
/// of the line.
#[test]
fn accepted_items_keep_a_suite_valid() {
    let world = World { answers: answers(Some(RESPONSE)), ..World::default() };
    let mut offered = 0;
    for suite in SUITES {
        for offset in (0..1100).step_by(3).map(|offset| suite.floor_char_boundary(offset)) {
            offered += check(&world, &suite[..offset], offset, false);
            if offset % 5 == 0 {
                let line_end = suite[offset..].find('\n').map_or(suite.len(), |length| offset + length);
                let torn = format!("{}{}", &suite[..offset], &suite[line_end..]);
                offered += check(&world, &torn, offset, true);
                offered += check(&world, suite, offset, false);
            }
        }
    }
    assert!(offered > 4_000, "{offered}");
}

/// Checking each item everywhere would take too long. This only counts the items of every prefix.
#[test]
fn every_prefix_can_be_completed() {
    let world = World::default();
    let mut offered = 0;
    for suite in SUITES {
        for offset in (0..=suite.len()).filter(|&offset| suite.is_char_boundary(offset)) {
            offered += world.complete(&suite[..offset], offset, None).items.len();
        }
    }
    assert!(offered > 20_000, "{offered}");
}
