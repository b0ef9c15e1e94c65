//! Answers that a case is compared with: samples, kept beside the case, which it must pass or must fail; and the answers of a control,
//! which is another model, an older version, or the assistant without its tools. A check that passes the control as often as the case
//! does not separate them.

use crate::checks::CheckOutcome;
use crate::config::Config;
use crate::diagnostic::{Finding, Severity, quoted};
use crate::statistics::{Counts, Pair, exact_test};
use crate::suite::{Case, Expectation};
use crate::text::Span;
use crate::transcript::Transcript;
use crate::verdict::{Status, judge};

use super::judge::passes;

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
            let failed = |outcome| verdict.checks.iter().find(|check| check.outcome == outcome);
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

/// The answers of a case, and those that the control gave to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Control<'a> {
    /// The answers of the case.
    pub(crate) here: Vec<&'a Transcript>,
    /// Those of the control.
    pub(crate) control: Vec<&'a Transcript>,
}

/// How often a check passes the answers of its case, and those of the control.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CheckControl {
    /// The answers of the case.
    pub(crate) here: Counts,
    /// The answers of the control.
    pub(crate) control: Counts,
}

impl CheckControl {
    /// The probability of such a difference or a greater one if there is none: the exact test of `compare`.
    pub(crate) fn p(&self) -> f64 {
        exact_test(&[Pair { before: self.control, after: self.here }]).two_sided
    }

    /// Both rates: `3 of 3 answers of the control, and 2 of 2 here`.
    pub(crate) fn rates(&self) -> String {
        let rate = |counts: Counts| format!("{} of {}", counts.passed, counts.attempts);
        let here = if self.here.attempts > 0 { format!(", and {} here", rate(self.here)) } else { String::new() };
        format!("{} answers of the control{here}", rate(self.control))
    }

    /// Whether it passes the answers of the control at least as often as those of the case.
    pub(super) fn is_same(&self) -> bool {
        let (here, control) = (self.here, self.control);
        let has_both = here.attempts > 0 && control.attempts > 0;
        has_both && here.passed * control.attempts <= control.passed * here.attempts
    }
}

impl Control<'_> {
    /// Judges these answers with the checks of the case. One result for each check.
    pub(super) fn compare(&self, case: &Case, asked: &[Expectation<'_>], config: &Config) -> Vec<CheckControl> {
        let counts = |answers: &[&Transcript]| -> Vec<Counts> {
            let mut counts = vec![Counts::default(); asked.len()];
            for answer in answers {
                for (count, passed) in counts.iter_mut().zip(passes(case, asked, answer, config)) {
                    count.attempts += 1;
                    count.passed += usize::from(passed);
                }
            }
            counts
        };
        let both = counts(&self.here).into_iter().zip(counts(&self.control));
        both.map(|(here, control)| CheckControl { here, control }).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::challenge::{CaseChallenges, CheckChallenges, SAME_AS_CONTROL, Surroundings, challenge, findings};
    use crate::config::ChallengeConfig;
    use crate::suite::Suite;
    use crate::syntax::parse;

    use super::*;

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

    fn case(expected: &str) -> Case {
        let source = format!(r#"{{ "cases": [ {{ "id": "A", "prompt": "p", "expected": {expected} }} ] }}"#);
        let suite = Suite::lower(parse(&source).tree.root(&source).unwrap());
        Case::clone(&suite.cases[0].case)
    }

    fn answers(texts: &[&str]) -> Vec<Transcript> {
        texts.iter().map(|text| Transcript { response: (*text).to_owned(), ..Transcript::default() }).collect()
    }

    #[test]
    fn a_check_that_passes_the_control_as_often_is_named() {
        let case = case(r#"{ "must_say_any": ["yes"], "must_not_say": ["no"], "must_match_regex": ["[0-9]"] }"#);
        let here = answers(&["yes 1", "yes 2", "maybe"]);
        let there = answers(&["yes", "perhaps", "no"]);
        let compare = |here: &[Transcript], control: &[Transcript]| {
            let control = Some(Control { here: here.iter().collect(), control: control.iter().collect() });
            challenge(&case, &Surroundings { control, ..Surroundings::default() }, &Config::default())
        };
        let named = |judged: &CaseChallenges| -> Vec<String> {
            let findings = findings(&case, judged, &ChallengeConfig::default());
            findings.into_iter().filter(|it| it.lint == SAME_AS_CONTROL).map(|it| it.message).collect()
        };
        let judged = compare(&here, &there);
        let shown = |check: &CheckChallenges| {
            let counts = check.control.unwrap();
            let p = (counts.p() * 100.0).round();
            (check.id.clone(), counts.here.passed, counts.control.passed, check.is_same_as_control(), p)
        };
        assert_eq!(
            judged.checks.iter().map(shown).collect::<Vec<_>>(),
            [
                ("must_not_say:no".to_owned(), 3, 2, false, 100.0),
                ("must_say_any".to_owned(), 2, 1, false, 100.0),
                ("outcome:response_only".to_owned(), 3, 3, false, 100.0),
                ("format:must_match_regex:[0-9]".to_owned(), 2, 0, false, 40.0),
            ]
        );
        assert!(named(&judged).is_empty());
        let same = named(&compare(&here, &here));
        assert_eq!(same.len(), 3);
        assert_eq!(
            same[1],
            "`must_say_any` passes 2 of 3 answers of the control, and 2 of 3 here: it does not separate them"
        );
        assert!(named(&compare(&here, &[])).is_empty());
    }
}
