use std::fmt::Write;

use proptest::prelude::*;

use super::*;
use crate::text::Text;

const SUITE: &str = r#"{ "cases": [
  { "id": "A", "expected": {
    "scoring": { "hard_fail": ["formatting", "format"], "soft_score": { "weights": { "uncertainty": 1 } } },
    "outcome": "tool_success", "tool_calls_any": ["bo\u006fk", ""],
    "telemetry": ["tool.book  start", "tool.x result success:true", "success:false with missingFields containing day", "book started"],
    "required_sources": ["GitHub", "é😀"], "source_patterns": { "é😀": ["x"] },
    "must_match_regex": ["(?i)^total:\\s*[0-9]{1,3}\\.(a|b)+$", "[a", "\ud83d\ude00+?(?#c)"],
    "must_ground_numbers": [{ "regex": "\\d" }, "x+"], "lever_regex": ".*"
  } },
  { "expected": { "outcome": "nonsense", "tool_calls_none": ["b"] } }
] }"#;

fn all(text: &str) -> Vec<SemanticToken> {
    semantic_tokens(&Document::new(Text::new(text), None), Span::new(0, text.len()))
}

#[test]
fn words_have_kinds() {
    let mut shown = String::new();
    for token in all(SUITE) {
        writeln!(shown, "{:<16} {}", format!("{:?}", token.kind), &SUITE[token.span.range()]).unwrap();
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn only_cases_within_the_range_have_tokens() {
    let document = Document::new(Text::new(SUITE), None);
    let last = SUITE.find("nonsense").unwrap();
    let tokens = semantic_tokens(&document, Span::empty(last));
    assert_eq!(tokens.iter().map(|token| token.kind).collect::<Vec<_>>(), [SemanticKind::Tool]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_never_overlap_or_span_lines(cut in 0..SUITE.len(), piece in prop_oneof![Just(""), Just("{"), Just("\""), Just("\\"), Just("\n")]) {
        let cut = SUITE.floor_char_boundary(cut);
        let text = SUITE[..cut].to_owned() + piece + &SUITE[cut..];
        let tokens = all(&text);
        for token in &tokens {
            let word = text.get(token.span.range());
            prop_assert!(word.is_some_and(|word| !word.is_empty() && !word.contains(['\n', '\r'])), "{token:?} in {text}");
        }
        prop_assert!(tokens.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start), "{tokens:?} in {text}");
    }
}
