use std::collections::{BTreeMap, HashMap};
use std::time::SystemTime;

use crate::analysis::Document;
use crate::checks::CheckOutcome;
use crate::compare::{CaseChange, Change, CheckChange, CheckMove, Measured, Stood, since_baseline};
use crate::config::REPLAY;
use crate::runs::{Baseline, BaselineCase, BaselineRun, CaseHashes};
use crate::verdict::Status;
use crate::wording::{Line, Markup, age, main_reason};

use super::{Answer, Answers, JudgedCase};

/// The accepted baselines of a suite, by target.
#[derive(Debug, Default)]
pub(crate) struct Baselines(BTreeMap<String, OfTarget>);

#[derive(Debug)]
struct OfTarget {
    runs: Vec<BaselineRun>,
    cases: HashMap<String, BaselineCase>,
}

/// The part of a baseline that is about one case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OfCase<'b> {
    /// The target of the baseline.
    pub(crate) target: &'b str,
    /// The runs of the baseline.
    pub(crate) runs: &'b [BaselineRun],
    case: &'b BaselineCase,
}

/// How the verdict on a case differs from its baseline.
#[derive(Debug)]
pub(crate) struct SinceBaseline<'b> {
    of: OfCase<'b>,
    change: CaseChange,
}

impl Baselines {
    /// The baselines of one suite.
    pub(crate) fn new(baselines: impl IntoIterator<Item = Baseline>) -> Baselines {
        let of_target = |baseline: Baseline| {
            let cases = baseline.cases.into_iter().map(|case| (case.id.clone(), case)).collect();
            (baseline.target, OfTarget { runs: baseline.runs, cases })
        };
        Baselines(baselines.into_iter().map(of_target).collect())
    }

    /// The baseline by which an answer of a case is measured: that of the target that answered. A transcript is replayed, so the
    /// baseline of `replay` comes first.
    pub(crate) fn of(&self, answer: &Answer, case: &str) -> Option<OfCase<'_>> {
        let replayed = answer.file.as_ref().map(|_| REPLAY);
        let mut targets = replayed.into_iter().chain(answer.target());
        targets.find_map(|target| {
            let (target, of) = self.0.get_key_value(target)?;
            Some(OfCase { target, runs: &of.runs, case: of.cases.get(case)? })
        })
    }
}

impl Document {
    /// How a verdict on the case with that index differs from its baseline; `None` without a baseline. If the case or its hints were
    /// edited since, the change is an edit and never a regression.
    pub(crate) fn since_baseline<'b>(
        &self,
        index: usize,
        verdict: &JudgedCase,
        answers: &'b Answers,
    ) -> Option<SinceBaseline<'b>> {
        let placed = self.suite().cases.get(index)?;
        let of = answers.around.baselines.of(&verdict.answer, &placed.case.id.as_ref()?.value)?;
        let checks = verdict.checks().map(|check| {
            let passed = match check.result.outcome {
                CheckOutcome::Passed => Some(true),
                CheckOutcome::Failed | CheckOutcome::NotJudged => Some(false),
                CheckOutcome::Unknown => None,
            };
            (check.result.id.clone(), passed)
        });
        let now = Measured {
            hashes: CaseHashes::of(&placed.case, self.text().slice(placed.span()), answers.config()),
            status: verdict.status(),
            stale: verdict.outdated || verdict.is_stale(),
            checks: checks.collect(),
        };
        Some(SinceBaseline { change: since_baseline(of.case, now), of })
    }
}

impl SinceBaseline<'_> {
    /// The status in the baseline if the case has regressed since, and how it is said.
    pub(crate) fn was(&self) -> Option<(Status, String)> {
        let before = self.change.before.as_ref().filter(|_| self.change.change == Change::Regressed)?;
        match before.stood() {
            Stood::Always(status) => Some((status, format!("was {status} in the baseline"))),
            Stood::Mixed => Some((
                Status::Pass,
                format!("was PASS in {} of {} attempts of the baseline", before.passed, before.judged),
            )),
            Stood::NotJudged => None,
        }
    }

    /// Whether a check passed in each attempt of the baseline and fails now, and nothing was edited since.
    pub(crate) fn has_regressed(&self, check: &str) -> bool {
        let is_comparable = matches!(self.change.change, Change::Regressed | Change::ChecksMoved);
        let moved = |moved: &&CheckChange| moved.id == check && moved.change == CheckMove::Regressed;
        is_comparable
            && self
                .change
                .checks
                .iter()
                .find(moved)
                .is_some_and(|moved| moved.before.is_some_and(|before| before.passed == before.attempts))
    }

    /// A line for people about a case that has regressed; empty for others.
    pub(crate) fn page(&self) -> Markup {
        let mut page = Markup::default();
        if let Some((_, was)) = self.was() {
            let line = Line::new(format!("The case {was} of the target ")).code(self.of.target);
            let line = self.of.runs.last().into_iter().fold(line, |line, run| line.say(", run ").code(&run.id));
            page.paragraph(line.say(". Neither the case nor its hints were edited since."));
        }
        page
    }
}

/// How many verdicts a page lists. They fit on one line.
const LISTED: usize = 5;

/// How the cases of a suite ended in kept runs, by their ids; the last run first.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct History(pub(crate) HashMap<String, Vec<PastVerdict>>);

/// How a case ended in a kept run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PastVerdict {
    /// The status at the time.
    pub(crate) status: Status,
    /// The target that was asked.
    pub(crate) target: String,
    /// When the run started, if that is known.
    pub(crate) at: Option<SystemTime>,
    /// Why the case could not be judged.
    pub(crate) reason: Option<String>,
    /// What was judged: equal texts are equal cases with equal hints. `None` if it is not known.
    pub(crate) question: Option<String>,
}

impl History {
    /// Whether a case has ended in one of the runs.
    pub(crate) fn has_ended(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether a case has passed in one of the runs.
    pub(crate) fn has_passed(&self, case: &str) -> bool {
        self.0.get(case).is_some_and(|past| past.iter().any(|verdict| verdict.status == Status::Pass))
    }

    /// The statuses of a case since it became this `question`, the last run first.
    pub(crate) fn statuses(&self, case: &str, question: &str) -> Vec<Status> {
        let same = self.last(case).iter().take_while(|verdict| verdict.question.as_deref() == Some(question));
        same.map(|verdict| verdict.status).collect()
    }

    /// The verdicts on a case, the last run first.
    pub(crate) fn last(&self, case: &str) -> &[PastVerdict] {
        self.0.get(case).map_or(&[], Vec::as_slice)
    }

    /// The last verdicts on a case, the last one first: a page that is empty if there are none. Ages are counted from `now`.
    pub(crate) fn page(&self, case: &str, now: SystemTime) -> Markup {
        let mut page = Markup::default();
        let past = self.last(case);
        if past.is_empty() {
            return page;
        }
        page.paragraph(Line::new("Last verdicts:"));
        for verdict in past.iter().take(LISTED) {
            let line = Line::default().strong(verdict.status.name()).say(" by ").code(&verdict.target);
            let line = verdict.at.iter().fold(line, |line, at| line.say(format!(", {}", age(*at, now))));
            let reason = verdict.reason.iter();
            page.item(0, reason.fold(line, |line, reason| line.say(": ").message(&main_reason(reason))));
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::SystemTime;

    use crate::config::Config;
    use crate::runs::{BASELINE_FORMAT, BaselineAttempt};
    use crate::text::Text;
    use crate::transcript::Transcript;

    use super::*;

    const SUITE: &str =
        r#"{ "version": "0.2.0", "cases": [{ "id": "A", "prompt": "p", "expected": { "must_say_any": ["yes"] } }] }"#;

    /// A baseline of the suite's case with these attempts: the ids of the checks that failed.
    fn baseline(document: &Document, target: &str, attempts: &[&[&str]]) -> Baseline {
        let placed = &document.suite().cases[0];
        let hashes = CaseHashes::of(&placed.case, document.text().slice(placed.span()), &Config::default());
        let attempt = |failed: &&[&str]| BaselineAttempt {
            status: if failed.is_empty() { Status::Pass } else { Status::Fail },
            failed: failed.iter().map(|id| (*id).to_owned()).collect(),
        };
        Baseline {
            format: BASELINE_FORMAT.to_owned(),
            suite: "s.json".to_owned(),
            target: target.to_owned(),
            runs: Vec::new(),
            cases: vec![BaselineCase { id: "A".to_owned(), hashes, attempts: attempts.iter().map(attempt).collect() }],
        }
    }

    fn answer(target: &str, response: &str) -> Answer {
        let transcript = Transcript {
            case: "A".to_owned(),
            response: response.to_owned(),
            target: Some(target.to_owned()),
            ..Transcript::default()
        };
        Answer::live(transcript, SystemTime::UNIX_EPOCH)
    }

    #[test]
    fn a_transcript_is_measured_by_the_baseline_of_replay_if_there_is_one() {
        let document = Document::new(Text::new(SUITE), None);
        let live = answer("agent", "no");
        let kept = Answer::kept("A.json".into(), Ok((live.transcript.clone().unwrap(), String::new())));
        let of = |targets: &[&str], answer: &Answer| {
            let baselines = Baselines::new(targets.iter().map(|target| baseline(&document, target, &[&[]])));
            baselines.of(answer, "A").map(|of| of.target.to_owned())
        };
        assert_eq!(of(&["agent", "replay"], &live).as_deref(), Some("agent"));
        assert_eq!(of(&["agent", "replay"], &kept).as_deref(), Some("replay"));
        assert_eq!(of(&["agent"], &kept).as_deref(), Some("agent"));
        assert_eq!(of(&["replay"], &live), None);
    }

    #[test]
    fn only_a_regression_names_the_baseline() {
        let was = |attempts: &[&[&str]], suite: &str, response: &str| {
            let document = Document::new(Text::new(SUITE), None);
            let baselines = Baselines::new([baseline(&document, "agent", attempts)]);
            let document = Document::new(Text::new(suite), None);
            let live = HashMap::from([("A".to_owned(), Arc::new(answer("agent", response)))]);
            let mut answers = Answers::new(Arc::default(), Arc::default(), live);
            answers.around.baselines = Arc::new(baselines);
            let verdict = document.verdict(0, &answers).unwrap();
            let since = document.since_baseline(0, &verdict, &answers).unwrap();
            let moved = since.has_regressed("must_say_any");
            let findings: Vec<_> = document.verdict_findings(&answers).collect();
            let mentions = |words: &str| findings.iter().any(|finding| finding.message.ends_with(words));
            assert_eq!(mentions("; passed in the baseline"), moved, "{findings:?}");
            (since.was().map(|(_, words)| words), moved, since.page().is_empty())
        };
        let said = |words: &str, moved| (Some(words.to_owned()), moved, false);
        let quiet = (None, false, true);
        assert_eq!(was(&[&[]], SUITE, "no"), said("was PASS in the baseline", true));
        assert_eq!(was(&[&[]], SUITE, "yes"), quiet);
        assert_eq!(was(&[&["must_say_any"]], SUITE, "no"), quiet);
        assert_eq!(was(&[&[], &["must_say_any"]], SUITE, "no"), quiet);
        assert_eq!(was(&[&[]], &SUITE.replace("yes", "yep"), "no"), quiet);
        // So many attempts passed that chance does not explain a failure.
        let mut many = vec![&[][..]; 200];
        many.push(&["must_say_any"]);
        assert_eq!(was(&many, SUITE, "no"), said("was PASS in 200 of 201 attempts of the baseline", false));
    }
}
