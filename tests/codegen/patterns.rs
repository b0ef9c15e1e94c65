//! The default file patterns of suites, from the schema of `eval-ls.toml`. `src/config/tests/schemas.rs` compares that schema with
//! the code.

use serde_json::Value;

use super::{read, replace_between};

pub(crate) fn default(key: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(&read("schemas/eval-ls.schema.json")).unwrap();
    let patterns = schema["properties"]["files"]["properties"][key]["default"].as_array().unwrap();
    patterns.iter().map(|pattern| pattern.as_str().unwrap().to_owned()).collect()
}

fn list(patterns: &[String], quote: char, separator: &str) -> String {
    patterns.iter().map(|pattern| format!("{quote}{pattern}{quote}")).collect::<Vec<_>>().join(separator)
}

/// The patterns that a file of another program hardly has. Editors that go by names use them.
pub(crate) fn own_names() -> Vec<String> {
    default("include").into_iter().filter(|pattern| pattern.ends_with(".evals.json")).collect()
}

/// VS Code matches a pattern without a slash against the file name.
fn for_file_names(patterns: &[String]) -> Vec<String> {
    let name = |pattern: &String| match pattern.strip_prefix("**/") {
        Some(name) if !name.contains('/') => name.to_owned(),
        _ => pattern.clone(),
    };
    patterns.iter().map(name).collect()
}

pub(crate) fn package(present: &str) -> String {
    let names = for_file_names(&own_names());
    let patterns = default("include");
    let events: Vec<_> = std::iter::once("**/eval-ls.toml")
        .chain(patterns.iter().map(String::as_str))
        .map(|pattern| format!("workspaceContains:{pattern}"))
        // A folder with a log may have no suite yet.
        .chain(["onLanguage:jsonl".to_owned()])
        .collect();
    let text = replace_between(present, "\"activationEvents\": [\n    ", "\n  ]", &list(&events, '"', ",\n    "));
    let text = replace_between(&text, "\"filenamePatterns\": [", "]", &list(&names, '"', ", "));
    replace_between(&text, "\"fileMatch\": [", "]", &list(&names, '"', ", "))
}

pub(crate) fn init(present: &str) -> String {
    replace_between(present, "const SUITES = [", "]", &list(&default("include"), '\'', ", "))
}

pub(crate) fn lua(present: &str) -> String {
    let text = replace_between(present, "  include = { ", " }", &list(&default("include"), '\'', ", "));
    replace_between(&text, "  exclude = { ", " }", &list(&default("exclude"), '\'', ", "))
}
