mod claims;

use std::sync::Arc;
use std::time::UNIX_EPOCH;

use proptest::prelude::*;

use super::*;
use crate::cancellation::Canceller;
use crate::config::Config;
use crate::lints::MOST_FINDINGS;
use crate::lints::{PromptWords, Workspace};
use crate::text::{Span, Text};
use crate::transcript::Transcript;

const SUITE: &str = r#"{
  "version": "0.2.0",
  "cases": [
    { "id": "B1", "prompt": "Book – {early} 😀.", "expected": { "outcome": "tool_success", "tool_calls_any": ["book"] } },
    {
      "id": "B2",
      "prompt": "Which bikes?",
      "expected": {
        "must_match_regex": ["\\d+\\s*bikes", "[a"],
        "scoring": { "soft_score": { "threshold": 0.8, "weights": { "formatting": 0.9 } } }
      }
    },
    { "id": "B2", "promt": "x", "expected": { "must_say_any": "no list" } }
  ],
  "name": "workshop"
}
"#;

/// Answers in memory, of 1970, to the cases with those ids.
pub(super) fn live<'a>(config: Arc<Config>, answers: impl IntoIterator<Item = (&'a str, Transcript)>) -> Answers {
    let live = |(id, transcript): (&str, _)| (id.to_owned(), Arc::new(Answer::live(transcript, UNIX_EPOCH)));
    Answers::new(config, Arc::default(), answers.into_iter().map(live).collect())
}

#[test]
fn features_of_a_whole_suite_can_be_cancelled() {
    let document = Document::new(Text::new(SUITE), None);
    let whole = Span::new(0, SUITE.len());
    let wanted = inlay_hints::HintsWanted { verdicts: inlay_hints::VerdictHints::All, challenges: true };
    let answers = Answers::default();
    let ends_early = |work: &dyn Fn()| {
        let canceller = Canceller::default();
        let completes = canceller.run(work).is_some();
        canceller.cancel();
        completes && canceller.run(work).is_none()
    };
    assert!(ends_early(&|| drop(symbols::symbols(&document))));
    assert!(ends_early(&|| drop(inlay_hints::inlay_hints(&document, &answers, whole, wanted))));
    assert!(ends_early(&|| drop(document.verdicts(&answers).collect::<Vec<_>>())));
}

fn pieces() -> impl Strategy<Value = String> {
    let marks = r#"{ } [ ] : , " \ ' x é 😀 0"#.split(' ');
    let texts = ["\n", "\r", "// ", "\"ui\": []", "\"id\": \"B1\"", " ", "", "{ \"id\": \"N\" }", "\u{0}"];
    let piece = proptest::sample::select(marks.chain(texts).collect::<Vec<_>>());
    proptest::collection::vec(piece, 0..4).prop_map(|pieces| pieces.concat())
}

/// Everything that a document reports, to compare two documents with the same text.
fn everything(document: &Document, workspace: &Arc<Workspace>) -> impl PartialEq + std::fmt::Debug {
    let nodes: Vec<_> = document.root().descendants().map(|node| format!("{node:?} {}", node.is_broken())).collect();
    (
        document.text().to_string(),
        document.suite().clone(),
        nodes,
        document.findings(workspace),
        document.is_well_formed(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn an_edited_document_equals_a_fresh_one(edits in proptest::collection::vec((0..SUITE.len() + 40, 0..6_usize, pieces()), 1..8)) {
        let workspace = Arc::new(Workspace::default());
        let mut document = Document::new(Text::new(SUITE), None);
        for (start, length, with) in edits {
            let snapshot = document.clone();
            let before = snapshot.text().to_string();
            let start = start.min(document.text().len());
            document.edit(Span::new(start, start + length), &with);
            let fresh = Document::new(Text::new(document.text().as_str()), None);
            prop_assert_eq!(everything(&document, &workspace), everything(&fresh, &workspace));
            prop_assert_eq!(snapshot.text().to_string(), before);
        }
    }
}

#[test]
fn a_typed_suite_equals_one_that_is_read_at_once() {
    let workspace = Arc::new(Workspace::default());
    for step in [1, 3, 7] {
        let mut document = Document::new(Text::default(), None);
        let characters: Vec<char> = SUITE.chars().collect();
        for chunk in characters.chunks(step) {
            let end = document.text().len();
            document.edit(Span::empty(end), &chunk.iter().collect::<String>());
            document.findings(&workspace);
        }
        let fresh = Document::new(Text::new(SUITE), None);
        assert_eq!(everything(&document, &workspace), everything(&fresh, &workspace));
    }
}

#[test]
fn an_edit_in_one_case_keeps_the_results_of_the_others() {
    let mut document = Document::new(Text::new(SUITE), None);
    let cases: Vec<_> = document.suite().cases.iter().map(|placed| Arc::clone(&placed.case)).collect();
    let prompt = SUITE.find("Which").unwrap();
    document.edit(Span::empty(prompt), "Tell: ");
    let kept: Vec<_> =
        document.suite().cases.iter().zip(&cases).map(|(now, then)| Arc::ptr_eq(&now.case, then)).collect();
    assert_eq!(kept, [true, false, true]);

    // Another quote breaks the case and everything after it. The results of the case before it stay.
    document.edit(Span::empty(prompt), "\"");
    assert!(Arc::ptr_eq(&document.suite().cases[0].case, &cases[0]));
}

#[test]
fn levels_come_from_the_workspace() {
    let document = Document::new(Text::new(SUITE), None);
    let mut workspace = Workspace::default();
    let lints = |workspace: &Workspace| -> Vec<_> {
        let findings = document.findings(&Arc::new(workspace.clone()));
        findings.into_iter().map(|finding| (finding.lint, finding.severity)).collect()
    };
    use crate::diagnostic::Severity::*;
    assert!(lints(&workspace).contains(&("duplicate-case-id", Error)));
    workspace.levels.insert("duplicate-case-id".to_owned(), Some(Hint));
    assert!(lints(&workspace).contains(&("duplicate-case-id", Hint)));
    workspace.levels.insert("duplicate-case-id".to_owned(), None);
    assert!(!lints(&workspace).iter().any(|(lint, _)| *lint == "duplicate-case-id"));
}

#[test]
fn findings_follow_each_part_of_the_workspace() {
    let suite = r#"{ "cases": [
      { "id": "A", "prompt": "Show the board.", "expected": { "must_say_any": ["board"] } },
      { "id": "B", "prompt": "p", "preconditions": ["The shop is open."], "expected": { "ui": ["A list is visible."] } },
      { "id": "C", "prompt": "q", "expected": { "tool_calls_any": ["book_slott"], "telemetry": ["book_slot failed"] } },
      { "id": "D", "prompt": "r", "expected": { "required_sources": ["warehouse"] } },
      { "id": "E", "prompt": "s", "expected": { "must_say_any": ["yes"] } }
    ] }"#;
    let names = |text: &str| [text.to_owned()].into_iter().collect();
    let counts = |text: &str| [(text.to_owned(), 9)].into_iter().collect();
    let workspaces = [
        Workspace::default(),
        Workspace { ui_hints: names("A list is visible."), ..Workspace::default() },
        Workspace { preconditions: names("The shop is open."), ..Workspace::default() },
        Workspace { tools: counts("book_slot"), ..Workspace::default() },
        Workspace { named_tools: counts("book_slot"), ..Workspace::default() },
        Workspace { known_tools: names("book_slott"), tools: counts("book_slot"), ..Workspace::default() },
        Workspace { prompt_words: PromptWords::Ignored, ..Workspace::default() },
        Workspace { sources: [("warehouse".to_owned(), vec!["stock".to_owned()])].into(), ..Workspace::default() },
    ];
    let document = Document::new(Text::new(suite), None);
    let mut before = Vec::new();
    for workspace in workspaces.map(Arc::new) {
        let findings = document.findings(&workspace);
        assert_eq!(findings, Document::new(Text::new(suite), None).findings(&workspace), "{workspace:?}");
        assert_ne!(findings, before, "{workspace:?}");
        before = findings;
    }
}

#[test]
fn many_equal_faults_of_a_file_are_counted() {
    let case = r#"{"id": 7, "prompt": "p", "expected": {"must_say_any": ["x"]}}"#;
    let suite = format!(r#"{{"cases": [{}]}}"#, vec![case; MOST_FINDINGS + 501].join(","));
    let found = Document::new(Text::new(&suite), None).findings(&Arc::default());
    let of_lint: Vec<_> = found.iter().filter(|finding| finding.lint == "wrong-type").collect();
    assert_eq!(of_lint.len(), MOST_FINDINGS + 2);
    assert_eq!(of_lint.last().unwrap().message, "500 more findings of `wrong-type` from here on are not listed");
}
