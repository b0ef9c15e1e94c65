use insta::assert_snapshot;
use proptest::prelude::*;

use super::{LINTS, parse, shown, sound};
use crate::config::model::Level;
use crate::config::{Config, ConfigError};
use crate::diagnostic::{Finding, Severity};

/// Each pattern costs some 30 microseconds and 16 kB.
#[test]
fn patterns_are_compiled_up_to_a_limit() {
    let list = "'**/a*.json',".repeat(600);
    let (config, errors) = parse(&format!("[files]\ninclude = [{list}]\nexclude = [{list}]"));
    assert_eq!((config.files.include().len(), config.files.exclude().len()), (500, 0));
    let [error] = &errors[..] else { panic!("one error: {errors:?}") };
    assert!(error.to_string().starts_with("more than 500 patterns for files and cases, "), "{error}");

    let entry = "[[allow]]\nlint = 'vacuous-case'\ncases = 'a*'\nreason = 'r'\n";
    let (config, errors) = parse(&entry.repeat(600));
    assert_eq!((config.allowed.len(), errors.len()), (500, 1), "{errors:?}");
}

/// Alternatives cost more than other patterns of the same length.
#[test]
fn patterns_have_a_limit_of_bytes() {
    let long = format!("'{{{}}}x',", ["*ab*"; 90].join(","));
    let (config, errors) = parse(&format!("[files]\nexclude = [{}]", long.repeat(500)));
    assert_eq!(config.files.exclude().len(), (32 << 10) / (long.len() - 1));
    let [error] = &errors[..] else { panic!("one error: {errors:?}") };
    assert!(error.to_string().contains("or more than 32 KiB of them; the rest is ignored"), "{error}");
}

#[test]
fn errors_and_targets_are_reported_up_to_a_limit() {
    let unknown: String = (0..25_000).map(|number| format!("x{number} = 1\n")).collect();
    assert_eq!(parse(&unknown).1.len(), 200);
    let target = |number: usize| format!("[targets.a{number}]\nkind = \"command\"\ncommand = [\"x\"]\n");
    let (config, errors) = parse(&(0..5000).map(target).collect::<String>());
    assert_eq!(config.targets.len(), 201, "with `replay`");
    let [error] = &errors[..] else { panic!("one error: {errors:?}") };
    assert_eq!(error.to_string(), "more than 200 targets; the rest is ignored");
}

#[test]
fn folders_are_relative_to_suites() {
    let (config, errors) = parse("[run]\ntranscripts = '/etc'\nresults = '/tmp/results'");
    assert_eq!((config.run.transcripts.as_str(), config.run.results.as_str()), ("transcripts", "results"));
    let messages: Vec<_> = errors.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].starts_with("expected a relative path for `transcripts`"), "{messages:?}");
}

#[test]
fn a_half_written_line_does_not_affect_other_lines() {
    let text = "[run]\ntim\njobs = 3\ncolour = 1\n[lints]\nvac\nvacuous-case = \"off\"\n";
    let (config, errors) = parse(text);
    assert_eq!(config.run.jobs.get(), 3);
    assert_eq!(super::level(&config, "vacuous-case"), Some(Level::Off));
    assert_snapshot!(shown(text, &errors), @"
2:4 <> key with no value, expected `=`
4:1 <colour> unknown key `colour` in `run`; expected `target`, `jobs`, `timeout`, `retry_errors`, `results`, `transcripts`, `keep`, `stale` or `flaky`; a newer eval-ls may know it
6:4 <> key with no value, expected `=`
");
}

#[test]
fn readable_parts_are_used() {
    let (config, errors) = parse(
        r#"
[files]
include = ["x/*.json", "[", 3]
exclude = 3
[run]
jobs = 4
timeout = "soon"
[targets.good]
kind = "command"
command = ["a"]
[targets.bad]
kind = "command"
command = ["a", 3]
[targets.typo]
kind = "command"
command = ["a"]
timeuot = "5s"
[[ui_hints]]
hint = "good"
all = ["x"]
[[ui_hints]]
hint = "bad"
all = ["x", 3]
[sources]
good = ["x"]
bad = ["x", 3]
[lints]
vacuous-case = "hint"
duplicate-case-id = "loud"
"#,
    );
    let includes: Vec<&str> = config.files.include().iter().map(|pattern| pattern.as_str()).collect();
    assert_eq!(includes, ["x/*.json"]);
    assert_eq!(config.files.exclude(), Config::default().files.exclude());
    assert_eq!(config.run.jobs.get(), 4);
    assert_eq!(config.run.timeout, Config::default().run.timeout);
    assert_eq!(config.targets.keys().collect::<Vec<_>>(), ["good", "replay"]);
    assert_eq!(config.ui_hints.keys().collect::<Vec<_>>(), ["good"]);
    assert_eq!(config.sources.keys().collect::<Vec<_>>(), ["good"]);
    assert_eq!(config.lints.keys().collect::<Vec<_>>(), ["vacuous-case"]);
    assert_eq!(errors.len(), 9);
}

#[test]
fn the_first_definition_of_a_hint_counts() {
    let (config, _) = parse("ui_hints = [{ hint = 'a', all = ['first'] }, { hint = 'a', all = ['second'] }]");
    assert_eq!(config.ui_hints["a"].all, ["first"]);
}

#[test]
fn hostile_names_are_escaped() {
    let text = "[targets.\"a\\u202Eb\\nc\"]\nkind = \"\\u001B[31m\"\n\"\\u202E\" = 1\n";
    let (_, errors) = parse(text);
    assert_eq!(errors.len(), 2);
    for error in errors {
        let said = error.to_string();
        assert!(!said.contains(|c: char| c.is_control() || c == '\u{202e}'), "{said:?}");
    }
}

#[test]
fn an_error_becomes_a_finding_with_its_fix() {
    let text = "[files]\ninclud = []\n";
    let error = &parse(text).1[0];
    let finding = Finding::from(error);
    assert_eq!((finding.lint, finding.severity, finding.span), (ConfigError::LINT, Severity::Error, error.span));
    assert_eq!(finding.message, "unknown key `includ` in `files`; did you mean `include`?");
    let mut fixed = text.to_owned();
    let edit = &finding.fixes[0].edits[0];
    fixed.replace_range(edit.span.range(), &edit.text);
    sound(&fixed);
}

#[test]
fn no_fix_writes_a_duplicate_key() {
    let fixes = |text| parse(text).1.iter().filter(|error| error.fix.is_some()).count();
    assert_eq!(fixes("[files]\n[run]\nruns = 1\njob = 1"), 1);
    assert_eq!(fixes("[run]\njobs = 1\njob = 1"), 0);
    assert_eq!(fixes("[lints]\nvacuous-cases = 'off'"), 1);
    assert_eq!(fixes("[lints]\nvacuous-case = 'off'\nvacuous-cases = 'off'"), 0);
}

#[test]
fn deep_nesting_is_an_error_like_any_other() {
    for text in [
        "[".repeat(100_000),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        vec!["a"; 100_000].join("."),
        "\0".to_owned(),
    ] {
        assert!(!parse(&text).1.is_empty());
    }
    assert!(crate::config::Pattern::new(&"a".repeat(501)).is_err());
}

proptest! {
    #[test]
    fn every_text_is_read(pieces in prop::collection::vec(prop::sample::select([MARKS, LINES].concat()), 0..24), junk in any::<String>()) {
        let mut text = pieces.concat();
        let middle = text.floor_char_boundary(text.len() / 2);
        text.insert_str(middle, &junk);
        let (config, errors) = Config::parse(&text, &LINTS);
        prop_assert!(config.targets.contains_key("replay"));
        for error in errors {
            prop_assert!(text.get(error.span.range()).is_some(), "{:?} in {:?}", error.span, text);
            prop_assert!(!error.message.is_empty());
        }
    }

    #[test]
    fn every_sequence_of_pieces_is_read(pieces in prop::collection::vec(prop::sample::select([MARKS, LINES].concat()), 0..40)) {
        let text = pieces.concat();
        let (_, errors) = Config::parse(&text, &LINTS);
        prop_assert!(errors.iter().all(|error| text.get(error.span.range()).is_some()));
    }
}

const DATE: &str = "1979-05-27";

const MARKS: &[&str] = &[
    "[", "]", "[[", "]]", "{", "}", "=", ",", ".", "\n", "\r\n", "\"", "'", "\"\"\"", "#", " ", "1", DATE, "é",
    "\\u12", "run", "files", "targets", "lints", "ui_hints", "sources",
];

const LINES: &[&str] = &[
    "[run]\n",
    "[targets.a]\n",
    "[[ui_hints]]\n",
    "[lints]\n",
    "[targets.a.env]\n",
    "kind = \"command\"\n",
    "kind = \"browser\"\n",
    "command = [\"a\"]\n",
    "hint = \"x\"\n",
    "all = [\"x\"]\n",
    "jobs = ",
    "timeout = \"1s\"\n",
    "include = [\"**\"]\n",
    "lints.vacuous-case = \"off\"\n",
    "\u{feff}",
];
