//! `ui`: the page, or else the response, meets the workspace's definition of this sentence.

use crate::checks::judged::Decision;
use crate::checks::search::first_match;
use crate::checks::{Judged, message};
use crate::config::{Config, UiHint};
use crate::pattern::Budget;
use crate::text::counted;

pub(crate) fn check(judged: &Judged<'_>, hint: &str, config: &Config, budget: &Budget) -> Decision {
    match config.ui_hints.get(hint) {
        Some(definition) => holds(judged, definition, budget),
        None => Decision::unknown("this hint is not defined"),
    }
}

fn holds(judged: &Judged<'_>, hint: &UiHint, budget: &Budget) -> Decision {
    let response = judged.page();
    let mut evidence = Vec::new();
    for phrase in phrases(&hint.all) {
        match response.says(phrase) {
            Some(span) => evidence.push(response.evidence(span)),
            None => {
                return Decision::failed(format!("{} is not said", message::quoted(phrase))).with(evidence);
            }
        }
    }
    for group in &hint.all_of {
        let alternatives: Vec<&str> = phrases(group).collect();
        match alternatives.iter().find_map(|phrase| response.says(phrase)) {
            Some(span) => evidence.push(response.evidence(span)),
            None => {
                return Decision::failed(message::none(&alternatives, "is not said", "is said")).with(evidence);
            }
        }
    }
    for pattern in &hint.matches {
        match first_match(response, pattern, budget) {
            Ok(Some(span)) => evidence.push(response.evidence(span)),
            Ok(None) => {
                return Decision::failed(format!("no line matches {}", message::quoted(pattern))).with(evidence);
            }
            Err(trouble) => return trouble.decision().with(evidence),
        }
    }
    for phrase in phrases(&hint.none) {
        if let Some(span) = response.says(phrase) {
            return message::said_in(response, phrase, span, Decision::failed);
        }
    }
    let any: Vec<&str> = phrases(&hint.any).collect();
    let said: Vec<_> = any.iter().filter_map(|phrase| response.says(phrase)).collect();
    evidence.extend(said.iter().map(|span| response.evidence(*span)));
    if any.is_empty() || said.len() >= hint.at_least {
        return Decision::passed("its definition is met").with(evidence);
    }
    let wanted = if hint.at_least == 1 { "one".to_owned() } else { hint.at_least.to_string() };
    Decision::failed(format!("{} said, of at least {wanted}: {}", counted(said.len(), "phrase"), message::list(&any)))
        .with(evidence)
}

pub(crate) fn phrases(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().map(String::as_str).filter(|phrase| !phrase.is_empty())
}
