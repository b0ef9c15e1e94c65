//! Compares `docs/lsp-extensions.md`, the types here and those of the clients.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use ls_types::{Location, Position, Range, Uri};
use serde_json::{Value, json};

use crate::verdict::Status;

use super::*;
use super::{Argument, COMMANDS};

/// The declarations of a TypeScript text by name, without comments and white space.
fn declarations(text: &str) -> BTreeMap<String, String> {
    let comments = regex::Regex::new(r"(?s)/\*.*?\*/|//[^\n]*").unwrap();
    let text = comments.replace_all(text, "");
    let start = regex::Regex::new(r"(?m)^(?:export )?(?:interface (\w+) |type (\w+) =)").unwrap();
    let found: Vec<_> = start.captures_iter(&text).collect();
    let mut declared = BTreeMap::new();
    for found in &found {
        let rest = &text[found.get(0).unwrap().end()..];
        let mut depth = 0;
        // An interface ends with its brace, a type with a semicolon.
        let is_interface = found.get(1).is_some();
        let end = rest.char_indices().find(|(_, c)| {
            depth += i32::from(*c == '{') - i32::from(*c == '}');
            depth == 0 && *c == if is_interface { '}' } else { ';' }
        });
        let (end, last) = end.unwrap_or_else(|| panic!("{:?} has no end", found.get(0)));
        let body = &rest[..end + if is_interface { last.len_utf8() } else { 0 }];
        let body = body.replace(",", ";").replace('"', "'").split_whitespace().collect::<String>();
        let body = body.replace(";}", "}").trim_start_matches('|').to_owned();
        declared.insert(found.get(1).or(found.get(2)).unwrap().as_str().to_owned(), body);
    }
    declared
}

fn page() -> String {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lsp-extensions.md"))
}

fn read(path: &PathBuf) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the declarations of the page.
fn documented() -> BTreeMap<String, String> {
    let page = page();
    let blocks = page.split("```typescript\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let blocks: Vec<_> = blocks.collect();
    declarations(&blocks.join("\n"))
}

/// Checks that a value has a type; fails with the path of the difference.
struct Checker {
    known: BTreeMap<String, String>,
}

impl Checker {
    fn check(&self, value: &Value, wanted: &str, at: &str) -> Result<(), String> {
        let alternatives = split(wanted, '|');
        if alternatives.len() > 1 {
            let failed: Vec<_> = alternatives.iter().filter_map(|one| self.check(value, one, at).err()).collect();
            return if failed.len() < alternatives.len() { Ok(()) } else { Err(failed.join("; ")) };
        }
        let no = || Err(format!("{at}: {value} is not a {wanted}"));
        let is = |holds: bool| if holds { Ok(()) } else { no() };
        match wanted {
            "string" => is(value.is_string()),
            "number" => is(value.is_number()),
            "boolean" => is(value.is_boolean()),
            "null" => is(value.is_null()),
            "Range" => is(value["start"]["line"].is_u64() && value["end"]["character"].is_u64()),
            _ => {
                if let Some(text) = wanted.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
                    return is(value == text);
                }
                if let Some(element) = wanted.strip_suffix("[]") {
                    let Value::Array(elements) = value else { return no() };
                    assert!(!elements.is_empty(), "{at}: an example needs an element");
                    return elements.iter().try_for_each(|value| self.check(value, element, at));
                }
                match wanted.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
                    Some(fields) => self.object(value, fields, at),
                    None => self.check(value, self.known.get(wanted).unwrap_or_else(|| panic!("no type {wanted}")), at),
                }
            }
        }
    }

    /// An example has exactly the fields of its type, optional ones included.
    fn object(&self, value: &Value, fields: &str, at: &str) -> Result<(), String> {
        let Value::Object(object) = value else { return Err(format!("{at}: {value} is not an object")) };
        let mut names = Vec::new();
        for field in split(fields, ';').into_iter().filter(|field| !field.is_empty()) {
            let (name, wanted) = field.split_once(':').unwrap();
            let name = name.trim_end_matches('?');
            let inner = object.get(name).ok_or_else(|| format!("{at}: there is no `{name}`"))?;
            self.check(inner, wanted, &format!("{at}.{name}"))?;
            names.push(name);
        }
        match object.keys().find(|key| !names.contains(&key.as_str())) {
            Some(more) => Err(format!("{at}: nobody documents `{more}`")),
            None => Ok(()),
        }
    }
}

/// Splits at the separators outside of brackets.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        depth += i32::from("{(".contains(c)) - i32::from("})".contains(c));
        if c == separator && depth == 0 {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}

fn uri() -> Uri {
    "file:///s.json".parse().unwrap()
}

fn failure() -> CheckFailure {
    let range = Range::new(Position::new(1, 2), Position::new(1, 3));
    let (check, message) = ("must_say_any".to_owned(), "m".to_owned());
    CheckFailure { check, message, range }
}

/// An example of each type with all of its fields.
fn examples() -> Vec<(&'static str, Value)> {
    let range = failure().range;
    let text = |text: &str| text.to_owned();
    let case = TestCase {
        id: text("A"),
        index: 0,
        category: text("c"),
        prompt: text("p"),
        range,
        case_range: range,
        hash: text("h"),
    };
    let suite = TestSuite { uri: uri(), label: text("l"), hash: text("h"), cases: Some(vec![case]) };
    let judged = CaseVerdict {
        id: text("A"),
        range,
        status: Some(Status::Fail),
        label: Some(text("l")),
        running: false,
        stale: true,
        soft_score: Some(0.5),
        checks: 3,
        failures: vec![failure()],
        hash: text("h"),
        duration_ms: Some(1),
        reason: None,
    };
    let transcript = TranscriptPage {
        html: text("h"),
        data: text("d"),
        range,
        checks: vec![CheckPlace { check: text("c"), range: Some(range) }],
    };
    let verdicts = VerdictsResult {
        version: Some(1),
        target: text("t"),
        targets: vec![text("t")],
        answered_by: [text("t")].into(),
        about: text("a"),
        summary: Summary::default(),
        cases: vec![judged],
    };
    let (run, case) = (7, text("A"));
    let items = vec![Item { uri: uri(), case: case.clone() }];
    let events = [
        RunEvent::Started { run, target: text("t"), live: true, items },
        RunEvent::CaseStarted { run, uri: uri(), case: case.clone() },
        RunEvent::CaseProgress { run, uri: uri(), case: case.clone(), message: text("m") },
        RunEvent::CaseFinished {
            run,
            uri: uri(),
            case: case.clone(),
            status: CaseOutcome::Cancelled,
            soft_score: Some(1.0),
            duration_ms: 5,
            hash: text("h"),
            output: text("o"),
            label: Some(text("l")),
            reason: Some(text("r")),
            failures: vec![failure()],
        },
        RunEvent::Finished { run, cancelled: true, reason: None },
    ];
    let mut examples = vec![
        ("TestsParams", json!(TestsParams { uri: Some(uri()) })),
        ("TestsResult", json!(TestsResult { suites: vec![suite] })),
        (
            "RunParams",
            json!(RunParams {
                suites: vec![RunSuite { uri: uri(), cases: Some(vec![case.clone()]) }],
                target: Some(text("t")),
                changed: Some(true),
            }),
        ),
        ("IsSuiteParams", json!(IsSuiteParams { uri: uri() })),
        ("IsSuiteResult", json!(IsSuiteResult { is_suite: true, reason: text("r") })),
        ("RunResult", json!(RunResult { run: Some(run) })),
        ("RunResult", json!(RunResult { run: None })),
        (
            "RequestApprovalParams",
            json!(RequestApprovalParams { uris: vec![uri()], target: Some(text("t")), config: Some(uri()) }),
        ),
        ("RequestApprovalResult", json!(RequestApprovalResult { approved: vec![text("h")] })),
        ("StopParams", json!(StopParams { run: Some(run), uri: Some(uri()), case: Some(case.clone()) })),
        ("StopResult", json!(StopResult { stopped: 1 })),
        ("VerdictsParams", json!(VerdictsParams { uri: uri() })),
        ("VerdictsResult", json!(verdicts)),
        ("ResultParams", json!(ResultParams { uri: uri(), case: Some(case.clone()) })),
        ("TextParams", json!(TextParams { uri: uri(), case: case.clone(), kept: Some(true) })),
        ("TextResult", json!(TextResult { text: text("t"), uri: None })),
        ("TextResult", Value::Null),
        ("TranscriptPageParams", json!(TranscriptPageParams { uri: uri(), case: case.clone() })),
        ("TranscriptPage", json!(transcript)),
        ("TranscriptPage", Value::Null),
        ("ReportParams", json!(ReportParams { run: Some(uri()), uri: Some(uri()) })),
        (
            "ReportResult",
            json!(ReportResult {
                run: uri(),
                id: text("i"),
                started_at: text("s"),
                html: text("h"),
                suites: vec![SuiteOfRun { uri: uri(), label: text("s.json") }],
            }),
        ),
        ("AskParams", json!(AskParams { message: text("m"), choices: vec![text("c")] })),
        ("ErrorData", json!(ErrorData { remedy: Remedy::Save, location: None })),
        (
            "ErrorData",
            json!(ErrorData {
                remedy: Remedy::Configuration,
                location: Some(Location { uri: uri(), range: Range::default() }),
            }),
        ),
        ("Experimental", json!(Experimental { protocol: PROTOCOL })),
        ("TrustParams", json!(TrustParams { trusted: true })),
        ("TestsChangedParams", json!(UrisParams { uris: vec![uri()] })),
        ("VerdictsChangedParams", json!(UrisParams { uris: vec![uri()] })),
    ];
    examples.extend(events.iter().map(|event| ("RunEvent", json!(event))));
    examples
}

#[test]
fn what_is_sent_is_what_is_documented() {
    let checker = Checker { known: documented() };
    let mut used: Vec<&str> = Vec::new();
    for (name, example) in examples() {
        assert_eq!(checker.check(&example, name, name), Ok(()), "{example}");
        used.push(name);
    }
    // A documented type without an example is part of a type with one.
    let parts =
        ["TestSuite", "TestCase", "Summary", "CaseVerdict", "CheckFailure", "SuiteOfRun", "CheckPlace", "Status"];
    for name in checker.known.keys() {
        assert!(used.contains(&name.as_str()) || parts.contains(&name.as_str()), "{name} has no example");
    }
}

#[test]
fn the_version_is_documented() {
    assert!(page().contains(&format!("This page describes version {PROTOCOL}.")));
}

#[test]
fn statuses_are_those_that_are_documented() {
    let outcomes = Status::ALL.map(CaseOutcome::Judged).into_iter().chain([CaseOutcome::Cancelled]);
    let names: Vec<Value> = outcomes.map(|outcome| json!(outcome)).collect();
    assert_eq!(names, ["PASS", "PARTIAL", "FAIL", "ERROR", "CANCELLED"]);
    let named: Vec<_> = names.iter().map(|name| format!("'{}'", name.as_str().unwrap())).collect();
    let event = &documented()["RunEvent"];
    assert!(event.contains(&format!("status:{};", named.join("|"))), "{event}");
}

#[test]
fn optional_fields_may_be_missing() {
    assert!(serde_json::from_str::<RunParams>(r#"{"suites":[{"uri":"file:///a"}]}"#).is_ok());
    assert!(serde_json::from_str::<TestsParams>("{}").is_ok());
    assert!(serde_json::from_str::<RequestApprovalParams>(r#"{"uris":[]}"#).is_ok());
    assert!(serde_json::from_str::<StopParams>("{}").is_ok());
    assert!(serde_json::from_str::<TextParams>(r#"{"uri":"file:///a","case":"A"}"#).is_ok());
    assert!(serde_json::from_str::<Argument>(r#"{"more":1}"#).is_ok());
}

#[test]
fn commands_are_those_that_are_documented() {
    let page = page();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `eval-ls."));
    let named: Vec<_> = rows.map(|row| format!("eval-ls.{}", row.split('`').next().unwrap())).collect();
    assert_eq!(named, COMMANDS);
}

/// The client for VS Code declares the same types under the same names.
#[test]
fn the_types_of_clients_are_those_that_are_documented() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("editors/vscode/src/protocol.ts");
    if !path.exists() {
        // The published crate comes without the editors' extensions.
        return;
    }
    let theirs = declarations(&read(&path));
    for (name, ours) in documented() {
        assert_eq!(theirs.get(&name), Some(&ours), "{name}");
    }
}
