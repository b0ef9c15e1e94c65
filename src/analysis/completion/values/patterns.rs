//! Suggests patterns: the default pattern, and escaped phrases of the last response.

use serde_json::Value;

use super::{Candidate, CompletionKind, Scene, lists, said};

/// The default pattern, if there is one, and patterns for phrases of the last response.
pub(super) fn patterns(scene: &Scene<'_>) -> Vec<Candidate> {
    let default = scene.shape().and_then(|shape| shape.default()).and_then(Value::as_str);
    let default = default.map(|default| Candidate::string(default, CompletionKind::Pattern).detail("default"));
    let transcript = scene.transcript();
    let said = transcript.into_iter().flat_map(|transcript| said::of_response(scene, &transcript.response));
    let patterns = said.flat_map(|phrase| [general(phrase), escaped(phrase)]).filter(|pattern| !scene.has(pattern));
    let said = patterns.map(|pattern| Candidate::string(&pattern, CompletionKind::Pattern).detail("last response"));
    let used = lists::used_here(scene).into_iter().filter(|(pattern, _)| !scene.has(pattern));
    let used =
        used.map(|(pattern, count)| Candidate { kind: CompletionKind::Pattern, ..lists::in_cases(&pattern, count) });
    default.into_iter().chain(said).chain(used).chain(said::said_words(scene)).collect()
}

/// A pattern that matches only this phrase.
pub(super) fn escaped(phrase: &str) -> String {
    let mut pattern = String::with_capacity(phrase.len());
    for c in phrase.chars() {
        if matches!(c, '\\' | '.' | '+' | '*' | '?' | '(' | ')' | '|' | '[' | ']' | '{' | '}' | '^' | '$') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// A pattern that matches this phrase with any numbers.
pub(super) fn general(phrase: &str) -> String {
    let mut pattern = String::new();
    let mut rest = phrase;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        pattern.push_str(&escaped(&rest[..start]));
        pattern.push_str("[0-9]+");
        rest = rest[start..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    pattern + &escaped(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Case, Pattern};

    #[test]
    fn patterns_are_escaped_and_general() {
        for (phrase, pattern) in [
            ("orders: 23 (open)", r"orders: [0-9]+ \(open\)"),
            ("a.b\\c [x]{2}|^$ 1.50 é?", r"a\.b\\c \[x\]\{[0-9]+\}\|\^\$ [0-9]+\.[0-9]+ é\?"),
            ("plain", "plain"),
        ] {
            assert_eq!(general(phrase), pattern);
            for pattern in [general(phrase), escaped(phrase)] {
                assert!(Pattern::compile(&pattern, Case::Matters).is_ok(), "{pattern}");
            }
        }
    }
}
