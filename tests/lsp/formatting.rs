//! Formatting of documents and ranges.

use serde_json::{Value, json};

use crate::lsp::support::{Client, edited, push, range};

const URI: &str = "file:///nowhere/a.evals.json";
const TEXT: &str = "{\"cases\": [\n{\"id\":\"😀\",\n\"prompt\":\"p\" }]}";

fn formatting() -> Value {
    let mut capabilities = push();
    capabilities["textDocument"]["formatting"] = json!({});
    capabilities["textDocument"]["rangeFormatting"] = json!({});
    capabilities
}

#[test]
fn a_document_is_formatted_with_the_options_of_the_client_and_its_own_indentation() {
    let mut client = Client::session(formatting(), &[]);
    let indented = "{\n  \"cases\": [\n{\"id\":\"A\",\n\"prompt\":\"p\" }]}";
    let tabs = json!({ "tabSize": 4, "insertSpaces": false, "insertFinalNewline": false });
    for (text, options, formatted) in [
        (
            TEXT,
            json!({ "tabSize": 2, "insertSpaces": true }),
            "{\n  \"cases\": [\n    {\n      \"id\": \"😀\",\n      \"prompt\": \"p\"\n    }\n  ]\n}\n",
        ),
        (TEXT, tabs, "{\n\t\"cases\": [\n\t\t{\n\t\t\t\"id\": \"😀\",\n\t\t\t\"prompt\": \"p\"\n\t\t}\n\t]\n}"),
        (
            indented,
            json!({ "tabSize": 8, "insertSpaces": false }),
            "{\n  \"cases\": [\n    {\n      \"id\": \"A\",\n      \"prompt\": \"p\"\n    }\n  ]\n}\n",
        ),
    ] {
        client.open(URI, 1, text);
        let params = json!({ "textDocument": { "uri": URI }, "options": options });
        assert_eq!(edited(text, &client.request("textDocument/formatting", params)), formatted, "{options}");
    }
}

#[test]
fn only_the_range_is_formatted() {
    let mut client = Client::reading(formatting(), URI, TEXT);
    let options = json!({ "tabSize": 2, "insertSpaces": true });
    let params = json!({ "textDocument": { "uri": URI }, "range": range(1, 0, 3), "options": options });
    let edits = client.request("textDocument/rangeFormatting", params);
    assert_eq!(edited(TEXT, &edits), "{\"cases\": [\n  {\n    \"id\": \"😀\",\n\"prompt\":\"p\" }]}");
}
