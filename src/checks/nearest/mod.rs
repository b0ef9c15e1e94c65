//! The nearest match in the transcript, for a check that failed because something is missing.
//!
//! Nearest matches explain a failure to people; they never affect a verdict. Only the start of a long response is searched,
//! and slow patterns are given up early.

mod pattern;
mod phrase;
mod tool;

use crate::config::Config;
use crate::pattern::Case;
use crate::suite::{Expectation, ExpectationKind as Kind, NumericItem, Outcome, TelemetryEntry};

use super::rules::{number, required_source, ui};
use super::{Evidence, Judged};

/// The nearest matches for a failed check; empty if nothing is near, or if nothing is missing. Takes some milliseconds.
pub(crate) fn nearest(expectation: &Expectation<'_>, judged: &Judged<'_>, config: &Config) -> Vec<Evidence> {
    let found = match &expectation.kind {
        Kind::ToolCallsAny { tools } => tool::called(judged, tools),
        Kind::Telemetry { entry } => telemetry(judged, entry),
        Kind::Outcome { outcome, tools } => outcome_of(judged, *outcome, tools),
        Kind::MustSayAny { phrases } => phrase::said(judged, phrases),
        Kind::Ui { hint } => lacking(judged, hint, config),
        Kind::RequiredSource { source, patterns } => {
            phrase::said(judged, &required_source::patterns(source, patterns.as_deref(), config))
        }
        Kind::Number { item } => number_of(judged, item),
        Kind::LabelAssumptions { markers } => phrase::said(judged, markers),
        Kind::MustMatchRegex { pattern } => pattern::beginning(judged, pattern, Case::Ignored),
        Kind::RequiredLevers { pattern, .. } | Kind::EvidenceFreshness { pattern, .. } => {
            pattern::beginning(judged, pattern, Case::Matters)
        }
        Kind::ClaimEvidenceAlignment { claim, evidence, alignment } => {
            let beginnings = [claim, evidence, alignment].map(|it| pattern::beginning(judged, it, Case::Ignored));
            beginnings.into_iter().flatten().next()
        }
        Kind::OverrideAction { action } => phrase::said(judged, &[action]),
        Kind::ToolCallsNone { .. }
        | Kind::MustNotSay { .. }
        | Kind::MustNotMatchRegex { .. }
        | Kind::UnknownOutcome { .. } => None,
    };
    found.into_iter().collect()
}

fn telemetry(judged: &Judged<'_>, entry: &TelemetryEntry<'_>) -> Option<Evidence> {
    match *entry {
        TelemetryEntry::Start { tool } => tool::called(judged, &[tool]),
        TelemetryEntry::Result { tool, .. } => tool::result(judged, &[tool]),
        TelemetryEntry::MissingField { .. } => None,
        TelemetryEntry::Literal(text) => phrase::logged(judged, text),
    }
}

fn outcome_of(judged: &Judged<'_>, outcome: Outcome, tools: &[&str]) -> Option<Evidence> {
    match outcome {
        Outcome::ToolSuccess | Outcome::GracefulError => tool::result(judged, tools),
        _ => None,
    }
}

/// The nearest match of a missing phrase of a hint, or else of a missing pattern.
fn lacking(judged: &Judged<'_>, hint: &str, config: &Config) -> Option<Evidence> {
    let hint = config.ui_hints.get(hint)?;
    let is_lacking = |phrase: &&str| judged.response.says(phrase).is_none();
    let groups = hint.all_of.iter().filter(|group| ui::phrases(group).all(|phrase| is_lacking(&phrase)));
    let wanted =
        ui::phrases(&hint.all).chain(groups.flat_map(|group| ui::phrases(group))).chain(ui::phrases(&hint.any));
    let lacking: Vec<&str> = wanted.filter(is_lacking).collect();
    let patterns = || hint.matches.iter().find_map(|pattern| pattern::beginning(judged, pattern, Case::Ignored));
    phrase::said(judged, &lacking).or_else(patterns)
}

/// The same number in another notation, or else a number near the context or the label.
fn number_of(judged: &Judged<'_>, item: &NumericItem) -> Option<Evidence> {
    let by_pattern = item.regex.as_ref().and_then(|regex| pattern::beginning(judged, &regex.value, Case::Ignored));
    let value =
        item.value.as_ref().filter(|value| item.regex.is_none() && judged.response.shows(&value.value).is_none());
    let otherwise = || phrase::said(judged, &[&value?.value]);
    let label = item.label.iter().map(|label| label.value.as_str()).filter(|label| !label.is_empty());
    let beside = || {
        value.or(item.regex.as_ref())?;
        number::context(item).into_iter().chain(label).find_map(|phrase| phrase::number_beside(judged, phrase))
    };
    by_pattern.or_else(otherwise).or_else(beside)
}
