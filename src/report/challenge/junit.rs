use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::report::junit::xml;

use super::{ChallengedCase, ChallengedSuite};

/// The challenges as JUnit XML: a `<testcase>` for each case, with a `<failure>` if it passes a challenge that it ought to
/// fail. Characters that XML does not allow are replaced.
pub(crate) fn junit(suites: &[ChallengedSuite]) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    write(&mut writer, suites).expect("writing to a Vec does not fail");
    let mut text = String::from_utf8(writer.into_inner()).expect("the writer was given text");
    text.push('\n');
    text
}

fn write(writer: &mut Writer<Vec<u8>>, suites: &[ChallengedSuite]) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let (tests, failures) = suites.iter().map(counts).fold((0, 0), |sum, of| (sum.0 + of.0, sum.1 + of.1));
    let root = writer.create_element("testsuites").with_attributes([
        ("name", "eval-ls challenge"),
        ("tests", tests.to_string().as_str()),
        ("failures", failures.to_string().as_str()),
    ]);
    root.write_inner_content(|writer| suites.iter().try_for_each(|suite| testsuite(writer, suite)))?;
    Ok(())
}

fn counts(suite: &ChallengedSuite) -> (usize, usize) {
    let failures = suite.cases.iter().filter(|case| !failing(case, suite).is_empty()).count();
    (suite.cases.len(), failures)
}

fn testsuite(writer: &mut Writer<Vec<u8>>, suite: &ChallengedSuite) -> io::Result<()> {
    let (tests, failures) = counts(suite);
    let element = writer.create_element("testsuite").with_attributes([
        ("name", xml(&suite.name).as_str()),
        ("tests", tests.to_string().as_str()),
        ("failures", failures.to_string().as_str()),
    ]);
    element.write_inner_content(|writer| suite.cases.iter().try_for_each(|case| testcase(writer, case, suite)))?;
    Ok(())
}

fn testcase(writer: &mut Writer<Vec<u8>>, case: &ChallengedCase, suite: &ChallengedSuite) -> io::Result<()> {
    let id = xml(case.id());
    let name = xml(&suite.name);
    let element = writer.create_element("testcase").with_attributes([("name", id.as_str()), ("classname", &name)]);
    let passed = failing(case, suite);
    if passed.is_empty() {
        element.write_empty()?;
        return Ok(());
    }
    element.write_inner_content(|writer| {
        let message = xml(&format!("passes {}", passed.join(", ")));
        writer
            .create_element("failure")
            .with_attribute(("message", message.as_str()))
            .write_text_content(BytesText::new(&message))?;
        Ok(())
    })?;
    Ok(())
}

/// The challenges of level `error` that the case passes and ought to fail.
fn failing(case: &ChallengedCase, suite: &ChallengedSuite) -> Vec<String> {
    let is_error = |name: &str| {
        let kind = name.split_once("other-answer:").map_or(name, |_| "other-answer");
        suite.config.level(kind) == crate::config::Level::Error
    };
    case.passed(&suite.config).into_iter().filter(|name| is_error(name)).collect()
}
