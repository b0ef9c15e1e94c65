//! Splits the last response into phrases, words and numbers to suggest.

use std::collections::HashSet;

use crate::text::fold;

/// The maximum number of bytes that are read of a response.
const MAX_BYTES: usize = 20_000;
/// The most phrases of an answer in suggestions: nobody scrolls farther.
const MAX_PHRASES: usize = 60;
/// The most words of an answer in suggestions: nobody scrolls farther.
const MAX_WORDS: usize = 120;
/// The maximum length of a phrase, in code points. Longer texts do not occur twice.
const MAX_LENGTH: usize = 80;

/// The lines and their parts, without list and heading marks, each once.
pub(super) fn phrases(response: &str) -> Vec<&str> {
    let mut unique = HashSet::new();
    let parts = |line| {
        let parts = std::iter::once(line).chain(str::split(line, [',', ';', ':', '.', '–', '—']));
        parts.map(trimmed).filter(|part| part.chars().nth(2).is_some() && part.chars().count() <= MAX_LENGTH)
    };
    let phrases = lines(response).flat_map(parts).filter(|phrase| phrase.contains(char::is_alphabetic));
    phrases.filter(|phrase| unique.insert(fold(phrase))).take(MAX_PHRASES).collect()
}

/// The lines without list and heading marks.
pub(super) fn lines(response: &str) -> impl Iterator<Item = &str> {
    let end = response.floor_char_boundary(MAX_BYTES);
    let is_shown = |line: &&str| !line.is_empty() && !line.chars().any(char::is_control);
    response[..end].split('\n').map(unmarked).filter(is_shown)
}

/// The words, each once.
pub(super) fn words(response: &str) -> Vec<&str> {
    let mut unique = HashSet::new();
    let words = lines(response).flat_map(|line| line.split(|c: char| !is_of_word(c)));
    let words = words.map(|word| word.trim_matches(['-', '\'', '_'])).filter(|word| word.chars().nth(2).is_some());
    words.filter(|word| unique.insert(fold(word))).take(MAX_WORDS).collect()
}

/// The numbers, each with its line. A number that is part of a word or a date does not count.
pub(super) fn numbers(response: &str) -> Vec<(&str, &str)> {
    let mut unique = HashSet::new();
    let mut numbers = Vec::new();
    for line in lines(response) {
        let words = line.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '%' | '€' | '$' | '*'));
        let bare = words.map(|word| word.trim_end_matches(['.', ',', ';', ':', '!', '?']));
        let is_number = |word: &&str| {
            let digits = word.bytes().filter(u8::is_ascii_digit).count();
            digits > 0 && word.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
        };
        numbers.extend(bare.filter(is_number).filter(|number| unique.insert(*number)).map(|number| (number, line)));
    }
    numbers.truncate(MAX_PHRASES);
    numbers
}

/// Whether a character may be part of a word.
pub(super) fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '\'' | '_')
}

/// A line without list and heading marks.
fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let rest = line.trim_start_matches(['#', '-', '*', '>', '•']);
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if number.len() < rest.len() { number.strip_prefix(". ").unwrap_or(rest) } else { rest };
    trimmed(rest)
}

fn trimmed(text: &str) -> &str {
    text.trim().trim_matches('*').trim_end_matches(['.', ',', ';', ':', '!', '?']).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESPONSE: &str = "## Week 12\n\n- orders: 23 open, two of them urgent\n1. Orders: **14** left.\n\u{7}bell\n";

    #[test]
    fn a_response_is_split_into_phrases_words_and_numbers() {
        let expected = ["Week 12", "orders: 23 open, two of them urgent", "orders", "23 open", "two of them urgent"];
        assert_eq!(phrases(RESPONSE)[..5], expected);
        assert_eq!(words(RESPONSE), ["Week", "orders", "open", "two", "them", "urgent", "left"]);
        let numbers = numbers(RESPONSE);
        assert_eq!(numbers[1], ("23", "orders: 23 open, two of them urgent"));
        assert_eq!(numbers.iter().map(|(number, _)| *number).collect::<Vec<_>>(), ["12", "23", "14"]);
    }

    #[test]
    fn only_the_start_of_a_large_response_is_read() {
        let response = "é ".repeat(1_000_000);
        assert!(words(&response).is_empty());
        assert!(phrases(&"word and word\n".repeat(100_000)).len() <= MAX_PHRASES);
    }
}
