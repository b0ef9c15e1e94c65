use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{Expectation, ExpectationKind as Kind};

use super::judged::Decision;
use super::rules::{
    claim_evidence_alignment, evidence_freshness, label_assumptions, must_match_regex, must_not_match_regex,
    must_not_say, must_say_any, number, outcome, override_action, required_levers, required_source, telemetry_entry,
    tool_calls_any, tool_calls_none, ui,
};
use super::{CheckOutcome, CheckResult, Judged};

/// Checks one expectation against a transcript. `config` defines UI hints and sources. All patterns of a case share
/// `budget`.
pub(crate) fn check(
    expectation: &Expectation<'_>,
    judged: &Judged<'_>,
    config: &Config,
    budget: &Budget,
) -> CheckResult {
    let (decision, by_prompt) = decide_with_prompt(expectation, judged, config, budget);
    CheckResult {
        id: expectation.id.clone(),
        group: expectation.group,
        span: expectation.span,
        outcome: decision.outcome,
        message: decision.message,
        evidence: decision.evidence,
        by_prompt,
    }
}

/// The decision, and whether the prompt's own text makes it. The other view of the response never changes the outcome.
fn decide_with_prompt(
    expectation: &Expectation<'_>,
    judged: &Judged<'_>,
    config: &Config,
    budget: &Budget,
) -> (Decision, bool) {
    let decision = decide(expectation, judged, config, budget);
    if decision.outcome == CheckOutcome::NotJudged || !expectation.kind.is_about_response() {
        return (decision, false);
    }
    // With the prompt, only a place in it can make a difference.
    let may_differ = !judged.prompt_counts() || decision.evidence.iter().any(|evidence| evidence.in_prompt);
    let Some(other) = judged.other_view().filter(|_| may_differ) else { return (decision, false) };
    // The case's budget is for what decides.
    let otherwise = decide(expectation, other, config, &Budget::default());
    match otherwise.outcome {
        CheckOutcome::NotJudged => (decision, false),
        // What is found apart from the prompt says more.
        outcome if outcome == decision.outcome => (if judged.prompt_counts() { otherwise } else { decision }, false),
        _ if judged.prompt_counts() => (decision.by_prompt("your own prompt says so"), true),
        _ => {
            let in_prompt = otherwise.evidence.into_iter().filter(|evidence| evidence.in_prompt);
            (decision.with(in_prompt).by_prompt("only your own prompt says so, which does not count"), true)
        }
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
