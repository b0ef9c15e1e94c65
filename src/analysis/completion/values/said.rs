//! Suggests phrases, patterns and numbers: what the last response says, split into them, phrases of other cases, the default pattern,
//! and empty forms of `must_ground_numbers`.

use std::collections::HashSet;

use serde_json::Value;

use crate::pattern::escape;
use crate::syntax::encode;
use crate::text::fold;

use super::super::candidate::Form;
use super::{Candidate, CompletionKind, Documentation, Scene, Snippet, lists};

/// The two empty forms, then two entries for each number of the last response.
pub(super) fn items(scene: &Scene<'_>) -> Vec<Candidate> {
    let value = Snippet::new("{ \"label\": ").quoted_stop().text(", \"value\": ").quoted_stop().text(" }");
    let regex = Snippet::new("{ \"label\": ").quoted_stop().text(", \"regex\": ").quoted_stop().text(" }");
    let form = |label: &str, json, documentation: &str| {
        Candidate::new(label, CompletionKind::Structure, json).documentation(Some(Documentation::same(documentation)))
    };
    let forms = [
        form("{ label, value }", value, "The response must contain exactly this value."),
        form("{ label, regex }", regex, "A line of the response must match this pattern."),
    ];
    let said = said(scene).into_iter().flat_map(|(number, line)| {
        let label = label(line, number);
        let pattern = general(&label_and(line, number));
        let exact = object(&label, "value", number);
        let pattern = object(&label, "regex", &pattern);
        let named = |json: String| Candidate::new(&json, CompletionKind::Structure, Snippet::new(&json));
        [named(pattern).detail("last response"), named(exact).detail("last response")]
    });
    forms.into_iter().chain(said).map(|candidate| candidate.form(Form::Value)).collect()
}

/// The numbers of the last response, as strings.
pub(super) fn values(scene: &Scene<'_>) -> Vec<Candidate> {
    let said = said(scene).into_iter();
    said.map(|(number, _)| Candidate::string(number, CompletionKind::Value).detail("last response")).collect()
}

fn said<'a>(scene: &Scene<'a>) -> Vec<(&'a str, &'a str)> {
    scene.transcript().map(|transcript| numbers_of_response(&transcript.response)).unwrap_or_default()
}

fn object(label: &str, key: &str, value: &str) -> String {
    format!("{{ \"label\": {}, \"{key}\": {} }}", encode(label), encode(value))
}

/// The label of a number: the words before it, or else the words after it.
fn label(line: &str, number: &str) -> String {
    let (before, after) = line.split_once(number).unwrap_or((line, ""));
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !is_of_word(c)).filter(|word| word.contains(char::is_alphabetic));
        words.map(str::to_owned).collect()
    };
    let (before, after) = (words(before), words(after));
    let chosen =
        if before.is_empty() { &after[..after.len().min(3)] } else { &before[before.len().saturating_sub(3)..] };
    if chosen.is_empty() { number.to_owned() } else { chosen.join(" ") }
}

/// The line from the start of the label to the end of the number.
fn label_and(line: &str, number: &str) -> String {
    let before = line.split_once(number).map_or("", |(before, _)| before);
    let start = before.rfind([',', ';', '.']).map_or(0, |at| at + 1);
    format!("{}{number}", before[start..].trim_start())
}

/// Phrases of the last response, and entries of the same list in other cases.
pub(super) fn phrases(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = lists::used_here(scene).into_iter().filter(|(text, _)| !scene.has(text));
    said_phrases(scene).into_iter().chain(used.map(|(text, count)| lists::in_cases(&text, count))).collect()
}

/// Phrases of the last response.
pub(super) fn said_phrases(scene: &Scene<'_>) -> Vec<Candidate> {
    let Some(transcript) = scene.transcript() else { return Vec::new() };
    let phrases = phrases_of_response(&transcript.response).into_iter().filter(|phrase| !scene.has(phrase));
    let phrases = phrases.map(|phrase| Candidate::string(phrase, CompletionKind::Phrase).detail("last response"));
    phrases.collect()
}

/// The maximum number of bytes that are read of a response.
const MAX_BYTES: usize = 20_000;
/// The most phrases of an answer in suggestions: nobody scrolls farther.
const MAX_PHRASES: usize = 60;
/// The maximum length of a phrase, in code points. Longer texts do not occur twice.
const MAX_LENGTH: usize = 80;

/// The lines and their parts, without list and heading marks, each once.
pub(super) fn phrases_of_response(response: &str) -> Vec<&str> {
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

/// The numbers, each with its line. A number that is part of a word or a date does not count.
pub(super) fn numbers_of_response(response: &str) -> Vec<(&str, &str)> {
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

/// The default pattern, if there is one, and patterns for phrases of the last response.
pub(super) fn patterns(scene: &Scene<'_>) -> Vec<Candidate> {
    let default = scene.shape().and_then(|shape| shape.default()).and_then(Value::as_str);
    let default = default.map(|default| Candidate::string(default, CompletionKind::Pattern).detail("default"));
    let transcript = scene.transcript();
    let said = transcript.into_iter().flat_map(|transcript| phrases_of_response(&transcript.response));
    let patterns = said.flat_map(|phrase| [general(phrase), escape(phrase)]).filter(|pattern| !scene.has(pattern));
    let said = patterns.map(|pattern| Candidate::string(&pattern, CompletionKind::Pattern).detail("last response"));
    default.into_iter().chain(said).collect()
}

/// A pattern that matches this phrase with any numbers.
pub(super) fn general(phrase: &str) -> String {
    let mut pattern = String::new();
    let mut rest = phrase;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        pattern.push_str(&escape(&rest[..start]));
        pattern.push_str("[0-9]+");
        rest = rest[start..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    pattern + &escape(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Case, Pattern};

    const RESPONSE: &str = "## Week 12\n\n- orders: 23 open, two of them urgent\n1. Orders: **14** left.\n\u{7}bell\n";

    #[test]
    fn a_response_is_split_into_phrases_and_numbers() {
        let expected = ["Week 12", "orders: 23 open, two of them urgent", "orders", "23 open", "two of them urgent"];
        assert_eq!(phrases_of_response(RESPONSE)[..5], expected);
        let numbers = numbers_of_response(RESPONSE);
        assert_eq!(numbers[1], ("23", "orders: 23 open, two of them urgent"));
        assert_eq!(numbers.iter().map(|(number, _)| *number).collect::<Vec<_>>(), ["12", "23", "14"]);
    }

    #[test]
    fn only_the_start_of_a_large_response_is_read() {
        let response = "é ".repeat(1_000_000);
        assert!(numbers_of_response(&response).is_empty());
        assert!(phrases_of_response(&"word and word\n".repeat(100_000)).len() <= MAX_PHRASES);
    }

    #[test]
    fn patterns_are_escaped_and_general() {
        for (phrase, pattern) in [
            ("orders: 23 (open)", r"orders: [0-9]+ \(open\)"),
            ("a.b\\c [x]{2}|^$ 1.50 é?", r"a\.b\\c \[x\]\{[0-9]+\}\|\^\$ [0-9]+\.[0-9]+ é\?"),
            ("plain", "plain"),
        ] {
            assert_eq!(general(phrase), pattern);
            for pattern in [general(phrase), escape(phrase)] {
                assert!(Pattern::compile(&pattern, Case::Matters).is_ok(), "{pattern}");
            }
        }
    }
}
