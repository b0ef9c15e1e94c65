use std::ops::RangeInclusive;
use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

/// The character to show in place of `c`, for text from files. Most characters are shown as they are. Control characters
/// become their pictures (`␛`), other invisible characters become `�`. The result is always one character.
pub(crate) fn visible(c: char) -> char {
    match c {
        ' '..='~' => c,
        '\0'..='\u{1f}' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\u{7f}' => '␡',
        _ if is_invisible(c) => char::REPLACEMENT_CHARACTER,
        // A combining mark is visible after a letter. The standard library reports it as visible only there, so add one.
        _ if ['a', c].iter().collect::<String>().escape_debug().nth(1) == Some(c) => c,
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// A text in which each character is visible, for a terminal, a label or a page.
pub(crate) fn visible_text(text: impl AsRef<str>) -> String {
    text.as_ref().chars().map(visible).collect()
}

/// The first `most` code points of a text, visible, with `…` for the rest.
pub(crate) fn visible_start(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).map(visible).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    shown
}

/// Characters that are invisible or change the direction of a line: those that Unicode shows as nothing if a font does not have
/// them, line separators, annotations and the blank of Braille. The one table for text that is escaped rather than replaced.
pub(crate) fn is_invisible(c: char) -> bool {
    !c.is_ascii() && (matches!(c, '\u{2028}'..='\u{202e}' | '\u{2800}' | '\u{fff9}'..='\u{fffb}') || is_ignorable(c))
}

/// Whether the character has the property `Default_Ignorable_Code_Point`: it shows nothing where a font does not have it.
pub(crate) fn is_ignorable(c: char) -> bool {
    !c.is_ascii() && IGNORABLE.iter().any(|range| range.contains(&c))
}

/// Whether the character is a mark on the one before it, such as an accent.
pub(crate) fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// The characters with the property `Default_Ignorable_Code_Point`: 17 ranges.
static IGNORABLE: LazyLock<Vec<RangeInclusive<char>>> = LazyLock::new(|| {
    let class = regex_syntax::parse(r"\p{Default_Ignorable_Code_Point}").expect("the property has this name");
    let HirKind::Class(Class::Unicode(class)) = class.kind() else { unreachable!("a property is a class") };
    class.ranges().iter().map(|range| range.start()..=range.end()).collect()
});

/// Returns whether a word continues at the byte `at` of `text`. Scripts without upper and lower case often have no spaces
/// between words, so their letters do not continue a word.
pub(crate) fn is_within_a_word(text: &str, at: usize) -> bool {
    let is_of_a_word = |c: char| c.is_lowercase() || c.is_uppercase() || c.is_numeric();
    let (before, after) = text.split_at(at);
    before.chars().next_back().is_some_and(is_of_a_word) && after.chars().next().is_some_and(is_of_a_word)
}

/// Whether a word stands for personal data that an import has replaced: no answer of an assistant has it.
pub(crate) fn is_stand_in(word: &str) -> bool {
    let word = word.trim_start_matches('+');
    ["XX00TEST", "REDACTED-", "TOKEN-", "40000000"].iter().any(|start| word.starts_with(start))
        || word.ends_with("@example.com")
        || word.len() == 11 && word.starts_with('1') && word.get(4..9) == Some("55501")
}

#[cfg(test)]
mod tests {
    use super::{is_invisible, visible};

    #[test]
    fn characters_that_look_like_nothing_are_invisible() {
        let unseen = "\u{3164}\u{2800}\u{115f}\u{1160}\u{ffa0}\u{34f}\u{17b4}\u{fe0f}\u{e0100}\u{ad}\u{61c}\u{180b}\u{180e}\
                      \u{200b}\u{200f}\u{2028}\u{202e}\u{2060}\u{206f}\u{feff}\u{fff9}\u{fffb}\u{1d173}\u{e0001}\u{e007f}";
        for c in unseen.chars() {
            assert!(is_invisible(c) && visible(c) == '\u{fffd}', "{c:?}");
        }
        assert!(!"aé\u{301}\u{a0}日본😀 \t".chars().any(is_invisible));
    }

    #[test]
    fn control_and_invisible_characters_are_replaced() {
        for (text, shown) in [
            ("plain é e\u{301} 😀 日本", "plain é e\u{301} 😀 日本"),
            ("\u{1b}[31m\0\n\r\t\u{7f}", "␛[31m␀␊␍␉␡"),
            ("\u{9b}31m\u{85}", "�31m�"),
            ("\u{202e}\u{2066}\u{200f}\u{61c}\u{200b}\u{feff}\u{2028}\u{a0}\u{e0041}\u{ad}", "����������"),
        ] {
            assert_eq!(text.chars().map(visible).collect::<String>(), shown, "{text:?}");
        }
    }
}
