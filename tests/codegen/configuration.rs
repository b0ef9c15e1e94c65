//! The reference of `eval-ls.toml`, from its schema.

use std::fmt::Write as _;

use serde_json::Value;

use super::page::{meaning, one_line, resolved, type_name};
use super::read;

pub(crate) fn page(_: &str) -> String {
    let schema: Value = serde_json::from_str(&read("schemas/eval-ls.schema.json")).unwrap();
    let schema = &schema;
    let mut page = String::from(
        "# Configuration\n\n\
         <!-- Generated from schemas/eval-ls.schema.json by `cargo codegen`. -->\n\n\
         `eval-ls.toml` configures the folder that contains it and all folders below. All keys are optional. The command\n\
         line and the language server read the same file.\n\n\
         ## Precedence\n\n\
         - The nearest `eval-ls.toml`, going up from a suite, applies to it. Files are not merged: an outer file has no\n  \
           effect below an inner one, except that folders which it excludes are not searched.\n\
         - A command-line option (`--target`, `--jobs`, `--timeout`, `--results`) overrides the file. `--config FILE`\n  \
           replaces the file.\n\
         - The `timeout` of a target overrides `run.timeout`.\n\
         - In an editor, the target that you have chosen overrides the setting `target`, which overrides `run.target`. A level\n  \
           in `[lints]` overrides the setting `lints`.\n\
         - Without a file the defaults apply. The patterns of `[files]` then count from the folder that is opened or\n  \
           named, and the name of that folder counts for `include`.\n\n\
         Paths and patterns are relative to the folder of `eval-ls.toml` unless a key says otherwise. An error in the file\n\
         is reported at its place. The other keys still apply to linting, and nothing runs.\n",
    );
    let sections = schema["properties"].as_object().unwrap();
    for (name, section) in sections {
        let header = match resolved(schema, section)["type"].as_str() {
            Some("array") => format!("[[{name}]]"),
            Some("string") => name.clone(),
            _ => format!("[{name}]"),
        };
        write!(page, "\n## `{header}`\n\n{}\n", meaning(section).replace('\n', " ")).unwrap();
        if name == "lints" {
            let levels = "Each key is the name of a lint; the [list of lints](lints.md) has their defaults and pages.";
            write!(page, "\n{levels}\n").unwrap();
            example(&mut page, name, section);
            continue;
        }
        example(&mut page, name, section);
        table(&mut page, schema, section);
        for inner in ["items", "additionalProperties"] {
            table(&mut page, schema, resolved(schema, &section[inner]));
        }
    }
    page
}

/// The keys of an object as a table; nothing for what is not an object.
fn table(page: &mut String, schema: &Value, object: &Value) {
    let mut rows = Vec::new();
    keys(schema, object, "", &mut rows);
    if !rows.is_empty() {
        write!(page, "\n| key | type | default | meaning |\n| --- | --- | --- | --- |\n{}", rows.concat()).unwrap();
    }
}

fn keys(schema: &Value, object: &Value, prefix: &str, rows: &mut Vec<String>) {
    let required = |key: &str| object["required"].as_array().is_some_and(|keys| keys.iter().any(|one| one == key));
    for (key, value) in object["properties"].as_object().into_iter().flatten() {
        let value = resolved(schema, value);
        let default = match &value["default"] {
            Value::Null if required(key) => "required".to_owned(),
            Value::Null => "–".to_owned(),
            default => format!("`{default}`"),
        };
        let examples = value["examples"].as_array().map(|list| {
            let list: Vec<_> = list.iter().map(|example| format!("`{}`", toml(example))).collect();
            format!(" Example: {}.", list.join(", "))
        });
        let text = format!("{}{}", meaning(value).replace('\n', " "), examples.unwrap_or_default()).replace('|', "\\|");
        rows.push(format!(
            "| `{prefix}{key}` | {} | {} | {text} |\n",
            type_name(schema, value),
            default.replace('|', "\\|")
        ));
        keys(schema, value, &format!("{prefix}{key}."), rows);
    }
}

fn example(page: &mut String, name: &str, section: &Value) {
    if let Some(first) = section["examples"].as_array().and_then(|list| list.first()) {
        write!(page, "\n```toml\n{name} = {}\n```\n", toml(first)).unwrap();
    }
}

/// A value as TOML on one line.
fn toml(value: &Value) -> String {
    one_line(value, |key| format!("{key} = "))
}
