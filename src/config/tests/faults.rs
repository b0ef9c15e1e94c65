use insta::assert_snapshot;
use proptest::prelude::*;

use super::{LINTS, faults, parse, shown, sound};
use crate::config::file_set::PatternError;
use crate::config::{Config, ConfigError, Level};
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
fn unknown_keys() {
    assert_snapshot!(faults(r#"
colour = 1
[file]
[files]
includ = []
[run]
Jobs = 2
[targets.app]
kind = "browser"
url = "http://localhost"
chat-input = {}
chat_input = { role = "textbox", nam = "x" }
[targets.agent]
kind = "command"
command = ["a"]
url = "http://localhost"
[targets.kept]
kind = "replay"
kinds = "replay"
timeout = "1s"
[[ui_hints]]
hint = "h"
alll = ["x"]
"#), @"
2:1 <colour> unknown key `colour` in this file; expected `required_version`, `files`, `run`, `scoring`, `targets`, `preconditions`, `ui_hints`, `sources`, `tools`, `lints`, `allow`, `policy` or `challenge`; a newer eval-ls may know it
3:2 <file> unknown key `file` in this file; did you mean `files`?
5:1 <includ> unknown key `includ` in `files`; did you mean `include`?
7:1 <Jobs> unknown key `Jobs` in `run`; did you mean `jobs`?
11:1 <chat-input> unknown key `chat-input` in `[targets.app]`; did you mean `chat_input`?
12:34 <nam> unknown key `nam` in `chat_input`; did you mean `name`?
16:1 <url> unknown key `url` in `[targets.agent]`; expected `kind`, `timeout`, `command`, `cwd`, `env` or `pass_env`; a newer eval-ls may know it
19:1 <kinds> unknown key `kinds` in `[targets.kept]`; did you mean `kind`?
20:1 <timeout> unknown key `timeout` in `[targets.kept]`; expected `kind`; a newer eval-ls may know it
23:1 <alll> unknown key `alll` in `[[ui_hints]]`; did you mean `all`?
");
}

#[test]
fn a_key_of_the_file_within_a_table_has_the_fix() {
    assert_snapshot!(faults(r#"
[scoring]
policy = [{ cases = "SYN*", repeat = 5 }]
sources = { linear = ["ticket"] }
required_version = ">=0.1"
[targets.app]
kind = "browser"
url = "http://localhost"
allow = [{ lint = "repeated-prompt", cases = "*", reason = "r" }]
"#), @r#"
3:1 <policy> unknown key `policy` in `scoring`; `policy` belongs before the first table of the file, or write `[[policy]]`
4:1 <sources> unknown key `sources` in `scoring`; `sources` belongs before the first table of the file, or write `[sources]`
5:1 <required_version> unknown key `required_version` in `scoring`; `required_version` belongs before the first table of the file
9:10 <{ lint = "repeated-prompt", cases = "*", reason = "r" }> expected only strings in the list `allow`, found a table; `allow` belongs before the first table of the file, or write `[[allow]]`
"#);
}

#[test]
fn a_wrong_version_is_the_only_error() {
    let text = "required_version = \">=99.1\"\ncolour = 1\n[lints]\nnew-lint = \"off\"\n[[policy]]\n";
    let program = env!("CARGO_PKG_VERSION");
    let expected = format!(
        "1:20 <\">=99.1\"> this workspace needs eval-ls >=99.1, and this is eval-ls {program}; install a newer version of eval-ls\n"
    );
    assert_eq!(faults(text), expected);
    assert_eq!(faults(&format!("required_version = '={program}'\n")), "");
    assert_snapshot!(faults("required_version = '<0.0.1'\n").replace(program, "X"), @"1:20 <'<0.0.1'> this workspace needs eval-ls <0.0.1, and this is eval-ls X; install an older version of eval-ls, or change `required_version`");
    assert_snapshot!(faults("required_version = '0.2'\n"), @"1:20 <'0.2'> `required_version`: a version needs an operator; write `>=0.2` for this version and newer ones, or `=0.2`");
    assert_snapshot!(faults("required_version = 2\n"), @"1:20 <2> expected a string for `required_version`, found an integer");
}

#[test]
fn entries_that_repeat() {
    assert_snapshot!(faults(r#"
[[policy]]
repeat = 5
[[policy]]
cases = "A"
min_pass = 2
[[policy]]
cases = ""
repeat = 2
min_pass = 3
[[policy]]
category = "a"
repeat = 1001
times = 2
[[policy]]
cases = "A"
repeat = 2
expires = "2026-02-30"
[[quarantine]]
cases = "A"
[run]
flaky = "maybe"
answer_key = "warn"
"#), @r#"
2:1 <[[policy]]> this entry names neither `cases` nor `category`; `cases = "*"` means all cases
4:1 <[[policy]]> the key `repeat` is missing
8:9 <""> `cases`: an empty pattern matches no case
10:12 <3> `min_pass` is 3, but there are only 2 attempts; lower `min_pass` or raise `repeat`
13:10 <1001> expected a whole number from 1 to 1000 for `repeat`, found `1001`
14:1 <times> unknown key `times` in `[[policy]]`; expected `cases`, `category`, `repeat`, `min_pass`, `expires` or `why`; a newer eval-ls may know it
18:11 <"2026-02-30"> `expires` is not a day: `2026-02-30`; write the year, the month and the day: "2026-03-01"
18:11 <"2026-02-30"> `expires` needs the key `why`; give the reason for the entry
19:3 <quarantine> unknown key `quarantine` in this file; it was removed; write `expires` and `why` in an entry of `[[policy]]`, with the `min_pass` that is enough until then
22:9 <"maybe"> expected `fail` or `pass` for `flaky`, found `maybe`
23:1 <answer_key> unknown key `answer_key` in `run`; it was removed; put the answers out of the target's reach, see `docs/program.md#hide-the-answers`
"#);
}

#[test]
fn entries_that_allow() {
    assert_snapshot!(faults(r#"
[[allow]]
lint = "vacuous-cas"
cases = "A"
reason = "r"
[[allow]]
lint = "vacuous-case"
reason = "r"
[[allow]]
lint = "vacuous-case"
cases = ""
files = ["/a"]
reason = ""
case = "A"
[[allow]]
cases = "[A"
[tools]
known = [""]
"#), @r#"
3:8 <"vacuous-cas"> unknown lint `vacuous-cas`; did you mean `vacuous-case`?
6:1 <[[allow]]> this entry names neither `cases` nor `files`; to turn a lint off everywhere, set its level under `[lints]`
11:9 <""> `cases`: an empty pattern matches no case
12:10 <"/a"> `/a`: the pattern matches no file: paths are relative to the folder of `eval-ls.toml`, without a leading `/` or `!`, and without `.` and `..`
13:10 <""> empty string in `reason`
14:1 <case> unknown key `case` in `[[allow]]`; did you mean `cases`?
15:1 <[[allow]]> the key `lint` is missing
15:1 <[[allow]]> the key `reason` is missing
18:10 <""> empty string in `known`
"#);
}

#[test]
fn wrong_types() {
    assert_snapshot!(faults(r#"
files = ["*.json"]
lints = "off"
sources = 1979-05-27
[run]
target = 3
jobs = "two"
timeout = 60
results = true
transcripts = ["x"]
[targets]
inline = 1.5
[targets.app]
kind = "browser"
url = ["http://localhost"]
busy = "Thinking..."
settle = 3.0
chat_input = "Ask"
before = ["open", []]
[targets.agent]
kind = "command"
command = "node agent.mjs"
env = { N = 3 }
pass_env = [1, "HOME", { }]
[targets.none]
kind = 1
"#), @r#"
2:9 <["*.json"]> expected a table for `files`, found a list
3:9 <"off"> expected a table for `lints`, found a string
4:11 <1979-05-27> expected a table for `sources`, found a date
6:10 <3> expected a string for `target`, found an integer
7:8 <"two"> expected a whole number from 1 to 64 for `jobs`, found a string
8:11 <60> expected a duration such as `"60s"` for `timeout`, found an integer; did you mean `"60s"`?
9:11 <true> expected a string for `results`, found a boolean
10:15 <["x"]> expected a string for `transcripts`, found a list
12:10 <1.5> expected a table for `inline`, found a float
15:7 <["http://localhost"]> expected a string for `url`, found a list
16:8 <"Thinking..."> expected a list of strings for `busy`, found a string
17:10 <3.0> expected a duration such as `"60s"` for `settle`, found a float
18:14 <"Ask"> expected a table for `chat_input`, found a string
19:11 <"open"> expected only steps (lists of strings) in the list `before`, found a string
19:19 <[]> empty step in `before`
22:11 <"node agent.mjs"> expected a list of strings for `command`, found a string; no shell reads it: write the program and each argument as a separate string, as in `["node", "agent.mjs"]`
23:13 <3> expected a string for `N`, found an integer
24:13 <1> expected only strings in the list `pass_env`, found an integer
24:24 <{ }> expected only strings in the list `pass_env`, found a table
26:8 <1> expected `command`, `browser` or `replay` for `kind`, found an integer
"#);
    assert_snapshot!(faults("ui_hints = {}\ntargets = []"), @"
1:12 <{}> expected a list of tables for `ui_hints`, found a table; start each entry with `[[ui_hints]]`
2:11 <[]> expected a table for `targets`, found a list
");
    assert_snapshot!(faults("ui_hints = [1, { hint = 2, all = 'x', at_least = 'y' }]"), @"
1:13 <1> expected a table for `ui_hints`, found an integer
1:25 <2> expected a string for `hint`, found an integer
1:34 <'x'> expected a list of strings for `all`, found a string
1:50 <'y'> expected a whole number from 1 for `at_least`, found a string
");
}

#[test]
fn values_out_of_range_are_reported() {
    assert_snapshot!(faults(r#"
[files]
include = ["[a", "/evals/*.json", "", "ok/*.json"]
exclude = ["../x"]
[run]
target = ""
jobs = 0
timeout = "60 s"
results = ""
transcripts = "a\u0000b"
[targets.a]
kind = "brwoser"
[targets.b]
kind = "browser"
url = "localhost:3000"
space_url = "file:///etc/passwd"
settle = "0s"
response = "html"
screenshots = "fail"
busy = [""]
allow = [""]
telemetry_log = ""
[targets.c]
kind = "command"
command = []
cwd = "../x"
env = { "A=B" = "x", "" = "y" }
pass_env = ["A=B"]
[targets.d]
kind = "command"
command = ["", "x"]
[targets.replay]
kind = "command"
command = ["rm"]
[sources]
linear = []
jira = ["", "x"]
"#), @r#"
3:12 <"[a"> `[a`: unclosed character class; missing ']'
3:18 <"/evals/*.json"> `/evals/*.json`: the pattern matches no file: paths are relative to the folder of `eval-ls.toml`, without a leading `/` or `!`, and without `.` and `..`
3:35 <""> `""`: an empty pattern matches no file
4:12 <"../x"> `../x`: the pattern matches no file: paths are relative to the folder of `eval-ls.toml`, without a leading `/` or `!`, and without `.` and `..`
6:10 <""> empty string in `target`
7:8 <0> expected a whole number from 1 to 64 for `jobs`, found `0`
8:11 <"60 s"> `timeout`: expected a number and a unit without a space between them, such as `60s`, `500ms`, `2m`, `1h` or `1.5s`
9:11 <""> empty string in `results`
10:15 <"a\u0000b"> a string cannot hold the NUL character here
12:8 <"brwoser"> expected `command`, `browser` or `replay` for `kind`, found `brwoser`; did you mean `browser`?
15:7 <"localhost:3000"> expected an address with `http://` or `https://` for `url`, found `localhost:3000`
16:13 <"file:///etc/passwd"> expected an address with `http://` or `https://` for `space_url`, found `file:///etc/passwd`
17:10 <"0s"> `settle`: must be greater than zero
18:12 <"html"> expected `snapshot`, `aria`, `text` or `reply` for `response`, found `html`
19:15 <"fail"> expected `never` or `failed` for `screenshots`, found `fail`
20:9 <""> empty string in `busy`
21:10 <""> empty string in `allow`
22:17 <""> empty string in `telemetry_log`
25:11 <[]> `command` names no program
26:7 <"../x"> expected a folder below that of eval-ls.toml for `cwd`, found `../x`; write a relative path without `..`
27:9 <"A=B"> `A=B` cannot be the name of an environment variable
27:22 <""> `""` cannot be the name of an environment variable
28:13 <"A=B"> `A=B` cannot be the name of an environment variable
31:11 <["", "x"]> `command` names no program
32:10 <replay> the target `replay` is built in and can only be of the kind `replay`; give this one another name
36:10 <[]> empty list in `linear`; give at least one entry, or remove it
37:9 <""> empty string in `jira`
"#);
    assert_snapshot!(faults("[run]\njobs = -1"), @"2:8 <-1> expected a whole number from 1 to 64 for `jobs`, found `-1`");
    assert_snapshot!(faults("[run]\njobs = 0xFFFFFFFFFFFFFFFFFF"), @"2:8 <0xFFFFFFFFFFFFFFFFFF> expected a whole number from 1 to 64 for `jobs`, found `0xFFFFFFFFFFFFFFFFFF`");
    assert_snapshot!(faults("[run]\ntimeout = 60000000000000000000"), @r#"2:11 <60000000000000000000> expected a duration such as `"60s"` for `timeout`, found an integer"#);
}

#[test]
fn missing_keys() {
    assert_snapshot!(faults(r#"
[targets.a]
url = "http://localhost"
[targets.b]
kind = "browser"
[targets.c]
kind = "command"
[[ui_hints]]
all = ["x"]
"#), @"
2:1 <[targets.a]> the key `kind` is missing
4:1 <[targets.b]> the key `url` is missing
6:1 <[targets.c]> the key `command` is missing
8:1 <[[ui_hints]]> the key `hint` is missing
");
}

#[test]
fn ui_hints_without_condition_are_reported() {
    assert_snapshot!(faults(r#"
ui_hints = [
  { hint = "a", any = ["x", "y"], at_least = 3 },
  { hint = "b", all = ["x"], at_least = 2 },
  { hint = "c", any = ["x"], at_least = 0 },
  { hint = "d" },
  { hint = "e", all = [], none = [] },
  { hint = "f", all = ["x", ""] },
  { hint = "g", all = ["x"] },
  { hint = "g", all = ["y"] },
  { hint = "a", all = ["y"] },
  { hint = "", all = ["y"] },
]
"#), @r#"
3:46 <3> `at_least` requires 3 of `any`, which has 2
4:41 <2> `at_least` requires 2 of `any`, which has 0
5:41 <0> expected a whole number from 1 for `at_least`, found `0`
6:3 <{ hint = "d" }> the hint has no condition, so it is not defined; give phrases in `all`, `any`, `all_of` or `none`, or patterns in `matches`
7:3 <{ hint = "e", all = [], none = [] }> the hint has no condition, so it is not defined; give phrases in `all`, `any`, `all_of` or `none`, or patterns in `matches`
8:29 <""> empty string in `all`
10:12 <"g"> the hint `g` is defined twice
11:12 <"a"> the hint `a` is defined twice
12:12 <""> empty string in `hint`
"#);
}

#[test]
fn unknown_lints_and_levels_are_reported() {
    assert_snapshot!(faults(r#"
[lints]
undefined_ui_hint = "off"
vacuous-case = "warn"
duplicate-case-id = false
no-such-thing = "off"
"#), @r#"
3:1 <undefined_ui_hint> unknown lint `undefined_ui_hint`; did you mean `undefined-ui-hint`?
4:16 <"warn"> expected `error`, `warning`, `hint` or `off` for `vacuous-case`, found `warn`
5:21 <false> expected `error`, `warning`, `hint` or `off` for `duplicate-case-id`, found a boolean
6:1 <no-such-thing> unknown lint `no-such-thing`; `eval-ls explain` lists all lints; a newer eval-ls may know it
"#);
}

#[test]
fn the_target_of_a_run_must_exist() {
    for (text, expected) in [
        ("[run]\ntarget = 'replay'", ""),
        ("[run]\ntarget = 'agent'\n[targets.agent]\nkind = 'command'\ncommand = ['a']", ""),
        (
            "[run]\ntarget = 'agnet'\n[targets.agent]\nkind = 'replay'",
            "2:10 <'agnet'> the target `agnet` does not exist; did you mean `agent`?\n",
        ),
        ("[run]\ntarget = 'app'", "2:10 <'app'> the target `app` does not exist; define it under `[targets.app]`\n"),
        // The target exists, and its own error is enough.
        (
            "[run]\ntarget = 'agent'\n[targets.agent]\nkind = 'replay'\nx = 1",
            "5:1 <x> unknown key `x` in `[targets.agent]`; expected `kind`; a newer eval-ls may know it\n",
        ),
    ] {
        assert_eq!(faults(text), expected, "{text}");
    }
}

#[test]
fn syntax_errors() {
    for text in
        ["[run", "a = ", "= 1", "a = [1, 2", "a = \"x", "a = x", "[run]\njobs = 1\njobs = 2", "\0", "a = 1 b = 2", "]"]
    {
        let (_, errors) = parse(text);
        assert!(!errors.is_empty(), "{text}");
    }
    assert_snapshot!(faults("[run]\njobs = 1\njobs = 2\n[run]\n"), @"
3:1 <jobs> `jobs` is defined twice here; remove one of them
4:2 <run> `run` is defined twice here; move its keys to the first one
");
    assert_snapshot!(faults("[run\njobs = 1\n"), @"1:5 <> unclosed table, expected `]`");
    assert_snapshot!(faults("[run]\ntarget = agent\n"), @"2:10 <agent> string values must be quoted, expected literal string");
}

#[test]
fn a_half_written_line_does_not_affect_other_lines() {
    let text = "[run]\ntim\njobs = 3\ncolour = 1\n[lints]\nvac\nvacuous-case = \"off\"\n";
    let (config, errors) = parse(text);
    assert_eq!(config.run.jobs.get(), 3);
    assert_eq!(super::level(&config, "vacuous-case"), Some(Level::Off));
    assert_snapshot!(shown(text, &errors), @"
2:4 <> key with no value, expected `=`
4:1 <colour> unknown key `colour` in `run`; expected `target`, `jobs`, `timeout`, `retry_errors`, `results`, `transcripts`, `keep`, `labels`, `stale` or `flaky`; a newer eval-ls may know it
6:4 <> key with no value, expected `=`
");
}

#[test]
fn after_a_syntax_error_only_syntax_errors_are_reported() {
    assert_snapshot!(faults("[run]\njobs = 'x'\ntarget = 'agent'\n[files\ninclude = 3\n[targets.agent]\nkind = 'command'\n"), @"
2:8 <'x'> expected a whole number from 1 to 64 for `jobs`, found a string
4:7 <> unclosed table, expected `]`
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
    ] {
        assert!(!parse(&text).1.is_empty());
    }
    assert!(matches!(crate::config::Pattern::new(&"a".repeat(501)), Err(PatternError::TooLong)));
}

proptest! {
    #[test]
    fn every_text_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..24), junk in any::<String>()) {
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
    fn every_sequence_of_pieces_is_read(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..40)) {
        let text = pieces.concat();
        let (_, errors) = Config::parse(&text, &LINTS);
        prop_assert!(errors.iter().all(|error| text.get(error.span.range()).is_some()));
    }
}

const PIECES: &[&str] = &[
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\n",
    "\r\n",
    "\"",
    "'",
    "\"\"\"",
    "#",
    " ",
    "1",
    "1979-05-27",
    "é",
    "\\u12",
    "run",
    "files",
    "targets",
    "lints",
    "ui_hints",
    "sources",
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

#[test]
fn errors_in_scoring_retries_and_preconditions_are_reported() {
    assert_snapshot!(faults(r#"
[run]
retry_errors = -1
[scoring]
prompt_count = true
prompt_counts = "no"
[[preconditions]]
text = "a"
[[preconditions]]
command = ["x"]
[[preconditions]]
text = ""
command = ["x"]
[[preconditions]]
text = "b"
command = "ls -l"
[[preconditions]]
text = "b"
steps = []
[[preconditions]]
text = "c"
steps = [["?"], [], "click", [1]]
command = ["x"]
[[preconditions]]
text = "d"
steps = [["?"], [], "click", [1]]
[[preconditions]]
text = "e"
command = []
stepz = []
"#), @r#"
3:16 <-1> expected a whole number from 0 to 10 for `retry_errors`, found `-1`
5:1 <prompt_count> unknown key `prompt_count` in `scoring`; did you mean `prompt_counts`?
6:17 <"no"> expected `true` or `false` for `prompt_counts`, found a string
7:1 <[[preconditions]]> the precondition has neither `steps` nor `command`; give `steps` on the page, or a `command` that ends with status 0
9:1 <[[preconditions]]> the key `text` is missing
12:8 <""> empty string in `text`
16:11 <"ls -l"> expected a list of strings for `command`, found a string; no shell reads it: write the program and each argument as a separate string, as in `["node", "agent.mjs"]`
18:8 <"b"> the text `b` is defined twice
19:9 <[]> empty list in `steps`; give at least one entry, or remove it
22:10 <["?"]> the optional step in `steps` is empty; write the step after the `?`, as in `["?", "press", "Escape"]`
22:17 <[]> empty step in `steps`
22:21 <"click"> expected only steps (lists of strings) in the list `steps`, found a string
22:31 <1> expected only strings in the list `steps`, found an integer
23:11 <["x"]> `steps` and `command` exclude each other; remove one of them, or define two entries
26:10 <["?"]> the optional step in `steps` is empty; write the step after the `?`, as in `["?", "press", "Escape"]`
26:17 <[]> empty step in `steps`
26:21 <"click"> expected only steps (lists of strings) in the list `steps`, found a string
26:31 <1> expected only strings in the list `steps`, found an integer
29:11 <[]> `command` names no program
30:1 <stepz> unknown key `stepz` in `[[preconditions]]`; did you mean `steps`?
"#);
    assert_snapshot!(faults("preconditions = 'open'\nrun.retry_errors = 11\nscoring = 1"), @"
1:17 <'open'> expected a list of tables for `preconditions`, found a string; start each entry with `[[preconditions]]`
2:20 <11> expected a whole number from 0 to 10 for `retry_errors`, found `11`
3:11 <1> expected a table for `scoring`, found an integer
");
    assert_snapshot!(faults("[[preconditions]]\ntext = 1\ncommand = ['a']\n[run]\nretry_errors = '2'"), @"
2:8 <1> expected a string for `text`, found an integer
5:16 <'2'> expected a whole number from 0 to 10 for `retry_errors`, found a string
");
}

#[test]
fn errors_in_conjunctions_and_patterns_are_reported() {
    assert_snapshot!(faults(r#"
[[ui_hints]]
hint = "a"
all_of = ["A", "B"]
[[ui_hints]]
hint = "b"
all_of = [["A"], [], [1, ""]]
[[ui_hints]]
hint = "c"
all_of = "A"
matches = "A"
[[ui_hints]]
hint = "d"
matches = ["é(", "", 1]
[[ui_hints]]
hint = "e"
all_of = []
matches = []
"#), @r#"
4:11 <"A"> expected only lists of phrases such as `["A", "B"]` in the list `all_of`, found a string
4:16 <"B"> expected only lists of phrases such as `["A", "B"]` in the list `all_of`, found a string
7:18 <[]> empty list in `all_of`; give at least one entry, or remove it
7:23 <1> expected only strings in the list `all_of`, found an integer
7:26 <""> empty string in `all_of`
10:10 <"A"> expected a list of lists of phrases such as `["A", "B"]` for `all_of`, found a string
11:11 <"A"> expected a list of strings for `matches`, found a string
14:12 <"é("> the pattern `é(` does not compile, at character 2: missing closing parenthesis
14:18 <""> empty string in `matches`
14:22 <1> expected only strings in the list `matches`, found an integer
15:1 <[[ui_hints]]> the hint has no condition, so it is not defined; give phrases in `all`, `any`, `all_of` or `none`, or patterns in `matches`
"#);
}

#[test]
fn errors_in_telemetry_keys_are_reported() {
    assert_snapshot!(faults(r#"
[targets.a]
kind = "browser"
url = "http://localhost"
telemetry_key = { header = "X-Case" }
[targets.b]
kind = "browser"
url = "http://localhost"
telemetry_log = "app.log"
telemetry_key = {}
[targets.c]
kind = "browser"
url = "http://localhost"
telemetry_log = "app.log"
telemetry_key = { header = "X Case: 1", storage = "", cookie = "a" }
[targets.d]
kind = "browser"
url = "http://localhost"
telemetry_log = "app.log"
telemetry_key = "X-Case"
"#), @r#"
5:17 <{ header = "X-Case" }> `telemetry_key` needs the key `telemetry_log`; name the app's log under `telemetry_log`, or remove the key
10:17 <{}> `telemetry_key` has neither `header` nor `storage`; give `header` or `storage`, as in `{ header = "X-Eval-Case" }`
15:28 <"X Case: 1"> `X Case: 1` cannot be the name of a header; write letters, digits and `-`, as in `X-Eval-Case`
15:51 <""> empty string in `storage`
15:55 <cookie> unknown key `cookie` in `telemetry_key`; expected `header` or `storage`; a newer eval-ls may know it
20:17 <"X-Case"> expected a table for `telemetry_key`, found a string
"#);
}

#[test]
fn faults_of_challenges_are_reported_at_their_places() {
    assert_eq!(
        faults("[challenge]\nlevels = { eco = \"off\", silence = \"loud\" }\nexceptions = [{ cases = \"\" }]\n"),
        "2:12 <eco> unknown challenge `eco`; did you mean `echo`?\n\
         2:35 <\"loud\"> expected `error`, `warning`, `hint` or `off` for `silence`, found `loud`\n\
         3:15 <{ cases = \"\" }> the key `reason` is missing\n\
         3:25 <\"\"> `cases`: an empty pattern matches no case\n"
    );
    let exception = |more: &str| {
        format!(
            "[challenge]\n{more}[[challenge.exceptions]]\ncases = \"A\"\nchallenges = [\"echoo\"]\nreason = \"r\"\n"
        )
    };
    assert!(faults(&exception("")).ends_with("found `echoo`; did you mean `echo`?\n"));
    assert_eq!(faults(&exception("answers = [\"wrong/*.md\"]\n")), "");
    assert_eq!(
        faults(
            r#"[[challenge.rewrites]]
name = "dates"
pattern = '(\d+)/(\d+'
replacement = "$1"
[[challenge.rewrites]]
name = "euros"
pattern = '€(\d+)'
replacement = "$1eur $$ $2"
[[challenge.rewrites]]
name = "spaces"
pattern = ''
replacement = ""
[[challenge.rewrites]]
name = "a"
pattern = 'a'
replacement = "b"
[[challenge.rewrites]]
name = "a"
pattern = '\w{5000}{50}'
[[challenge.rewrites]]
name = "a"
pattern = 'b'
replacement = "${c}"
[[challenge.rewrites]]
name = "a, b"
pattern = 'b'
replacement = ""
[[challenge.rewrites]]
name = "bullets"
pattern = 'b'
replacement = ""
"#
        ),
        r#"3:11 <'(\d+)/(\d+'> the pattern `(\d+)/(\d+` does not compile: unclosed group
8:15 <"$1eur $$ $2"> `replacement`: the pattern has no group `1eur`; write `${1}` for a group before a letter, and `$$` for a dollar sign
11:11 <''> an empty pattern replaces nothing
17:1 <[[challenge.rewrites]]> the key `replacement` is missing
18:8 <"a"> the name `a` is defined twice
21:8 <"a"> the name `a` is defined twice
23:15 <"${c}"> `replacement`: the pattern has no group `c`; write `${1}` for a group before a letter, and `$$` for a dollar sign
25:8 <"a, b"> expected a `name` of at most 40 letters, digits, `-`, `_` and `.`
29:8 <"bullets"> a built-in rewrite has the name `bullets`
"#
    );
}

#[test]
fn a_date_without_quotes_is_proposed_in_quotes() {
    let toml = "[[policy]]\nmin_pass = 1\nrepeat = 2\nexpires = 2026-03-01\nwhy = 'r'";
    let (_, errors) = Config::parse(toml, &[]);
    let help: Vec<_> = errors.iter().map(|error| (error.message.as_str(), error.help.as_deref())).collect();
    assert_eq!(help, [("expected a string for `expires`, found a date", Some("write it in quotes: \"2026-03-01\""))]);
}
