use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::events::CaseFinished;
use crate::text::{number, visible};
use crate::verdict::Status;
use crate::wording::{Headline, arithmetic, open_checks};

use super::Collected;
use super::place::place_in_suite;

/// A run as JUnit XML: a `<testsuite>` for each suite, a `<testcase>` with `file` and `line` for each case, one `<failure>`
/// with every check that failed, `<error>` for a case that could not be judged, and properties for score and threshold.
/// Characters that XML does not allow are replaced.
pub(crate) fn junit(run: &Collected) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut writer, run).expect("writing to a Vec does not fail");
    let mut text = String::from_utf8(writer.into_inner()).expect("the writer only got UTF-8");
    text.push('\n');
    text
}

fn write(writer: &mut Writer<Vec<u8>>, run: &Collected) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let suites: Vec<_> = run.started().map(|started| started.suites.clone()).unwrap_or_default();
    let cases = run.cases();
    let totals = counts(&cases);
    let root = writer.create_element("testsuites").with_attributes(attributes(&totals));
    root.with_attribute(("name", "eval-ls")).write_inner_content(|writer| {
        for suite in &suites {
            let cases = run.cases_of(&suite.suite);
            let totals = counts(&cases);
            let element = writer.create_element("testsuite").with_attributes(attributes(&totals));
            element
                .with_attribute(("name", xml(&suite.suite).as_str()))
                .write_inner_content(|writer| cases.iter().try_for_each(|case| testcase(writer, case)))?;
        }
        Ok(())
    })?;
    Ok(())
}

fn counts(cases: &[&CaseFinished]) -> [(&'static str, String); 4] {
    let count = |status: Status| cases.iter().filter(|case| case.status == status).count().to_string();
    let duration: u64 = cases.iter().map(|case| case.duration_ms).sum();
    [
        ("tests", cases.len().to_string()),
        ("failures", count(Status::Fail)),
        ("errors", count(Status::Error)),
        ("time", seconds(duration)),
    ]
}

fn attributes<'a>(named: &'a [(&'static str, String)]) -> impl Iterator<Item = (&'a str, &'a str)> {
    named.iter().map(|(name, value)| (*name, value.as_str()))
}

fn testcase(writer: &mut Writer<Vec<u8>>, case: &CaseFinished) -> io::Result<()> {
    let result = &case.result;
    let element = writer.create_element("testcase").with_attributes([
        ("name", xml(&case.case.case).as_str()),
        ("classname", xml(&result.category).as_str()),
        ("file", xml(&case.case.suite).as_str()),
        ("line", case.case.range.start.line.to_string().as_str()),
        ("time", seconds(case.duration_ms).as_str()),
    ]);
    element.write_inner_content(|writer| {
        properties(writer, case)?;
        let message = xml(&Headline::of(result).reasons());
        let name = match case.status {
            Status::Pass | Status::Partial => return Ok(()),
            Status::Fail => "failure",
            Status::Error => "error",
        };
        let element = writer.create_element(name).with_attribute(("message", message.as_str()));
        element
            .with_attribute(("type", case.status.name()))
            .write_text_content(BytesText::new(&xml(&details(case))))?;
        Ok(())
    })?;
    Ok(())
}

fn properties(writer: &mut Writer<Vec<u8>>, case: &CaseFinished) -> io::Result<()> {
    let score = &case.result.metrics.scoring.soft_score;
    let mut properties = vec![("status", case.status.name().to_owned())];
    properties.extend(score.value.map(|value| ("soft_score", number(value))));
    properties.extend(score.threshold.map(|threshold| ("threshold", number(threshold))));
    if case.result.stale {
        properties.push(("stale", "true".to_owned()));
    }
    writer.create_element("properties").write_inner_content(|writer| {
        for (name, value) in &properties {
            writer
                .create_element("property")
                .with_attributes([("name", *name), ("value", value.as_str())])
                .write_empty()?;
        }
        Ok(())
    })?;
    Ok(())
}

/// Every check that did not pass with its place in the suite, one on each line, then the arithmetic of the score.
fn details(case: &CaseFinished) -> String {
    let mut lines: Vec<String> = open_checks(&case.result)
        .map(|check| {
            let (line, column) = place_in_suite(case, check);
            format!("{}:{line}:{column}: {}: {}", case.case.suite, check.id, check.message)
        })
        .collect();
    lines.extend(arithmetic(&case.result).map(|sum| format!("soft score: {sum}")));
    lines.extend(case.result.reason.clone().filter(|_| lines.is_empty()));
    lines.join("\n")
}

/// Text without invisible characters and characters that XML 1.0 forbids. Line breaks stay.
pub(super) fn xml(text: &str) -> String {
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
