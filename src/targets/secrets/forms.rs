use std::collections::HashMap;

use serde_json::Value;

use super::Secrets;

/// The forms in which a value may appear, each in one case.
pub(super) fn forms_of(value: &str) -> Vec<String> {
    let lines = value.lines().filter(|_| value.trim().contains(['\n', '\r']));
    let mut forms: Vec<String> =
        [value, value.trim()].into_iter().chain(lines.map(str::trim)).map(Into::into).collect();
    for plain in forms.clone() {
        for writer in WRITERS {
            let written = in_json(&plain, writer);
            forms.extend([in_json(&written, minimal), written]);
        }
        // .NET escapes every character that HTML could take for its own, and writes quotes so, too.
        let escaped = escaped(&plain.replace('\\', "\\\\"), |c| "\"'<>&+`".contains(c) || !c.is_ascii());
        forms.push(escaped);
        if plain.trim().chars().count() >= Secrets::MIN_LENGTH {
            forms.extend(encoded(&plain));
        }
    }
    forms.retain(|form| form.trim().chars().count() >= Secrets::MIN_LENGTH);
    forms
}

/// The value in the encodings of addresses, pages and headers.
fn encoded(value: &str) -> Vec<String> {
    let percent = |keeps: &[u8], space: &str| -> String {
        let byte = |byte: u8| match byte {
            b' ' => space.to_owned(),
            _ if byte.is_ascii_alphanumeric() || keeps.contains(&byte) => char::from(byte).to_string(),
            _ => format!("%{byte:02x}"),
        };
        value.bytes().map(byte).collect()
    };
    // Python, JavaScript's `encodeURIComponent` and `encodeURI`, and forms.
    let kept: [(&[u8], &str); 5] =
        [(b"-_.~", "%20"), (b"-_.~/", "%20"), (b"-_.~!*'()", "%20"), (b"-_.~!*'();/?:@&=+$,#", "%20"), (b"-_.*", "+")];
    let mut forms: Vec<String> = Vec::new();
    forms.extend(kept.map(|(keeps, space)| percent(keeps, space)));
    for quote in ["\"", "&quot;", "&#34;", "&#x22;"] {
        for apostrophe in ["'", "&#39;", "&#x27;", "&apos;"] {
            let escaped = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            forms.push(escaped.replace('"', quote).replace('\'', apostrophe));
        }
    }
    forms.extend(in_base64(value));
    let bytes: Vec<String> = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    forms.extend(["", ":", " ", "-", "\\x"].map(|separator| bytes.join(separator)));
    forms.push(bytes.iter().map(|byte| format!("%{byte}")).collect());
    forms.push(value.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect());
    let references: [fn(char) -> String; 3] = [
        |c| format!("&#{};", c as u32),
        |c| format!("&#x{:x};", c as u32),
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
const WRITERS: [fn(char) -> bool; 4] = [
    minimal,
    |c| !c.is_ascii(),
    |c| !c.is_ascii() || c == '/',
    |c| matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}'),
];

fn minimal(_: char) -> bool {
    false
}

/// `text` as the content of a JSON string, with those characters escaped too.
fn in_json(text: &str, escapes: fn(char) -> bool) -> String {
    let quoted = Value::from(text).to_string();
    escaped(&quoted[1..quoted.len() - 1], escapes)
}

/// The text with those characters as escapes of JSON.
fn escaped(text: &str, escapes: fn(char) -> bool) -> String {
    let units = |c: char| c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect();
    let written = text.chars().map(|c| match c {
        '/' if escapes(c) => "\\/".to_owned(),
        _ if escapes(c) => units(c),
        _ => c.to_string(),
    });
    written.collect()
}

/// The strings of a value by the keys that lead to them. The places in lists do not count: a model streams an answer as a list of
/// events with a few letters each.
#[derive(Default)]
pub(super) struct Streams<'v> {
    pieces: Vec<&'v mut String>,
    members: HashMap<String, Streams<'v>>,
}

impl<'v> Streams<'v> {
    pub(super) fn of(values: &'v mut [Value]) -> Self {
        let mut streams = Self::default();
        values.iter_mut().for_each(|value| streams.collect(value));
        streams
    }

    fn collect(&mut self, value: &'v mut Value) {
        // Recursion is bounded by the depth that the parser of the value allowed.
        match value {
            Value::String(text) => self.pieces.push(text),
            Value::Array(list) => list.iter_mut().for_each(|value| self.collect(value)),
            Value::Object(map) => {
                for (key, value) in map.iter_mut() {
                    if !self.members.contains_key(key) {
                        self.members.insert(key.clone(), Self::default());
                    }
                    self.members.get_mut(key).expect("it was just inserted").collect(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// Calls `work` with the pieces of each text.
    pub(super) fn for_each(&mut self, work: &mut impl FnMut(&mut [&'v mut String])) {
        if !self.pieces.is_empty() {
            work(&mut self.pieces);
        }
        self.members.values_mut().for_each(|member| member.for_each(work));
    }
}
