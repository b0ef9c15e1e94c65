use serde_json::json;

use super::{outcomes_with, says, transcript};
use crate::config::Config;

const CONFIG: &str = r#"
[[ui_hints]]
hint = "all"
all = ["Mentions", "Open"]

[[ui_hints]]
hint = "any"
any = ["one", "two", "three"]

[[ui_hints]]
hint = "two of any"
any = ["one", "two", "three"]
at_least = 2

[[ui_hints]]
hint = "none"
none = ["Add filtered", "Error"]

[[ui_hints]]
hint = "canvas"
all_of = [["Mentions", "Replies"], ["today"]]
none = ["Error"]

[[ui_hints]]
hint = "pattern"
matches = ['^\d+ mentions$', 'open']

[[ui_hints]]
hint = "everything"
all = ["a"]
any = ["b", "c"]
none = ["d"]

[sources]
linear = ["linear", "ticket"]
github = ["octocat"]
"#;

#[track_caller]
fn with_config(expected: &str, response: &str, outcomes: &[&str]) {
    let (config, errors) = Config::parse(CONFIG, &[]);
    assert!(errors.is_empty(), "{errors:?}");
    outcomes_with(&config, expected, &transcript(response, json!([])), outcomes);
}

#[test]
fn a_hint_has_the_definition_of_the_workspace() {
    let check = |hint: &str, response: &str, passed: bool| {
        let sign = if passed { "+" } else { "-" };
        with_config(&format!(r#"{{ "ui": ["{hint}"] }}"#), response, &[&format!("{sign}ui:{hint}")]);
    };
    for (hint, response, passed) in [
        ("all", "OPEN\nmentions", true),
        ("all", "mentions", false),
        ("any", "TWO", true),
        ("any", "four", false),
        ("two of any", "one", false),
        ("two of any", "one one", false),
        ("two of any", "three two", true),
        ("canvas", "mentions, TODAY", true),
        ("canvas", "today: replies", true),
        ("canvas", "mentions replies", false),
        ("canvas", "today", false),
        ("canvas", "Error: mentions today", false),
        ("pattern", "3 Mentions\nOPEN", true),
        ("pattern", "3 mentions", false),
        ("pattern", "3 mentions open", false),
        ("none", "", true),
        ("none", "add FILTERED", false),
        ("everything", "a b", true),
        ("everything", "b", false),
        ("everything", "a", false),
        ("everything", "a b d", false),
    ] {
        check(hint, response, passed);
    }
}

#[test]
fn a_hint_without_a_definition_is_unknown() {
    with_config(r#"{ "ui": ["All", "any", "any "] }"#, "one", &["?ui:All", "+ui:any", "?ui:any "]);
    says(r#"{ "ui": ["all"] }"#, "Mentions Open", &["?ui:all"]);
}

#[test]
fn built_in_sources_are_known_by_their_patterns() {
    for (source, patterns) in [
        ("github", &["github", "commit", "pull request", "pr", "issue", "repo"][..]),
        ("slack", &["slack", "mention", "channel", "message", "thread"]),
        ("posthog", &["posthog", "site health", "event", "funnel", "insight"]),
        ("vercel", &["vercel", "deployment", "build", "production"]),
    ] {
        for name in [source.to_owned(), source.to_uppercase()] {
            let expected = format!(r#"{{ "required_sources": ["{name}"] }}"#);
            let id = format!("synthesis:required_source:{name}");
            for pattern in patterns {
                says(&expected, &format!("x{}x", pattern.to_uppercase()), &[&format!("+{id}")]);
            }
            says(&expected, "zzz", &[&format!("-{id}")]);
        }
    }
}

#[test]
fn patterns_come_from_the_case_then_the_workspace_then_the_built_in_then_the_name() {
    let id = |sign: &str, source: &str| format!("{sign}synthesis:required_source:{source}");
    let check = |source: &str, given: &str, response: &str, sign: &str| {
        let given = if given.is_empty() { String::new() } else { format!(r#", "source_patterns": {given}"#) };
        let expected = format!(r#"{{ "required_sources": ["{source}"]{given} }}"#);
        with_config(&expected, response, &[&id(sign, source)]);
    };
    for (source, given, response, sign) in [
        // The patterns of the case replace all others.
        ("github", r#"{"github": ["PR"]}"#, "commit octocat", "-"),
        ("github", r#"{"github": ["PR"]}"#, "a pr", "+"),
        ("github", r#"{"github": []}"#, "github octocat", "-"),
        ("github", r#"{"github": [""]}"#, "github octocat", "-"),
        ("github", r#"{"GitHub": ["PR"]}"#, "octocat", "+"),
        ("github", r#"{"slack": ["PR"]}"#, "octocat", "+"),
        ("github", r#"{"github": ["x"], "github": ["y"]}"#, "x", "-"),
        // Then those of the workspace, by the exact name.
        ("github", "", "a commit", "-"),
        ("github", "", "Octocat", "+"),
        ("GitHub", "", "a commit", "+"),
        ("linear", "", "a TICKET", "+"),
        ("Linear", "", "a ticket", "-"),
        // Then the built-in ones, by the name, ignoring case.
        ("Slack", "", "a thread", "+"),
        // Then the name.
        ("Notion", "", "in NOTION", "+"),
        ("Notion", "", "in a note", "-"),
    ] {
        check(source, given, response, sign);
    }
}
