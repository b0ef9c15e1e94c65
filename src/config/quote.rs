//! Text written as TOML.

use std::fmt::Write;

use toml_edit::Value;

use crate::text::is_invisible;

/// Returns `text` as a value: a basic string on one line.
pub(super) fn string(text: &str) -> Value {
    toml_string(text).parse().expect("a basic string is a value")
}

/// Returns `name` as a key: bare if possible.
pub(crate) fn toml_key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if is_bare { name.to_owned() } else { toml_string(name) }
}

/// Returns `text` as a basic string. The library would write characters that are invisible or reorder the line as they are;
/// here they are escapes.
pub(crate) fn toml_string(text: &str) -> String {
    // A JSON string is a basic string, but for these characters.
    let json = serde_json::to_string(text).expect("a string can be written as JSON");
    json.chars().fold(String::with_capacity(json.len()), |mut quoted, c| {
        if c.is_control() || is_invisible(c) {
            write!(quoted, "\\U{:08X}", u32::from(c)).expect("writing to a string does not fail");
        } else {
            quoted.push(c);
        }
        quoted
    })
}

/// Returns a JSON value as TOML on one line. `null` becomes an empty string, because TOML has no such value.
pub(crate) fn toml_value(value: &serde_json::Value) -> String {
    use serde_json::Value::{Array, Bool, Null, Number, Object, String};
    match value {
        Null => toml_string(""),
        Bool(value) => value.to_string(),
        Number(value) => value.to_string(),
        String(text) => toml_string(text),
        Array(elements) => format!("[{}]", elements.iter().map(toml_value).collect::<Vec<_>>().join(", ")),
        Object(members) if members.is_empty() => "{}".to_owned(),
        Object(members) => {
            let members: Vec<_> =
                members.iter().map(|(name, value)| format!("{} = {}", toml_key(name), toml_value(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use toml::Table;

    use super::*;

    #[test]
    fn shows_what_is_invisible() {
        for (text, quoted) in [
            ("A \"b\" c\\d", r#""A \"b\" c\\d""#),
            ("a\nb\r\tc", r#""a\nb\r\tc""#),
            ("a\u{202e}b\0\u{7f}", r#""a\U0000202Eb\u0000\U0000007F""#),
            ("é 🚀 '''", "\"é 🚀 '''\""),
        ] {
            assert_eq!(toml_string(text), quoted);
        }
        assert_eq!(toml_key("undefined-ui-hint"), "undefined-ui-hint");
        assert_eq!(toml_key("a.b"), "\"a.b\"");
        assert_eq!(toml_key(""), "\"\"");
    }

    #[test]
    fn every_default_and_example_of_the_schema_is_written_as_toml() {
        fn visit(schema: &serde_json::Value, seen: &mut usize) {
            let examples = schema["examples"].as_array().into_iter().flatten();
            for value in examples.chain(schema.get("default")) {
                let line = format!("value = {}", toml_value(value));
                let table: Table = line.parse().expect(&line);
                assert_eq!(&serde_json::to_value(&table["value"]).unwrap(), value, "{line}");
                *seen += 1;
            }
            let children = ["properties", "definitions"].into_iter().filter_map(|key| schema[key].as_object());
            children.flatten().for_each(|(_, child)| visit(child, seen));
            ["items", "additionalProperties"].into_iter().for_each(|key| {
                if schema[key].is_object() {
                    visit(&schema[key], seen);
                }
            });
        }
        let mut seen = 0;
        visit(&serde_json::from_str(include_str!("../../schemas/eval-ls.schema.json")).unwrap(), &mut seen);
        assert!(seen > 100, "{seen}");
    }

    proptest! {
        #[test]
        fn reads_back(text in any::<String>(), name in any::<String>()) {
            let line = format!("{} = {}", toml_key(&name), toml_string(&text));
            let table: Table = line.parse().expect(&line);
            prop_assert_eq!(table.get(&name).and_then(toml::Value::as_str), Some(text.as_str()));
        }
    }
}
