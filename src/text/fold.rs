//! Texts that are compared without regard to case, numbers as text, and percent-encoding.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};
use unicode_case_mapping::case_folded;
use unicode_normalization::UnicodeNormalization as _;

use crate::text::visible::{is_ignorable, is_invisible, is_mark};

/// A text as it is compared: each character of `normalized` replaced by its simple case folding. Two texts become equal only if they
/// differ in nothing but case, the encoding of accents, line ends, and characters that show nothing.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    match normalized(text) {
        Cow::Borrowed(text) if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_uppercase()) => text.into(),
        text if text.is_ascii() => text.to_ascii_lowercase().into(),
        text => text.chars().map(fold_char).collect(),
    }
}

/// The text in NFC (Unicode Standard Annex 15), without default-ignorable characters, and with `\n` at the ends of lines.
pub(crate) fn normalized(text: &str) -> Cow<'_, str> {
    let text: Cow<'_, str> = if text.contains("\r\n") { text.replace("\r\n", "\n").into() } else { text.into() };
    if text.is_ascii() {
        return text;
    }
    text.chars().filter(|c| !is_ignorable(*c)).nfc().collect()
}

/// The text as it is compared where its signs do not matter either: what Unicode calls compatible becomes equal, such as ligatures, full-width
/// letters, small numbers and `½`, and so do the forms that a letter has in words of capitals.
pub(crate) fn fold_compatible(text: &str) -> String {
    let plain = text.chars().filter(|c| !is_ignorable(*c)).nfkd();
    let folded = plain.flat_map(char::to_lowercase).flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    // The capital of the Turkish `i` keeps its dot.
    folded.nfkc().collect::<String>().replace("i\u{307}", "i")
}

/// The characters for which one is compatible.
pub(crate) fn compatible(c: char) -> impl Iterator<Item = char> {
    std::iter::once(c).nfkd()
}

/// The simple case folding of a character, which is one character too.
pub(crate) fn fold_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    case_folded(c).and_then(|folded| char::from_u32(folded.get())).unwrap_or(c)
}

/// A text that is the same for all texts that look like this one, or differ from it only in case. Accents count the same
/// whether they are a part of their letter or follow it, and invisible characters and variation selectors do not count.
pub(crate) fn alike(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return fold(text);
    }
    let mut folded = String::new();
    for c in as_seen(text).chars() {
        match c {
            // Its upper case is that of `i`.
            'ı' => folded.push(c),
            // Some letters are several letters in upper case, for example `ß`; its other upper case, `ẞ`, is one.
            _ => folded.extend(c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)),
        }
    }
    folded.nfd().collect()
}

/// A text that is the same for all texts that look like this one, in the same case.
pub(crate) fn as_seen(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let is_seen = |c: &char| !is_invisible(*c);
    text.chars().filter(is_seen).nfd().collect()
}

/// The letters and digits that the character looks like: folded, without accents, and digits of all scripts as those of ASCII.
pub(crate) fn bare(c: char) -> impl Iterator<Item = char> {
    [c].into_iter().nfkd().filter(|c| !is_mark(*c) && !is_ignorable(*c)).map(|c| ascii_digit(fold_char(c)))
}

/// The first digits of the scripts that have ten in a row (Unicode 16, general category `Nd`); those of mathematics become ASCII by NFKD.
const ZEROS: [char; 24] = [
    '\u{660}', '\u{6f0}', '\u{7c0}', '\u{966}', '\u{9e6}', '\u{a66}', '\u{ae6}', '\u{b66}', '\u{be6}', '\u{c66}',
    '\u{ce6}', '\u{d66}', '\u{de6}', '\u{e50}', '\u{ed0}', '\u{f20}', '\u{1040}', '\u{1090}', '\u{17e0}', '\u{1810}',
    '\u{1946}', '\u{19d0}', '\u{1b50}', '\u{a8d0}',
];

fn ascii_digit(c: char) -> char {
    let value = |zero: &char| (u32::from(c)).checked_sub(u32::from(*zero)).filter(|value| *value < 10);
    if c.is_ascii() {
        return c;
    }
    ZEROS.iter().find_map(value).and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

/// The characters that a part of a path cannot have in a URI: all but the unreserved ones of RFC 3986.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The characters that a whole path cannot have in a URI.
const PATH: &AsciiSet = &RESERVED.remove(b'/');

/// Returns `text` as a part of a URI's path: everything but letters, digits, `-`, `.`, `_` and `~` of ASCII is
/// percent-encoded, also `/`.
pub(crate) fn percent_encoded(text: &str) -> String {
    percent_encode(text.as_bytes(), RESERVED).to_string()
}

/// The text whose encoding this is; `None` if it is not UTF-8.
pub(crate) fn percent_decoded(text: &str) -> Option<String> {
    Some(percent_decode_str(text).decode_utf8().ok()?.into_owned())
}

/// Returns a path whose parts are separated by `/` as the path of a URI.
pub(crate) fn percent_encoded_path(path: &[u8]) -> String {
    percent_encode(path, PATH).to_string()
}

/// Numbers of this size and above are written with an exponent.
const LARGE: f64 = 1e15;
/// Numbers below this size, except 0, are written with an exponent.
const SMALL: f64 = 1e-6;

/// A number with at most six decimals and without trailing zeros. Very large and very small numbers have an exponent.
pub(crate) fn number(value: f64) -> String {
    if value.abs() >= LARGE || (value != 0.0 && value.abs() < SMALL) {
        return format!("{value:e}");
    }
    let rounded = (value * 1e6).round() / 1e6;
    // Drop the sign of a negative zero.
    format!("{}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// A count with its noun: `1 check`, `2 checks`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// A duration, in seconds with one digit.
pub(crate) fn seconds(milliseconds: u64) -> String {
    format!("{:.1} s", milliseconds as f64 / 1000.0)
}

/// Bytes in hexadecimal, two lower-case digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_replaces_single_characters() {
        for (text, folded) in [
            ("GitHub", "github"),
            ("\u{212a}elvin", "kelvin"),
            ("\u{17f}ource", "source"),
            ("STRA\u{1e9e}E", "straße"),
            ("\u{130}stanbul", "\u{130}stanbul"),
            ("\u{131}", "\u{131}"),
            ("ΣΑΣ ς", "σασ σ"),
            ("Ǆ ǅ ǆ", "ǆ ǆ ǆ"),
            ("\u{13a0}\u{ab70}", "\u{13a0}\u{13a0}"),
            ("中文 😀\n", "中文 😀\n"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    #[test]
    fn texts_that_say_the_same_are_folded_to_the_same() {
        for (one, other) in [
            ("É", "e\u{301}"),
            ("Kunden\u{ad}betreuung", "kundenbetreuung"),
            ("a\u{200b}b\u{feff}", "AB"),
            ("ạ\u{301}", "a\u{301}\u{ad}\u{323}"),
            ("ᾳ", "α\u{345}"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("One\r\nTwo", "one\ntwo"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
        }
        for (one, other) in [("e", "é"), ("ﬁ", "fi"), ("a b", "a\u{a0}b"), ("a\rb", "a\nb")] {
            assert_ne!(fold(one), fold(other), "{one} {other}");
        }
    }

    #[test]
    fn what_is_compatible_is_folded_to_the_same() {
        for (one, other) in [
            ("Straße", "STRASSE"),
            ("STRA\u{1e9e}E", "strasse"),
            ("o\u{fb03}ce", "OFFICE"),
            ("Ｆｕｌｌ　１", "full 1"),
            ("istanbul", "İSTANBUL"),
            ("ΣΟΦΟΣ", "σοφός".replace('ό', "ο").as_str()),
            ("ᾳ", "ΑΙ"),
            ("が", "か\u{3099}"),
            ("ｶﾞ", "ガ"),
            ("\u{1026}", "\u{1025}\u{102e}"),
            ("x²", "x2"),
            ("½", "1\u{2044}2"),
            ("™", "tm"),
        ] {
            assert_eq!(fold_compatible(one), fold_compatible(other), "{one} {other}");
        }
        assert_ne!(fold_compatible("e"), fold_compatible("é"));
    }

    #[test]
    fn accents_scripts_and_widths_are_bare() {
        for (text, shown) in
            [("Übersicht", "ubersicht"), ("e\u{301}\u{ad}", "e"), ("١٢۳１２²", "123122"), ("ﬁ", "fi"), ("中", "中")]
        {
            assert_eq!(text.chars().flat_map(bare).collect::<String>(), shown, "{text}");
        }
    }

    #[test]
    fn texts_that_look_the_same_are_alike() {
        for (one, other, is_seen_so) in [
            ("é", "e\u{301}", true),
            ("Å", "\u{212b}", true),
            ("❤\u{fe0f}", "❤", true),
            ("a\u{200b}b", "ab", true),
            ("が", "か\u{3099}", true),
            ("É", "e\u{301}", false),
            ("STRASSE", "straße", false),
            ("ﬁn", "FIN", false),
            ("ς", "Σ", false),
            ("\u{1e9e}", "ss", false),
            ("\u{1f80}", "\u{1f88}", false),
        ] {
            assert_eq!(alike(one), alike(other), "{one} {other}");
            assert_eq!(as_seen(one) == as_seen(other), is_seen_so, "{one} {other}");
        }
        for (one, other) in [("e", "é"), ("ı", "i"), ("日本", "日木"), ("ａ", "a"), ("👩\u{200d}🚀", "👩🚀 ")]
        {
            assert_ne!(alike(one), alike(other), "{one} {other}");
        }
    }

    #[test]
    fn unreserved_characters_stay() {
        assert_eq!(percent_encoded("a-B_c.9~"), "a-B_c.9~");
        assert_eq!(percent_encoded("a/b%?é\n"), "a%2Fb%25%3F%C3%A9%0A");
        assert_eq!(percent_encoded_path(b"a/b c"), "a/b%20c");
    }

    #[test]
    fn numbers_have_at_most_six_decimals() {
        for (value, text) in [
            (0.1 + 0.2, "0.3"),
            (1.1 + 2.2, "3.3"),
            (1.0, "1"),
            (0.0, "0"),
            (-0.0, "0"),
            (-0.5, "-0.5"),
            (2.0 / 3.0, "0.666667"),
            (120.0, "120"),
            (0.000_001, "0.000001"),
            (1e-9, "1e-9"),
            (999_999_999_999_999.0, "999999999999999"),
            (1e15, "1e15"),
            (-2e300, "-2e300"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn nouns_are_plural_unless_one() {
        assert_eq!([0, 1, 2].map(|count| counted(count, "check")), ["0 checks", "1 check", "2 checks"]);
    }
}
