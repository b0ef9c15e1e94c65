use super::sound;
use crate::config::model::Level;
use crate::config::model::Scoring;
use crate::config::{Config, PreconditionCheck, Reading, TEMPLATE, Taken};

pub(super) const WHOLE: &str = r##"
[files]
include = ["suites/**/*.json"]
exclude = ["**/old/**"]

[run]
target = "agent"
jobs = 0x4
timeout = "1.5m"
retry_errors = 2
results = "out/results"
transcripts = "out/transcripts"

[targets.agent]
kind = "command"
command = ["node", "agent.mjs"]
env = { MODE = "eval" }
pass_env = ["OPENAI_API_KEY"]
timeout = "90s"

[scoring]
prompt_counts = false

[[preconditions]]
text = "The shop is open."
steps = [["?", "click", "#ok"], ["wait", "--text", "Open"]]

[[preconditions]]
text = "The stock is known."
command = ["./stock.sh", ""]

[[ui_hints]]
hint = "A list is visible."
all = ["List"]
any = ["a", "b", "c"]
at_least = 2
all_of = [["A", "B"], ["C"]]
matches = ['\d+ items']
none = ["Error"]

[[ui_hints]]
hint = "Nothing is wrong."
none = ["Error"]

[sources]
linear = ["linear", "ticket"]

[redact]
patterns = ['\bCU-\d{6}\b']

[lints]
undefined-ui-hint = "off"
vacuous-case = "error"
"##;

#[test]
fn every_key_is_read() {
    let config = sound(WHOLE);
    assert_eq!(config.files.takes("suites/a/b.json"), Taken::Yes);
    assert_eq!(config.files.takes("suites/old/b.json"), Taken::Excluded("**/old/**"));
    assert_eq!(config.files.takes("evals/b.json"), Taken::NotIncluded);
    let run = &config.run;
    assert_eq!((run.target.as_str(), run.jobs.get(), run.timeout.to_string().as_str()), ("agent", 4, "90s"));
    assert_eq!((run.retry_errors, config.scoring.prompt_counts), (2, Some(false)));
    assert_eq!((run.results.as_str(), run.transcripts.as_str()), ("out/results", "out/transcripts"));
    let hint = &config.ui_hints["A list is visible."];
    assert_eq!(
        (&hint.all[..], &hint.any[..], hint.at_least, &hint.none[..]),
        (&["List".into()][..], &["a".into(), "b".into(), "c".into()][..], 2, &["Error".into()][..])
    );
    assert_eq!(hint.all_of, [vec!["A", "B"], vec!["C"]]);
    assert_eq!(hint.matches, [r"\d+ items"]);
    let steps =
        vec![vec!["?".to_owned(), "click".into(), "#ok".into()], vec!["wait".into(), "--text".into(), "Open".into()]];
    assert_eq!(config.preconditions["The shop is open."].check, PreconditionCheck::Steps(steps));
    let command = PreconditionCheck::Command(vec!["./stock.sh".to_owned(), String::new()]);
    assert_eq!(config.preconditions["The stock is known."].check, command);
    assert_eq!(config.targets["agent"].preconditions, [("The stock is known.".to_owned(), command)].into());
    assert_eq!(config.targets["replay"].preconditions, [].into());
    assert_eq!(config.ui_hints["Nothing is wrong."].at_least, 1);
    assert_eq!(config.sources["linear"].patterns, ["linear", "ticket"]);
    assert_eq!(config.redacted, [r"\bCU-\d{6}\b"]);
    assert_eq!(super::level(&config, "undefined-ui-hint"), Some(Level::Off));
    assert_eq!(super::level(&config, "vacuous-case"), Some(Level::Error));
    assert_eq!(super::level(&config, "duplicate-case-id"), None);
}

#[test]
fn definitions_know_their_place() {
    let config = sound(WHOLE);
    for (span, text) in [
        (config.ui_hints["A list is visible."].span, "\"A list is visible.\""),
        (config.preconditions["The shop is open."].span, "\"The shop is open.\""),
        (config.sources["linear"].span, "linear"),
        (config.lints["vacuous-case"].span, "vacuous-case"),
        (config.targets["agent"].span.expect("the target is in the file"), "agent"),
    ] {
        assert_eq!(&WHOLE[span.range()], text);
    }
    assert_eq!(config.targets["replay"].span, None);
}

#[test]
fn an_empty_file_gives_the_defaults() {
    let sections = "[files]\n[run]\n[scoring]\n[targets]\n[sources]\n[lints]\n";
    for text in [
        "",
        "\n",
        "# a comment",
        "\u{feff}",
        "\u{feff}# a comment\r\n",
        sections,
        "ui_hints = []",
        "preconditions = []",
        "allow = []",
        "[tools]",
    ] {
        assert_eq!(sound(text), Config::default(), "{text:?}");
    }
}

#[test]
fn tables_may_have_every_form_of_toml() {
    let expected = super::level(&sound("[lints]\nvacuous-case = 'off'"), "vacuous-case");
    for text in [
        "lints.vacuous-case = \"off\"",
        "lints = { vacuous-case = 'off' }",
        "lints = {\n  'vacuous-case' = '''off''', # why\n}",
    ] {
        assert_eq!(super::level(&sound(text), "vacuous-case"), expected, "{text}");
    }
}

#[test]
fn the_template_is_the_defaults_except_for_the_reading() {
    let defaults = Config::default();
    let mut template = sound(TEMPLATE);
    template.run.results_span = None;
    assert_eq!(template, Config { scoring: Scoring { reading: Reading::Plain, ..defaults.scoring }, ..defaults });
}

#[test]
fn the_comments_of_the_template_are_valid() {
    let uncommented: String = TEMPLATE
        .lines()
        .flat_map(|line| [line.strip_prefix('#').filter(|code| !code.starts_with([' ', ':'])).unwrap_or(line), "\n"])
        .collect();
    let (config, errors) = Config::parse(&uncommented, &[]);
    assert_eq!(errors, []);
    assert_eq!(config.targets.keys().collect::<Vec<_>>(), ["agent", "replay"]);
}

#[test]
fn the_timeout_of_a_target_takes_precedence() {
    let config = sound(WHOLE);
    assert_eq!(config.timeout(&config.targets["agent"]).to_string(), "90s");
    let config = sound("[run]\ntimeout = '5s'");
    assert_eq!(config.timeout(&config.targets["replay"]).to_string(), "5s");
}

#[test]
fn challenges_have_exceptions() {
    let config = sound(
        r#"
        [[challenge.exceptions]]
        cases = "SYN*"
        challenges = ["other-answer"]
        reason = "both prompts ask for the same brief"
        "#,
    );
    let challenge = &config.challenge;
    assert!(challenge.exception("SYN1", "other-answer").is_some());
    assert!(challenge.exception("SYN1", "echo").is_none());
    assert!(challenge.exception("MB1", "other-answer").is_none());
}
