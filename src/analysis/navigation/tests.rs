use super::*;
use crate::analysis::lint_names;
use crate::text::Text;

const CONFIG: &str = "[sources]\nlinear = [\"ticket\"]\n[[ui_hints]]\nhint = \"The list is open.\"\nall = [\"List\"]\n";

const SUITE: &str = r#"{ "cases": [
  { "id": "A", "expected": {
    "tool_calls_any": ["bo\u006fk"], "tool_calls_none": ["cancel"],
    "telemetry": ["tool.book start", "tool.cancel result success:false", "book"],
    "must_say_any": ["a"], "must_not_say": ["b"],
    "required_sources": ["github", "linear", "wiki"], "source_patterns": { "github": ["PR"] },
    "ui": ["The list is open.", "Nobody knows."],
    "scoring": { "hard_fail": ["formatting"], "soft_score": { "weights": { "formatting": 1, "uncertainty": 1 } } }
  } },
  { "id": "B", "expected": { "tool_calls_none": ["book"], "ui": ["The list is open."], "must_say_any": ["c"] } }
] }"#;

fn shown(destinations: &[Destination]) -> Vec<String> {
    let shown = |place: &Destination| match place {
        Destination::Here(span) => {
            let line = SUITE[..span.start].matches('\n').count();
            format!("{line}: {}", &SUITE[span.range()])
        }
        Destination::Configuration(span) => format!("toml: {}", &CONFIG[span.range()]),
    };
    destinations.iter().map(shown).collect()
}

fn setup() -> (Document, Config) {
    let (config, errors) = Config::parse(CONFIG, &lint_names());
    assert_eq!(errors, []);
    (Document::new(Text::new(SUITE), None), config)
}

/// `at` is a text of the suite; the cursor is after its first character.
#[track_caller]
fn check_definition(at: &str, expected: &[&str]) {
    let (document, config) = setup();
    let found = definition(&document, &config, SUITE.find(at).unwrap() + 1);
    assert_eq!(found.map(|found| shown(&found)).unwrap_or_default(), expected, "{at}");
}

#[track_caller]
fn check_references(at: &str, expected: &[&str]) {
    let (document, config) = setup();
    assert_eq!(shown(&references(&document, &config, SUITE.find(at).unwrap() + 1, true)), expected, "{at}");
}

#[test]
fn definitions_are_found() {
    check_definition("\"formatting\"],", &["4: \"b\"", "4: [\"a\"]"]);
    check_definition("\"formatting\": 1", &["4: \"b\"", "4: [\"a\"]"]);
    check_definition("\"uncertainty\"", &[]);
    check_definition("\"cancel\"", &["3: cancel"]);
    check_definition("\"bo", &["3: book", "9: book"]);
    check_definition("book start", &["2: bo\\u006fk", "9: book"]);
    check_definition("\"github\",", &["5: github"]);
    check_definition("\"github\": [", &["5: github"]);
    check_definition("\"linear\"", &["toml: linear"]);
    check_definition("\"wiki\"", &[]);
    check_definition("\"The list", &["toml: \"The list is open.\""]);
    check_definition("\"Nobody", &[]);
    check_definition("\"must_say_any\"", &[]);
}

#[test]
fn references_are_found() {
    check_references("\"formatting\"],", &["7: formatting", "7: formatting", "4: \"b\"", "4: [\"a\"]"]);
    check_references("cancel result", &["2: cancel", "3: cancel"]);
    check_references("\"The list", &["6: The list is open.", "9: The list is open.", "toml: \"The list is open.\""]);
    check_references("\"A\"", &["1: A"]);
    check_references("\"a\"", &[]);
}
