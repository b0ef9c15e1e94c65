//! The reports of a run: all agree with the exit status, and hostile text is inert in each.

use std::collections::BTreeMap;

use proptest::prelude::*;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use serde_json::{Value, json};

use crate::support::{Folder, Ran, YES};

const REPORTS: [&str; 5] = ["json", "jsonl", "junit", "github", "md"];
/// The page of a kept run, which `report.rs` tests.
const PAGE: &str = "html";

/// Runs with a report in each format beside the text. Returns the reports by format.
pub(crate) fn reports(workspace: &Folder, arguments: &[&str]) -> (Ran, BTreeMap<&'static str, String>) {
    let options = REPORTS.map(|format| format!("--report={format}=reports/{format}"));
    let options: Vec<&str> = options.iter().map(String::as_str).collect();
    let ran = workspace.run(&[&["run"], arguments, &options].concat());
    let read = |format| std::fs::read_to_string(workspace.join("reports").join(format)).unwrap_or_default();
    (ran, REPORTS.map(|format| (format, read(format))).into())
}

/// An element of XML that is open: its attributes, and how many elements of each name are in it.
struct Element {
    name: String,
    attributes: BTreeMap<String, String>,
    inner: BTreeMap<String, usize>,
}

impl Element {
    fn count(&self, name: &str) -> usize {
        self.inner.get(name).copied().unwrap_or_default()
    }

    fn number(&self, attribute: &str) -> usize {
        self.attributes[attribute].parse().unwrap()
    }
}

/// What the schema of Jenkins' xUnit plugin (`junit-10.xsd`) allows in an element: the elements, the required attributes and
/// the other attributes.
fn allowed(name: &str) -> (&'static [&'static str], &'static [&'static str], &'static [&'static str]) {
    match name {
        "testsuites" => (&["testsuite"], &[], &["name", "time", "tests", "failures", "errors"]),
        "testsuite" => (
            &["testsuite", "properties", "testcase", "system-out", "system-err"],
            &["name", "tests", "failures", "errors"],
            &["time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"],
        ),
        "testcase" => (
            &["skipped", "error", "failure", "rerunFailure", "flakyFailure", "system-out", "system-err"],
            &["name"],
            &["assertions", "time", "timestamp", "classname", "status", "class", "file", "line", "log", "group", "url"],
        ),
        "failure" | "error" | "skipped" | "rerunFailure" | "flakyFailure" => (&[], &[], &["type", "message"]),
        "properties" => (&["property"], &[], &[]),
        "property" => (&[], &["name", "value"], &[]),
        "system-out" | "system-err" => (&[], &[], &[]),
        other => panic!("the schema has no element {other}"),
    }
}

/// An element as it begins, which the schema allows.
fn element(start: &BytesStart<'_>) -> Element {
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.unwrap();
        let name = attribute.key.as_ref().to_owned();
        (name, quick_xml::escape::unescape(&attribute.value).unwrap().into_owned())
    });
    let attributes: BTreeMap<_, _> = attributes.collect();
    let name = start.name().as_ref().to_owned();
    let (_, required, others) = allowed(&name);
    let is_known = |attribute: &&str| required.contains(attribute) || others.contains(attribute);
    assert_eq!(attributes.keys().map(String::as_str).find(|attribute| !is_known(attribute)), None, "{name}");
    assert!(required.iter().all(|name| attributes.contains_key(*name)), "{name}: {attributes:?}");
    let is_time = |time: &String| time.parse::<f64>().is_ok_and(|time| time >= 0.0);
    assert!(attributes.get("time").is_none_or(is_time), "{attributes:?}");
    Element { name, attributes, inner: BTreeMap::new() }
}

/// The number of failures and errors of a JUnit report, which is valid and whose counts are those of its elements.
pub(super) fn junit(xml: &str) -> usize {
    let mut reader = Reader::from_str(xml);
    let mut open: Vec<Element> = Vec::new();
    loop {
        let event = reader.read_event().unwrap();
        match &event {
            Event::Start(start) | Event::Empty(start) => {
                let element = element(start);
                let fits = |parent: &Element| allowed(&parent.name).0.contains(&element.name.as_str());
                assert!(open.last().is_none_or(fits), "{} in {xml}", element.name);
                open.push(element);
            }
            Event::Text(text) if !text.trim().is_empty() => {
                let name = &*open.last().unwrap().name;
                assert!(matches!(name, "failure" | "error" | "skipped" | "system-out"), "{name} in {xml}");
            }
            Event::Eof => panic!("it has no end: {xml}"),
            _ => {}
        }
        if !matches!(event, Event::End(_) | Event::Empty(_)) {
            continue;
        }
        let done = open.pop().unwrap();
        if let "testsuites" | "testsuite" = &*done.name {
            for (attribute, name) in [("tests", "testcase"), ("failures", "failure"), ("errors", "error")] {
                assert_eq!(done.number(attribute), done.count(name), "{name} in {xml}");
            }
        }
        assert!(done.name != "testsuite" || done.number("tests") > 0, "{xml}");
        let Some(parent) = open.last_mut() else { return done.number("failures") + done.number("errors") };
        for (name, count) in done.inner.into_iter().chain([(done.name, 1)]) {
            *parent.inner.entry(name).or_default() += count;
        }
    }
}

/// The failures and errors of each report.
fn failures(reports: &BTreeMap<&str, String>) -> BTreeMap<&'static str, usize> {
    let of = |value: &Value| value["failures"].as_u64().unwrap() + value["errors"].as_u64().unwrap();
    let document: Value = serde_json::from_str(&reports["json"]).unwrap();
    let json = document.as_array().map_or_else(|| of(&document), |all| all.iter().map(of).sum());
    let events = reports["jsonl"].lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let jsonl: u64 = events
        .map(|event| match event["event"].as_str().unwrap() {
            "run-finished" => of(&event),
            "suite-not-run" => 1,
            _ => 0,
        })
        .sum();
    let github = reports["github"].lines().filter(|line| line.starts_with("::error")).count();
    let md = usize::from(reports["md"].starts_with("## ✗"));
    assert!(md == 1 || reports["md"].starts_with("## ✓"), "{}", reports["md"]);
    let (json, jsonl) = (usize::try_from(json).unwrap(), usize::try_from(jsonl).unwrap());
    [("json", json), ("jsonl", jsonl), ("junit", junit(&reports["junit"])), ("github", github), ("md", md)].into()
}

/// `REPORTS` has all formats, so the tests of this file see them. `failures` has a rule for each.
#[test]
fn every_report_is_tested_and_documented() {
    let workspace = workspace(&[End::Pass], false);
    let refused = workspace.run(&["run", "--report", "none-of-them"]).err;
    let (_, known) = refused.lines().next().unwrap().split_once("expected ").unwrap();
    let known: Vec<_> = known.split('`').skip(1).step_by(2).collect();
    assert_eq!(known, [&REPORTS[..], &[PAGE]].concat());
    let (_, reports) = reports(&workspace, &[]);
    assert!(failures(&reports).into_keys().eq(reports.keys().copied()), "`failures` does not know all formats");
    let help = workspace.run(&["run", "--help"]).out;
    let (_, page) = include_str!("../../docs/runs.md").split_once("## Reports").unwrap();
    for format in known {
        assert!(page.contains(&format!("`{format}`")), "docs/runs.md does not mention the report `{format}`");
        assert!(help.contains(format), "`run --help` does not mention the report `{format}`");
    }
}

#[derive(Clone, Copy, Debug)]
enum End {
    Pass,
    Fail,
    Partial,
    Error,
    Stale,
}

fn workspace(ends: &[End], has_broken_suite: bool) -> Folder {
    let workspace = Folder::new();
    let case = |end: &End| match end {
        End::Pass | End::Stale => (YES, Some("yes")),
        End::Fail => (YES, Some("no")),
        End::Partial => (r#"{ "must_say_any": ["yes"], "ui": ["A list."] }"#, Some("yes")),
        End::Error => (YES, None),
    };
    workspace.suite(&ends.iter().map(case).collect::<Vec<_>>());
    for (index, _) in ends.iter().enumerate().filter(|(_, end)| matches!(end, End::Stale)) {
        let transcript = format!("transcripts/s.evals/C{index}.json");
        workspace.edit(&transcript, "\"response\"", "\"prompt\":\"another\",\"response\"");
    }
    if has_broken_suite {
        workspace.write("broken.evals.json", r#"{ "cases": [ { "id": ] }"#);
    }
    workspace
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn reports_have_failures_if_and_only_if_the_exit_status_is_not_zero(
        ends in prop::collection::vec(
            prop_oneof![
                4 => Just(End::Pass), 1 => Just(End::Fail), 2 => Just(End::Partial), 1 => Just(End::Error), 2 => Just(End::Stale)
            ],
            1..4,
        ),
        strict: bool,
        has_broken_suite in prop::bool::weighted(0.2),
        stale in prop_oneof![Just("warn"), Just("fail"), Just("ignore")],
    ) {
        let workspace = workspace(&ends, has_broken_suite);
        workspace.write("eval-ls.toml", format!("[run]\nstale = \"{stale}\"\n"));
        let arguments = if strict { &["--strict"][..] } else { &[] };
        let (ran, reports) = reports(&workspace, arguments);
        for (format, failures) in failures(&reports) {
            prop_assert_eq!(failures > 0, ran.status != 0, "{} {}: {:?}\n{}", format, ran.status, ends, reports[format]);
        }
    }
}

#[test]
fn an_interrupted_run_is_an_error_in_every_report() {
    // Covered with a real signal in `cancel.rs`; here the reports of cases that did not start are read.
    let workspace = workspace(&[End::Pass], true);
    let (ran, reports) = reports(&workspace, &["broken.evals.json"]);
    ran.ends(3);
    assert!(failures(&reports).values().all(|failures| *failures == 1), "{reports:#?}");
    assert!(reports["junit"].contains("broken.evals.json") && reports["md"].contains("broken.evals.json"));
}

#[test]
fn hostile_text_is_inert_in_every_report() {
    for hostile in [
        "\u{1b}]0;owned\u{7}\u{1b}[31m",
        "</details></summary><script>alert(1)</script>",
        "::error file=a::injected\n::error::injected\r\n::stop-commands::x",
        "]]><failure/>&#0;<!--",
        "[x](javascript:alert(1)) <javascript:alert(1)> ![x](http://evil.example/x)",
        "```\n````\n~~~\n# heading\n| a | b |",
        "\u{202e}\u{0}\u{9b}\u{fffe}",
        "%0A::error::x",
    ] {
        check_hostile(hostile);
    }
}

fn check_hostile(text: &str) {
    let id = text.replace(',', "");
    let workspace = hostile("s.evals.json", [&id, text, &format!("yes\n{text}\nyes")]);
    let (ran, mut reports) = reports(&workspace, &["--no-check"]);
    assert!(matches!(ran.status, 0 | 1), "{text:?}: {ran:?}");
    reports.insert("text", ran.out);
    reports.insert("standard error", ran.err);
    reports.insert("runs", workspace.run(&["runs"]).out);
    reports.insert("answers of a run", workspace.run(&["run", "--answers-of", "latest", "--no-results"]).out);
    for (format, report) in &reports {
        let obeyed =
            |c: char| c != '\n' && (c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'));
        assert!(matches!(*format, "json" | "jsonl") || !report.contains(obeyed), "{text:?} in {format}: {report:?}");
        let commands = report.lines().filter(|line| line.trim_start().starts_with("::")).count();
        let own = report.lines().filter(|line| line.starts_with("::error file=s.evals.json,line=")).count();
        assert_eq!(commands, if *format == "github" { own } else { 0 }, "{text:?} in {format}: {report}");
    }
    junit(&reports["junit"]);
    let document: Value = serde_json::from_str(&reports["json"]).unwrap();
    assert_eq!(document["cases"][0]["id"], json!(id));
    assert!(reports["jsonl"].lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    assert_inert(&reports["md"]);
    let files = workspace.files();
    let page =
        files.iter().find(|(path, _)| path.starts_with("results") && path.extension().is_some_and(|end| end == "md"));
    assert_inert(&String::from_utf8_lossy(page.unwrap().1));
}

/// Asserts that a Markdown page has only the elements that a report has itself.
fn assert_inert(page: &str) {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    let (mut opened, mut closed) = (0, 0);
    for event in Parser::new_ext(page, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => match html.trim() {
                "<details><summary>Answer</summary>" => opened += 1,
                "</details>" => closed += 1,
                // It keeps sites from making links and mentions.
                "<!-- -->" => {}
                other => panic!("{other} in {page}"),
            },
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => panic!("{dest_url} in {page}"),
            _ => {}
        }
    }
    assert_eq!(opened, closed, "{page}");
}

/// A workspace whose only case has this text everywhere, and gets this answer.
fn hostile(suite: &str, [id, text, answer]: [&str; 3]) -> Folder {
    let expected = json!({ "must_say_any": [text], "must_not_say": ["yes"] });
    let case = json!({ "id": id, "category": text, "prompt": text, "expected": expected });
    Folder::with(&[
        (suite, &json!({ "cases": [case] }).to_string()),
        ("agent.json", &json!({ "response": answer }).to_string()),
        (
            "eval-ls.toml",
            "[run]\ntarget = \"agent\"\n[targets.agent]\nkind = \"command\"\ncommand = [\"cat\", \"agent.json\"]\n",
        ),
    ])
}

#[cfg(unix)]
#[test]
fn no_line_of_a_command_is_a_workflow_command_of_somebody_else() {
    let (suite, id) = ("::error::s.evals.json", "::error::id ##[error]id");
    let answer = "yes\n::error::answer\n \u{a0}::error::answer\r\n##[error]answer ##[error]";
    let workspace = hostile(suite, [id, id, answer]);
    let mut commands = vec![
        vec!["run", "--no-check", suite],
        vec!["run", "--no-check", "--report", "md", suite],
        vec!["run", "--no-check", "--report", "md=/dev/stdout", suite],
        vec!["run", "--no-check", "--report", "json=/dev/stdout", suite],
        vec!["run", "--no-check", "--report", "jsonl=/dev/stdout", suite],
        vec!["run", "--no-check", "--report", "junit=/dev/stderr", suite],
        vec!["run", "--no-check", "--format", "jsonl", "--answers", suite],
        vec!["run", "--no-check", "--format", "junit", suite],
        vec!["run", "--no-check", "--format", "github", suite],
        vec!["accept", "--yes"],
        vec!["run", "--no-check", "--answers-of", "latest", "--no-results"],
        vec!["runs"],
        vec!["compare", "latest", "latest"],
        vec!["report", "--html", "page.html"],
        vec!["record", suite],
    ];
    for command in ["challenge", "check"] {
        for format in ["text", "json", "github", "junit", "markdown"] {
            commands.push(vec![command, "--format", format]);
        }
    }
    for arguments in commands {
        let ran = workspace.run(&arguments);
        for text in [&ran.out, &ran.err] {
            assert!(!text.contains("##["), "{arguments:?}: {text}");
            for line in text.lines().filter(|line| line.trim_start().starts_with("::")) {
                let is_own = ["::error file=%3A%3Aerror", "::warning file=%3A%3Aerror", "::notice file=%3A%3Aerror"];
                assert!(is_own.iter().any(|own| line.starts_with(own)), "{arguments:?}: {line}");
                assert!(arguments.contains(&"github"), "{arguments:?}: {line}");
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn a_report_never_writes_through_a_link() {
    let workspace = workspace(&[End::Pass], false);
    workspace.write("victim", "kept");
    let runs =
        ["json", "jsonl", "junit", "github", "md", "html"].map(|format| format!("run --report {format}=out.{format}"));
    for command in runs.iter().map(String::as_str).chain(["report --html out.page"]) {
        let path = &command[command.find("out").unwrap()..];
        workspace.link(path, "victim");
        workspace.run(&command.split(' ').collect::<Vec<_>>()).ends(0);
        assert_eq!(workspace.read("victim"), "kept", "{command}");
        assert!(!workspace.join(path).is_symlink() && !workspace.read(path).is_empty(), "{command}");
    }
}

#[cfg(unix)]
#[test]
fn a_report_to_a_device_does_not_replace_it() {
    use std::os::unix::fs::FileTypeExt as _;
    let workspace = workspace(&[End::Pass], false);
    for (format, start) in [
        ("json", "{\n"),
        ("jsonl", "{\"event\":"),
        ("junit", "<?xml "),
        ("github", "1 case in 1 suite: "),
        ("md", "## "),
        ("html", "<!"),
    ] {
        let ran = workspace.run(&["run", "--format", "github", "--report", &format!("{format}=/dev/stderr")]);
        ran.complains(0, [start]);
        workspace.run(&["run", "--report", &format!("{format}=/dev/null")]).ends(0);
    }
    workspace.run(&["report", "--html", "/dev/null"]).ends(0);
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    // A pipe with a reader.
    workspace.pipe("pipe");
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| workspace.read("pipe"));
        workspace.run(&["run", "--report", "md=pipe"]).ends(0);
        assert!(reader.join().unwrap().starts_with("## "));
    });
    assert!(std::fs::metadata(workspace.join("pipe")).unwrap().file_type().is_fifo());
}

#[cfg(unix)]
#[test]
fn a_run_does_not_write_through_a_link_out_of_the_workspace() {
    let victim = Folder::new();
    for (link, arguments) in [
        ("results", &["run"][..]),
        ("results", &["record"]),
        ("transcripts", &["record"]),
        ("transcripts", &["run", "--record"]),
        ("results/runs", &["run"]),
    ] {
        let workspace = Folder::asking(&["yes"], "");
        workspace.link(link, victim.path());
        workspace.run(arguments).complains(2, ["because a link leads out of the workspace there"]);
        if link == "results" && arguments == ["run"] {
            workspace.run(&["run", "--no-results"]).ends(0);
            workspace.run(&["run", "--results", "other"]).ends(0);
            assert!(workspace.join("other/runs").is_dir());
        }
    }
    assert_eq!(std::fs::read_dir(victim.path()).unwrap().count(), 0);
}
