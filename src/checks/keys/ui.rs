//! `ui`: the page, or else the response, meets the workspace's definition of each of these sentences.

use super::rule::*;
use crate::checks::message::{self, none};
use crate::checks::search::first_match;
use crate::config::UiHint;
use crate::pattern::Case;
use crate::text::counted;

#[derive(Debug)]
struct Hint<'a>(&'a str);

pub(super) fn ask(asked: &mut Asked<'_>) {
    asked.each("ui", "ui:", &asked.expected().ui, |hint| Hint(&hint.value));
}

impl<'a> Rule<'a> for Hint<'a> {
    fn judge(&self, view: &View<'_, '_>) -> Decision {
        match view.config.ui_hints.get(self.0) {
            Some(definition) => holds(view, definition),
            None => Decision::unknown("this hint is not defined"),
        }
    }

    /// The nearest match of a missing phrase of a hint, or else of a missing pattern.
    fn nearest(&self, view: &View<'_, '_>) -> Option<Evidence> {
        let (judged, hint) = (view.judged, view.config.ui_hints.get(self.0)?);
        let is_lacking = |phrase: &&str| judged.response.says(phrase).is_none();
        let groups = hint.all_of.iter().filter(|group| phrases(group).iter().all(is_lacking));
        let wanted = [&hint.all].into_iter().chain(groups).chain([&hint.any]).flat_map(|list| phrases(list));
        let lacking: Vec<&str> = wanted.filter(is_lacking).collect();
        let patterns = || hint.matches.iter().find_map(|it| nearest::prefix_match(judged, it, Case::Ignored));
        nearest::said(judged, &lacking).or_else(patterns)
    }

    fn explain(&self, config: &Config) -> Option<String> {
        let Some(hint) = config.ui_hints.get(self.0) else {
            let unknown = "Neither passes nor fails: no `[[ui_hints]]` entry in `eval-ls.toml` defines this hint.";
            return Some(unknown.to_owned());
        };
        let one_of = |list: &[String]| format!("contains {}", listed(&phrases(list), "or"));
        let mut parts = Vec::new();
        if !phrases(&hint.all).is_empty() {
            parts.push(format!("contains {}", listed(&phrases(&hint.all), "and")));
        }
        parts.extend(hint.all_of.iter().map(|group| one_of(group)));
        parts.extend(hint.matches.iter().map(|pattern| format!("has a line that matches {}", code(pattern))));
        match phrases(&hint.any) {
            any if any.is_empty() => {}
            _ if hint.at_least == 1 => parts.push(one_of(&hint.any)),
            any => parts.push(format!("contains at least {} of {}", hint.at_least, listed(&any, "and"))),
        }
        if !phrases(&hint.none).is_empty() {
            parts.push(format!("does not contain {}", listed(&phrases(&hint.none), "or")));
        }
        let all = match parts.split_last() {
            Some((last, rest)) if !rest.is_empty() => format!("{}, and {last}", rest.join(", ")),
            _ => parts.concat(),
        };
        Some(format!("Passes if the response {all}, as defined in `eval-ls.toml`."))
    }
}

fn holds(view: &View<'_, '_>, hint: &UiHint) -> Decision {
    let response = view.judged.page();
    let mut evidence = Vec::new();
    for phrase in phrases(&hint.all) {
        match response.says(phrase) {
            Some(span) => evidence.push(response.evidence(span)),
            None => return Decision::failed(format!("{} is not said", quoted(phrase))).with(evidence),
        }
    }
    for group in &hint.all_of {
        let alternatives = phrases(group);
        match alternatives.iter().find_map(|phrase| response.says(phrase)) {
            Some(span) => evidence.push(response.evidence(span)),
            None => return Decision::failed(none(&alternatives, "is not said", "is said")).with(evidence),
        }
    }
    for pattern in &hint.matches {
        match first_match(response, pattern, view.budget) {
            Ok(Some(span)) => evidence.push(response.evidence(span)),
            Ok(None) => return Decision::failed(format!("no line matches {}", quoted(pattern))).with(evidence),
            Err(trouble) => return trouble.decision().with(evidence),
        }
    }
    for phrase in phrases(&hint.none) {
        if let Some(span) = response.says(phrase) {
            return message::said_in(response, phrase, span, Decision::failed);
        }
    }
    let any = phrases(&hint.any);
    let said: Vec<_> = any.iter().filter_map(|phrase| response.says(phrase)).collect();
    evidence.extend(said.iter().map(|span| response.evidence(*span)));
    if any.is_empty() || said.len() >= hint.at_least {
        return Decision::passed("its definition is met").with(evidence);
    }
    let wanted = if hint.at_least == 1 { "one".to_owned() } else { hint.at_least.to_string() };
    Decision::failed(format!("{} said, of at least {wanted}: {}", counted(said.len(), "phrase"), message::list(&any)))
        .with(evidence)
}

fn phrases(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).filter(|phrase| !phrase.is_empty()).collect()
}
