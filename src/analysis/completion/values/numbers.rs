//! Suggests entries of `must_ground_numbers`: empty forms, and numbers from the last response.

use crate::syntax::encode;

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
