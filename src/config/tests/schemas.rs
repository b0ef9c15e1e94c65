//! Compares the bundled schemas with the code: the lists, the defaults, and the reader of `eval-ls.toml`.

use super::values::WHOLE;
use crate::config::read::targets::KINDS;
use crate::config::{BrowserTarget, ChatInput, Config, Level, TEMPLATE};
use crate::schema::SchemaName;
use crate::suite::{self, Group, Outcome, Version};
use serde_json::{Map, Value, json};

fn load(name: SchemaName) -> Value {
    serde_json::from_str(name.text()).expect("a bundled schema is JSON")
}

/// The schema of suites of that version.
fn suites(version: Version) -> Value {
    load(version.as_str().parse().expect("every version has a schema"))
}

/// The names of the lints, as the schema of the configuration lists them.
fn lints(schema: &Value) -> Vec<&str> {
    let levels = schema["properties"]["lints"]["properties"].as_object().expect("the lints");
    levels.keys().map(String::as_str).collect()
}

#[test]
fn outcomes_and_groups_are_those_of_the_code() {
    for version in Version::ALL {
        let schema = suites(version);
        let outcomes = Outcome::ALL.map(Outcome::name);
        let known = if version == Version::V0_1 { &outcomes[..5] } else { &outcomes[..] };
        assert_eq!(schema["definitions"]["outcome"]["enum"], json!(known), "{version}");

        let groups: Vec<&str> =
            Group::ALL.into_iter().filter(|group| group.since() <= version).map(Group::name).collect();
        let listed = schema["definitions"].get("scoring_group").map(|definition| definition["enum"].clone());
        assert_eq!(listed.unwrap_or(json!([])), json!(groups), "{version}");
        let weights = &schema["definitions"]["soft_score"]["properties"]["weights"]["properties"];
        let weighed: Vec<&String> = weights.as_object().map(Map::keys).into_iter().flatten().collect();
        assert_eq!(weighed, groups, "{version}");
    }
    let result = load(SchemaName::Result);
    let scores = &result["definitions"]["metrics"]["properties"]["scoring"]["properties"]["groups"]["properties"];
    assert!(scores.as_object().expect("scores").keys().eq(Group::ALL.map(Group::name)));
}

#[test]
fn defaults_of_suites_are_those_of_the_code() {
    let schema = suites(Version::LATEST);
    let expected = &schema["definitions"]["expected"]["properties"];
    for (key, default) in [
        ("lever_regex", suite::LEVER_REGEX),
        ("claim_marker_regex", suite::CLAIM_MARKER_REGEX),
        ("evidence_marker_regex", suite::EVIDENCE_MARKER_REGEX),
        ("alignment_marker_regex", suite::ALIGNMENT_MARKER_REGEX),
        ("evidence_freshness_regex", suite::EVIDENCE_FRESHNESS_REGEX),
    ] {
        assert_eq!(expected[key]["default"], default, "{key}");
    }
    let markers = &expected["assumption_markers_any"];
    assert_eq!(markers["default"], json!(suite::ASSUMPTION_MARKERS));
    let text = markers["markdownDescription"].as_str().expect("a description");
    assert!(text.contains(&suite::ASSUMPTION_MARKERS.join(", ")), "{text}");

    let weights = &schema["definitions"]["soft_score"]["properties"]["weights"];
    let default: Map<String, Value> =
        suite::DEFAULT_WEIGHTS.into_iter().map(|(group, weight)| (group.name().to_owned(), json!(weight))).collect();
    assert_eq!(weights["default"], Value::Object(default));
    let text = weights["markdownDescription"].as_str().expect("a description");
    let listed = suite::DEFAULT_WEIGHTS.map(|(group, weight)| format!("`{group}` {weight:.2}")).join(", ");
    assert!(text.contains(&listed), "{text}");

    let text = expected["source_patterns"]["markdownDescription"].as_str().expect("a description");
    let listed = suite::BUILT_IN_SOURCES.map(|(source, phrases)| format!("`{source}`: {}", phrases.join(", ")));
    assert!(text.contains(&listed.join("; ")), "{text}");
}

#[test]
fn defaults_of_the_configuration_are_those_of_the_code() {
    let schema = load(SchemaName::Config);
    let default = |pointer: &str| schema.pointer(pointer).expect(pointer)["default"].clone();
    let config = Config::default();
    let globs = |patterns: &[crate::config::Pattern]| json!(patterns.iter().map(|it| it.as_str()).collect::<Vec<_>>());
    assert_eq!(default("/properties/files/properties/include"), globs(config.files.include()));
    assert_eq!(default("/properties/files/properties/exclude"), globs(config.files.exclude()));
    assert_eq!(default("/properties/run/properties/target"), config.run.target);
    assert_eq!(default("/properties/run/properties/jobs"), config.run.jobs.get());
    let timeout = default("/properties/run/properties/timeout");
    assert_eq!(timeout.as_str().and_then(|text| text.parse().ok()), Some(config.run.timeout));
    assert_eq!(default("/properties/run/properties/results"), config.run.results);
    assert_eq!(default("/properties/run/properties/transcripts"), config.run.transcripts);

    let kinds = &schema.pointer("/definitions/target/properties/kind").expect("the kinds")["enum"];
    let words = |kinds: &Value| {
        kinds.as_array().into_iter().flatten().map(Value::to_string).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(words(kinds), words(&json!(KINDS.map(|(word, _)| word))));

    let browser = BrowserTarget::new("http://localhost");
    let settle = default("/definitions/target/properties/settle");
    assert_eq!(settle.as_str().and_then(|text| text.parse().ok()), Some(browser.settle));
    assert_eq!(default("/definitions/target/properties/response"), json!(browser.response));
    assert_eq!(default("/definitions/target/properties/screenshots"), json!(browser.screenshots));
    let role = default("/definitions/target/properties/chat_input/properties/role");
    assert_eq!(role, ChatInput::default().role);
}

#[test]
fn levels_are_those_of_the_code() {
    let schema = load(SchemaName::Config);
    for lint in lints(&schema) {
        let level = &schema["properties"]["lints"]["properties"][lint];
        assert_eq!(level["enum"], json!(Level::ALL.map(Level::as_str)), "{lint}");
        assert_ne!(level["default"], "off", "{lint}");
    }
}

/// Asserts that the schema and the reader both accept `text`, or both reject it.
fn check(text: &str, taken: bool) {
    let schema = load(SchemaName::Config);
    let (_, errors) = Config::parse(text, &lints(&schema));
    assert_eq!(errors.is_empty(), taken, "{text}: {errors:?}");
    let document: Value = toml::from_str(text).expect(text);
    let validator = jsonschema::validator_for(&schema).expect("a bundled schema is a schema");
    let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
    assert_eq!(errors.is_empty(), taken, "{text}: {errors:?}");
}

#[test]
fn the_schema_accepts_what_the_reader_accepts() {
    for text in [
        "",
        TEMPLATE,
        WHOLE,
        "required_version = '>=0.0.1'",
        "required_version = ' >= 0 , <=99.9,<99.9.9'",
        "[files]\ninclude = []",
        "[run]\njobs = 64\ntimeout = '1.5h'",
        "[run]\ntimeout = '0.5ms'",
        "[targets.a]\nkind = 'command'\ncommand = ['x', '']\ncwd = './a b'\nenv = { A = '' }\npass_env = ['B']\ntimeout = '5s'",
        "[targets.a]\nkind = 'browser'\nurl = 'https://x'",
        "[targets.a]\nkind = 'browser'\nurl = 'http://x:1/a?b#c'\ntimeout = '3m'\nspace_url = 'http://x/s'\nchat_input = {}",
        "[targets.a]\nkind = 'browser'\nurl = 'http://x'\nchat_input = { role = 'a', name = 'b' }\nbusy = ['c']\nsettle = '1s'",
        "[targets.a]\nkind = 'browser'\nurl = 'http://x'\ntelemetry_log = 'd'\nbefore = [['e', '']]\nallow = ['f']",
        "[targets.a]\nkind = 'browser'\nurl = 'http://x'\nresponse = 'text'\nresponse_selector = 'g'\nscreenshots = 'failed'",
        "[targets.replay]\nkind = 'replay'",
        "[[ui_hints]]\nhint = 'a'\nany = ['b', 'c']\nat_least = 2",
        "[sources]\na = ['b']",
        "[lints]\nempty-string = 'off'\nvacuous-case = 'error'",
    ] {
        check(text, true);
    }
}

#[test]
fn the_schema_rejects_what_the_reader_rejects() {
    let command = "[targets.a]\nkind = 'command'\ncommand = ['x']\n";
    let browser = "[targets.a]\nkind = 'browser'\nurl = 'http://x'\n";
    let command = |line: &str| format!("{command}{line}");
    let browser = |line: &str| format!("{browser}{line}");
    for text in [
        "colour = 1".to_owned(),
        "required_version = '0.1'".into(),
        "required_version = '>=0.1,'".into(),
        "[files]\ninclude = ['']".into(),
        "[run]\njobs = 0".into(),
        "[run]\njobs = 65".into(),
        "[run]\njobs = 1.5".into(),
        "[run]\ntimeout = 60".into(),
        "[run]\ntimeout = '60'".into(),
        "[run]\ntimeout = '0s'".into(),
        "[run]\ntimeout = '.5s'".into(),
        "[run]\ntimeout = '1m30s'".into(),
        "[run]\nresults = ''".into(),
        "[run]\ntarget = ''".into(),
        "[targets.a]\nurl = 'http://x'".into(),
        "[targets.a]\nkind = 'shell'".into(),
        "[targets.a]\nkind = 'command'".into(),
        "[targets.a]\nkind = 'command'\ncommand = []".into(),
        "[targets.a]\nkind = 'command'\ncommand = 'x'".into(),
        "[targets.a]\nkind = 'browser'".into(),
        "[targets.a]\nkind = 'browser'\nurl = 'x'".into(),
        "[targets.a]\nkind = 'browser'\nurl = 'http://'".into(),
        "[targets.a]\nkind = 'replay'\ntimeout = '1s'".into(),
        command("url = 'http://x'"),
        command("env = { N = 1 }"),
        command("env = { 'A=B' = 'c' }"),
        command("pass_env = ['']"),
        command("cwd = ''"),
        command("cwd = '/tmp'"),
        command("cwd = 'a/../../b'"),
        command("cwd = '..'"),
        browser("env = {}"),
        browser("space_url = 'file:///x'"),
        browser("chat_input = { role = '' }"),
        browser("chat_input = { label = 'a' }"),
        browser("busy = ['']"),
        browser("settle = '3'"),
        browser("telemetry_log = ''"),
        browser("before = [[]]"),
        browser("before = ['a']"),
        browser("response = 'html'"),
        browser("response_selector = ''"),
        browser("screenshots = 'always'"),
        browser("allow = ['']"),
        "[[ui_hints]]\nall = ['a']".into(),
        "[[ui_hints]]\nhint = ''\nall = ['a']".into(),
        "[[ui_hints]]\nhint = 'a'\nall = ['']".into(),
        "[[ui_hints]]\nhint = 'a'\nany = ['b']\nat_least = 0".into(),
        "[sources]\na = []".into(),
        "[sources]\na = ['']".into(),
        "[lints]\nno-such-lint = 'off'".into(),
        "[lints]\nempty-string = 'info'".into(),
    ] {
        check(&text, false);
    }
}
