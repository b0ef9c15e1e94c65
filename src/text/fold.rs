use std::borrow::Cow;

use unicode_case_mapping::case_folded;
use unicode_normalization::UnicodeNormalization as _;

use super::visible::is_ignorable;

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
}
