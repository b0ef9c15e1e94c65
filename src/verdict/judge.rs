use crate::checks::{CheckOutcome, CheckResult, Judged, check};
use crate::config::Config;
use crate::pattern::Budget;
use crate::suite::{Case, Expectation, Expected, List, expectations};
use crate::transcript::Transcript;

use super::{Verdict, groups, soft_score, status};

/// Judges a transcript of a case. `config` defines the workspace's UI hints and sources.
pub fn judge(case: &Case, transcript: &Transcript, config: &Config) -> Verdict {
    of_judged(case, transcript, &expectations(case), &Judged::new(transcript, case, config), config)
}

/// The same verdict for code that judges many answers and shows none: no message and no evidence mentions the prompt's own
/// text. `asked` are the case's [`expectations`].
pub(crate) fn judge_outcomes(
    case: &Case,
    asked: &[Expectation<'_>],
    transcript: &Transcript,
    config: &Config,
) -> Verdict {
    of_judged(case, transcript, asked, &Judged::for_outcomes(transcript, case, config), config)
}

/// The same verdict on an answer that is prepared already. `asked` are the case's [`expectations`].
pub(super) fn of_judged(
    case: &Case,
    transcript: &Transcript,
    asked: &[Expectation<'_>],
    judged: &Judged<'_>,
    config: &Config,
) -> Verdict {
    let budget = Budget::default();
    let checks = asked.iter().map(|asked| check(asked, judged, config, &budget)).collect();
    let newer = transcript.last_record.as_deref().map(super::Newer::of);
    Verdict { stale: is_stale(case, transcript), newer, ..Verdict::of(checks, &case.expected) }
}

impl Verdict {
    /// The verdict that follows from the checks and the case's scoring.
    pub(super) fn of(checks: Vec<CheckResult>, expected: &Expected) -> Verdict {
        let groups = groups::scores(&checks);
        let soft_score = soft_score::of(expected.soft_score(), &groups);
        let hard_fail_triggered = groups::triggered(expected.hard_fail(), &groups);
        let error = checks.iter().find(|check| check.outcome == CheckOutcome::NotJudged);
        let error = error.map(|check| check.message.clone());
        let (status, failed) = status::of(&checks, &hard_fail_triggered, &soft_score);
        Verdict { status, checks, failed, groups, soft_score, hard_fail_triggered, error, stale: false, newer: None }
    }
}

fn is_stale(case: &Case, transcript: &Transcript) -> bool {
    let prompt = case.prompt.as_ref().map_or("", |prompt| &prompt.value);
    let setup_prompts = case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str());
    transcript.is_stale(prompt, setup_prompts)
}
