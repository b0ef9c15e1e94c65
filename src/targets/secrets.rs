use std::ops::Range;

use memchr::memmem;
use serde_json::Value;

use super::plain;

/// Values that must not be stored or shown anywhere; `[redacted NAME]` replaces them.
///
/// A value is found as it is, trimmed, as JSON writers put it between quotes (also in a JSON string within another),
/// percent-encoded, as text of HTML, in Base64 (also within a longer text that was encoded) and in hexadecimal, and, where it
/// has several lines, line by line. Line breaks within any of these forms do not hide it. Values and lines shorter than [`MIN_LENGTH`](Self::MIN_LENGTH) are not
/// looked for: many texts contain them, and removing them would change verdicts without hiding anything. Encodings within
/// others, and values that were cut, are not found.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    /// The longest first, without repetitions.
    needles: Vec<Needle>,
}

#[derive(Clone)]
struct Needle {
    finder: memmem::Finder<'static>,
    /// The variable whose value it is.
    name: String,
}

impl Secrets {
    /// The shortest value that is looked for, in code points.
    pub(crate) const MIN_LENGTH: usize = 6;

    /// Whether there is nothing to hide.
    pub(crate) fn is_empty(&self) -> bool {
        self.needles.is_empty()
    }

    /// The secrets with these names and values.
    pub(crate) fn new<'a>(values: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut forms: Vec<(String, String)> = Vec::new();
        for (name, value) in values {
            forms.extend(forms_of(value).into_iter().map(|form| (form, plain::plain(name))));
        }
        forms.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup_by(|(a, _), (b, _)| a == b);
        let needle = |(form, name): (String, String)| Needle { finder: memmem::Finder::new(&form).into_owned(), name };
        Self { needles: forms.into_iter().map(needle).collect() }
    }

    /// `text` without secrets.
    pub(crate) fn redact(&self, text: String) -> String {
        self.redacted(&text).unwrap_or(text)
    }

    /// Removes the secrets from all strings, keys and numbers in `value`.
    pub(crate) fn redact_value(&self, value: &mut Value) {
        // Recursion is bounded by the depth that the parser of the value allowed.
        match value {
            Value::String(text) => *text = self.redact(std::mem::take(text)),
            Value::Array(list) => list.iter_mut().for_each(|value| self.redact_value(value)),
            Value::Object(map) => {
                let members = std::mem::take(map).into_iter().map(|(key, mut value)| {
                    self.redact_value(&mut value);
                    (self.redact(key), value)
                });
                *map = members.collect();
            }
            Value::Number(number) => {
                if let Some(text) = self.redacted(&number.to_string()) {
                    *value = Value::String(text);
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// `None` if there is nothing to remove.
    fn redacted(&self, text: &str) -> Option<String> {
        let mut found: Vec<(Range<usize>, &str)> = self.places(text).collect();
        if text.contains('\n') {
            let joined = Joined::new(text);
            let places = self.places(&joined.text);
            found.extend(
                places.map(|(place, name)| (joined.before(place.start)..joined.before(place.end - 1) + 1, name)),
            );
        }
        if found.is_empty() {
            return None;
        }
        // If secrets overlap, everything that one of them covers is removed.
        found.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
        let mut redacted = String::with_capacity(text.len());
        let mut done = 0;
        for (place, name) in found {
            if place.start >= done {
                redacted.push_str(&text[done..place.start]);
                redacted.push_str("[redacted ");
                redacted.push_str(name);
                redacted.push(']');
            }
            done = done.max(place.end);
        }
        redacted.push_str(&text[done..]);
        Some(redacted)
    }

    /// Where the secrets are, with the names of their variables.
    fn places(&self, text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
        self.needles.iter().flat_map(move |needle| {
            let len = needle.finder.needle().len();
            let places: Vec<_> = needle.finder.find_iter(text.as_bytes()).collect();
            places.into_iter().map(move |start| (start..start + len, needle.name.as_str()))
        })
    }
}

/// A text without its line breaks, as terminals and encoders of Base64 add them.
struct Joined {
    text: String,
    /// Where each line starts: in `text`, and before.
    lines: Vec<(usize, usize)>,
}

impl Joined {
    fn new(text: &str) -> Self {
        let mut joined = Joined { text: String::with_capacity(text.len()), lines: Vec::new() };
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            joined.lines.push((joined.text.len(), start));
            joined.text.push_str(line.trim_end_matches(['\r', '\n']));
            start += line.len();
        }
        joined
    }

    /// Where the byte at `at` was before.
    fn before(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        let (start, before) = self.lines[line];
        before + at - start
    }
}

impl std::fmt::Debug for Secrets {
    /// Shows only the names: the values must never be seen.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.needles.iter().map(|needle| &needle.name)).finish()
    }
}

/// The forms in which a value may appear.
fn forms_of(value: &str) -> Vec<String> {
    let lines = value.lines().filter(|_| value.trim().contains(['\n', '\r']));
    let mut forms: Vec<String> =
        [value, value.trim()].into_iter().chain(lines.map(str::trim)).map(Into::into).collect();
    for plain in forms.clone() {
        for writer in WRITERS {
            let written = in_json(&plain, writer);
            forms.extend([in_json(&written, minimal), in_upper_case(&written), written]);
        }
        forms.push(in_json_of_dotnet(&plain));
        if plain.trim().chars().count() >= Secrets::MIN_LENGTH {
            forms.extend(encoded(&plain));
        }
    }
    forms.retain(|form| form.trim().chars().count() >= Secrets::MIN_LENGTH);
    forms
}

/// JSON with the digits of `\u00e9` in upper case.
fn in_upper_case(json: &str) -> String {
    let mut parts = json.split("\\u");
    let mut upper = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.get(..4).unwrap_or_default();
        upper.push_str("\\u");
        upper.push_str(&digits.to_uppercase());
        upper.push_str(&part[digits.len()..]);
    }
    upper
}

/// The value in the encodings of addresses, pages and headers.
fn encoded(value: &str) -> Vec<String> {
    let percent = |keeps: &[u8], space: &str, lower: bool| -> String {
        let byte = |byte: u8| match byte {
            b' ' => space.to_owned(),
            _ if byte.is_ascii_alphanumeric() || keeps.contains(&byte) => char::from(byte).to_string(),
            _ if lower => format!("%{byte:02x}"),
            _ => format!("%{byte:02X}"),
        };
        value.bytes().map(byte).collect()
    };
    // Python, JavaScript's `encodeURIComponent` and `encodeURI`, and forms.
    let kept: [(&[u8], &str); 5] =
        [(b"-_.~", "%20"), (b"-_.~/", "%20"), (b"-_.~!*'()", "%20"), (b"-_.~!*'();/?:@&=+$,#", "%20"), (b"-_.*", "+")];
    let mut forms: Vec<String> = Vec::new();
    for (keeps, space) in kept {
        forms.extend([percent(keeps, space, false), percent(keeps, space, true)]);
    }
    for quote in ["\"", "&quot;", "&#34;", "&#x22;"] {
        for apostrophe in ["'", "&#39;", "&#x27;", "&apos;"] {
            let escaped = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            forms.push(escaped.replace('"', quote).replace('\'', apostrophe));
        }
    }
    forms.extend(in_base64(value));
    let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    forms.extend([hex.to_uppercase(), hex]);
    for separated in [":", " ", "-", "\\x"] {
        for byte in [|byte| format!("{byte:02x}"), |byte: u8| format!("{byte:02X}")] {
            forms.push(value.bytes().map(byte).collect::<Vec<_>>().join(separated));
        }
    }
    let references: [fn(char) -> String; 4] = [
        |c| format!("&#{};", c as u32),
        |c| format!("&#x{:x};", c as u32),
        |c| format!("&#x{:X};", c as u32),
        |c| if c.is_ascii() { c.to_string() } else { format!("&#{};", c as u32) },
    ];
    forms.extend(references.map(|reference| value.chars().map(reference).collect()));
    forms
}

/// The parts of a longer text in Base64 that only the value decides: three, because three bytes become four characters. Both
/// alphabets.
fn in_base64(value: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for before in 0..3 {
        let padded: Vec<u8> = [&[0; 2][..before], value.as_bytes()].concat();
        for encoding in [data_encoding::BASE64_NOPAD, data_encoding::BASE64URL_NOPAD] {
            let text = encoding.encode(&padded);
            // Characters that also have bits of the text before or after the value.
            let start = (before * 8).div_ceil(6);
            let end = padded.len() * 8 / 6;
            forms.extend(text.get(start..end).map(str::to_owned));
        }
    }
    forms
}

/// The characters that some writers of JSON escape, beside those that all must escape.
const WRITERS: [fn(char) -> bool; 4] = [minimal, not_ascii, not_ascii_or_slash, unsafe_in_html];

/// The value as .NET writes it in JSON: with digits in upper case, and every character that HTML could take for its own.
fn in_json_of_dotnet(value: &str) -> String {
    let escaped = |c: char| match c {
        '"' | '\'' | '<' | '>' | '&' | '+' | '`' => true,
        _ => !c.is_ascii(),
    };
    let mut written = String::new();
    for c in value.chars() {
        match c {
            '\\' => written.push_str("\\\\"),
            _ if escaped(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    written.push_str(&format!("\\u{unit:04X}"));
                }
            }
            _ => written.push(c),
        }
    }
    written
}

fn minimal(_: char) -> bool {
    false
}

fn not_ascii(c: char) -> bool {
    !c.is_ascii()
}

fn not_ascii_or_slash(c: char) -> bool {
    !c.is_ascii() || c == '/'
}

fn unsafe_in_html(c: char) -> bool {
    matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}')
}

/// `text` as the content of a JSON string, with those characters escaped too.
fn in_json(text: &str, escapes: fn(char) -> bool) -> String {
    let quoted = Value::from(text).to_string();
    let mut written = String::new();
    for c in quoted[1..quoted.len() - 1].chars() {
        match c {
            '/' if escapes(c) => written.push_str("\\/"),
            _ if escapes(c) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    written.push_str(&format!("\\u{unit:04x}"));
                }
            }
            _ => written.push(c),
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_struck_out_in_every_form() {
        let secrets = Secrets::new([
            ("KEY", "sk-canary"),
            ("LONGER", "sk-canary-longer"),
            ("ODD", "a\"b\\c é🚀 "),
            ("PEM", "-- BEGIN --\nc2VjcmV0\nshort\n"),
            ("HTML", "p<a&ss"),
            ("URL", "https://é"),
            ("SHORT", "on"),
        ]);
        for (text, shown) in [
            ("nothing on here", "nothing on here"),
            ("sk-canary", "[redacted KEY]"),
            ("<sk-canary-longer>sk-canary", "<[redacted LONGER]>[redacted KEY]"),
            ("a\"b\\c é🚀 ", "[redacted ODD]"),
            ("(a\"b\\c é🚀)", "([redacted ODD])"),
            (r#"{"k": "a\"b\\c é🚀"}"#, r#"{"k": "[redacted ODD]"}"#),
            (r#"a\"b\\c \u00e9\ud83d\ude80"#, "[redacted ODD]"),
            (r#"a\\\"b\\\\c é🚀"#, "[redacted ODD]"),
            (r"p\u003ca\u0026ss", "[redacted HTML]"),
            (r"https:\/\/\u00e9", "[redacted URL]"),
            ("> c2VjcmV0\n> short", "> [redacted PEM]\n> short"),
            (r"-- BEGIN --\nc2VjcmV0\nshort\n", "[redacted PEM]"),
        ] {
            assert_eq!(secrets.redact(text.to_owned()), shown, "{text}");
        }
        assert!(!format!("{secrets:?}").contains("canary"));
    }

    #[test]
    fn encoded_secrets_are_struck_out() {
        let secrets = Secrets::new([("KEY", "s3cr t&<\"'/é")]);
        for text in [
            "s3cr%20t%26%3C%22%27%2F%C3%A9",
            "s3cr%20t%26%3c%22%27/%c3%a9",
            "s3cr+t%26%3C%22%27%2F%C3%A9",
            "s3cr t&amp;&lt;&quot;&#39;/é",
            "s3cr t&amp;&lt;&#34;&#x27;/é",
            "s3cr t&amp;&lt;\"'/é",
            "s3cr t&amp;&lt;\"&apos;/é",
            "&#115;&#51;&#99;&#114;&#32;&#116;&#38;&#60;&#34;&#39;&#47;&#233;",
            "&#x73;&#x33;&#x63;&#x72;&#x20;&#x74;&#x26;&#x3C;&#x22;&#x27;&#x2F;&#xE9;",
            "733363722074263c22272fc3a9",
            "73:33:63:72:20:74:26:3c:22:27:2f:c3:a9",
            "73 33 63 72 20 74 26 3C 22 27 2F C3 A9",
            r"73\x33\x63\x72\x20\x74\x26\x3c\x22\x27\x2f\xc3\xa9",
            r#"s3cr t&<\"'/\u00E9"#,
            r"s3cr t\u0026\u003C\u0022\u0027/\u00E9",
            "733363722074263C22272FC3A9",
        ] {
            assert_eq!(secrets.redact(format!("<{text}>")), "<[redacted KEY]>", "{text}");
        }
        for before in ["", "a", "ab", "user:"] {
            for after in ["", "z", "yz"] {
                for encoding in [data_encoding::BASE64, data_encoding::BASE64URL] {
                    let text = encoding.encode(format!("{before}s3cr t&<\"'/é{after}").as_bytes());
                    let redacted = secrets.redact(text.clone());
                    // The characters at the ends may be shared with the neighbours.
                    assert!(redacted.contains("[redacted KEY]"), "{before}, {after}: {text}");
                }
            }
        }
    }

    #[test]
    fn secrets_over_several_lines_are_struck_out() {
        let secrets = Secrets::new([("KEY", "sk-canary-0123456789")]);
        let base64 = data_encoding::BASE64.encode(b"sk-canary-0123456789");
        for hidden in ["sk-cana\nry-0123\r\n456789", &format!("{}\n{}", &base64[..9], &base64[9..])] {
            let redacted = secrets.redact(format!("a\n\n<{hidden}>\nb"));
            assert!(redacted.starts_with("a\n\n<[redacted KEY]") && redacted.ends_with(">\nb"), "{redacted}");
            assert!(!redacted.contains("sk-c") && !redacted.contains(&base64[..9]), "{redacted}");
        }
        assert_eq!(secrets.redact("sk-canary-\n987".to_owned()), "sk-canary-\n987");
    }

    #[test]
    fn overlapping_secrets_go_as_a_whole() {
        let secrets = Secrets::new([("A", "abcdefgh"), ("B", "efghijkl")]);
        assert_eq!(secrets.redact("<abcdefghijkl>".to_owned()), "<[redacted A]>");
    }

    #[test]
    fn a_value_is_redacted_in_strings_keys_and_numbers() {
        let secrets = Secrets::new([("KEY", "sk-canary"), ("PIN", "12345678")]);
        let mut value = json!({ "sk-canary": [{ "a": "x sk-canary" }, 912345678, 1234, true, null], "b": "" });
        secrets.redact_value(&mut value);
        let redacted = json!({
            "[redacted KEY]": [{ "a": "x [redacted KEY]" }, "9[redacted PIN]", 1234, true, null], "b": ""
        });
        assert_eq!(value, redacted);
    }

    #[test]
    fn nothing_to_hide_changes_nothing() {
        let secrets = Secrets::new([("EMPTY", ""), ("SHORT", "12345"), ("BLANK", "        ")]);
        assert_eq!(secrets.redact("12345".to_owned()), "12345");
        assert_eq!(secrets.redact("            ".to_owned()), "            ");
        assert!(secrets.needles.is_empty());
    }
}
