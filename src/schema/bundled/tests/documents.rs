//! Small documents beside their faults: where each is, and which keyword refuses it. Configurations are in
//! `config/tests`, which compares the schema with the reader.

use jsonschema::Validator;
use serde_json::{Value, json};

use super::{SchemaName, faults, load, part};

/// A run of one case that passed and one that could not be judged.
fn result() -> Value {
    serde_json::from_str(include_str!("documents/result.json")).expect("a document is JSON")
}

/// The document that a line describes: a word for the part of a valid document that changes, and the change.
fn document(line: &str) -> Value {
    let with = |mut document: Value, more: Value| {
        document.as_object_mut().expect(line).extend(more.as_object().expect(line).clone());
        document
    };
    let case = |more| json!({ "cases": [with(json!({ "id": "BOOK1", "prompt": "Book a brake check.", "expected": {} }), more)] });
    let (changed, change) = line.split_once(' ').expect(line);
    let change: Value = serde_json::from_str(change).expect(line);
    match changed {
        "document" => change,
        "suite" => with(case(json!({})), change),
        "case" => case(change),
        "expected" => case(json!({ "expected": change })),
        "scoring" => case(json!({ "expected": { "scoring": change } })),
        "transcript" => {
            with(json!({ "format": "eval-ls/transcript@1", "case": "BOOK1", "response": "Booked." }), change)
        }
        pointer => {
            let mut document = result();
            *document.pointer_mut(pointer).expect(line) = change;
            document
        }
    }
}

/// The lines, each with the faults that the schemas find, or with `valid`. Versions that agree share a line.
fn with_faults(lines: &str, schemas: &[SchemaName]) -> String {
    let load = |name: &SchemaName| jsonschema::validator_for(&load(*name)).expect("a bundled schema is a schema");
    let validators: Vec<_> = schemas.iter().map(load).collect();
    let mut text = String::new();
    for line in lines.lines() {
        text += &format!("{line}\n");
        let document = document(line);
        let found: Vec<_> = validators.iter().map(|validator| faults(validator, &document)).collect();
        for (at, faults) in found.iter().enumerate().filter(|(at, faults)| !found[..*at].contains(faults)) {
            let same = schemas.iter().zip(&found).skip(at).filter(|(_, other)| *other == faults);
            let names: Vec<_> = same.map(|(name, _)| name.as_str()).collect();
            let faults: Vec<_> = faults.iter().map(|(at, keyword)| format!("{keyword} at `{at}`")).collect();
            let faults = if faults.is_empty() { "valid".to_owned() } else { faults.join(", ") };
            text += &format!("    {}: {faults}\n", names.join(", "));
        }
    }
    text
}

#[test]
fn each_document_has_these_faults() {
    use SchemaName::{Result, Transcript, V0_1, V0_2, V0_3};
    let suites = with_faults(include_str!("documents/suites.txt"), &[V0_1, V0_2, V0_3]);
    insta::assert_snapshot!("suites", suites);
    insta::assert_snapshot!("transcripts", with_faults(include_str!("documents/transcripts.txt"), &[Transcript]));
    insta::assert_snapshot!("results", with_faults(include_str!("documents/results.txt"), &[Result]));
}

#[test]
fn results_of_the_shell_runner_have_neither_scores_nor_errors() {
    let mut document = result();
    let mut remove = |at: &str, key: &str| {
        let removed = document.pointer_mut(at).and_then(Value::as_object_mut).and_then(|map| map.shift_remove(key));
        assert!(removed.is_some(), "{at}/{key}");
    };
    ["error", "avg_soft_score"].iter().for_each(|key| remove("/summary", key));
    remove("/cases/0", "check_details");
    ["/cases/0", "/cases/1"].iter().for_each(|case| remove(case, "metrics"));
    let validator = jsonschema::validator_for(&load(SchemaName::Result)).expect("a bundled schema is a schema");
    assert_eq!(faults(&validator, &document), []);
}

#[test]
fn a_case_is_judged_alone() {
    for name in [SchemaName::V0_1, SchemaName::V0_2, SchemaName::V0_3] {
        let case: Validator = part(&load(name), &json!({ "$ref": "#/definitions/case" }));
        assert_eq!(faults(&case, &json!({ "id": "i", "prompt": "p", "expected": {} })), []);
        let found = faults(&case, &json!({ "id": 1, "prompt": "p", "expected": { "ui": "x" } }));
        let expected = [("/expected/ui", "type"), ("/id", "type")];
        assert_eq!(found, expected.map(|(at, keyword)| (at.to_owned(), keyword.to_owned())), "{name}");
    }
}
