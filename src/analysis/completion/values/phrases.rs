//! Suggests phrases: from the last response, and from other cases.

use crate::syntax::encode;
use crate::text::Span;

use super::super::candidate::Form;
use super::{Candidate, CompletionKind, Scene, Snippet, lists, response};

/// Phrases of the last response, and entries of the same list in other cases.
pub(super) fn phrases(scene: &Scene<'_>) -> Vec<Candidate> {
    let used = lists::used_here(scene).into_iter().filter(|(text, _)| !scene.has(text));
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

/// Words of the last response that replace the typed word, if it is not the first of its string.
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

/// The word at the cursor if it is not the first of its string. The first word is completed by whole strings.
fn word(scene: &Scene<'_>) -> Option<Span> {
    let inside = scene.inside_string()?;
    let text = scene.text();
    let before = &text[inside.start..scene.offset];
    let start = before.trim_end_matches(response::is_of_word).len();
    // A letter after a backslash belongs to an escape.
    let escape = before[..start].ends_with('\\') && !before[..start].ends_with("\\\\");
    let after = &text[scene.offset..inside.end];
    let end = after.find(|c| !response::is_of_word(c)).unwrap_or(after.len());
    let word = Span::new(inside.start + start, scene.offset + end);
    (start > 0 && !escape && word.start < scene.offset).then_some(word)
}
