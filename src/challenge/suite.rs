//! The challenges of a suite, and its samples, which a case must pass or must fail.

use std::sync::Arc;

use rayon::prelude::*;

use crate::checks::CheckOutcome;
use crate::config::{ChallengeConfig, Config};
use crate::diagnostic::{Finding, Severity, quoted};
use crate::suite::{Case, PlacedCase};
use crate::text::{Span, counted};
use crate::transcript::Transcript;
use crate::verdict::{Status, judge};

use super::answers::Surroundings;
use super::catalog::Challenge;
use super::judge::{Attempt, CaseChallenges, CheckChallenges, challenge};

/// A case of a suite and its transcript, if it has one.
#[derive(Clone, Debug)]
pub(crate) struct Challenged {
    /// The case and its place in the suite.
    pub(crate) placed: PlacedCase,
    /// The transcript.
    pub(crate) transcript: Option<Arc<Transcript>>,
}

/// How many transcripts of other cases a case is judged with at most: those of the cases that follow it, around the end
/// of the suite. With more, the work would grow with the square of the suite.
pub(crate) const MOST_OTHER_ANSWERS: usize = 24;

/// How much memory the transcripts of other cases take at most that a case is judged with, in bytes. A large one is left out.
pub(crate) const MOST_OTHER_BYTES: u64 = 4 << 20;

/// Judges every challenge of every case, on all cores. The results are in the order of `cases`. `selected` are the indexes
/// of the cases to judge; the others only lend their transcripts.
pub(crate) fn challenge_suite(cases: &[Challenged], selected: &[usize], config: &Config) -> Vec<CaseChallenges> {
    let with_transcript = with_transcript(cases);
    let judged = |&index: &usize| {
        let around = around(cases, &with_transcript, index);
        challenge(&cases[index].placed.case, &around, config)
    };
    selected.par_iter().map(judged).collect()
}

/// What the case at `index` is challenged with.
pub(crate) fn surroundings<'a>(cases: &'a [Challenged], index: usize) -> Surroundings<'a> {
    around(cases, &with_transcript(cases), index)
}

pub(super) fn with_transcript(cases: &[Challenged]) -> Vec<usize> {
    (0..cases.len()).filter(|index| cases[*index].transcript.is_some()).collect()
}

pub(super) fn around<'a>(cases: &'a [Challenged], with_transcript: &[usize], index: usize) -> Surroundings<'a> {
    let memory = |index: usize| cases[index].transcript.as_deref().map_or(0, Transcript::memory);
    let others = others(with_transcript, index, |index| prompt(&cases[index]), memory);
    let others = others.into_iter().filter_map(|other| cases[other].transcript.as_deref()).collect();
    Surroundings { transcript: cases[index].transcript.as_deref(), others }
}

fn prompt(case: &Challenged) -> Option<&str> {
    case.placed.case.prompt.as_ref().map(|prompt| prompt.value.as_str())
}

/// The indexes of the other cases whose transcripts the case at `index` is judged with: of `with_transcript`, which is
/// sorted, those with another prompt whose `memory` is together within [`MOST_OTHER_BYTES`].
pub(crate) fn others<'p>(
    with_transcript: &[usize],
    index: usize,
    prompt: impl Fn(usize) -> Option<&'p str>,
    memory: impl Fn(usize) -> u64,
) -> Vec<usize> {
    let mut left = MOST_OTHER_BYTES;
    let mut fits = |other: usize| left.checked_sub(memory(other)).inspect(|rest| left = *rest).is_some();
    let behind = with_transcript.partition_point(|other| *other <= index);
    let around = with_transcript[behind..].iter().chain(&with_transcript[..behind]).copied();
    let others = around.filter(|other| *other != index && prompt(*other) != prompt(index)).take(MOST_OTHER_ANSWERS);
    others.filter(|other| fits(*other)).collect()
}

/// How many cases and checks of a suite are worth something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChallengeSummary {
    /// The number of cases.
    pub(crate) cases: usize,
    /// The cases that pass a challenge that they ought to fail.
    pub(crate) weak: usize,
    /// The number of checks.
    pub(crate) checks: usize,
    /// The checks that the prompts alone meet.
    pub(crate) met_by_prompt: usize,
    /// The checks that can fail and notice no challenge.
    pub(crate) idle: usize,
    /// The checks that fail on a rewrite of an answer that they pass.
    pub(crate) brittle: usize,
    /// The checks that pass an answer that was rewritten.
    pub(crate) rewritten: usize,
    /// The cases that pass silence, and nothing decides that they ought to fail it: most of them only forbid.
    pub(crate) silent: usize,
    /// The cases that fail their own transcript.
    pub(crate) failing: usize,
    /// The cases of which the challenges show something.
    pub(crate) tested: usize,
    /// The cases without a transcript.
    pub(crate) unanswered: usize,
    /// The wrong answers of the cases that are tested.
    pub(crate) answers: usize,
}

impl ChallengeSummary {
    /// What the challenges found: `2 of 6 cases pass a wrong answer. None of 9 checks passes on the prompt alone.`
    pub(crate) fn sentence(&self) -> String {
        let said = |count: usize, one: &str, several: &str, rest: &str| {
            (count > 0).then(|| format!("{count} {} {rest}.", if count == 1 { one } else { several }))
        };
        let of = |count: usize, all: usize, [one, several]: [&str; 2], rest: &str| {
            let all = counted(all, "check");
            said(count, &format!("of {all} {one}"), &format!("of {all} {several}"), rest)
        };
        let (cases, checks) = (counted(self.cases, "case"), counted(self.checks, "check"));
        let fail_all = if self.weak == 0 { self.tested } else { 0 };
        let untested = "own answer, which is to be repaired first";
        let sentences = [
            said(fail_all, "case fails", "cases fail", &format!("all {}", counted(self.answers, "wrong answer"))),
            said(self.weak, &format!("of {cases} passes"), &format!("of {cases} pass"), "a wrong answer"),
            (self.met_by_prompt == 0 && self.checks > 0)
                .then(|| format!("None of {checks} passes on the prompt alone.")),
            of(self.met_by_prompt, self.checks, ["passes", "pass"], "on the prompt alone"),
            of(self.idle, self.checks, ["notices", "notice"], "no challenge"),
            of(self.brittle, self.rewritten, ["fails", "fail"], "on a rewrite with the same meaning"),
            said(self.silent, "case passes", "cases pass", "silence, and nothing decides that this is wrong"),
            said(self.failing, "case fails its", "cases fail their", untested),
            said(self.unanswered, "case has", "cases have", "no answer, so no challenge is made of one"),
        ];
        sentences.into_iter().flatten().collect::<Vec<String>>().join(" ")
    }

    /// Counts the case with that id. `samples` are the findings about its samples.
    pub(crate) fn add(&mut self, id: &str, judged: &CaseChallenges, samples: &[Finding], config: &ChallengeConfig) {
        let count = |wanted: &dyn Fn(&CheckChallenges) -> bool| judged.checks.iter().filter(|it| wanted(it)).count();
        self.cases += 1;
        let passes_sample = samples.iter().any(|finding| finding.lint == PASSED_SAMPLE);
        let is_weak = passes_sample || judged.breaches(id, config).next().is_some();
        self.weak += usize::from(is_weak);
        let of_silence = judged.attempts.iter().find(|attempt| attempt.challenge == Challenge::Silence);
        let is_silent = of_silence.is_some_and(|attempt| !is_weak && attempt.reason.is_none() && attempt.passes());
        self.silent += usize::from(is_silent);
        self.failing += usize::from(judged.fails_own);
        let is_tested = is_weak || !(is_silent || judged.fails_own);
        self.tested += usize::from(is_tested);
        self.unanswered += usize::from(judged.rewrites.is_empty());
        if is_tested {
            self.answers += judged.attempts.iter().filter(|attempt| attempt.reason.is_some()).count();
        }
        self.checks += judged.checks.len();
        self.met_by_prompt += count(&|check| check.met_by_prompt);
        self.idle += count(&|check| check.is_idle() && check.can_fail);
        self.brittle += count(&|check| !check.brittle.is_empty());
        self.rewritten += count(&|check| !check.rewrites.is_empty());
    }
}

impl CaseChallenges {
    /// The challenges that the case with that id passes although it ought to fail them, without the exceptions.
    pub(crate) fn breaches<'a>(
        &'a self,
        id: &'a str,
        config: &'a ChallengeConfig,
    ) -> impl Iterator<Item = &'a Attempt> {
        let breaches = self.attempts.iter().filter(|attempt| attempt.is_breach());
        breaches.filter(move |attempt| config.exception(id, attempt.challenge.kind()).is_none())
    }
}

/// The name of the finding about a good sample that its case fails, or that cannot be read.
pub(crate) const FAILED_SAMPLE: &str = "failed-sample";
/// The name of the finding about a bad sample that its case passes.
pub(crate) const PASSED_SAMPLE: &str = "passed-sample";

/// An answer that is stored beside a case.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sample {
    /// The name of its file.
    pub(crate) name: String,
    /// Whether the case must pass it. Otherwise the case must fail it.
    pub(crate) is_good: bool,
    /// The answer, or why there is none.
    pub(crate) answer: Result<Transcript, String>,
}

/// The findings about the samples of a case: a good one that fails is a finding on its first failed check, a bad one that passes is a finding on
/// the case. Spans count from the start of the case.
pub(crate) fn sample_findings(case: &Case, samples: &[Sample], config: &Config) -> Vec<Finding> {
    let id = case.id.as_ref().map_or(Span::new(0, case.len.min(1)), |id| id.span);
    samples.iter().filter_map(|sample| of_sample(case, id, sample, config)).collect()
}

fn of_sample(case: &Case, id: Span, sample: &Sample, config: &Config) -> Option<Finding> {
    let name = quoted(&sample.name);
    let answer = match &sample.answer {
        Ok(answer) => answer,
        Err(fault) => {
            let message = format!("the sample {name} cannot be judged: {fault}");
            return Some(Finding::new(FAILED_SAMPLE, Severity::Error, id, message));
        }
    };
    let verdict = judge(case, answer, config);
    let passes = matches!(verdict.status, Status::Pass | Status::Partial);
    match (sample.is_good, passes) {
        (true, false) => {
            let failed = |outcome| verdict.check_details.iter().find(|check| check.outcome == outcome);
            let failed = failed(CheckOutcome::Failed).or_else(|| failed(CheckOutcome::NotJudged));
            let (span, why) = failed.map_or((id, String::new()), |check| {
                (check.span, format!(": {}: {}", quoted(&check.id), check.message))
            });
            let message = format!("the case fails the good sample {name}{why}");
            Some(Finding::new(FAILED_SAMPLE, Severity::Error, span, message))
        }
        (false, true) => {
            let message = format!("the case passes the bad sample {name}: no check that decides notices it");
            Some(Finding::new(PASSED_SAMPLE, Severity::Error, id, message))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;
    use crate::syntax::parse;

    #[test]
    fn a_sample_says_what_its_name_says() {
        let source = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#;
        let suite = Suite::lower(parse(source).tree.root(source).unwrap());
        let case = &suite.cases[0].case;
        let sample = |name: &str, is_good, text: &str| Sample {
            name: name.to_owned(),
            is_good,
            answer: Ok(Transcript { response: text.to_owned(), ..Transcript::default() }),
        };
        let samples = [
            sample("pass-a", true, "yes"),
            sample("pass-b", true, "no"),
            sample("fail-a", false, "yes"),
            sample("fail-b", false, "no"),
            Sample { name: "pass-c".to_owned(), is_good: true, answer: Err("it is a folder".to_owned()) },
        ];
        let found = sample_findings(case, &samples, &Config::default());
        let shown: Vec<_> = found.iter().map(|finding| (finding.lint, finding.message.as_str())).collect();
        assert_eq!(
            shown,
            [
                (FAILED_SAMPLE, "the case fails the good sample `pass-b`: `must_say_any`: `yes` is not said"),
                (PASSED_SAMPLE, "the case passes the bad sample `fail-a`: no check that decides notices it"),
                (FAILED_SAMPLE, "the sample `pass-c` cannot be judged: it is a folder"),
            ]
        );
    }
}
