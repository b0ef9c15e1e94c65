//! A control: answers of another model, of an older version, or of the assistant without its tools. A check that passes them as often as
//! those of the case does not separate them.

use crate::config::Config;
use crate::diagnostic::{Finding, Severity, quoted};
use crate::statistics::{Counts, Pair, exact_test};
use crate::suite::{Case, expectations};
use crate::text::Span;
use crate::transcript::Transcript;

use super::rewritten::passes;

/// The name of the finding about a check that does not separate the answers of a case from those of the control.
pub(crate) const SAME_AS_CONTROL: &str = "same-as-control";

/// How often a check passes the answers of its case, and those of the control.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CheckControl {
    /// The check's id.
    pub(crate) id: String,
    /// The text that asks for it, in bytes from the start of the case.
    pub(crate) span: Span,
    /// The answers of the case.
    pub(crate) here: Counts,
    /// The answers of the control.
    pub(crate) control: Counts,
    /// Whether some answer can fail it.
    can_fail: bool,
}

impl CheckControl {
    /// The probability of such a difference or a greater one if there is none: the exact test of `compare`.
    pub(crate) fn p(&self) -> f64 {
        exact_test(&[Pair { before: self.control, after: self.here }]).two_sided
    }

    /// Whether it passes the answers of the control at least as often as those of the case.
    pub(crate) fn is_same(&self) -> bool {
        let (here, control) = (self.here, self.control);
        let has_both = here.attempts > 0 && control.attempts > 0;
        self.can_fail && has_both && here.passed * control.attempts <= control.passed * here.attempts
    }
}

/// Judges the answers of a case and those of the control.
pub(crate) fn control(case: &Case, here: &[Transcript], control: &[Transcript], config: &Config) -> Vec<CheckControl> {
    let asked = expectations(case);
    let counts = |answers: &[Transcript]| -> Vec<Counts> {
        let mut counts = vec![Counts::default(); asked.len()];
        for answer in answers {
            for (count, passed) in counts.iter_mut().zip(passes(case, &asked, answer, config)) {
                count.attempts += 1;
                count.passed += usize::from(passed);
            }
        }
        counts
    };
    let both = counts(here).into_iter().zip(counts(control));
    let checks = asked.iter().zip(both).map(|(asked, (here, control))| CheckControl {
        id: asked.id.clone(),
        span: asked.span,
        here,
        control,
        can_fail: asked.can_fail(),
    });
    checks.collect()
}

/// The findings about the checks that do not separate the answers of a case from those of the control. Their spans count from the start of the
/// case.
pub(crate) fn control_findings(checks: &[CheckControl]) -> Vec<Finding> {
    let same = checks.iter().filter(|check| check.is_same());
    let finding = |check: &CheckControl| {
        let rate = |counts: Counts| format!("{} of {}", counts.passed, counts.attempts);
        let message = format!(
            "{} passes {} answers of the control, and {} here: it does not separate them",
            quoted(&check.id),
            rate(check.control),
            rate(check.here)
        );
        Finding::new(SAME_AS_CONTROL, Severity::Hint, check.span, message)
    };
    same.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Suite;
    use crate::syntax::parse;

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
        let checks = control(&case, &here, &there, &Config::default());
        let shown = |check: &CheckControl| {
            (check.id.clone(), check.here.passed, check.control.passed, check.is_same(), (check.p() * 100.0).round())
        };
        assert_eq!(
            checks.iter().map(shown).collect::<Vec<_>>(),
            [
                ("must_not_say:no".to_owned(), 3, 2, false, 100.0),
                ("must_say_any".to_owned(), 2, 1, false, 100.0),
                ("outcome:response_only".to_owned(), 3, 3, false, 100.0),
                ("format:must_match_regex:[0-9]".to_owned(), 2, 0, false, 40.0),
            ]
        );
        assert_eq!(control_findings(&checks), []);
        let same = control(&case, &here, &here, &Config::default());
        let names: Vec<_> = control_findings(&same).into_iter().map(|finding| finding.message).collect();
        assert_eq!(names.len(), 3);
        assert_eq!(
            names[1],
            "`must_say_any` passes 2 of 3 answers of the control, and 2 of 3 here: it does not separate them"
        );
        assert!(control_findings(&control(&case, &here, &[], &Config::default())).is_empty());
    }
}
