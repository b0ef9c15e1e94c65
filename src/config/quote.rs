//! Text written as TOML.

use std::fmt::Write;

use toml_edit::Value;

use crate::text::is_invisible;

/// Returns `text` as a value: a basic string on one line.
pub(super) fn string(text: &str) -> Value {
    basic(text).parse().expect("a basic string is a value")
}

/// Returns `name` as a key: bare if possible.
pub(super) fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if is_bare { name.to_owned() } else { basic(name) }
}

/// Returns `text` as a basic string. The library would write characters that are invisible or reorder the line as they are;
/// here they are escapes.
pub(super) fn basic(text: &str) -> String {
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
            assert_eq!(basic(text), quoted);
        }
        assert_eq!(key("undefined-ui-hint"), "undefined-ui-hint");
        assert_eq!(key("a.b"), "\"a.b\"");
        assert_eq!(key(""), "\"\"");
    }

    proptest! {
        #[test]
        fn reads_back(text in any::<String>(), name in any::<String>()) {
            let line = format!("{} = {}", key(&name), basic(&text));
            let table: Table = line.parse().expect(&line);
            prop_assert_eq!(table.get(&name).and_then(toml::Value::as_str), Some(text.as_str()));
        }
    }
}
