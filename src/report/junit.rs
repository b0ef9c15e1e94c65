use std::io::{self, Write};

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::config::Stale;
use crate::events::{CaseFinished, CaseRef, Grade, Policy};
use crate::runner::Run;
use crate::text::{LineColumn, number, visible};
use crate::verdict::{CaseResult, Status};
use crate::wording::{OTHER_PROMPTS, arithmetic, disarmed, newer_reason, open_checks, reasons};

/// A run as JUnit XML: a `<testsuite>` for each suite and a `<testcase>` for each case. A case that counts as failed has
/// one `<failure>` with every check that did not pass, a case that could not be judged has an `<error>`, a case that was not
/// run is `<skipped>`. A suite that cannot be run, and the interruption of a run, are errors too. So there are failures or
/// errors if and only if the run fails. All elements and attributes are in the schema `junit-10.xsd` of Jenkins' xUnit
/// plugin, which rejects others. It has no attribute for a line; the text of a failure has the line. Characters that XML
/// does not allow are replaced.
///
/// # Errors
/// If `out` cannot be written.
pub(crate) fn junit(run: &Run, out: &mut impl Write) -> io::Result<()> {
    let out: &mut dyn Write = out;
    let mut writer = Writer::new_with_indent(out, b' ', 2);
    write(&mut writer, run)?;
    writer.into_inner().write_all(b"\n")
}

type Xml<'w> = Writer<&'w mut dyn Write>;

/// The counts of an element.
#[derive(Clone, Copy, Default)]
struct Counts {
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    milliseconds: u64,
}

fn write(writer: &mut Xml<'_>, run: &Run) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let policy = run.policy();
    let suites: Vec<_> = run.suites().iter().filter(|suite| suite.total > 0).collect();
    let of_suite = |suite: &str| {
        let (cases, skipped) = (run.cases_of(suite), run.skipped_of(suite));
        let counts = counts(&cases, skipped.len(), policy);
        (cases, skipped, counts)
    };
    let is_cancelled = run.finished().is_some_and(|finished| finished.cancelled);
    let others = run.not_run().len() + usize::from(is_cancelled);
    let mut totals = suites.iter().map(|suite| of_suite(&suite.suite).2).fold(Counts::default(), Counts::plus);
    totals = totals.plus(Counts { tests: others, errors: others, ..Counts::default() });
    let root = writer.create_element("testsuites").with_attribute(("name", "eval-ls"));
    root.with_attributes(totals.attributes().iter().map(|(name, value)| (*name, value.as_str()))).write_inner_content(
        |writer| {
            for suite in &suites {
                let (cases, skipped, counts) = of_suite(&suite.suite);
                testsuite(writer, &suite.suite, counts, |writer| {
                    cases.iter().try_for_each(|case| testcase(writer, case, policy))?;
                    skipped.iter().try_for_each(|case| skipped_case(writer, case))
                })?;
            }
            for suite in run.not_run() {
                error_suite(writer, &suite.suite, "suite", &format!("the suite cannot be run: {}", suite.reason))?;
            }
            if is_cancelled {
                error_suite(writer, "eval-ls", "run", "the run was interrupted")?;
            }
            Ok(())
        },
    )?;
    Ok(())
}

impl Counts {
    fn plus(self, other: Counts) -> Counts {
        Counts {
            tests: self.tests + other.tests,
            failures: self.failures + other.failures,
            errors: self.errors + other.errors,
            skipped: self.skipped + other.skipped,
            milliseconds: self.milliseconds + other.milliseconds,
        }
    }

    /// The attributes that both elements have.
    fn attributes(self) -> [(&'static str, String); 4] {
        [
            ("tests", self.tests.to_string()),
            ("failures", self.failures.to_string()),
            ("errors", self.errors.to_string()),
            ("time", seconds(self.milliseconds)),
        ]
    }
}

fn counts(cases: &[&CaseFinished], skipped: usize, policy: Policy) -> Counts {
    let (failures, errors) = policy.count(cases.iter().map(|case| &*case.result));
    let milliseconds = cases.iter().map(|case| case.duration_ms).sum();
    Counts { tests: cases.len() + skipped, failures, errors, skipped, milliseconds }
}

fn testsuite(
    writer: &mut Xml<'_>,
    name: &str,
    counts: Counts,
    content: impl FnOnce(&mut Xml<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let (attributes, name, skipped) = (counts.attributes(), xml(name), counts.skipped.to_string());
    let element = writer.create_element("testsuite").with_attribute(("name", name.as_str()));
    let element = element.with_attributes(attributes.iter().map(|(name, value)| (*name, value.as_str())));
    element.with_attribute(("skipped", skipped.as_str())).write_inner_content(content)?;
    Ok(())
}

/// A suite with one case that is an error.
fn error_suite(writer: &mut Xml<'_>, suite: &str, case: &str, reason: &str) -> io::Result<()> {
    let counts = Counts { tests: 1, errors: 1, ..Counts::default() };
    testsuite(writer, suite, counts, |writer| {
        let reason = xml(reason);
        let element = writer.create_element("testcase").with_attribute(("name", case));
        element.with_attribute(("classname", xml(class(suite)).as_str())).write_inner_content(|writer| {
            let error = writer.create_element("error").with_attribute(("message", reason.as_str()));
            error.with_attribute(("type", "ERROR")).write_text_content(BytesText::new(&reason))?;
            Ok(())
        })?;
        Ok(())
    })
}

/// What a case belongs to. Systems such as GitLab know a case by this and its name alone, and two suites may have the same ids.
fn class(suite: &str) -> &str {
    suite.strip_suffix(".json").unwrap_or(suite)
}

fn testcase(writer: &mut Xml<'_>, case: &CaseFinished, policy: Policy) -> io::Result<()> {
    let result = &case.result;
    let element = writer.create_element("testcase").with_attributes([
        ("name", xml(&case.case.case).as_str()),
        ("classname", xml(class(&case.case.suite)).as_str()),
        ("time", seconds(case.duration_ms).as_str()),
    ]);
    element.write_inner_content(|writer| {
        let name = match policy.grade(result) {
            Grade::Passed => None,
            Grade::Failed => Some("failure"),
            Grade::NotJudged => Some("error"),
        };
        if let Some(name) = name {
            let message = xml(&reasons(result));
            let element = writer.create_element(name).with_attribute(("message", message.as_str()));
            element
                .with_attribute(("type", case.status.name()))
                .write_text_content(BytesText::new(&xml(&details(case))))?;
        }
        further_attempts(writer, result, name)?;
        writer.create_element("system-out").write_text_content(BytesText::new(&xml(&facts(case, policy))))?;
        Ok(())
    })?;
    Ok(())
}

/// The attempts of a flaky case that did not pass, as Maven Surefire writes them: `<flakyFailure>` if the case counts as
/// passed, else `<rerunFailure>` for those after the first.
fn further_attempts(writer: &mut Xml<'_>, result: &CaseResult, outcome: Option<&str>) -> io::Result<()> {
    let Some(repeats) = result.repeats.as_ref().filter(|repeats| repeats.flaky) else { return Ok(()) };
    let failed = repeats.attempts.iter().enumerate().filter(|(_, attempt)| attempt.status != Status::Pass);
    let (name, skipped) = if outcome.is_none() { ("flakyFailure", 0) } else { ("rerunFailure", 1) };
    for (number, attempt) in failed.skip(skipped) {
        let why = attempt.reason.clone().unwrap_or_else(|| attempt.checks.failed.join(", "));
        let message = xml(&format!("attempt {} of {}: {why}", number + 1, repeats.attempts.len()));
        let element = writer.create_element(name).with_attribute(("message", message.as_str()));
        element.with_attribute(("type", attempt.status.name())).write_empty()?;
    }
    Ok(())
}

fn skipped_case(writer: &mut Xml<'_>, case: &CaseRef) -> io::Result<()> {
    let element = writer.create_element("testcase").with_attribute(("name", xml(&case.case).as_str()));
    let element = element.with_attribute(("classname", xml(class(&case.suite)).as_str()));
    element.write_inner_content(|writer| {
        writer.create_element("skipped").with_attribute(("message", "not run")).write_empty()?;
        Ok(())
    })?;
    Ok(())
}

/// The status, the score and the beginning of the answer, one on each line.
fn facts(case: &CaseFinished, policy: Policy) -> String {
    let score = &case.result.metrics.scoring.soft_score;
    let mut facts = vec![format!("status: {}", case.status)];
    facts.extend(format!("category: {}", case.result.category).lines().map(disarmed));
    facts.extend(score.shown().map(|value| format!("soft score: {}", number(value))));
    facts.extend(score.threshold.map(|threshold| format!("threshold: {}", number(threshold))));
    if case.result.stale && (policy.strict || policy.stale != Stale::Ignore) {
        facts.push(format!("stale: {OTHER_PROMPTS}"));
    }
    facts.extend(newer_reason(&case.result));
    let answer = &case.result.snapshot_excerpt;
    if answer.len() > 0 {
        facts.push("answer:".to_owned());
        facts.extend(answer.lines().map(disarmed));
    }
    facts.join("\n")
}

/// Every check that did not pass with its place in the suite, one on each line, then the arithmetic of the score.
fn details(case: &CaseFinished) -> String {
    let mut lines: Vec<String> = open_checks(&case.result)
        .map(|check| {
            let LineColumn { line, column } = check.suite.unwrap_or(case.case.range.start);
            format!("{}:{line}:{column}: {}: {}", case.case.suite, check.id, check.message)
        })
        .collect();
    lines.extend(arithmetic(&case.result).map(|sum| format!("soft score: {sum}")));
    lines.extend(case.result.reason.clone().filter(|_| lines.is_empty()));
    lines.iter().flat_map(|line| line.lines()).map(disarmed).collect::<Vec<_>>().join("\n")
}

/// Text without invisible characters and characters that XML 1.0 forbids. Line breaks stay.
fn xml(text: &str) -> String {
    let shown = |c: char| match c {
        '\n' => c,
        '\u{fffe}' | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
        c => visible(c),
    };
    text.chars().map(shown).collect()
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{:03}", milliseconds / 1000, milliseconds % 1000)
}
