use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization as _;

use super::{fold, is_invisible};

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

#[cfg(test)]
mod tests {
    use super::*;

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
