//! Formatting of documents and ranges.

use serde_json::{Value, json};

use crate::lsp::support::{Client, push};

const URI: &str = "file:///nowhere/a.evals.json";
const TEXT: &str = "{\"cases\": [\n{\"id\":\"😀\",\n\"prompt\":\"p\" }]}";

fn formatting() -> Value {
    let mut capabilities = push();
    capabilities["textDocument"]["formatting"] = json!({});
    capabilities["textDocument"]["rangeFormatting"] = json!({});
    capabilities
}

/// Returns the text after the edits; their columns count UTF-16 code units.
fn applied(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let (line, column) = (position["line"].as_u64().unwrap(), position["character"].as_u64().unwrap());
        let start: usize = text.split_inclusive('\n').take(line as usize).map(str::len).sum();
        let mut units = 0;
        let on_line = text[start..].char_indices().find(|(_, c)| {
            let found = units == column;
            units += c.len_utf16() as u64;
            found
        });
        start + on_line.map_or(text.len() - start, |(at, _)| at)
    };
    let mut edited = text.to_owned();
    for edit in edits.as_array().unwrap().iter().rev() {
        let range = offset(&edit["range"]["start"])..offset(&edit["range"]["end"]);
        edited.replace_range(range, edit["newText"].as_str().unwrap());
    }
    edited
}

#[test]
fn a_document_is_formatted_with_the_options_of_the_client() {
    let mut client = Client::session(formatting(), &[]);
    client.open(URI, 1, TEXT);
    let mut format = |options: Value| {
        let params = json!({ "textDocument": { "uri": URI }, "options": options });
        applied(TEXT, &client.request("textDocument/formatting", params))
    };
    assert_eq!(
        format(json!({ "tabSize": 2, "insertSpaces": true })),
        "{\n  \"cases\": [\n    {\n      \"id\": \"😀\",\n      \"prompt\": \"p\"\n    }\n  ]\n}\n"
    );
    assert_eq!(
        format(json!({ "tabSize": 4, "insertSpaces": false, "insertFinalNewline": false })),
        "{\n\t\"cases\": [\n\t\t{\n\t\t\t\"id\": \"😀\",\n\t\t\t\"prompt\": \"p\"\n\t\t}\n\t]\n}"
    );
}

#[test]
fn the_indentation_of_the_file_stays() {
    let mut client = Client::session(formatting(), &[]);
    let text = "{\n  \"cases\": [\n{\"id\":\"A\",\n\"prompt\":\"p\" }]}";
    client.open(URI, 1, text);
    let options = json!({ "tabSize": 8, "insertSpaces": false });
    let params = json!({ "textDocument": { "uri": URI }, "options": options });
    let formatted = applied(text, &client.request("textDocument/formatting", params));
    let expected = "{\n  \"cases\": [\n    {\n      \"id\": \"A\",\n      \"prompt\": \"p\"\n    }\n  ]\n}\n";
    assert_eq!(formatted, expected);
}

#[test]
fn only_the_range_is_formatted() {
    let mut client = Client::session(formatting(), &[]);
    client.open(URI, 1, TEXT);
    let range = json!({ "start": { "line": 1, "character": 0 }, "end": { "line": 1, "character": 3 } });
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "options": options });
    let edits = client.request("textDocument/rangeFormatting", params);
    assert_eq!(applied(TEXT, &edits), "{\"cases\": [\n  {\n    \"id\": \"😀\",\n\"prompt\":\"p\" }]}");
}

#[test]
fn formatting_is_announced_to_clients_that_do_not_list_it() {
    for capabilities in [formatting(), push()] {
        let result = Client::start().initialize(json!({ "capabilities": capabilities }));
        assert_eq!(result["capabilities"]["documentFormattingProvider"], true);
        assert_eq!(result["capabilities"]["documentRangeFormattingProvider"], true);
    }
}
