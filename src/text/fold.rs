use std::borrow::Cow;

use unicode_case_mapping::case_folded;

/// Replaces each character of `text` by its simple case folding. Two texts become equal only if they differ in nothing but
/// case.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    if !text.is_ascii() {
        return text.chars().map(fold_char).collect();
    }
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => text.to_ascii_lowercase().into(),
        false => text.into(),
    }
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
            ("中文 😀\r\n", "中文 😀\r\n"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }
}
