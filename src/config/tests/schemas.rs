//! Compares the bundled schemas with the code: the lists, the defaults, and the reader of `eval-ls.toml`.

use super::{shown, values::WHOLE};
use crate::config::{BrowserTarget, ChatInput, Config, TEMPLATE};
use crate::schema::SchemaName;
use crate::suite::{self, Group, Outcome, Version};
use serde_json::{Map, Value, json};

fn load(name: SchemaName) -> Value {
    serde_json::from_str(name.text()).expect("a bundled schema is JSON")
}

/// The schema of suites of that version.
fn suites(version: Version) -> Value {
    load(SchemaName::from_name(version.as_str()).expect("every version has a schema"))
}

/// The names of the lints, as the schema of the configuration lists them.
fn lints(schema: &Value) -> Vec<&str> {
    let levels = schema["properties"]["lints"]["properties"].as_object().expect("the lints");
    levels.keys().map(String::as_str).collect()
}

#[test]
fn outcomes_and_groups_are_those_of_the_code() {
    for version in Version::ALL {
        let schema = suites(version);
        let outcomes = Outcome::ALL.map(Outcome::name);
        let known = if version == Version::V0_1 { &outcomes[..5] } else { &outcomes[..] };
        assert_eq!(schema["definitions"]["outcome"]["enum"], json!(known), "{version}");

        let groups: Vec<&str> =
            Group::ALL.into_iter().filter(|group| group.since() <= version).map(Group::name).collect();
        let listed = schema["definitions"].get("scoring_group").map(|definition| definition["enum"].clone());
        assert_eq!(listed.unwrap_or(json!([])), json!(groups), "{version}");
        let weights = &schema["definitions"]["soft_score"]["properties"]["weights"]["properties"];
        let weighed: Vec<&String> = weights.as_object().map(Map::keys).into_iter().flatten().collect();
        assert_eq!(weighed, groups, "{version}");
    }
    let result = load(SchemaName::Result);
    let scores = &result["definitions"]["metrics"]["properties"]["scoring"]["properties"]["groups"]["properties"];
    assert!(scores.as_object().expect("scores").keys().eq(Group::ALL.map(Group::name)));
}

#[test]
fn defaults_of_suites_are_those_of_the_code() {
    let schema = suites(Version::LATEST);
    let expected = &schema["definitions"]["expected"]["properties"];
    for (key, default) in [
        ("lever_regex", suite::LEVER_REGEX),
        ("claim_marker_regex", suite::CLAIM_MARKER_REGEX),
        ("evidence_marker_regex", suite::EVIDENCE_MARKER_REGEX),
        ("alignment_marker_regex", suite::ALIGNMENT_MARKER_REGEX),
        ("evidence_freshness_regex", suite::EVIDENCE_FRESHNESS_REGEX),
    ] {
        assert_eq!(expected[key]["default"], default, "{key}");
    }
    let markers = &expected["assumption_markers_any"];
    assert_eq!(markers["default"], json!(suite::ASSUMPTION_MARKERS));
    let text = markers["markdownDescription"].as_str().expect("a description");
    assert!(text.contains(&suite::ASSUMPTION_MARKERS.join(", ")), "{text}");

    let weights = &schema["definitions"]["soft_score"]["properties"]["weights"];
    let default: Map<String, Value> =
        suite::DEFAULT_WEIGHTS.into_iter().map(|(group, weight)| (group.name().to_owned(), json!(weight))).collect();
    assert_eq!(weights["default"], Value::Object(default));
    let text = weights["markdownDescription"].as_str().expect("a description");
    let listed = suite::DEFAULT_WEIGHTS.map(|(group, weight)| format!("`{group}` {weight:.2}")).join(", ");
    assert!(text.contains(&listed), "{text}");

    let text = expected["source_patterns"]["markdownDescription"].as_str().expect("a description");
    let listed = suite::BUILT_IN_SOURCES.map(|(source, phrases)| format!("`{source}`: {}", phrases.join(", ")));
    assert!(text.contains(&listed.join("; ")), "{text}");
}

#[test]
fn defaults_of_the_configuration_are_those_of_the_code() {
    let schema = load(SchemaName::Config);
    let default = |pointer: &str| schema.pointer(pointer).expect(pointer)["default"].clone();
    let config = Config::default();
    let globs = |patterns: &[crate::config::Pattern]| json!(patterns.iter().map(|it| it.as_str()).collect::<Vec<_>>());
    assert_eq!(default("/properties/files/properties/include"), globs(config.files.include()));
    assert_eq!(default("/properties/files/properties/exclude"), globs(config.files.exclude()));
    assert_eq!(default("/properties/run/properties/target"), config.run.target);
    assert_eq!(default("/properties/run/properties/jobs"), config.run.jobs.get());
    assert_eq!(schema["properties"]["run"]["properties"]["jobs"]["maximum"], crate::config::MOST_JOBS);
    let timeout = default("/properties/run/properties/timeout");
    assert_eq!(timeout.as_str().and_then(|text| text.parse().ok()), Some(config.run.timeout));
    assert_eq!(default("/properties/run/properties/results"), config.run.results);
    assert_eq!(default("/properties/run/properties/transcripts"), config.run.transcripts);

    let browser = BrowserTarget::new("http://localhost");
    let settle = default("/definitions/target/properties/settle");
    assert_eq!(settle.as_str().and_then(|text| text.parse().ok()), Some(browser.settle));
    assert_eq!(default("/definitions/target/properties/response"), json!(browser.response));
    assert_eq!(default("/definitions/target/properties/screenshots"), json!(browser.screenshots));
    let role = default("/definitions/target/properties/chat_input/properties/role");
    assert_eq!(role, ChatInput::default().role);
}

#[test]
fn levels_are_those_of_the_code() {
    let schema = load(SchemaName::Config);
    for lint in lints(&schema) {
        let level = &schema["properties"]["lints"]["properties"][lint];
        let is_fixed = ["invalid-json", "wrong-type"].contains(&lint);
        let levels = if is_fixed { &["error"][..] } else { &["error", "warning", "hint", "off"] };
        assert_eq!(level["enum"], json!(levels), "{lint}");
        assert_ne!(level["default"], "off", "{lint}");
    }
}

/// The errors of the reader in a text, and the faults of the schema if the text is TOML.
fn errors_and_faults(text: &str) -> (String, Option<String>) {
    let schema = load(SchemaName::Config);
    let (_, errors) = Config::parse(text, &lints(&schema));
    let validator = jsonschema::validator_for(&schema).expect("a bundled schema is a schema");
    let document: Option<Value> = toml::from_str(text).ok();
    let faults = document.map(|document| {
        let faults = validator.iter_errors(&document);
        faults.map(|fault| format!("schema: {} at `{}`\n", fault.kind().keyword(), fault.instance_path())).collect()
    });
    (shown(text, &errors).replace(env!("CARGO_PKG_VERSION"), "X"), faults)
}

/// The documents end with their errors. What only the reader can know is in documents whose first line names the reader.
#[test]
fn the_reader_and_the_schema_reject_the_same_documents() {
    let mut snapshot = String::new();
    for document in include_str!("documents.txt").split("\n\n") {
        let (errors, faults) = errors_and_faults(document);
        let is_for_both = faults.is_some() && !document.starts_with("# The reader alone");
        let faults = faults.unwrap_or_default();
        assert!(!is_for_both || errors.is_empty() == faults.is_empty(), "{document}\n{errors}{faults}");
        let found = if errors.is_empty() && faults.is_empty() { "valid\n".to_owned() } else { errors + &faults };
        snapshot += &format!("\n{}\n", document.trim_end());
        found.lines().for_each(|line| snapshot += &format!("    {line}\n"));
    }
    insta::assert_snapshot!(snapshot);
    for text in ["", TEMPLATE, WHOLE, "\u{feff}"] {
        assert_eq!(errors_and_faults(text), (String::new(), Some(String::new())), "{text}");
    }
}
