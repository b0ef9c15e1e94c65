//! Hover over real stdio.

use serde_json::{Value, json};

use crate::lsp::support::{Client, range};

const URI: &str = "file:///nowhere/a.evals.json";
const SUITE: &str = r#"{ "name": "😀", "cases": [
  { "id": "é😀", "prompt": "p", "expected": { "outcome": "response_only", "must_say_any": ["a"] } }
] }"#;

fn hover(capabilities: Value, text: &str, line: u32, character: u32) -> Value {
    let mut client = Client::reading(capabilities, URI, text);
    client.at("hover", URI, line, character)
}

#[test]
fn a_field_is_explained_in_markdown() {
    let markdown = json!({ "textDocument": { "hover": { "contentFormat": ["markdown", "plaintext"] } } });
    // The emoji before it has two UTF-16 code units.
    let answer = hover(markdown, SUITE, 1, 47);
    assert_eq!(answer["range"], range(1, 46, 55));
    assert_eq!(answer["contents"]["kind"], "markdown");
    let text = answer["contents"]["value"].as_str().unwrap();
    assert!(text.starts_with("What the tools must have done") && !text.contains("**In this case**"), "{text}");
    assert_eq!(hover(json!({}), SUITE, 1, 1), Value::Null, "white space has none");
}

#[test]
fn a_client_without_markdown_gets_plain_text() {
    for capabilities in [json!({}), json!({ "textDocument": { "hover": { "contentFormat": ["plaintext"] } } })] {
        let answer = hover(capabilities, SUITE, 1, 47);
        assert_eq!(answer["contents"]["kind"], "plaintext");
        let text = answer["contents"]["value"].as_str().unwrap();
        assert!(!text.contains('`') && !text.contains("**"), "{text}");
    }
}
