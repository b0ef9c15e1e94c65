//! What is accepted and filled in has no finding that was not there before.

use std::collections::BTreeSet;

use super::*;

/// Texts with a `|` where each completion is accepted.
const PLACES: &[&str] = &[
    "|",
    "{ \"version\": \"0.3.0\", | }",
    "{ \"version\": \"0.3.0\", \"cases\": [|] }",
    "{ \"version\": \"0.2.0\", \"cases\": [\n  |\n] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ {|} ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", | } ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": {|} } ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": { \"must_say_any\": [\"a\"], | } } ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": { \"tool_calls_any\": [\"book_slot\"], | } } ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": { \"required_sources\": [\"orders\"], \"must_match_regex\": [\"total [0-9]\"], | } } ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": { \"required_sources\": [\"orders\"], \"must_match_regex\": [\"total [0-9]\"], \"scoring\": {|} } } ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": { \"must_say_any\": [\"a\"], \"must_ground_numbers\": [|] } } ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": { \"must_say_any\": [\"a\"], \"outcome\": | } } ] }",
    "{ \"version\": \"0.3.0\", \"cases\": [ { \"id\": \"BOOK1\", \"prompt\": \"p\", \"expected\": { \"tool_calls_any\": [\"book_slot\"], \"telemetry\": [|] } } ] }",
];

/// What the rest of the text lacks, what `eval-ls.toml` does not define of a person's own words, and what each number has.
const ABOUT_THE_REST: [&str; 6] = [
    "missing-key",
    "undefined-precondition",
    "undefined-ui-hint",
    "contradictory-outcome",
    "unbounded-number",
    "only-forbids",
];

#[test]
fn what_is_accepted_and_filled_in_is_clean() {
    let world = World::default();
    let workspace = Arc::new(world.workspace.clone());
    let lints = |text: &str| -> BTreeSet<&'static str> {
        Document::new(Text::new(text), None).findings(&workspace).iter().map(|finding| finding.lint).collect()
    };
    let mut faults = Vec::new();
    for place in PLACES {
        let offset = place.find('|').unwrap();
        let text = place.replacen('|', "", 1);
        // What is missing at the place is not the completion's doing.
        let before = lints(&text);
        let Completions { items, layout } = world.complete(&text, offset, None);
        assert!(!items.is_empty(), "{place}");
        for item in items {
            let mut edits = item.also.clone();
            edits.push(Edit::replace(item.span, item.text.filled(&layout)));
            edits.sort_by_key(|edit| edit.span);
            let after = Edit::apply_all(&text, &edits);
            let new: Vec<_> =
                lints(&after).difference(&before).copied().filter(|lint| !ABOUT_THE_REST.contains(lint)).collect();
            if !new.is_empty() {
                faults.push(format!("{place}\n    {}: {new:?}\n    {after}", item.label));
            }
        }
    }
    assert_eq!(faults, [""; 0], "{}", faults.join("\n"));
}
