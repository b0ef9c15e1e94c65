//! The form of the schemas: valid, self-contained, described, and each version within the next.

use serde_json::{Map, Value};

use super::{SchemaName, faults, load, part};

const SUITES: [SchemaName; 3] = [SchemaName::V0_1, SchemaName::V0_2, SchemaName::V0_3];

/// Every object within `value` with its JSON Pointer, except for example data and defaults, which are not schemas.
fn objects<'a>(value: &'a Value, at: &str, found: &mut Vec<(String, &'a Map<String, Value>)>) {
    match value {
        Value::Object(map) => {
            found.push((at.to_owned(), map));
            for (key, child) in map {
                let data = matches!(key.as_str(), "examples" | "default" | "const" | "enum");
                if !data || at.ends_with("/properties") {
                    objects(child, &format!("{at}/{key}"), found);
                }
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                objects(item, &format!("{at}/{index}"), found);
            }
        }
        _ => {}
    }
}

/// The subschemas, each with its JSON Pointer: the root, the definitions, and all below them.
fn nodes(schema: &Value) -> Vec<(String, &Map<String, Value>)> {
    let mut found = Vec::new();
    objects(schema, "", &mut found);
    found.retain(|(at, _)| !at.ends_with("/properties") && !at.ends_with("/definitions"));
    found
}

/// Whether the pointer `at` leads into a condition, which only narrow what is described elsewhere.
fn is_condition(at: &str) -> bool {
    at.split('/').any(|key| key == "if" || key == "then" || key == "oneOf" || key == "anyOf")
}

/// The definition that `node` refers to, or `node` itself.
fn resolve<'a>(schema: &'a Value, node: &'a Value) -> &'a Value {
    match node["$ref"].as_str() {
        Some(reference) => schema.pointer(&reference[1..]).expect("a reference leads to a definition"),
        None => node,
    }
}

#[test]
fn schemas_are_valid_draft_07() {
    for name in SchemaName::ALL {
        let schema = load(name);
        assert_eq!(schema["$schema"], "http://json-schema.org/draft-07/schema#", "{name}");
        let errors: Vec<String> = jsonschema::draft7::meta::validator()
            .iter_errors(&schema)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert_eq!(errors, [] as [&str; 0], "{name}");
    }
}

#[test]
fn schemas_have_unique_addresses() {
    let addresses = SchemaName::ALL.map(|name| load(name)["$id"].as_str().expect("an address").to_owned());
    let names = addresses.map(|address| address.rsplit('/').next().unwrap_or_default().to_owned());
    let kinds = ["suite-0.1", "suite-0.2", "suite-0.3", "config", "transcript", "result", "run"];
    assert_eq!(names, kinds.map(|kind| format!("eval-ls-{kind}.json")));
}

#[test]
fn references_stay_inside_and_every_definition_is_used() {
    for name in SchemaName::ALL {
        let schema = load(name);
        let mut unused: Vec<&String> = schema["definitions"].as_object().expect("definitions").keys().collect();
        for (at, node) in nodes(&schema) {
            let Some(reference) = node.get("$ref") else { continue };
            assert_eq!(node.len(), 1, "{name} {at}: keywords beside a reference are ignored");
            let target =
                reference.as_str().and_then(|it| it.strip_prefix("#/definitions/")).expect("a local reference");
            assert!(schema["definitions"].get(target).is_some(), "{name} {at}: {target}");
            unused.retain(|definition| *definition != target);
        }
        assert_eq!(unused, [] as [&str; 0], "{name}");
    }
}

#[test]
fn everything_is_described_in_one_sentence() {
    for name in SchemaName::ALL {
        let schema = load(name);
        let mut all = Vec::new();
        objects(&schema, "", &mut all);
        all.retain(|(at, _)| (at.ends_with("/properties") || at == "/definitions") && !is_condition(at));
        let mut described = 0;
        for (at, map) in all {
            for (key, node) in map {
                let text = resolve(&schema, node)["description"].as_str().unwrap_or_default();
                assert!(text.len() > 10 && text.ends_with('.'), "{name} {at}/{key}: {text:?}");
                assert!(!text.contains(['\n', '`']), "{name} {at}/{key}: a description is plain text");
                assert!(!text.contains(". "), "{name} {at}/{key}: one sentence");
                described += 1;
            }
        }
        assert!(described > 10, "{name}: {described}");
    }
}

#[test]
fn markdown_ends_with_the_keywords_in_words() {
    for name in SUITES {
        let schema = load(name);
        for (at, node) in nodes(&schema) {
            let word = |key: &str| node.get(key).and_then(Value::as_str);
            let notes = [
                word("x-read-with").map(|key| format!("Read with `{key}`.")),
                word("x-group").map(|group| format!("Scoring group: `{group}`.")),
                word("x-since").map(|version| format!("Since version {version}.")),
            ];
            let notes = notes.into_iter().flatten().collect::<Vec<_>>().join(" ");
            let text = word("markdownDescription").unwrap_or_default();
            let last = text.rsplit("\n\n").next().unwrap_or_default();
            if notes.is_empty() {
                let stray = ["Read with `", "Scoring group:", "Since version"].iter().any(|note| last.contains(note));
                assert!(!stray, "{name} {at}: {text}");
            } else {
                assert_eq!(last, notes, "{name} {at}");
            }
        }
    }
}

#[test]
fn extension_keywords_name_existing_keys_and_groups() {
    let schema = load(SchemaName::V0_3);
    let fields = schema["definitions"]["expected"]["properties"].as_object().expect("properties");
    let groups = schema["definitions"]["scoring_group"]["enum"].as_array().expect("groups");
    for (at, node) in nodes(&schema) {
        if let Some(group) = node.get("x-group") {
            assert!(groups.contains(group), "{at}: {group}");
        }
        if let Some(version) = node.get("x-since") {
            assert!(version == "0.2" || version == "0.3", "{at}: {version}");
        }
        if let Some(key) = node.get("x-read-with").and_then(Value::as_str) {
            assert!(fields.contains_key(key), "{at}: {key}");
        }
    }
    for (key, node) in fields.iter().filter(|(key, _)| *key != "scoring") {
        assert!(resolve(&schema, node).get("x-group").is_some(), "{key} feeds a group");
    }
}

#[test]
fn patterns_are_marked() {
    let schema = load(SchemaName::V0_3);
    let marked = nodes(&schema).into_iter().filter(|(_, node)| node.contains_key("x-pattern")).map(|(at, _)| at);
    insta::assert_snapshot!(marked.collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_value_of_a_list_is_explained_once() {
    for name in SchemaName::ALL {
        let schema = load(name);
        for (at, node) in nodes(&schema) {
            if let Some(descriptions) = node.get("enumDescriptions").and_then(Value::as_array) {
                assert_eq!(Some(descriptions.len()), node["enum"].as_array().map(Vec::len), "{name} {at}");
            }
        }
    }
}

#[test]
fn examples_and_defaults_are_valid() {
    for name in SchemaName::ALL {
        let schema = load(name);
        let mut tried = 0;
        for (at, node) in nodes(&schema).into_iter().filter(|(at, _)| !at.is_empty()) {
            let examples = node.get("examples").and_then(Value::as_array).into_iter().flatten();
            let mut values = examples.chain(node.get("default")).peekable();
            if values.peek().is_none() {
                continue;
            }
            let validator = part(&schema, &Value::Object(node.clone()));
            for value in values {
                assert_eq!(faults(&validator, value), [], "{name} {at}: {value}");
                tried += 1;
            }
        }
        assert!(tried > 3, "{name}: {tried}");
    }
}

#[test]
fn required_keys_are_offered_first() {
    for name in SchemaName::ALL {
        let schema = load(name);
        for (at, node) in nodes(&schema).into_iter().filter(|(at, _)| !is_condition(at)) {
            let Some(required) = node.get("required").and_then(Value::as_array) else { continue };
            let properties = node["properties"].as_object().expect("properties");
            let first: Vec<&str> = properties.keys().take(required.len()).map(String::as_str).collect();
            assert_eq!(first, required.iter().filter_map(Value::as_str).collect::<Vec<_>>(), "{name} {at}");
        }
    }
}

#[test]
fn suites_are_open_down_to_the_case_and_closed_from_expected_on() {
    for name in SUITES {
        let schema = load(name);
        for (at, node) in nodes(&schema).into_iter().filter(|(_, node)| node.contains_key("properties")) {
            let open = at.is_empty() || at == "/definitions/case";
            // The weights are closed by the names of the groups alone, so that a stray one is reported once.
            let closed =
                node.get("additionalProperties") == Some(&Value::Bool(false)) || node.contains_key("propertyNames");
            assert_eq!(closed, !open, "{name} {at}");
        }
    }
}

/// What `newer` adds to `older`, by JSON Pointer. All else is the same, in the same order.
fn additions(older: &Value, newer: &Value, at: &str, added: &mut Vec<String>) {
    match (older, newer) {
        (Value::Object(older), Value::Object(newer)) => {
            let kept: Vec<&String> = newer.keys().filter(|key| older.contains_key(*key)).collect();
            assert_eq!(kept, older.keys().collect::<Vec<_>>(), "{at}");
            for (key, value) in newer {
                match older.get(key) {
                    Some(older) => additions(older, value, &format!("{at}/{key}"), added),
                    None => added.push(format!("{at}/{key}")),
                }
            }
        }
        (Value::Array(older), Value::Array(newer)) => {
            assert!(older.len() <= newer.len(), "{at}");
            older.iter().zip(newer).for_each(|(older, newer)| additions(older, newer, at, added));
            added.extend((older.len()..newer.len()).map(|index| format!("{at}/{index}")));
        }
        _ => assert_eq!(older, newer, "{at}"),
    }
}

#[test]
fn each_version_is_the_one_before_and_its_additions() {
    let mut page = String::new();
    for (older, version) in [(SchemaName::V0_1, SchemaName::V0_2), (SchemaName::V0_2, SchemaName::V0_3)] {
        let [older, newer] = [older, version].map(|name| {
            let mut schema = load(name);
            let root = schema.as_object_mut().expect("an object");
            ["$id", "title", "description"].iter().for_each(|key| drop(root.shift_remove(*key).expect(key)));
            schema
        });
        let mut added = Vec::new();
        additions(&older, &newer, "", &mut added);
        for pointer in added.iter().filter(|pointer| pointer.contains("/properties/")) {
            let node = resolve(&newer, newer.pointer(pointer).expect("the addition is there"));
            assert_eq!(node["x-since"], version.as_str(), "{pointer}");
        }
        page += &format!("{version}\n    {}\n", added.join("\n    "));
    }
    insta::assert_snapshot!(page);
}

#[test]
fn every_key_of_a_target_belongs_to_some_kind_and_not_to_all() {
    let schema = load(SchemaName::Config);
    let target = &schema["definitions"]["target"];
    let kinds = target["properties"]["kind"]["enum"].as_array().expect("kinds");
    let rules = target["allOf"].as_array().expect("a rule for each kind");
    let ruled: Vec<&Value> = rules.iter().map(|rule| &rule["if"]["properties"]["kind"]["const"]).collect();
    assert_eq!(ruled, kinds.iter().collect::<Vec<_>>());
    for key in target["properties"].as_object().expect("properties").keys().filter(|key| *key != "kind") {
        let refusing = rules.iter().filter(|rule| rule["then"]["properties"][key] == false).count();
        assert!((1..kinds.len()).contains(&refusing), "{key}: refused by {refusing}");
    }
}
