use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::text::Text;

const SUITE: &str = r#"{ "name": "workshop", "version": "0.2", "cases": [
  { "id": "A", "category": "booking", "prompt": "Book.", "expected": { "outcome": "tool_success", "tool_calls_any": ["book"] } },
  { "prompt": "No id.", "expected": { "must_say_any": ["a", "b"], "must_label_assumptions": true, "scoring": { "hard_fail": [] } } },
  7,
  { "id": "\u202e", "expected": 1 }
] }"#;

fn outline(text: &str) -> String {
    let mut shown = String::new();
    let mut open: Vec<(usize, Symbol)> =
        symbols(&Document::new(Text::new(text), None)).into_iter().map(|s| (0, s)).collect();
    while let Some((depth, symbol)) = open.pop() {
        let selection = &text[symbol.selection.range()];
        writeln!(shown, "{:1$}{2:?} {3} | {4} | {selection}", "", depth * 2, symbol.kind, symbol.name, symbol.detail)
            .unwrap();
        open.extend(symbol.children.into_iter().rev().map(|child| (depth + 1, child)));
    }
    shown
}

#[test]
fn a_suite_has_an_outline() {
    insta::assert_snapshot!(outline(SUITE));
}

#[test]
fn many_cases_have_no_keys() {
    let keys = |count: usize| -> usize {
        let case = |number| format!(r#"{{ "id": "C{number}", "expected": {{ "outcome": "tool_success" }} }}"#);
        let suite = format!(r#"{{ "cases": [{}] }}"#, (0..count).map(case).collect::<Vec<_>>().join(","));
        let outline = symbols(&Document::new(Text::from(suite), None)).unwrap();
        assert_eq!(outline.children.len(), count);
        outline.children.iter().map(|case| case.children.len()).sum()
    };
    assert_eq!([MOST_WITH_KEYS, MOST_WITH_KEYS + 1].map(keys), [MOST_WITH_KEYS, 0]);
}

#[test]
fn intact_cases_are_listed_while_a_brace_is_open() {
    for broken in [
        r#"{ "cases": [ { "id": "A", "expected": { "must_say_any": ["x"] }, { "id": "B" }, { "id": "C" } ] }"#,
        r#"{ "cases": [ { "id": "A" }, { "id": "B", "expected": {"#,
        r#"{ "cases": [ { "id": "A" }, { "id": "B" } "#,
    ] {
        let outline = outline(broken);
        assert!(outline.contains("Case A") && outline.contains("Case B"), "{broken}\n{outline}");
    }
}

#[test]
fn a_document_without_an_object_has_no_outline() {
    for text in ["", "[]", "7", "x"] {
        assert_eq!(outline(text), "");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Editors reject an outline if a child is outside of its parent, or if a name is empty.
    #[test]
    fn children_are_within_their_parents(cut in 0..SUITE.len(), piece in prop_oneof![Just(""), Just("{"), Just("}"), Just("\""), Just("]"), Just(",")]) {
        let cut = SUITE.floor_char_boundary(cut);
        for text in [SUITE[..cut].to_owned() + piece, SUITE[..cut].to_owned() + piece + &SUITE[cut..]] {
            let mut open: Vec<Symbol> = symbols(&Document::new(Text::new(&text), None)).into_iter().collect();
            while let Some(symbol) = open.pop() {
                prop_assert!(symbol.span.covers(symbol.selection) && !symbol.name.is_empty(), "{symbol:?} in {text}");
                for child in symbol.children {
                    prop_assert!(symbol.span.covers(child.span), "{child:?} in {text}");
                    open.push(child);
                }
            }
        }
    }
}
