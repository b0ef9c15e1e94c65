//! The reference of `eval-ls.toml`, from its schema.

use std::fmt::Write as _;

use regex::Regex;
use serde_json::{Value, json};

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
         - In an editor, the target that you have chosen overrides the setting `target`, which overrides `run.target`.\n\
         - Without a file the defaults apply. The patterns of `[files]` then count from the folder that is opened or\n  \
           named, and the name of that folder counts for `include`.\n\n\
         Paths and patterns are relative to the folder of `eval-ls.toml` unless a key says otherwise. An error in the file\n\
         is reported at its place. The other keys still apply to linting, and nothing runs.\n\n\
         ## Editors\n\n\
         `eval-ls lsp` reports errors in the file while you type. A language server for TOML, such as Taplo (*Even Better TOML* in\n\
         VS Code) or Tombi, completes and explains the keys. Write the schema beside the file with\n\
         `eval-ls schema config > eval-ls.schema.json`, and name it in the first line of the file:\n\n\
         ```toml\n#:schema ./eval-ls.schema.json\n```\n\n\
         ## Keys\n\n\
         The examples can be added at the end of a file. A table such as `[run]` may be in a file only once, so if the file has it already, add the\n\
         keys there.\n",
    );
    let sections = schema["properties"].as_object().unwrap();
    for (name, section) in sections {
        let header = match resolved(schema, section)["type"].as_str() {
            Some("array") => format!("[[{name}]]"),
            _ => format!("[{name}]"),
        };
        write!(page, "\n## `{header}`\n\n{}\n", meaning(section).replace('\n', " ")).unwrap();
        if name == "targets" {
            targets(&mut page, schema, section);
            continue;
        }
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
        for (key, value) in section["properties"].as_object().into_iter().flatten() {
            let entry = resolved(schema, &value["items"]);
            if entry["properties"].is_object() {
                write!(page, "\nEach `[[{name}.{key}]]` has these keys:\n").unwrap();
                example(&mut page, name, &json!({ "examples": [{ key: [first_examples(entry)] }] }));
                table(&mut page, schema, entry);
            }
        }
    }
    page
}

/// The keys of a target, by its kind.
fn targets(page: &mut String, schema: &Value, section: &Value) {
    let target = resolved(schema, &section["additionalProperties"]);
    let pick = |is_picked: &dyn Fn(&str) -> bool, required: &Value| {
        let all = target["properties"].as_object().unwrap();
        let picked: serde_json::Map<_, _> =
            all.iter().filter(|(key, _)| is_picked(key)).map(|(key, value)| (key.clone(), value.clone())).collect();
        json!({ "properties": picked, "required": required })
    };
    table(page, schema, &pick(&|key| key == "kind", &target["required"]));
    let named = Regex::new(r",? (?:for|of) a `?(?:browser|command)`? target| For `command` and `browser` targets\.");
    let named = named.unwrap();
    for rule in target["allOf"].as_array().unwrap() {
        let kind = rule["if"]["properties"]["kind"]["const"].as_str().unwrap();
        let keys = pick(&|key| key != "kind" && rule["then"]["properties"][key] != false, &rule["then"]["required"]);
        write!(page, "\n### `kind = \"{kind}\"`\n").unwrap();
        if keys["properties"].as_object().unwrap().is_empty() {
            page.push_str("\nIt has no other keys.\n");
            continue;
        }
        let examples = section["examples"].as_array().unwrap();
        let of_kind = |example: &&Value| example.as_object().unwrap().values().all(|target| target["kind"] == kind);
        example(page, "targets", &json!({ "examples": [examples.iter().find(of_kind).unwrap()] }));
        let mut rows = String::new();
        table(&mut rows, schema, &keys);
        // The heading has it.
        page.push_str(&named.replace_all(&rows, ""));
    }
}

/// An object with the first example of each of its keys.
fn first_examples(object: &Value) -> Value {
    let keys = object["properties"].as_object().into_iter().flatten();
    keys.map(|(key, value)| (key.clone(), value["examples"][0].clone())).collect::<serde_json::Map<_, _>>().into()
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
        let text = meaning(value).replace('\n', " ");
        let text = format!("{text}{}{}", values(value), examples.unwrap_or_default()).replace('|', "\\|");
        rows.push(format!(
            "| `{prefix}{key}` | {} | {} | {text} |\n",
            type_name(schema, value),
            default.replace('|', "\\|")
        ));
        keys(schema, value, &format!("{prefix}{key}."), rows);
    }
}

/// The meanings of the words that a key accepts.
fn values(value: &Value) -> String {
    let words = value["enum"].as_array().into_iter().flatten();
    let meanings = value["enumDescriptions"].as_array().into_iter().flatten().filter_map(Value::as_str);
    words.zip(meanings).map(|(word, meaning)| format!(" `{word}`: {meaning}")).collect()
}

/// The first example of a section, as tables.
fn example(page: &mut String, name: &str, section: &Value) {
    if let Some(first) = section["examples"].as_array().and_then(|list| list.first()) {
        let text = ::toml::to_string(&json!({ name: first })).unwrap();
        write!(page, "\n```toml\n{}\n```\n", text.trim()).unwrap();
    }
}

fn toml(value: &Value) -> String {
    one_line(value, |key| format!("{key} = "))
}
