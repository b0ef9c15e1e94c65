//! Text written as TOML.

use std::fmt::Write;

use crate::text::is_invisible;

/// `text` as a basic string on one line. What would not be seen, or would reorder the line, is written as an escape.
pub(super) fn string(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            _ if c.is_control() || is_invisible(c) => {
                // Writing into a string does not fail.
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            }
            _ => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// `name` as a key: bare where it may be.
pub(super) fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if is_bare { name.to_owned() } else { string(name) }
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
            ("a\u{202e}b\0\u{7f}", r#""a\U0000202Eb\U00000000\U0000007F""#),
            ("é 🚀 '''", "\"é 🚀 '''\""),
        ] {
            assert_eq!(string(text), quoted);
        }
        assert_eq!(key("undefined-ui-hint"), "undefined-ui-hint");
        assert_eq!(key("a.b"), "\"a.b\"");
        assert_eq!(key(""), "\"\"");
    }

    proptest! {
        #[test]
        fn reads_back(text in any::<String>(), name in any::<String>()) {
            let line = format!("{} = {}", key(&name), string(&text));
            let table: Table = line.parse().expect(&line);
            prop_assert_eq!(table.get(&name).and_then(toml::Value::as_str), Some(text.as_str()));
        }
    }
}
