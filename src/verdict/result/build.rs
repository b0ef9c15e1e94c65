use crate::checks::{self, CheckOutcome, CheckResult, Evidence, Expectation, Judged, expectations};
use crate::config::Config;
use crate::pattern;
use crate::suite::{Case, Field, Group, List, Outcome};
use crate::text::Text;
use crate::transcript::Transcript;
use crate::verdict::judge::{of_judged, six_decimals};
use crate::verdict::{Status, Verdict};

use super::{
    CaseResult, CheckDetail, CheckLists, EXCERPT, Excerpt, GroupValues, Metrics, MorningBriefMetrics, ScoringMetrics,
    SoftScoreValue, SynthesisMetrics,
};

impl CaseResult {
    /// Judges the transcript of a case as [`judge()`](crate::verdict::judge()) does, and returns the result.
    pub fn new(case: &Case, transcript: &Transcript, config: &Config) -> CaseResult {
        let asked = expectations(case);
        let judged = Judged::new(transcript, case, config);
        let verdict = &of_judged(case, transcript, &asked, &judged, config);
        let details = asked.iter().zip(&verdict.checks).map(|(asked, check)| {
            let lacking = check.outcome == CheckOutcome::Failed;
            let nearest = if lacking { checks::nearest(asked, &judged, config) } else { Vec::new() };
            CheckDetail::new(check, nearest)
        });
        let not_run = CaseResult::not_run(case, "");
        let result = CaseResult {
            status: verdict.status,
            reason: verdict.error.clone(),
            screenshot: None,
            attempts: Vec::new(),
            snapshot_excerpt: judged.first_lines(EXCERPT).collect(),
            stale: verdict.stale,
            newer: verdict.newer.clone(),
            answered_by: transcript.target.clone(),
            answered_at: transcript.recorded_at.clone(),
            duration_ms: transcript.duration_ms,
            check_details: details.collect(),
            ..not_run
        };
        if verdict.status == Status::Error {
            return result;
        }
        let mut missing = Missing::default();
        asked.iter().zip(&verdict.checks).for_each(|(asked, check)| missing.add(asked, check.outcome));
        let synthesis = SynthesisMetrics {
            missing_sources: missing.sources,
            missing_numbers: missing.numbers,
            ..result.metrics.synthesis
        };
        let metrics = Metrics {
            synthesis,
            morning_brief: MorningBriefMetrics { missing_checks: missing.morning_brief },
            scoring: ScoringMetrics::new(verdict),
        };
        let passed = verdict.checks.iter().filter(|check| check.outcome == CheckOutcome::Passed);
        let checks = CheckLists {
            passed: passed.map(|check| check.id.clone()).collect(),
            failed: verdict.failed.clone(),
            unknown_ui: missing.unknown_ui,
        };
        CaseResult { checks, metrics, ..result }
    }

    /// The result of a case without an answer: its target could not be run, or there is no transcript.
    pub(crate) fn not_run(case: &Case, reason: impl Into<String>) -> CaseResult {
        let scoring = ScoringMetrics {
            groups: GroupValues::default(),
            hard_fail_triggered: Vec::new(),
            soft_score: SoftScoreValue {
                threshold: case.expected.threshold().map(|field| field.value),
                ..SoftScoreValue::default()
            },
        };
        let synthesis = SynthesisMetrics { required_sources: required_sources(case), ..SynthesisMetrics::default() };
        CaseResult {
            id: text(&case.id, ""),
            prompt: text(&case.prompt, ""),
            expected_outcome: text(&case.expected.outcome, Outcome::ResponseOnly.name()),
            status: Status::Error,
            reason: Some(reason.into()),
            screenshot: None,
            attempts: Vec::new(),
            repeats: None,
            baseline: None,
            checks: CheckLists::default(),
            metrics: Metrics { synthesis, morning_brief: MorningBriefMetrics::default(), scoring },
            snapshot_excerpt: Excerpt::default(),
            category: text(&case.category, "general"),
            stale: false,
            answered_by: None,
            answered_at: None,
            newer: None,
            duration_ms: None,
            check_details: Vec::new(),
            pcre2_version: pattern::pcre2_version(),
        }
    }

    /// The same result with the place in `suite` of each check. `start` is the offset of the case in `suite`.
    #[must_use]
    pub(crate) fn placed(mut self, suite: &Text, start: usize) -> CaseResult {
        for check in &mut self.check_details {
            check.suite = Some(suite.line_column(start + check.span.start));
            check.suite_end = Some(suite.line_column(start + check.span.end));
        }
        self
    }
}

impl CheckDetail {
    fn new(check: &CheckResult, nearest: Vec<Evidence>) -> CheckDetail {
        CheckDetail {
            id: check.id.as_str().into(),
            outcome: check.outcome,
            group: check.group,
            message: check.message.as_str().into(),
            by_prompt: check.by_prompt,
            evidence: check.evidence.as_slice().into(),
            nearest: nearest.into(),
            suite: None,
            suite_end: None,
            span: check.span,
        }
    }
}

impl ScoringMetrics {
    fn new(verdict: &Verdict) -> ScoringMetrics {
        let score = |group: Group| {
            let score = verdict.groups.iter().find(|score| score.group == group);
            score.map(|score| six_decimals(score.score()))
        };
        let soft_score = &verdict.soft_score;
        ScoringMetrics {
            groups: GroupValues {
                tool_hygiene: score(Group::ToolHygiene),
                synthesis_coverage: score(Group::SynthesisCoverage),
                numeric_grounding: score(Group::NumericGrounding),
                uncertainty: score(Group::Uncertainty),
                formatting: score(Group::Formatting),
                morning_brief_contract: score(Group::MorningBriefContract),
            },
            hard_fail_triggered: verdict.hard_fail_triggered.clone(),
            soft_score: SoftScoreValue {
                value: Some(soft_score.value),
                threshold: soft_score.threshold,
                passed: Some(soft_score.passed),
                terms: soft_score.terms.clone(),
            },
        }
    }
}

/// The failed and unknown checks under the names that the metrics use.
#[derive(Default)]
struct Missing {
    sources: Vec<String>,
    numbers: Vec<String>,
    morning_brief: Vec<String>,
    unknown_ui: Vec<String>,
}

impl Missing {
    fn add(&mut self, asked: &Expectation<'_>, outcome: CheckOutcome) {
        let name = |prefix: &str| asked.id.strip_prefix(prefix).unwrap_or_default().to_owned();
        match (asked.key, outcome) {
            ("ui", CheckOutcome::Unknown) => self.unknown_ui.push(name("ui:")),
            ("required_sources", CheckOutcome::Failed) => self.sources.push(name("synthesis:required_source:")),
            ("must_ground_numbers", CheckOutcome::Failed) => self.numbers.push(name("synthesis:numeric:")),
            ("must_allow_override_actions", CheckOutcome::Failed) => self.morning_brief.push(name("morning_brief:")),
            (key, CheckOutcome::Failed) if asked.group == Some(Group::MorningBriefContract) => {
                self.morning_brief.push(key.to_owned());
            }
            _ => {}
        }
    }
}

fn text(field: &Option<Field<String>>, default: &str) -> String {
    field.as_ref().map_or(default, |field| &field.value).to_owned()
}

fn required_sources(case: &Case) -> Vec<String> {
    let sources = case.expected.required_sources.iter().flat_map(List::entries);
    sources.map(|source| source.value.clone()).collect()
}
