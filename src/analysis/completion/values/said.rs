//! Suggests phrases and numbers: what the last response says, phrases of other cases, and empty forms of `must_ground_numbers`.

use crate::syntax::encode;
use crate::text::Span;

use super::super::candidate::Form;
use super::super::habits;
use super::{Candidate, CompletionKind, Documentation, Scene, Snippet, lists, patterns, response};

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
        let pattern = patterns::general(&label_and(line, number));
        let exact = object(&label, "value", number);
        let pattern = object(&label, "regex", &pattern);
        let named = |json: String| Candidate::new(&json, CompletionKind::Structure, Snippet::new(&json));
        [named(pattern).detail("last response"), named(exact).detail("last response")]
    });
    forms.into_iter().chain(said).map(|candidate| candidate.form(Form::Value)).collect()
}

/// The labels of numbers in other cases, and of the numbers of the last response.
pub(super) fn labels(scene: &Scene<'_>) -> Vec<Candidate> {
    let own: Vec<&str> = habits::texts_at(scene.case, &scene.path());
    let used = lists::used_here(scene).into_iter().filter(|(label, _)| !own.contains(&label.as_str()));
    let used = used.map(|(label, count)| lists::in_cases(&label, count));
    let said = said(scene).into_iter().map(|(number, line)| label(line, number));
    let said = said.map(|label| Candidate::string(&label, CompletionKind::Value).detail("last response"));
    used.chain(said).collect()
}

/// The numbers of the last response, as strings.
pub(super) fn values(scene: &Scene<'_>) -> Vec<Candidate> {
    let said = said(scene).into_iter();
    said.map(|(number, _)| Candidate::string(number, CompletionKind::Value).detail("last response")).collect()
}

fn said<'a>(scene: &Scene<'a>) -> Vec<(&'a str, &'a str)> {
    scene.transcript().map(|transcript| response::numbers(&transcript.response)).unwrap_or_default()
}

fn object(label: &str, key: &str, value: &str) -> String {
    format!("{{ \"label\": {}, \"{key}\": {} }}", encode(label), encode(value))
}

/// The label of a number: the words before it, or else the words after it.
fn label(line: &str, number: &str) -> String {
    let (before, after) = line.split_once(number).unwrap_or((line, ""));
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !response::is_of_word(c)).filter(|word| word.contains(char::is_alphabetic));
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

/// Phrases of the last response; within a string that has been begun, words too.
pub(super) fn said_phrases(scene: &Scene<'_>) -> Vec<Candidate> {
    let Some(transcript) = scene.transcript() else { return Vec::new() };
    let phrases = of_response(scene, &transcript.response).into_iter().filter(|phrase| !scene.has(phrase));
    let phrases = phrases.map(|phrase| Candidate::string(phrase, CompletionKind::Phrase).detail("last response"));
    phrases.chain(said_words(scene)).collect()
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
pub(super) fn said_words(scene: &Scene<'_>) -> Vec<Candidate> {
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
