use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::{fold, fold_char, is_ignorable, is_invisible, is_mark};

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
