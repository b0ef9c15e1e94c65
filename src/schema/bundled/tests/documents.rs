//! Small documents beside their faults: where each is, and which keyword refuses it. Configurations are in
//! `config/tests`, which compares the schema with the reader.

use jsonschema::Validator;
use serde_json::{Value, json};

use super::{SchemaName, faults, load, part};
use crate::schema::{ViolationKind, case_violations, frame_violations};
use crate::syntax::{Kind, parse};

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

/// Each document with another value at one place.
fn changed(document: &Value) -> Vec<Value> {
    let values =
        json!([null, true, -1, 1.5, 2.0, "x", "tool_success", [], [1], [""], {}, { "x": 1 }, { "hard_fail": 1 }]);
    let mut pointers = vec![String::new()];
    let mut next = 0;
    while let Some(at) = pointers.get(next).cloned() {
        next += 1;
        match document.pointer(&at) {
            Some(Value::Object(members)) => pointers.extend(members.keys().map(|key| format!("{at}/{key}"))),
            Some(Value::Array(elements)) => pointers.extend((0..elements.len()).map(|index| format!("{at}/{index}"))),
            _ => {}
        }
    }
    let with = |at: &String, value: &Value| {
        let mut document = document.clone();
        *document.pointer_mut(at).expect(at) = value.clone();
        document
    };
    pointers.iter().flat_map(|at| values.as_array().into_iter().flatten().map(move |value| with(at, value))).collect()
}

#[test]
fn violations_are_where_a_validator_finds_faults() {
    // Lints report these.
    let is_left = |(at, keyword): &(String, String)| {
        let lints = ["pattern", "minLength", "minItems", "minProperties", "uniqueItems", "anyOf"];
        lints.contains(&&**keyword) || (at.contains("/soft_score") && ["minimum", "maximum"].contains(&&**keyword))
    };
    let whole = json!({
        "outcome": "needs_input", "tool_calls_any": ["a"], "source_patterns": { "a": ["b"] }, "required_levers": 2,
        "must_ground_numbers": ["14", { "label": "l", "value": 1, "context_any": ["c"] }], "must_label_assumptions": true,
        "evidence_freshness_max_age_minutes": 3, "lever_regex": "r", "scoring": { "hard_fail": ["formatting"],
        "soft_score": { "threshold": 0.5, "weights": { "formatting": 1, "uncertainty": 0 } } }
    });
    let whole = document(&format!("expected {whole}"));
    let lines = include_str!("documents/suites.txt").lines().map(document);
    let documents: Vec<Value> = lines.chain(changed(&whole)).collect();
    for version in [SchemaName::V0_1, SchemaName::V0_2, SchemaName::V0_3] {
        let validator = jsonschema::validator_for(&load(version)).expect("a bundled schema is a schema");
        for document in &documents {
            let text = document.to_string();
            let parse = parse(&text);
            let root = parse.tree.root(&text).expect("a document is a value");
            let cases = root.get("cases").into_iter().flat_map(|cases| cases.elements());
            let of_cases = cases.filter(|case| case.kind() == Kind::Object);
            let found =
                frame_violations(root, version).into_iter().chain(of_cases.flat_map(|it| case_violations(it, version)));
            // Notes in a suite and in a case are accepted, although some of them resemble a key.
            let notes: Vec<&str> = [Some(document), document.pointer("/cases/0")]
                .into_iter()
                .flatten()
                .filter_map(Value::as_object)
                .flat_map(|object| object.keys().map(String::as_str))
                .collect();
            let is_note =
                |kind: &ViolationKind| matches!(kind, ViolationKind::UnknownKey { key, .. } if notes.contains(&&**key));
            let faults = faults(&validator, document);
            let is_faulty = faults.iter().any(|fault| !is_left(fault));
            assert_eq!(
                found.into_iter().any(|violation| !is_note(&violation.kind)),
                is_faulty,
                "{version}: {text}\n{faults:?}"
            );
        }
    }
}
