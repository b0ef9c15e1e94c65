use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{Expectation, ExpectationKind as Kind};

use super::result::Decision;
use super::rules::{
    claim_evidence_alignment, evidence_freshness, label_assumptions, must_match_regex, must_not_match_regex,
    must_not_say, must_say_any, number, outcome, override_action, required_levers, required_source, telemetry_entry,
    tool_calls_any, tool_calls_none, ui,
};
use super::{CheckResult, Judged};

/// Checks one expectation against a transcript. `config` defines UI hints and sources. All patterns of a case share
/// `budget`.
pub fn check(expectation: &Expectation<'_>, judged: &Judged<'_>, config: &Config, budget: &Budget) -> CheckResult {
    let decision = decide(expectation, judged, config, budget);
    CheckResult {
        id: expectation.id.clone(),
        group: expectation.group,
        span: expectation.span,
        outcome: decision.outcome,
        message: decision.message,
        evidence: decision.evidence,
    }
}

fn decide(expectation: &Expectation<'_>, judged: &Judged<'_>, config: &Config, budget: &Budget) -> Decision {
    match &expectation.kind {
        Kind::ToolCallsAny { tools } => tool_calls_any::check(judged, tools),
        Kind::ToolCallsNone { tool } => tool_calls_none::check(judged, tool),
        Kind::MustNotSay { phrase } => must_not_say::check(judged, phrase),
        Kind::MustSayAny { phrases } => must_say_any::check(judged, phrases),
        Kind::Telemetry { entry } => telemetry_entry::check(judged, entry),
        Kind::Outcome { outcome, tools } => outcome::check(judged, *outcome, tools),
        Kind::UnknownOutcome { name } => outcome::unknown(name),
        Kind::Ui { hint } => ui::check(judged, hint, config, budget),
        Kind::RequiredSource { source, patterns } => {
            required_source::check(judged, source, patterns.as_deref(), config)
        }
        Kind::Number { item } => number::check(judged, item, budget),
        Kind::LabelAssumptions { markers } => label_assumptions::check(judged, markers),
        Kind::MustMatchRegex { pattern } => must_match_regex::check(judged, pattern, budget),
        Kind::MustNotMatchRegex { pattern } => must_not_match_regex::check(judged, pattern, budget),
        Kind::RequiredLevers { at_least, pattern } => required_levers::check(judged, *at_least, pattern, budget),
        Kind::ClaimEvidenceAlignment { claim, evidence, alignment } => {
            claim_evidence_alignment::check(judged, [claim, evidence, alignment], budget)
        }
        Kind::EvidenceFreshness { max_age_minutes, pattern } => {
            evidence_freshness::check(judged, *max_age_minutes, pattern, budget)
        }
        Kind::OverrideAction { action } => override_action::check(judged, action),
    }
}
