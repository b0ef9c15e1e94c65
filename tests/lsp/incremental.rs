//! A server that received edits answers like a server that received the whole text.
//!
//! With `EVAL_LS_FUZZ_SECONDS`, the test runs for that long and begins elsewhere each time.

use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use crate::fuzz::WORDS;
use crate::lsp::support::{Client, between, position};
use crate::support::{Folder, Numbers};

const SUITE: &str = "{\n  \"version\": \"0.2.0\",\r\n  \"cases\": [\n    { \"id\": \"A\", \"prompt\": \"Book – 😀.\", \"expected\": { \"must_say_any\": [\"booked\"] } },\n    {\n      \"id\": \"B\",\n      \"prompt\": \"Which?\",\n      \"expected\": { \"must_match_regex\": [\"\\\\d+ bikes\"], \"ui\": [\"x\"], \"promt\": 1 }\n    },\n    { \"id\": \"C\", \"prompt\": \"q\", \"expected\": { \"must_not_say\": [\"no\", \"no\"] } }\n  ]\n}\n";

/// Comparisons without `EVAL_LS_FUZZ_SECONDS`.
const COMPARISONS: usize = 16;

/// An edit of a text: where, how many bytes, and the new text. Never within `\r\n`.
fn edit(text: &str, numbers: &mut Numbers) -> (usize, usize, &'static str) {
    let whole = |mut at: usize| {
        at = text.floor_char_boundary(at.min(text.len()));
        if text[..at].ends_with('\r') && text[at..].starts_with('\n') { at - 1 } else { at }
    };
    let start = whole(numbers.below(text.len() + 1));
    let end = whole(start + [0, 1, 2, 5, 30][numbers.below(5)]).max(start);
    (start, end, if numbers.below(8) == 0 { "" } else { WORDS[numbers.below(WORDS.len())] })
}

fn session(folder: &Folder) -> Client {
    let capabilities = json!({
        "textDocument": {
            "inlayHint": {}, "codeLens": {},
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            "hover": { "contentFormat": ["markdown"] },
        },
        "workspace": { "inlayHint": { "refreshSupport": true } },
    });
    Client::session(capabilities, &[folder])
}

/// The answers about a document: those that depend on its text alone, and those that show verdicts.
fn answers(client: &mut Client, uri: &str, text: &str) -> [Vec<Value>; 2] {
    let document = json!({ "uri": uri });
    let all = between(text, 0, text.len());
    let mut of_text = vec![client.findings(uri)];
    of_text[0].as_array_mut().unwrap().retain(|one| one["source"] != "eval-ls verdict");
    of_text.push(client.request("eval-ls/tests", json!({ "uri": uri })));
    let is_suite = client.request("eval-ls/isSuite", json!({ "uri": uri }));
    let has_verdicts = is_suite["isSuite"] == true;
    of_text.push(is_suite);
    of_text.push(client.of("documentSymbol", uri));
    let places: Vec<_> = (0..4).map(|part| position(text, text.floor_char_boundary(text.len() * part / 3))).collect();
    for at in &places {
        for method in ["definition", "references", "prepareRename"] {
            let context = json!({ "includeDeclaration": true });
            let params = json!({ "textDocument": document, "position": at, "context": context });
            of_text.push(client.request(&format!("textDocument/{method}"), params));
        }
    }
    let middle =
        json!({ "textDocument": document, "position": position(text, text.floor_char_boundary(text.len() / 2)) });
    let of_verdicts = vec![
        client.request("textDocument/completion", middle.clone()),
        client.request("textDocument/hover", middle),
        client.actions(uri, all.clone(), json!({})),
        client.request("textDocument/inlayHint", json!({ "textDocument": document, "range": all })),
        client.of("codeLens", uri),
        if has_verdicts { client.verdicts(uri)["cases"].take() } else { Value::Null },
    ];
    [of_text, of_verdicts]
}

/// Opens the suite, and waits until its verdicts are known. Returns whether it has some.
fn open(client: &mut Client, uri: &str, version: i32, text: &str) -> bool {
    client.open(uri, version, text);
    if client.request("eval-ls/isSuite", json!({ "uri": uri }))["isSuite"] == false {
        return false;
    }
    let suite: Value = serde_json::from_str(text).unwrap_or_default();
    let has_id = |case: &Value| case["id"] == "A" || case["id"] == "C";
    let has_answers = suite["cases"].as_array().is_some_and(|cases| cases.iter().any(has_id));
    if has_answers {
        client.refreshed("inlayHint");
    }
    has_answers
}

#[test]
fn an_edited_suite_has_the_answers_of_a_fresh_one() {
    // The name of the first makes it a suite, however broken; the content decides about the second.
    for name in ["a.evals", "a"] {
        let (edits, comparisons) = edited_suite_has_the_answers_of_a_fresh_one(name);
        println!("{edits} edits, {comparisons} comparisons");
    }
}

fn edited_suite_has_the_answers_of_a_fresh_one(name: &str) -> (usize, usize) {
    let kept = |case: &str, response: &str| {
        json!({ "format": "eval-ls/transcript@1", "case": case, "response": response }).to_string()
    };
    let (a, c) = (kept("A", "It is booked."), kept("C", "no"));
    let transcript = |case: &str| format!("evals/transcripts/{name}/{case}.json");
    let folder = Folder::with(&[(&transcript("A"), &a), (&transcript("C"), &c)]);
    // The age of an answer is the same for hours.
    for case in ["A", "C"] {
        let file = std::fs::File::options().write(true).open(folder.join(transcript(case))).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(100 * 60 * 60)).unwrap();
    }
    let uri = folder.uri(&format!("evals/{name}.json"));
    let (mut numbers, end) = Numbers::of_environment();

    let mut edited = session(&folder);
    open(&mut edited, &uri, 1, SUITE);
    let (mut text, mut version, mut edits, mut comparisons) = (SUITE.to_owned(), 1, 0, 0);
    while end.map_or(comparisons < COMPARISONS, |end| Instant::now() < end) {
        let mut undo = Vec::new();
        for _ in 0..=numbers.below(8) {
            let (start, end, with) = edit(&text, &mut numbers);
            let range = between(&text, start, end);
            undo.push((start, start + with.len(), text[start..end].to_owned()));
            text.replace_range(start..end, with);
            (version, edits) = (version + 1, edits + 1);
            edited.change(&uri, version, json!([{ "range": range, "text": with }]));
        }
        for is_undone in [false, true] {
            if is_undone {
                for (start, end, with) in undo.drain(..).rev() {
                    text.replace_range(start..end, &with);
                }
                version += 1;
                edited.change(&uri, version, json!([{ "text": text }]));
            }
            let mut fresh = session(&folder);
            let has_verdicts = open(&mut fresh, &uri, version, &text);
            let ([of_text, of_verdicts], [expected, expected_verdicts]) =
                (answers(&mut edited, &uri, &text), answers(&mut fresh, &uri, &text));
            assert_eq!(of_text, expected, "{text:?}");
            // A case that cannot be parsed keeps its last verdict, which a fresh server does not have.
            if has_verdicts && is_undone {
                assert_eq!(of_verdicts, expected_verdicts, "{text:?}");
            }
            comparisons += 1;
        }
        // A few edits stay, if the text is still JSON.
        let (start, end, with) = edit(&text, &mut numbers);
        let mut next = text.clone();
        next.replace_range(start..end, with);
        if serde_json::from_str::<Value>(&next).is_ok() && next.len() < 2 * SUITE.len() {
            let range = between(&text, start, end);
            version += 1;
            edited.change(&uri, version, json!([{ "range": range, "text": with }]));
            text = next;
        }
    }
    (edits, comparisons)
}
