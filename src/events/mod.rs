//! The events of a run as plain data, and which results make it fail. The runner emits them; reports and the language server read them.
//!
//! `docs/events.md` documents their JSON.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::config::{Flaky, Stale};
use crate::statistics::{Interval, wilson};
use crate::text::{LineRange, counted, number};
use crate::verdict::{AnswerSummary, CaseResult, Status, Versions, plain_number};

/// An event of a run. As JSON it is an object with its name in `event`; `docs/events.md` has examples.
///
/// A run emits `run-started`, then `case-started` and `case-finished` for each case, then `run-finished`. The other events
/// come in between. With several jobs, the events of different cases may interleave.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub(crate) enum Event {
    /// The first event.
    RunStarted(RunStarted),
    /// An earlier run of a suite was interrupted; its results are in a file.
    InterruptedRun(InterruptedRun),
    /// A case starts.
    CaseStarted(CaseStarted),
    /// The progress of a case.
    CaseProgress(CaseProgress),
    /// A case has its result.
    CaseFinished(Box<CaseFinished>),
    /// A suite cannot be run. It comes before `run-started`.
    SuiteNotRun(SuiteNotRun),
    /// A problem that changes no verdict.
    Warning(Warning),
    /// The last event.
    RunFinished(RunFinished),
}

/// The first event of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RunStarted {
    /// [`RunStarted::FORMAT`].
    #[serde(default)]
    pub(crate) format: String,
    /// The versions of the programs that judge.
    #[serde(default)]
    pub(crate) versions: Versions,
    /// The start: a date and time of RFC 3339, in UTC.
    pub(crate) started_at: String,
    /// The target's name.
    pub(crate) target: String,
    /// Whether the target is asked, not replayed from transcripts.
    pub(crate) live: bool,
    /// The program that is asked, with its arguments, or the address of the app.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) program: Option<String>,
    /// The number of cases that run at once.
    pub(crate) jobs: usize,
    /// The time limit of one case, in milliseconds.
    pub(crate) timeout_ms: u64,
    /// Whether answers are stored as transcripts.
    pub(crate) record: bool,
    /// Which results make the run fail.
    #[serde(flatten, default)]
    pub(crate) policy: Policy,
    /// The folder in which the run is kept, if it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) run: Option<String>,
    /// The number of cases to run.
    pub(crate) total: usize,
    /// The suites, in the order in which they were given.
    pub(crate) suites: Vec<SuiteStarted>,
}

impl RunStarted {
    /// The name and version of the format of the events. A later version may change the meaning of a key, not only add keys.
    pub(crate) const FORMAT: &str = "eval-ls/events@1";
}

/// A suite of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SuiteStarted {
    /// The suite's path, as it was given.
    pub(crate) suite: String,
    /// The number of its cases to run.
    pub(crate) total: usize,
}

/// An earlier run that was interrupted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InterruptedRun {
    /// The suite's path, as it was given to this run.
    pub(crate) suite: String,
    /// The start of the earlier run, if it is known.
    pub(crate) started_at: Option<String>,
    /// The number of its cases that had finished.
    pub(crate) finished: usize,
    /// The file with their results: JSON lines.
    pub(crate) results: String,
    /// The run's id, for `run --resume`.
    #[serde(default)]
    pub(crate) run: String,
}

/// A suite that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SuiteNotRun {
    /// The suite's path, as it was given.
    pub(crate) suite: String,
    /// A lower-case fragment: the first error, or why the suite cannot be read.
    pub(crate) reason: String,
    /// The errors in it, in the order of the text. Empty if it cannot be read.
    #[serde(default)]
    pub(crate) errors: Vec<SuiteError>,
}

/// An error in a suite that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SuiteError {
    /// The name of the lint.
    pub(crate) lint: String,
    /// What is wrong, and what to do.
    pub(crate) message: String,
    /// The place of the mistake.
    pub(crate) range: LineRange,
}

/// A case starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseStarted {
    /// The case.
    #[serde(flatten)]
    pub(crate) case: CaseRef,
}

/// The progress of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseProgress {
    /// The case.
    #[serde(flatten)]
    pub(crate) case: CaseRef,
    /// A lower-case fragment such as `setup 1 of 3`.
    pub(crate) message: String,
}

/// A case has its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CaseFinished {
    /// The case.
    #[serde(flatten)]
    pub(crate) case: CaseRef,
    /// The status of its verdict.
    pub(crate) status: Status,
    /// Whether it ended before the run was interrupted, and its result was kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) resumed: bool,
    /// The duration in this run, in milliseconds. The result has the duration that the transcript states.
    pub(crate) duration_ms: u64,
    /// The file of its transcript; `None` if there is none.
    pub(crate) transcript: Option<String>,
    /// Why the answer, which was to be stored as a transcript, could not be written: a lower-case fragment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) not_stored: Option<String>,
    /// The answer in the form of a transcript file, if the run was asked for answers and the case has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answer: Option<AnswerText>,
    /// The result.
    pub(crate) result: Arc<CaseResult>,
}

/// A problem that changes no verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Warning {
    /// A lower-case fragment.
    pub(crate) message: String,
}

/// The last event of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunFinished {
    /// Whether it was cancelled.
    pub(crate) cancelled: bool,
    /// The duration in milliseconds.
    pub(crate) duration_ms: u64,
    /// The number of cases that have no result.
    pub(crate) not_run: usize,
    /// The number of cases that count as failed: `FAIL`, and what the policy adds.
    #[serde(default)]
    pub(crate) failures: usize,
    /// The number of cases that could not be judged, and one more if the run was cancelled.
    #[serde(default)]
    pub(crate) errors: usize,
    /// The counts of the other cases.
    pub(crate) summary: RunSummary,
    /// The cases that have no result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) skipped: Vec<CaseRef>,
    /// The result of each suite.
    pub(crate) suites: Vec<SuiteFinished>,
}

/// The result of a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SuiteFinished {
    /// The suite's path, as it was given.
    pub(crate) suite: String,
    /// The number of its cases that have no result.
    pub(crate) not_run: usize,
    /// The counts of the other cases.
    pub(crate) summary: RunSummary,
}

/// The case that an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseRef {
    /// The suite's path, as it was given.
    pub(crate) suite: String,
    /// The case's id; empty if it has none.
    pub(crate) case: String,
    /// The index among the suite's cases, from 0.
    pub(crate) index: usize,
    /// The range of its id, quotes included; the case's first character if it has no id.
    pub(crate) range: LineRange,
}

/// The number of cases by status.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct RunSummary {
    /// The number of `PASS`.
    pub(crate) pass: usize,
    /// The number of `FAIL`.
    pub(crate) fail: usize,
    /// The number of `PARTIAL`.
    pub(crate) partial: usize,
    /// The number of `ERROR`.
    pub(crate) error: usize,
    /// The number of cases.
    pub(crate) total: usize,
    /// The mean soft score of the judged cases, to six decimals; `None` if no case was judged.
    #[serde(serialize_with = "plain_number")]
    pub(crate) avg_soft_score: Option<f64>,
    /// The cases that ran several times, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) repeats: Option<RepeatSummary>,
    /// What the answers took; `None` if no duration is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) answers: Option<AnswerSummary>,
}

impl RunSummary {
    /// The counts of these cases.
    pub(crate) fn of<'a>(cases: impl IntoIterator<Item = &'a CaseResult, IntoIter: Clone>) -> RunSummary {
        let cases = cases.into_iter();
        let mut summary = RunSummary::default();
        let (mut sum, mut judged) = (0.0, 0_u32);
        for case in cases.clone() {
            summary.total += 1;
            match case.status {
                Status::Pass => summary.pass += 1,
                Status::Fail => summary.fail += 1,
                Status::Partial => summary.partial += 1,
                Status::Error => summary.error += 1,
            }
            if let Some(score) = case.metrics.scoring.soft_score.value.filter(|_| case.status != Status::Error) {
                sum += score;
                judged += 1;
            }
        }
        if judged > 0 {
            summary.avg_soft_score = Some((sum / f64::from(judged) * 1e6).round() / 1e6);
        }
        summary.answers = AnswerSummary::of(cases.clone().flat_map(CaseResult::took));
        summary.repeats = RepeatSummary::of(cases);
        summary
    }

    /// The counts that are not 0, as words: `3 passed`, `1 failed`, `1 partial`, `2 errors`.
    pub(crate) fn words(&self) -> impl Iterator<Item = (Status, String)> {
        let errors = if self.error == 1 { "error" } else { "errors" };
        let counts = [
            (Status::Pass, self.pass, "passed"),
            (Status::Fail, self.fail, "failed"),
            (Status::Partial, self.partial, "partial"),
            (Status::Error, self.error, errors),
        ];
        counts
            .into_iter()
            .filter(|(_, count, _)| *count > 0)
            .map(|(status, count, word)| (status, format!("{count} {word}")))
    }

    /// The counts in one line; `no cases` if there are none.
    pub(crate) fn line(&self) -> String {
        let words: Vec<String> = self.words().map(|(_, words)| words).collect();
        if words.is_empty() { "no cases".to_owned() } else { words.join(", ") }
    }
}

/// The mean soft score of the cases that ask for one, as `0.9 of 12 cases`; `None` if none does. `avg_soft_score` counts the others, too.
pub(crate) fn average_score<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> Option<String> {
    let scores: Vec<f64> = cases.into_iter().filter_map(|case| case.metrics.scoring.soft_score.shown()).collect();
    let mean = (scores.iter().sum::<f64>() / scores.len() as f64 * 1e6).round() / 1e6;
    (!scores.is_empty()).then(|| format!("{} of {}", number(mean), counted(scores.len(), "case")))
}

/// A transcript file within an event, on one line. As JSON it is the object that the text is, with its numbers as they are written.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct AnswerText(String);

impl AnswerText {
    /// Of a JSON object on one line, as an event is.
    pub(crate) fn new(text: String) -> AnswerText {
        AnswerText(text)
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Event {
    /// Reads a line of a run's output.
    ///
    /// # Errors
    /// If it is not an event.
    pub(crate) fn from_line(line: &[u8]) -> serde_json::Result<Event> {
        // An event is read by way of values, which do not have the numbers as they are written. So the answer is read apart.
        let mut members: BTreeMap<String, &RawValue> = serde_json::from_slice(line)?;
        let answer = members.remove("answer");
        let mut event = serde_json::from_slice(&serde_json::to_vec(&members)?)?;
        if let Event::CaseFinished(finished) = &mut event {
            finished.answer = answer.map(|answer| AnswerText(answer.get().to_owned()));
        }
        Ok(event)
    }
}

impl fmt::Debug for AnswerText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for AnswerText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<&RawValue>(&self.0).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for AnswerText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AnswerText, D::Error> {
        Value::deserialize(deserializer).map(|value| AnswerText(value.to_string()))
    }
}

/// Which results make a run fail. The exit status and all reports follow it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Policy {
    /// Whether `PARTIAL` and stale transcripts count as failed.
    pub(crate) strict: bool,
    /// What a stale transcript means.
    pub(crate) stale: Stale,
    /// What a flaky case means.
    pub(crate) flaky: Flaky,
}

/// What a result means for a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Grade {
    /// The result does not make the run fail.
    Passed,
    /// The case could not be judged.
    NotJudged,
    /// The result counts as failed.
    Failed,
}

impl Policy {
    /// What a result means.
    pub(crate) fn grade(self, case: &CaseResult) -> Grade {
        match case.status {
            Status::Error => Grade::NotJudged,
            Status::Fail | Status::Partial if self.excuses(case) => Grade::Passed,
            Status::Fail => Grade::Failed,
            Status::Partial if self.strict => Grade::Failed,
            Status::Pass | Status::Partial if case.stale && self.stale_fails() => Grade::Failed,
            Status::Pass | Status::Partial => Grade::Passed,
        }
    }

    /// Whether a case may fail because it is flaky.
    fn excuses(self, case: &CaseResult) -> bool {
        self.flaky == Flaky::Pass && case.repeats.as_ref().is_some_and(|repeats| repeats.flaky)
    }

    /// Whether a stale transcript counts as failed.
    pub(crate) fn stale_fails(self) -> bool {
        self.strict || self.stale == Stale::Fail
    }

    /// What the statuses of the cases leave open: those that did not pass and do not count, and those that count although they did not
    /// fail.
    pub(crate) fn decisions<'a>(self, cases: impl IntoIterator<Item = &'a CaseResult>) -> Vec<String> {
        let (mut flaky, mut stale, mut partial) = (0, 0, 0);
        for case in cases {
            match (self.grade(case), case.status) {
                (Grade::Failed, Status::Pass) => stale += 1,
                (Grade::Failed, Status::Partial) if case.stale && !self.strict => stale += 1,
                (Grade::Failed, Status::Partial) => partial += 1,
                (Grade::Passed, Status::Fail | Status::Partial) if self.excuses(case) => flaky += 1,
                _ => {}
            }
        }
        let sentence = |count: usize, what: &str, [one, several]: [&str; 2]| {
            (count > 0).then(|| format!("{} {}", counted(count, what), if count == 1 { one } else { several }))
        };
        let (excused, fails) = (["does not count", "do not count"], ["counts as failed", "count as failed"]);
        let sentences = [
            sentence(flaky, "flaky case", excused),
            sentence(stale, "stale case", fails),
            sentence(partial, "partial case", fails),
        ];
        sentences.into_iter().flatten().collect()
    }

    /// The numbers of the cases that count as failed, and of those that could not be judged.
    pub(crate) fn count<'a>(self, cases: impl IntoIterator<Item = &'a CaseResult>) -> (usize, usize) {
        cases.into_iter().fold((0, 0), |(failed, errors), case| match self.grade(case) {
            Grade::Passed => (failed, errors),
            Grade::Failed => (failed + 1, errors),
            Grade::NotJudged => (failed, errors + 1),
        })
    }
}

/// The cases of a run that ran several times. `docs/noise.md#repeats` defines the numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RepeatSummary {
    /// The number of cases that ran several times.
    pub(crate) cases: usize,
    /// The number of cases of which some attempts pass and others do not.
    pub(crate) flaky: usize,
    /// pass@1: the share of the judged attempts that passed.
    #[serde(default, rename = "pass@1", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_at_1: Option<Estimate>,
    /// The number of attempts at each case; `None` if it differs from case to case.
    #[serde(default)]
    pub(crate) k: Option<usize>,
    /// pass@k: the share of the cases of which at least one attempt passed.
    #[serde(default, rename = "pass@k", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_at_k: Option<Estimate>,
    /// pass^k: the share of the cases of which all attempts passed.
    #[serde(default, rename = "pass^k", skip_serializing_if = "Option::is_none")]
    pub(crate) pass_hat_k: Option<Estimate>,
}

/// A share with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Estimate {
    /// The share.
    pub(crate) value: f64,
    /// The lower bound.
    pub(crate) low: f64,
    /// The upper bound.
    pub(crate) high: f64,
}

impl RepeatSummary {
    /// The summary of these cases; `None` if none ran several times.
    pub(crate) fn of<'a>(cases: impl IntoIterator<Item = &'a CaseResult>) -> Option<RepeatSummary> {
        let repeated: Vec<_> = cases.into_iter().filter_map(|case| case.repeats.as_ref()).collect();
        // A policy may allow several attempts, and the first may decide.
        let several = repeated.iter().filter(|repeats| repeats.attempts.len() > 1).count();
        if several == 0 {
            return None;
        }
        let counts: Vec<(usize, usize)> = repeated.iter().map(|repeats| repeats.passed()).collect();
        let sum = counts.iter().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        // A case that ended early, or without some verdicts, has fewer attempts than the others by what they gave.
        let is_whole = repeated.iter().all(|repeats| {
            let has_verdict = repeats.attempts.iter().all(|attempt| attempt.status != Status::Error);
            has_verdict && repeats.attempts.len() == repeats.planned && repeats.planned == repeated[0].planned
        });
        let of_cases = |is_met: fn(&(usize, usize)) -> bool| {
            let met = counts.iter().filter(|count| is_met(count)).count();
            is_whole.then(|| estimate(met, counts.len())).flatten()
        };
        Some(RepeatSummary {
            cases: several,
            flaky: repeated.iter().filter(|repeats| repeats.flaky).count(),
            pass_at_1: estimate(sum.0, sum.1),
            k: is_whole.then_some(repeated[0].planned),
            pass_at_k: of_cases(|(passed, _)| *passed > 0),
            pass_hat_k: of_cases(|(passed, judged)| passed == judged),
        })
    }
}

fn estimate(passed: usize, trials: usize) -> Option<Estimate> {
    let Interval { low, high } = wilson(passed, trials)?;
    let [value, low, high] = [passed as f64 / trials as f64, low, high].map(|share| (share * 1e6).round() / 1e6);
    Some(Estimate { value, low, high })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::suite::Case;

    fn case(status: Status, score: Option<f64>) -> CaseResult {
        let mut case = CaseResult::not_run(&Case::default(), "");
        case.status = status;
        case.metrics.scoring.soft_score.value = score;
        case
    }

    #[test]
    fn cases_are_counted_and_errors_not_scored() {
        let cases = [
            case(Status::Pass, Some(1.0)),
            case(Status::Pass, Some(0.5)),
            case(Status::Fail, Some(0.0)),
            case(Status::Partial, Some(1.0)),
            case(Status::Error, Some(1.0)),
            case(Status::Error, None),
        ];
        let summary = json!({"pass": 2, "fail": 1, "partial": 1, "error": 2, "total": 6, "avg_soft_score": 0.625});
        assert_eq!(serde_json::to_value(RunSummary::of(&cases)).unwrap(), summary);
        assert_eq!(serde_json::to_value(RunSummary::of(&cases[..1])).unwrap()["avg_soft_score"], json!(1));
        assert_eq!(RunSummary::of(&cases[4..]).avg_soft_score, None);
    }

    #[test]
    fn numbers_of_an_answer_stay_as_they_are_written() {
        let answer = r#"{"response":"r","telemetry":[{"price":10.50,"far":1e400}]}"#;
        let line = format!(
            r#"{{"event":"case-finished","suite":"s","case":"A","index":0,"range":{{"start":{{"line":1,"column":1}},"end":{{"line":1,"column":2}}}},"status":"PASS","duration_ms":1,"answer":{answer},"result":{{"id":"A","prompt":"p","status":"PASS"}}}}"#
        );
        let event = Event::from_line(line.as_bytes()).unwrap();
        let Event::CaseFinished(finished) = &event else { panic!("{event:?}") };
        assert_eq!(finished.answer.as_ref().unwrap().as_str(), answer);
        assert!(serde_json::to_string(&event).unwrap().contains(answer));
    }

    #[test]
    fn strict_and_stale_decide_what_fails() {
        let lenient = Policy::default();
        let strict = Policy { strict: true, ..lenient };
        let (fail, ignore) = (Policy { stale: Stale::Fail, ..lenient }, Policy { stale: Stale::Ignore, ..lenient });
        for (status, stale, policy, grade) in [
            (Status::Pass, false, strict, Grade::Passed),
            (Status::Pass, true, lenient, Grade::Passed),
            (Status::Pass, true, ignore, Grade::Passed),
            (Status::Pass, true, fail, Grade::Failed),
            (Status::Pass, true, strict, Grade::Failed),
            (Status::Pass, true, Policy { strict: true, ..ignore }, Grade::Failed),
            (Status::Partial, false, lenient, Grade::Passed),
            (Status::Partial, false, strict, Grade::Failed),
            (Status::Partial, true, fail, Grade::Failed),
            (Status::Fail, true, ignore, Grade::Failed),
            (Status::Error, true, strict, Grade::NotJudged),
        ] {
            let case = CaseResult { status, stale, ..CaseResult::not_run(&Case::default(), "") };
            assert_eq!(policy.grade(&case), grade, "{status} {stale} {policy:?}");
        }
    }
}
