//! What several generators of pages share.

use serde_json::Value;

use super::replace_between;

/// Replaces the part of a page between the markers of `name`.
pub(crate) fn block(page: &str, name: &str, new: &str) -> String {
    replace_between(page, &format!("<!-- codegen: {name} -->"), "<!-- end -->", new)
}

/// A value of a schema, or that which its `$ref` names.
pub(crate) fn resolved<'a>(schema: &'a Value, value: &'a Value) -> &'a Value {
    match value["$ref"].as_str().and_then(|path| path.strip_prefix('#')) {
        Some(path) => schema.pointer(path).unwrap_or_else(|| panic!("{path}")),
        None => value,
    }
}

pub(crate) fn meaning(value: &Value) -> &str {
    value["markdownDescription"].as_str().or(value["description"].as_str()).unwrap_or_default()
}

pub(crate) fn type_name(schema: &Value, value: &Value) -> String {
    if let Some(words) = value["enum"].as_array() {
        let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
        return words.join(" or ");
    }
    match &value["type"] {
        Value::String(name) => match name.as_str() {
            "array" => match type_name(schema, resolved(schema, &value["items"])).as_str() {
                "–" => "list".to_owned(),
                items => format!("list of {items}"),
            },
            "object" => "table".to_owned(),
            name => name.to_owned(),
        },
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => {
            let any = ["oneOf", "anyOf"].iter().find_map(|key| value[*key].as_array());
            let names = any.into_iter().flatten().map(|one| type_name(schema, resolved(schema, one)));
            let names: Vec<_> = names.collect();
            if names.is_empty() { "–".to_owned() } else { names.join(" or ") }
        }
    }
}

/// A value on one line, with spaces as people write them. `key` writes a key with its separator.
pub(crate) fn one_line(value: &Value, key: fn(&str) -> String) -> String {
    match value {
        Value::Object(table) => {
            let entries: Vec<_> = table.iter().map(|(name, value)| key(name) + &one_line(value, key)).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Array(list) => {
            format!("[{}]", list.iter().map(|item| one_line(item, key)).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
