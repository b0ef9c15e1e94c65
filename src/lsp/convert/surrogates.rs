//! Unpaired surrogates.
//!
//! A string of JavaScript may contain half of a surrogate pair, if a document does or if an edit split a pair.
//! `JSON.stringify` writes it as an escape that is not valid in a Rust string.

use memchr::memmem::Finder;

/// Replaces each escaped surrogate without a partner, such as `\ud83d` without a low surrogate after it, with the
/// escape of U+FFFD. The length stays equal, so no offset changes, and a body without such escapes is only read.
pub(crate) fn replace_lone(body: &mut [u8]) {
    let escape = Finder::new(b"\\u");
    let mut from = 0;
    while let Some(found) = escape.find(&body[from..]) {
        let at = from + found;
        from = at + 2;
        if !matches!(body.get(from), Some(b'd' | b'D')) || is_escaped(body, at) {
            continue;
        }
        match unit(body, at) {
            Some(0xD800..=0xDBFF) if matches!(unit(body, at + 6), Some(0xDC00..=0xDFFF)) => from = at + 12,
            Some(0xD800..=0xDFFF) => body[at + 2..at + 6].copy_from_slice(b"fffd"),
            _ => {}
        }
    }
}

/// Returns whether the backslash at `at` is the second half of `\\`.
fn is_escaped(body: &[u8], at: usize) -> bool {
    body[..at].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// Returns the UTF-16 code unit that is escaped at `at`.
fn unit(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let value = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u16::try_from(digit).ok());
    digits.iter().try_fold(0, |unit: u16, digit| Some(unit << 4 | value(digit)?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::replace_lone;

    fn replaced(text: &str) -> String {
        let mut body = text.as_bytes().to_vec();
        replace_lone(&mut body);
        String::from_utf8(body).expect("only ASCII was replaced with ASCII")
    }

    #[test]
    fn only_halves_without_a_partner_are_replaced() {
        for (text, expected) in [
            ("", ""),
            (r#""no escapes""#, r#""no escapes""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\uD83D\uDE00""#, r#""\uD83D\uDE00""#),
            (r#""\ud83d""#, r#""\ufffd""#),
            (r#""\uDE00""#, r#""\ufffd""#),
            (r#""\ud83d\ud83d\ude00\ude00""#, r#""\ufffd\ud83d\ude00\ufffd""#),
            (r#""\ud83dx\ude00""#, r#""\ufffdx\ufffd""#),
            (r#""\ud83d\u0041""#, r#""\ufffd\u0041""#),
            (r#""\ud83d\n""#, r#""\ufffd\n""#),
            (r#""\ud83d\\ude00""#, r#""\ufffd\\ude00""#),
            (r#""\\ud83d""#, r#""\\ud83d""#),
            (r#""\\\ud83d""#, r#""\\\ufffd""#),
            (r#""\\\\ud83d""#, r#""\\\\ud83d""#),
            (r#""\ud7ff\ue000""#, r#""\ud7ff\ue000""#),
            (r#""\ud8""#, r#""\ud8""#),
            (r#""\ud8zz""#, r#""\ud8zz""#),
            (r"\ud83d", r"\ufffd"),
            (r"\ud83d\u", r"\ufffd\u"),
            (r"\ud83", r"\ud83"),
            (r"\u", r"\u"),
        ] {
            assert_eq!(replaced(text), expected, "{text}");
        }
    }

    proptest! {
        /// The JSON of JavaScript for any string of code units is valid afterwards, and has U+FFFD in the same places
        /// as in Rust's own decoding.
        #[test]
        fn any_utf16_can_be_read(units in prop::collection::vec(unit(), 0..40)) {
            let text = replaced(&json(&units));
            prop_assert_eq!(serde_json::from_str::<String>(&text).unwrap(), String::from_utf16_lossy(&units));
        }

        #[test]
        fn well_formed_text_stays_as_it_is(text in r#"(\\u00e9|\\\\|\\ud83d\\ude00|[a-zé😀"\\]){0,30}"#) {
            let units: Vec<u16> = text.encode_utf16().collect();
            let json = json(&units);
            prop_assert_eq!(replaced(&json), json);
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(prop::sample::select(b"\\ud83de0\"".to_vec()), 0..60)) {
            let mut body = bytes.clone();
            replace_lone(&mut body);
            prop_assert_eq!(body.len(), bytes.len());
        }
    }

    fn unit() -> impl Strategy<Value = u16> {
        prop_oneof![
            0xD800..=0xDFFFu16,
            Just(u16::from(b'\\')),
            Just(u16::from(b'u')),
            Just(u16::from(b'd')),
            any::<u16>()
        ]
    }

    /// Like `JSON.stringify`, but with every surrogate escaped, paired or not.
    fn json(units: &[u16]) -> String {
        let escaped = units.iter().map(|&unit| match char::from_u32(unit.into()) {
            Some(c @ ('"' | '\\')) => format!("\\{c}"),
            Some(c) if c >= ' ' => c.to_string(),
            _ => format!("\\u{unit:04x}"),
        });
        format!("\"{}\"", escaped.collect::<String>())
    }
}
