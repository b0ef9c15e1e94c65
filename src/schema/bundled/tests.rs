//! What the schemas promise about themselves, and small documents that they must take or refuse.

mod documents;
mod form;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::SchemaName;

/// The schema as a value, its keys in the order of the file.
fn load(name: SchemaName) -> Value {
    serde_json::from_str(name.text()).expect("a bundled schema is JSON")
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

/// Every fault that `validator` finds in `document`: the instance path and the keyword that refuses it, sorted.
fn faults(validator: &Validator, document: &Value) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = validator
        .iter_errors(document)
        .map(|error| (error.instance_path().to_string(), error.kind().keyword().to_owned()))
        .collect();
    found.sort();
    found
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
