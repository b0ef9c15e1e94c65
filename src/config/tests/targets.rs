use std::collections::BTreeSet;

use super::sound;
use crate::config::{BrowserTarget, TargetConfig, TargetKind};

const COMMAND: &str = r#"
[targets.t]
kind = "command"
command = ["node", "agent.mjs"]
"#;

const BROWSER: &str = r#"
[targets.t]
kind = "browser"
url = "http://localhost:3000"
"#;

fn target(text: &str) -> TargetConfig {
    sound(text).targets.remove("t").expect("the text defines the target `t`")
}

fn browser(text: &str) -> BrowserTarget {
    match target(text).kind {
        TargetKind::Browser(browser) => *browser,
        other => panic!("not a browser target: {other:?}"),
    }
}

#[test]
fn a_command_target_is_read() {
    let text = format!("{COMMAND}env = {{ MODE = \"eval\" }}\npass_env = [\"KEY\"]\ntimeout = \"5s\"");
    let target = target(&text);
    assert_eq!(target.timeout.map(|timeout| timeout.to_string()).as_deref(), Some("5s"));
    let TargetKind::Command(command) = target.kind else { panic!("not a command: {:?}", target.kind) };
    assert_eq!(command.command, ["node", "agent.mjs"]);
    assert_eq!(command.env, [("MODE".to_owned(), "eval".to_owned())].into());
    assert_eq!(command.pass_env, ["KEY"]);
}

#[test]
fn a_browser_target_needs_only_its_address() {
    assert_eq!(browser(BROWSER), BrowserTarget::new("http://localhost:3000"));
}

#[test]
fn every_key_of_a_browser_target_is_read() {
    let read = browser(&format!(
        r##"{BROWSER}
space_url = "https://localhost/space"
chat_input = {{ role = "searchbox", name = "Ask anything" }}
send = {{ name = "Send" }}
busy = ["Thinking..."]
busy_selector = ".typing"
settle_selector = "#log"
ignore_selector = ".clock"
settle = "500ms"
telemetry_log = "telemetry/app.log"
telemetry_key = {{ header = "X-Eval-Case", storage = "evalCase" }}
between = [["?", "click", "#go"]]
after = [["click", "#out"]]
before = [["fill", "#user", "me"], ["click", "#go"]]
response = "text"
response_selector = "main"
screenshots = "failed"
allow = ["https://login.example"]
"##
    ));
    insta::assert_debug_snapshot!(read);
}

#[test]
fn a_target_may_replay_under_another_name() {
    assert_eq!(target("[targets.t]\nkind = \"replay\"").kind, TargetKind::Replay);
}

#[test]
fn the_fingerprint_is_the_same_everywhere() {
    insta::assert_snapshot!(target(COMMAND).fingerprint(), @"3a4d109940fce18f20c70ca49e1a4c9eff2bbc340d7b896b6c69810dc03ffdea");
    insta::assert_snapshot!(target(BROWSER).fingerprint(), @"29987ab5a1cb2b5bc3727836efe514163924aaf89a0cbc65f5aaec14dde3db2b");
    insta::assert_snapshot!(TargetConfig::replay().fingerprint(), @"17b610ffc5a172d796414b6686a3de7a898454f2bb3994a733b8c6dc59255767");
}

#[test]
fn layout_and_explicit_defaults_do_not_change_the_fingerprint() {
    for (text, same) in [
        (COMMAND, "# moved\ntargets = { t = { command = ['node', \"agent\\u002emjs\"], kind = 'command' } }"),
        (COMMAND, "[targets.t]\npass_env = []\ncommand = ['node', 'agent.mjs']\nkind = 'command'\n[targets.t.env]\n"),
        (
            BROWSER,
            "[targets.t]\nkind = 'browser'\nurl = 'http://localhost:3000'\nsettle = '3000ms'\nscreenshots = 'never'",
        ),
    ] {
        assert_eq!(target(text).fingerprint(), target(same).fingerprint(), "{same}");
    }
}

#[test]
fn every_field_changes_the_fingerprint() {
    let commands = [
        "",
        "timeout = '5s'",
        "timeout = '6s'",
        "env = { A = 'b' }",
        "env = { A = 'c' }",
        "env = { A = 'b', C = '' }",
        "cwd = 'agent'",
        "pass_env = ['A']",
        "pass_env = ['A', 'B']",
        "[[preconditions]]\ntext = 'a'\ncommand = ['a']",
        "[[preconditions]]\ntext = 'a'\ncommand = ['b']",
        "[[preconditions]]\ntext = 'b'\ncommand = ['a']",
    ];
    let browsers = [
        "",
        "timeout = '5s'",
        "space_url = 'http://localhost/s'",
        "chat_input = { role = 'a' }",
        "chat_input = { name = 'a' }",
        "send = { role = 'a' }",
        "send = { name = 'a' }",
        "busy = ['a']",
        "busy_selector = 'a'",
        "settle_selector = 'a'",
        "ignore_selector = 'a'",
        "settle = '4s'",
        "telemetry_log = 'a'",
        "before = [['a']]",
        "before = [['a'], ['b']]",
        "before = [['a', 'b']]",
        "between = [['a']]",
        "after = [['a']]",
        "before = [['?', 'a']]",
        "telemetry_log = 'a'\ntelemetry_key = { header = 'a' }",
        "telemetry_log = 'a'\ntelemetry_key = { storage = 'a' }",
        "[[preconditions]]\ntext = 'a'\ncommand = ['a']",
        "[[preconditions]]\ntext = 'a'\nsteps = [['a']]",
        "response = 'text'",
        "response_selector = 'a'",
        "screenshots = 'failed'",
        "allow = ['a']",
    ];
    let mut texts: Vec<String> = commands.iter().map(|line| format!("{COMMAND}{line}")).collect();
    texts.extend(browsers.iter().map(|line| format!("{BROWSER}{line}")));
    texts.extend([COMMAND.replace("agent", "other"), COMMAND.replace("\", \"", " "), BROWSER.replace("3000", "3001")]);
    let fingerprints: BTreeSet<String> = texts.iter().map(|text| target(text).fingerprint()).collect();
    assert_eq!(fingerprints.len(), texts.len());
}

#[test]
fn a_precondition_that_a_target_cannot_check_is_not_part_of_its_table() {
    for (table, check) in [
        ("kind = 'replay'", "command = ['a']"),
        ("kind = 'replay'", "steps = [['a']]"),
        ("kind = 'command'\ncommand = ['a']", "steps = [['a']]"),
    ] {
        let plain = format!("[targets.t]\n{table}\n");
        let with = format!("{plain}[[preconditions]]\ntext = 'a'\n{check}");
        assert_eq!(target(&with), TargetConfig { span: target(&with).span, ..target(&plain) }, "{with}");
    }
}

#[test]
fn an_address_has_a_scheme_and_a_host() {
    let is_address = |text: &str| crate::config::web_address(text).is_some();
    for text in "http://localhost:3000 https://app.example/a?b#c HTTP://localhost http://[::1]:3000".split(' ') {
        assert!(is_address(text), "{text}");
    }
    let others =
        "http://[ http://localhost:99999 http:// http:///path http:localhost localhost:3000 file:///etc/passwd";
    for text in others.split(' ').chain(["http://a b", " http://a"]) {
        assert!(!is_address(text), "{text}");
    }
    let (_, errors) = super::parse("[targets.app]\nkind = \"browser\"\nurl = \"http://[\"");
    assert!(errors[0].message.contains("found `http://[`"), "{errors:?}");
}
