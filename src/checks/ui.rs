//! `ui`: what this sentence means, as the workspace defines it, holds of the response.

use crate::config::{Config, UiHint};

use super::check::Answer;
use super::{Judged, wording};

pub(super) fn check(judged: &Judged<'_>, hint: &str, config: &Config) -> Answer {
    match config.ui_hints.get(hint) {
        Some(definition) => holds(judged, definition),
        None => Answer::unknown("nobody has defined this hint"),
    }
}

fn holds(judged: &Judged<'_>, hint: &UiHint) -> Answer {
    let response = &judged.response;
    let mut evidence = Vec::new();
    for phrase in phrases(&hint.all) {
        match response.says(phrase) {
            Some(span) => evidence.push(response.evidence(span)),
            None => {
                return Answer::failed(format!("{} is not said", wording::quoted(phrase))).with(evidence);
            }
        }
    }
    for phrase in phrases(&hint.none) {
        if let Some(span) = response.says(phrase) {
            return wording::said(judged, phrase, span, Answer::failed);
        }
    }
    let any: Vec<&str> = phrases(&hint.any).collect();
    let said: Vec<_> = any.iter().filter_map(|phrase| response.says(phrase)).collect();
    evidence.extend(said.iter().map(|span| response.evidence(*span)));
    if any.is_empty() || said.len() >= hint.at_least {
        return Answer::passed("what it means holds").with(evidence);
    }
    let wanted = if hint.at_least == 1 { "one".to_owned() } else { hint.at_least.to_string() };
    Answer::failed(format!(
        "{} said, of at least {wanted}: {}",
        wording::counted(said.len(), "phrase"),
        wording::list(&any)
    ))
    .with(evidence)
}

pub(super) fn phrases(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().map(String::as_str).filter(|phrase| !phrase.is_empty())
}
