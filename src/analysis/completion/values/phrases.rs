//! Phrases: what the last response of the case said, and what other cases ask for.

use crate::syntax::encode;
use crate::text::Span;

use super::super::candidate::Form;
use super::{Candidate, CompletionKind, Scene, Snippet, lists, response, tools};

/// Phrases of the last response, and those that the same list of other cases has.
pub(super) fn phrases(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = match scene.path()[..] {
        ["expected", "must_say_any", ..] => {
            lists::used(scene, |case| tools::names(&case.expected.must_say_any).collect())
        }
        ["expected", "must_not_say", ..] => {
            lists::used(scene, |case| tools::names(&case.expected.must_not_say).collect())
        }
        _ => Vec::new(),
    };
    let used = used.into_iter().filter(|(text, _)| !scene.has(text));
    said(scene).into_iter().chain(used.map(|(text, count)| lists::in_cases(&text, count))).collect()
}

/// Phrases of the last response; within a string that has been begun, words too.
pub(super) fn said(scene: &Scene<'_>) -> Vec<Candidate> {
    let Some(transcript) = scene.transcript() else { return Vec::new() };
    let phrases = of_response(scene, &transcript.response).into_iter().filter(|phrase| !scene.has(phrase));
    let phrases = phrases.map(|phrase| Candidate::string(phrase, CompletionKind::Phrase).detail("last response"));
    phrases.chain(words(scene)).collect()
}

/// The phrases of a response that may be the whole of the string; where it has a word already, single ones are offered
/// by [`words`].
pub(super) fn of_response<'a>(scene: &Scene<'_>, response: &'a str) -> Vec<&'a str> {
    let mut phrases = response::phrases(response);
    if word(scene).is_some() {
        phrases.retain(|phrase| !phrase.chars().all(response::is_of_word));
    }
    phrases
}

/// Words of the last response in the place of the one that is being typed, behind others in a string.
pub(super) fn words(scene: &Scene<'_>) -> Vec<Candidate> {
    let Some((transcript, word)) = scene.transcript().zip(word(scene)) else { return Vec::new() };
    let words = response::words(&transcript.response).into_iter();
    words
        .map(|text| {
            let literal = encode(text);
            let json = Snippet::new(&literal[1..literal.len() - 1]);
            Candidate::new(text, CompletionKind::Phrase, json).detail("last response").form(Form::Word(word))
        })
        .collect()
}

/// The word that the cursor is at, where it is not the first of its string: the first is one of whole strings.
fn word(scene: &Scene<'_>) -> Option<Span> {
    let inside = scene.inside_string()?;
    let text = scene.text();
    let before = &text[inside.start..scene.offset];
    let start = before.trim_end_matches(response::is_of_word).len();
    // A letter behind a backslash belongs to an escape.
    let escape = before[..start].ends_with('\\') && !before[..start].ends_with("\\\\");
    let behind = &text[scene.offset..inside.end];
    let end = behind.find(|c| !response::is_of_word(c)).unwrap_or(behind.len());
    let word = Span::new(inside.start + start, scene.offset + end);
    (start > 0 && !escape && word.start < scene.offset).then_some(word)
}
