//! What the schemas promise about themselves, and small documents that they must take or refuse.

mod form;
mod others;
mod suites;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::SchemaName;

/// The schema as a value, its keys in the order of the file.
fn load(name: SchemaName) -> Value {
    serde_json::from_str(name.text()).expect("a bundled schema is JSON")
}

/// A validator for the definition at `#/definitions/<definition>` alone.
fn definition(name: SchemaName, definition: &str) -> Validator {
    part(&load(name), &json!({ "$ref": format!("#/definitions/{definition}") }))
}

/// A validator for `node`, a part of `schema`, whose references still lead to the definitions of `schema`.
fn part(schema: &Value, node: &Value) -> Validator {
    let mut part = node.clone();
    part["$schema"] = schema["$schema"].clone();
    part["definitions"] = schema["definitions"].clone();
    // In draft-07 a reference hides the keys beside it, the definitions included.
    if let Some(reference) = part.as_object_mut().and_then(|part| part.remove("$ref")) {
        part["allOf"] = json!([{ "$ref": reference }]);
    }
    jsonschema::validator_for(&part).expect("a part of a bundled schema is a schema")
}

/// `document` with these keys added or replaced.
fn with(mut document: Value, more: Value) -> Value {
    let map = document.as_object_mut().expect("an object");
    map.extend(more.as_object().expect("an object").clone());
    document
}

/// Every fault that `validator` finds in `document`: the instance path and the keyword that refuses it, sorted.
fn faults(validator: &Validator, document: &Value) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = validator
        .iter_errors(document)
        .map(|error| (error.instance_path().to_string(), error.kind().keyword().to_owned()))
        .collect();
    found.sort();
    found
}

/// Asserts that the schema `name` finds exactly these faults in `document`.
#[track_caller]
fn check(name: SchemaName, document: &Value, expected: &[(&str, &str)]) {
    let validator = jsonschema::validator_for(&load(name)).expect("a bundled schema is a schema");
    let found = faults(&validator, document);
    let found: Vec<(&str, &str)> = found.iter().map(|(at, keyword)| (at.as_str(), keyword.as_str())).collect();
    assert_eq!(found, expected, "{name}: {document}");
}

#[test]
fn names_lead_to_schemas_and_back() {
    for name in SchemaName::ALL {
        assert_eq!(SchemaName::from_name(name.as_str()), Some(name));
        assert_eq!(name.to_string(), name.as_str());
        assert!(name.text().ends_with("}\n"), "{name}");
    }
    assert_eq!(SchemaName::from_name("0.4\u{202e}"), None);
}
