//! The reference of the suite format, from its schemas.

use std::fmt::Write as _;

use serde_json::Value;

use super::page::{meaning, one_line, resolved, type_name};
use super::read;

const VERSIONS: [&str; 3] = ["0.1", "0.2", "0.3"];

/// The objects of the format: their headings, and their places in the schema of the newest version.
const OBJECTS: [(&str, &str, &str); 7] = [
    ("The suite", "", "A suite is one JSON object (RFC 8259) in one file."),
    ("A case", "/definitions/case", "An element of `cases`."),
    ("What is expected", "/definitions/expected", "The value of `expected`."),
    ("A number", "/definitions/numeric_item", "An element of `must_ground_numbers`."),
    ("The scoring", "/definitions/scoring", "The value of `scoring`."),
    ("The soft score", "/definitions/soft_score", "The value of `soft_score`."),
    ("The weights", "/definitions/soft_score/properties/weights", "The value of `weights`."),
];

pub(crate) fn page(_: &str) -> String {
    let schema: Value = schema("0.3");
    let mut page = String::from(
        "# The suite format\n\n\
         <!-- Generated from schemas/eval-set.v*.schema.json by `cargo codegen`. -->\n\n\
         This page lists every key of an eval suite. [Scoring](scoring.md) defines exactly what each check does.\n\n\
         ## Versions\n\n\
         The versions are 0.1, 0.2 and 0.3. A later version has all keys of an earlier one. To use a newer key, raise `version`:\n\
         nothing else has to change. The lint [`key-from-later-version`](lints/key-from-later-version.md) reports a key that is\n\
         newer than the suite, and has that fix.\n\n\
         | version | adds |\n| --- | --- |\n",
    );
    for version in VERSIONS {
        writeln!(page, "| {version} | {} |", added(version)).unwrap();
    }
    for (title, pointer, place) in OBJECTS {
        let object = schema.pointer(pointer).unwrap();
        let meaning = if pointer.is_empty() { "" } else { meaning(object) };
        write!(page, "\n## {title}\n\n{}\n", format!("{place} {meaning}").trim_end()).unwrap();
        page.extend(first_example(object));
        for (key, value) in object["properties"].as_object().unwrap() {
            entry(&mut page, &schema, object, key, value);
        }
    }
    words(&mut page, "Outcomes", &schema["definitions"]["outcome"], "The values of `outcome`.");
    words(
        &mut page,
        "Scoring groups",
        &schema["definitions"]["scoring_group"],
        "The values of `hard_fail`, and the keys of `weights`.",
    );
    page
}

fn schema(version: &str) -> Value {
    serde_json::from_str(&read(&format!("schemas/eval-set.v{version}.schema.json"))).unwrap()
}

/// The keys of a version that the version before does not have.
fn added(version: &str) -> String {
    let before = VERSIONS.iter().take_while(|other| **other != version).last();
    let Some(before) = before else {
        return "tools, telemetry, phrases and the page".to_owned();
    };
    let (schema, before) = (schema(version), schema(before));
    let known = |pointer: &str, key: &str| {
        before.pointer(pointer).is_some_and(|object| object["properties"].get(key).is_some())
    };
    let mut added = Vec::new();
    for pointer in ["", "/definitions/case", "/definitions/expected"] {
        let keys = schema.pointer(pointer).unwrap()["properties"].as_object().unwrap().keys();
        added.extend(keys.filter(|key| !known(pointer, key)).map(|key| format!("[`{key}`](#{key})")));
    }
    let words = |schema: &Value, name: &str| -> Vec<String> {
        let words = schema["definitions"][name]["enum"].as_array();
        words.into_iter().flatten().map(|word| format!("`{}`", word.as_str().unwrap())).collect()
    };
    for (name, what) in [("outcome", "the outcome"), ("scoring_group", "the group")] {
        let old = words(&before, name);
        let new = words(&schema, name).into_iter().filter(|word| !old.is_empty() && !old.contains(word));
        added.extend(new.map(|word| format!("{what} {word}")));
    }
    added.join(", ")
}

/// One key: its type, default and group on a line, then its meaning and an example.
fn entry(page: &mut String, schema: &Value, object: &Value, key: &str, value: &Value) {
    let whole = resolved(schema, value);
    let required = object["required"].as_array().is_some_and(|keys| keys.iter().any(|one| one == key));
    let mut facts = vec![type_name(schema, whole).replace("table", "object")];
    if required {
        facts.push("required".to_owned());
    }
    if let Some(default) = whole["x-default"].as_str() {
        facts.push(format!("default: {default}"));
    } else if let Some(default) = whole.get("default").filter(|default| !default.is_object() && !default.is_array()) {
        facts.push(format!("default: `{default}`"));
    }
    write!(page, "\n### `{key}`\n\n*{}*\n\n{}\n", facts.join(" · "), meaning(whole)).unwrap();
    if whole.get("properties").is_some() {
        let (title, ..) = OBJECTS.iter().find(|(_, pointer, _)| schema.pointer(pointer) == Some(whole)).unwrap();
        write!(page, "\nIts keys are under [{title}](#{}).\n", title.to_lowercase().replace(' ', "-")).unwrap();
    } else if whole.get("enumDescriptions").is_some() {
        page.push_str("\nIts values are under [Outcomes](#outcomes).\n");
    } else if let Some(example) = whole["examples"].as_array().and_then(|list| list.first()) {
        write!(page, "\n```json\n{{ \"{key}\": {} }}\n```\n", json(example)).unwrap();
    }
}

fn first_example(object: &Value) -> Option<String> {
    let example = object["examples"].as_array()?.first()?;
    Some(format!("\n```json\n{example:#}\n```\n"))
}

fn words(page: &mut String, title: &str, values: &Value, place: &str) {
    write!(page, "\n## {title}\n\n{place}\n\n| value | meaning |\n| --- | --- |\n").unwrap();
    let texts = values["enumDescriptions"].as_array().unwrap();
    for (word, text) in values["enum"].as_array().unwrap().iter().zip(texts) {
        writeln!(page, "| `{}` | {} |", word.as_str().unwrap(), text.as_str().unwrap()).unwrap();
    }
}

/// A value on one line, with spaces as people write them.
fn json(value: &Value) -> String {
    one_line(value, |key| format!("\"{key}\": "))
}
