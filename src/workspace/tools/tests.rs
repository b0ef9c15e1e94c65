use std::fs;
use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use crate::config::Config;
use crate::workspace::Scope;

use super::*;
use super::{FILE_BYTES, NAME_BYTES, TOOLS, ToolCounts};

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| write(&folder, name, text));
    folder
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn transcript(events: &[(&str, &str)]) -> String {
    let events: Vec<_> =
        events.iter().map(|(source, event)| format!(r#"{{ "source": "{source}", "event": "{event}" }}"#)).collect();
    let events = events.join(", ");
    format!(r#"{{ "format": "eval-ls/transcript@1", "case": "A", "response": "", "telemetry": [{events}, "raw"] }}"#)
}

fn suite(tools: &str) -> String {
    format!(r#"{{ "cases": [ {{ "id": "A", "prompt": "p", "expected": {{ "tool_calls_any": [{tools}] }} }} ] }}"#)
}

fn counts(counts: &ToolCounts) -> Vec<(&str, usize)> {
    counts.iter().map(|(tool, times)| (tool.as_str(), *times)).collect()
}

fn shown(scope: Scope, config: &str) -> Vec<(String, usize)> {
    let (config, errors) = Config::parse(config, &[]);
    assert_eq!(errors, []);
    Observer::new(scope).tools(&config.into()).shown.into_iter().collect()
}

fn workspace(folder: &TempDir) -> Scope {
    Scope::Configured(folder.path().to_owned())
}

#[test]
fn transcripts_and_suites_tell_of_tools() {
    let folder = folder(&[
        ("a-eval-set.json", &suite(r#""book", "bok", """#)),
        (
            "deep/b-eval-set.json",
            r#"{ "cases": [ { "expected": { "tool_calls_none": ["book"], "telemetry": ["tool.pay start", "paid"] } } ] }"#,
        ),
        (
            "transcripts/a-eval-set/A.json",
            &transcript(&[
                ("tool.book", "start"),
                ("tool.book", "result"),
                ("tool.book", "start"),
                ("tool.", "start"),
                ("app", "start"),
            ]),
        ),
        ("deep/transcripts/b-eval-set/A.json", &transcript(&[("tool.find.slot", "result"), ("tool.book", "start")])),
        ("deep/transcripts/b-eval-set/notes.txt", &transcript(&[("tool.note", "start")])),
        ("transcripts/gone-eval-set/A.json", &transcript(&[("tool.gone", "start")])),
        ("other/eval-ls.toml", ""),
        ("other/c-eval-set.json", &suite(r#""elsewhere""#)),
        ("other/transcripts/c-eval-set/A.json", &transcript(&[("tool.elsewhere", "start")])),
    ]);
    let tools = Observer::new(workspace(&folder)).tools(&Arc::default());
    assert_eq!(counts(&tools.shown), [("book", 3), ("find.slot", 1)]);
    assert_eq!(counts(&tools.named), [("bok", 1), ("book", 2), ("pay", 1)]);
}

#[test]
fn without_a_configuration_only_the_folder_itself_counts() {
    let folder = folder(&[
        ("evals/a.json", "{}"),
        ("evals/transcripts/a/A.json", &transcript(&[("tool.book", "start")])),
        ("evals/deep/b-eval-set.json", "{}"),
        ("evals/deep/transcripts/b-eval-set/A.json", &transcript(&[("tool.pay", "start")])),
    ]);
    let scope = |path: &str| Scope::Unconfigured(folder.path().join(path).parent().unwrap().to_owned());
    assert_eq!(shown(scope("evals/a.json"), ""), [("book".to_owned(), 1)]);
    assert_eq!(shown(scope("evals/deep/b-eval-set.json"), ""), [("pay".to_owned(), 1)]);
    assert_eq!(shown(scope("nowhere/x.json"), ""), []);
}

#[test]
fn logs_of_browser_targets_tell_of_tools() {
    let folder = folder(&[
        (
            "logs/app.log",
            "{\"source\":\"tool.book\",\"event\":\"start\"}\r\nno JSON tool.x\n{\"source\":\"tool.pay\"}\n{\"source\":\"tool.cut",
        ),
        ("kept/a-eval-set/A.json", &transcript(&[("tool.find", "start")])),
        ("a-eval-set.json", "{}"),
    ]);
    let config = "
        [run]
        transcripts = \"kept\"
        [targets.app]
        kind = \"browser\"
        url = \"http://localhost:1\"
        telemetry_log = \"logs/app.log\"
        [targets.app2]
        kind = \"browser\"
        url = \"http://localhost:2\"
        telemetry_log = \"logs/app.log\"
        [targets.gone]
        kind = \"browser\"
        url = \"http://localhost:2\"
        telemetry_log = \"gone\"
    ";
    let tools = ["book", "find", "pay"].map(|tool| (tool.to_owned(), 1));
    assert_eq!(shown(workspace(&folder), config), tools);
}

#[test]
fn a_file_is_read_again_when_it_changed_and_forgotten_when_it_is_gone() {
    let path = "transcripts/a-eval-set/A.json";
    let folder = folder(&[("a-eval-set.json", "{}"), (path, &transcript(&[("tool.book", "start")]))]);
    let mut observer = Observer::new(workspace(&folder));
    let mut look = || observer.tools(&Arc::default()).shown.into_keys().collect::<Vec<_>>();
    assert_eq!(look(), ["book"]);
    assert_eq!(look(), ["book"]);
    write(&folder, path, &transcript(&[("tool.book_slot", "start")]));
    assert_eq!(look(), ["book_slot"]);
    fs::remove_file(folder.path().join(path)).unwrap();
    assert_eq!(look(), [] as [&str; 0]);
}

#[test]
fn hostile_files_cost_little_and_say_little() {
    let many: Vec<_> = (0..TOOLS + 10).map(|number| format!("tool.t{number:05}")).collect();
    let many: Vec<_> = many.iter().map(|tool| (tool.as_str(), "start")).collect();
    let long = format!("tool.{}", "x".repeat(NAME_BYTES + 1));
    let large = usize::try_from(FILE_BYTES).unwrap();
    let log = format!("{{\"source\":\"tool.early\"}}\n{}\n{{\"source\":\"tool.late\"}}\n", "x".repeat(large));
    for (text, expected) in [
        (transcript(&[(&long, "start")]), 0),
        (transcript(&many), TOOLS),
        (format!("{{ \"telemetry\": {}", "[{".repeat(500_000)), 0),
        (format!("{}{}", transcript(&[("tool.book", "start")]), " ".repeat(large)), 0),
        ("\u{feff}{ \"telemetry\": [ { \"source\": \"tool.book\", } ".to_owned(), 1),
        ("{ \"telemetry\": { \"source\": \"tool.book\" } }".to_owned(), 0),
        ("[]".to_owned(), 0),
        (String::new(), 0),
    ] {
        let folder = folder(&[("a-eval-set.json", "{}"), ("transcripts/a-eval-set/A.json", &text), ("app.log", &log)]);
        write_bytes(folder.path(), b"\xff\xfe{");
        assert_eq!(shown(workspace(&folder), "").len(), expected, "{text:.80}");
    }
    let folder = folder(&[("app.log", &log)]);
    let config = "[targets.app]\nkind = \"browser\"\nurl = \"http://localhost:1\"\ntelemetry_log = \"app.log\"\n";
    assert_eq!(shown(workspace(&folder), config), [("late".to_owned(), 1)]);
}

fn write_bytes(folder: &Path, bytes: &[u8]) {
    fs::write(folder.join("transcripts/a-eval-set/B.json"), bytes).unwrap();
}

#[cfg(unix)]
#[test]
fn files_outside_of_the_workspace_show_no_tools() {
    use std::os::unix::fs::symlink;
    let shows = transcript(&[("tool.secret", "start")]);
    let all = folder(&[
        ("victim/log.jsonl", "{\"source\":\"tool.secret\",\"event\":\"start\"}\n"),
        ("victim/a/A.json", &shows),
        ("victim/o.evals.json", &suite(r#""secret""#)),
        ("w/a.evals.json", "{}"),
    ]);
    let target = |log: &str| {
        format!("[targets.b]\nkind = \"browser\"\nurl = \"http://localhost:1/\"\ntelemetry_log = \"{log}\"\n")
    };
    let (victim, root) = (all.path().join("victim"), all.path().join("w"));
    fs::create_dir_all(root.join("kept")).unwrap();
    symlink(victim.join("log.jsonl"), root.join("log.jsonl")).unwrap();
    symlink(victim.join("o.evals.json"), root.join("o.evals.json")).unwrap();
    symlink(victim.join("a"), root.join("kept/a.evals")).unwrap();
    fs::create_dir_all(root.join("transcripts/a.evals")).unwrap();
    symlink(victim.join("a/A.json"), root.join("transcripts/a.evals/A.json")).unwrap();
    for config in [
        target("../victim/log.jsonl"),
        target("log.jsonl"),
        "[run]\ntranscripts = \"../victim\"".to_owned(),
        "[run]\ntranscripts = \"kept\"".to_owned(),
        String::new(),
    ] {
        let config = Arc::new(Config::parse(&config, &[]).0);
        let tools = Observer::new(Scope::Configured(root.clone())).tools(&config);
        assert_eq!(tools, Tools::default(), "{config:?}");
    }
}
