//! Positions in each encoding, compared with an independent oracle.

use serde_json::{Value, json};

use crate::lsp::support::{Client, initialize_params, position_in};

const URI: &str = "file:///nowhere/a.evals.json";

/// Each kind of character (one to four bytes, and combining characters), before and between errors, and each line
/// break.
const TEXT: &str = "{ \"cases\": [\r\n\
    { \"id\": \"\u{1f600}\", \"prompt\": \"e\u{301}\u{10ffff}\", \"expected\": { \"\u{1f469}\u{200d}\u{1f680}\": 1, \"é\": 2 } },\r\
    { \"id\": \"ß\", \"prompt\": \"\u{2028}\u{85}\u{b}\u{c}\", \"expected\": { \"日本\": 3, \"\u{fffd}\": 4, \"z\": 5 } }\n\
    ], \"naïve\u{1f600}\": 6, \"verison\": 7 }";

const IGNORED: [&str; 6] =
    ["\"\u{1f469}\u{200d}\u{1f680}\"", "\"é\"", "\"日本\"", "\"\u{fffd}\"", "\"z\"", "\"verison\""];

fn range_of(text: &str, part: &str, encoding: &str) -> Value {
    let start = text.find(part).unwrap();
    json!({ "start": position_in(encoding, text, start), "end": position_in(encoding, text, start + part.len()) })
}

fn check(encoding: &str) {
    let publish = json!({ "publishDiagnostics": { "versionSupport": true } });
    let capabilities = json!({ "general": { "positionEncodings": [encoding] }, "textDocument": publish });
    let client = Client::reading(capabilities, URI, TEXT);
    let ignored = |diagnostics: Value| -> Vec<Value> {
        let all = diagnostics.as_array().unwrap().iter().filter(|found| found["code"] == "unknown-key");
        all.map(|found| found["range"].clone()).collect()
    };
    let expected = IGNORED.map(|key| range_of(TEXT, key, encoding));
    assert_eq!(ignored(client.diagnostics(URI, 1)), expected, "{encoding}");

    // Each key in turn is replaced by a known one, from the first to the last.
    let mut text = TEXT.to_owned();
    for (at, key) in IGNORED.iter().enumerate() {
        let version = at as i32 + 2;
        let with = if *key == "\"verison\"" { "\"notes\"" } else { "\"outcome\"" };
        client.change(URI, version, json!([{ "range": range_of(&text, key, encoding), "text": with }]));
        text = text.replacen(key, with, 1);
        let expected: Vec<_> = IGNORED[at + 1..].iter().map(|key| range_of(&text, key, encoding)).collect();
        assert_eq!(ignored(client.diagnostics(URI, version)), expected, "{encoding} after {version}");
    }
}

#[test]
fn findings_and_edits_have_the_places_of_the_encoding() {
    ["utf-8", "utf-16", "utf-32"].into_iter().for_each(check);
}

#[test]
fn the_encoding_is_one_that_the_client_offers() {
    for (offered, chosen) in [
        (json!(["utf-16", "utf-8"]), "utf-8"),
        (json!(["utf-32", "utf-16"]), "utf-16"),
        (json!(["utf-32"]), "utf-32"),
        (json!(["ebcdic"]), "utf-16"),
        (json!([]), "utf-16"),
    ] {
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let result = Client::start().initialize(initialize_params(capabilities, &[]));
        assert_eq!(result["capabilities"]["positionEncoding"], chosen, "{offered}");
    }
}
