//! Verdicts in the few words that fit after a line. Text of suites and answers is made visible and shortened.

use std::time::SystemTime;

use super::{JudgedCase, JudgedCheck};
use crate::checks::{CheckOutcome, CheckResult};
use crate::suite::{ExpectedField, Holds, Of, Texts};
use crate::wording::{age, cut, evidence_label, plain};

/// The longest label, in code points. A label is beside code.
const LONGEST: usize = 60;

/// The label of a case: `PASS 0.92 · 3m ago`, `FAIL 2 of 7 checks · 3m ago · stale`, `ERROR last run failed: no such file`. An
/// answer of a file without a date is `stored`.
pub(crate) fn case_label(verdict: &JudgedCase, now: SystemTime) -> String {
    let mut parts = vec![verdict.headline().label()];
    // The age of the answer is not that of the failure.
    let answer = Some(&verdict.answer).filter(|answer| answer.failure.is_none());
    parts.extend(answer.and_then(|answer| match answer.moment {
        Some(moment) => Some(age(moment, now)),
        None => (answer.file.is_some() && answer.transcript.is_ok()).then(|| "stored".to_owned()),
    }));
    parts.join(" · ") + &verdict.marks()
}

/// The mark of a check that passed.
pub(crate) const PASSED: &str = "✓";

/// What is beside it if the prompt alone decided.
pub(crate) const BY_PROMPT: &str = "your own prompt says so";

/// The label of a check: `✓`, `✗ not said; nearest line 4: "Git hub"`. With a name, which is in quotes: `✗ "github" not said`.
pub(crate) fn check_label(check: &JudgedCheck<'_>, name: Option<&str>) -> String {
    let result = check.result;
    let evidence = result.evidence.first();
    let name = name.map(|name| format!("{name} ")).unwrap_or_default();
    let label = match result.outcome {
        CheckOutcome::Passed => match evidence {
            Some(_) if result.by_prompt => format!("{PASSED} {name}{BY_PROMPT}{}", own_line(result)),
            _ => format!("{PASSED} {name}").trim_end().to_owned(),
        },
        CheckOutcome::Unknown => format!("? {name}not defined"),
        CheckOutcome::NotJudged => format!("! {name}{}", plain(&result.message)),
        CheckOutcome::Failed => match (check.nearest.first(), evidence) {
            (Some(nearest), _) => {
                let start = format!("✗ {name}{}; nearest ", in_short(check));
                let rest = LONGEST.saturating_sub(start.chars().count());
                format!("{start}{}", evidence_label(nearest, rest))
            }
            (None, Some(evidence)) if is_forbidden(check) => {
                let found = evidence_label(evidence, LONGEST - 2);
                // The name is the text that was found.
                let found = if name.is_empty() { &found } else { found.split(':').next().unwrap_or(&found) };
                format!("✗ {name}{found}")
            }
            (None, _) => format!("✗ {name}{}", in_short(check)),
        },
    };
    cut(&label, LONGEST)
}

/// `, line 3`: where the prompt says what decides a check.
fn own_line(result: &CheckResult) -> String {
    let in_prompt = result.evidence.iter().filter(|evidence| evidence.in_prompt);
    let line = in_prompt.filter_map(|evidence| evidence.place.line()).min();
    line.map(|line| format!(", line {line}")).unwrap_or_default()
}

/// Whether the check fails because something is there.
fn is_forbidden(check: &JudgedCheck<'_>) -> bool {
    ExpectedField::named(check.field).is_some_and(|field| matches!(field.holds, Holds::List(_, Of::None)))
}

/// The message without the suite's text: the label follows that text.
fn in_short(check: &JudgedCheck<'_>) -> String {
    let message = check.result.message.as_str();
    let field = ExpectedField::named(check.field);
    let short = field.and_then(|field| field.lacking).or_else(|| match field?.holds {
        Holds::List(Texts::Sources, _) if message.ends_with(" said") => Some("not said"),
        Holds::Numbers if message.ends_with(" is not shown") => Some("not shown"),
        // The label of a flag does not follow a pattern.
        Holds::Flag => None,
        _ if message.starts_with("no line matches") => Some("no match"),
        _ => None,
    });
    // The label follows the pattern.
    let fault = message.find("does not compile, at").filter(|_| message.starts_with("the pattern "));
    short.map_or_else(|| plain(&message[fault.unwrap_or(0)..]), str::to_owned)
}
