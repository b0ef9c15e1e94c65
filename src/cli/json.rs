use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::ser::{Formatter, PrettyFormatter};

use crate::text::visible;

/// JSON for people, also on a terminal: in strings, invisible characters, control characters and the start of a workflow command
/// are escaped.
#[derive(Default)]
pub(super) struct Readable(PrettyFormatter<'static>);

impl Formatter for Readable {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut written = 0;
        let is_armed = |at: usize, c: char| c == '[' && fragment[..at].ends_with("##");
        for (at, c) in fragment.char_indices().filter(|&(at, c)| visible(c) != c || is_armed(at, c)) {
            writer.write_all(&fragment.as_bytes()[written..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            written = at + c.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[written..])
    }

    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }
}

/// The JSON text with all invisible characters, control characters and starts of workflow commands escaped. Outside of strings,
/// JSON has none but line breaks.
pub(super) fn readable(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| matches!(c, ' '..='~' | '\n') || c.is_alphanumeric() || visible(c) == c;
    if !text.contains("##[") && text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut readable = String::with_capacity(text.len());
    for c in text.chars() {
        // Outside of strings, JSON has no `#`.
        if is_plain(c) && !(c == '[' && readable.ends_with("##")) {
            readable.push(c);
        } else {
            readable.extend(c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    Cow::Owned(readable)
}

#[cfg(test)]
mod tests {
    use serde::Serialize as _;
    use serde_json::{Serializer, Value, json};

    use super::*;

    #[test]
    fn escapes_keep_the_value() {
        let value = json!({ "a\u{202e}": ["\u{9b}x\u{7f}é\u{e0041}", [], {}, 1.5, "\"\n"], "b": null });
        let mut written = Vec::new();
        value.serialize(&mut Serializer::with_formatter(&mut written, Readable::default())).unwrap();
        let written = String::from_utf8(written).unwrap();
        assert!(written.contains(r#""a\u202e""#) && written.contains(r#""\u009bx\u007fé\udb40\udc41""#), "{written}");
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
    }

    #[test]
    fn a_string_does_not_start_a_workflow_command() {
        let value = json!({ "##[add-mask]x": ["###[", "#[", "##", "[]"] });
        let mut written = Vec::new();
        value.serialize(&mut Serializer::with_formatter(&mut written, Readable::default())).unwrap();
        for text in [String::from_utf8(written).unwrap(), readable(&value.to_string()).into_owned()] {
            assert!(!text.contains("##["), "{text}");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }

    #[test]
    fn invisible_characters_are_escaped_and_keep_their_meaning() {
        let value = serde_json::json!({ "a\u{9b}\u{7f}": "\u{202e}é日\u{e0041} \n\u{1}" });
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let readable = readable(&text);
            assert!(readable.contains(r"a\u009b\u007f") && readable.contains(r"\u202eé日\udb40\udc41"), "{readable}");
            assert!(readable.chars().all(|c| c == '\n' || visible(c) == c), "{readable}");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&readable).unwrap(), value);
        }
        assert!(matches!(readable("{\"é\": \"日本\"}\n"), Cow::Borrowed(_)));
    }
}
