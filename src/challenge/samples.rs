//! Samples: answers kept beside a case that it must pass, or must fail.

use crate::checks::CheckOutcome;
use crate::config::Config;
use crate::diagnostic::{Finding, Severity, quoted};
use crate::suite::Case;
use crate::text::Span;
use crate::transcript::Transcript;
use crate::verdict::{Status, judge};

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
