use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{Expectation, ExpectationKind as Kind};

use super::judged::Decision;
use super::rules::{number, patterns, phrases, tools, ui};
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
        Kind::ToolCallsAny { tools } => tools::any_called(judged, tools),
        Kind::ToolCallsNone { tool } => tools::not_called(judged, tool),
        Kind::MustNotSay { phrase } => phrases::not_said(judged, phrase),
        Kind::MustSayAny { phrases } => phrases::one_said(judged, phrases),
        Kind::Telemetry { entry } => tools::telemetry(judged, entry),
        Kind::Outcome { outcome, tools } => tools::outcome(judged, *outcome, tools),
        Kind::UnknownOutcome { name } => tools::unknown_outcome(name),
        Kind::Ui { hint } => ui::check(judged, hint, config, budget),
        Kind::RequiredSource { source, patterns } => phrases::source(judged, source, patterns.as_deref(), config),
        Kind::Number { item } => number::check(judged, item, budget),
        Kind::LabelAssumptions { markers } => phrases::one_said(judged, markers),
        Kind::MustMatchRegex { pattern } => patterns::matched(judged, pattern, budget),
        Kind::MustNotMatchRegex { pattern } => patterns::not_matched(judged, pattern, budget),
        Kind::RequiredLevers { at_least, pattern } => patterns::levers(judged, *at_least, pattern, budget),
        Kind::ClaimEvidenceAlignment { claim, evidence, alignment } => {
            patterns::claim_evidence_alignment(judged, [claim, evidence, alignment], budget)
        }
        Kind::EvidenceFreshness { max_age_minutes, pattern } => {
            patterns::evidence_freshness(judged, *max_age_minutes, pattern, budget)
        }
        Kind::OverrideAction { action } => phrases::one_said(judged, &[action]),
    }
}
