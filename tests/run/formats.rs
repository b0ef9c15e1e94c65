use crate::run::support::Workspace;

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&[
        (r#"{ "must_say_any": ["yes"] }"#, Some("Yes.")),
        (r#"{ "must_say_any": ["yes"], "must_not_say": ["no"] }"#, Some("First.\nNo.")),
        (r#"{ "must_say_any": ["yes"] }"#, None),
    ]);
    workspace
}

#[test]
fn text_has_failures_with_lines_of_suite_and_response() {
    let ran = workspace().run(&["run", "s.evals.json"]);
    assert!(ran.out.contains("s.evals.json:2:61"), "{}", ran.out);
    assert!(ran.out.contains("response, line 2, column 1: `No`"), "{}", ran.out);
    assert!(ran.out.contains("no stored answer; `eval-ls record`"), "{}", ran.out);
    assert!(
        ran.out.ends_with(" s\n") && ran.out.contains("3 cases in 1 suite: 1 passed, 1 failed, 1 error"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains('\u{1b}'), "output that is not a terminal has no colours");
}

#[test]
fn both_result_files_have_the_same_verdicts() {
    let workspace = workspace();
    workspace.run(&["run", "s.evals.json"]);
    workspace.run(&["run", "s.evals.json"]);
    let results: Vec<_> = workspace
        .files()
        .into_iter()
        .filter(|(path, _)| path.parent().unwrap().ends_with("results") && path.extension().is_some())
        .collect();
    assert_eq!(results.len(), 4, "two runs write two files each");
    let json = results.iter().find(|(path, _)| path.extension().is_some_and(|end| end == "json")).unwrap();
    let document: serde_json::Value = serde_json::from_slice(&json.1).unwrap();
    let summary = serde_json::json!({ "pass": 1, "fail": 1, "partial": 0, "error": 1, "total": 3, "avg_soft_score": document["summary"]["avg_soft_score"] });
    assert_eq!(document["summary"], summary);
    let markdown = std::fs::read_to_string(json.0.with_extension("md")).unwrap();
    assert!(markdown.contains("| C1 | FAIL |"), "{markdown}");
}

#[test]
fn json_is_one_document_and_several_suites_are_an_array() {
    let workspace = workspace();
    let ran = workspace.run(&["run", "s.evals.json", "--format", "json", "--no-results"]);
    let document: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(document["eval_file"], "s.evals.json");
    workspace.write(
        "t.evals.json",
        r#"{ "cases": [ { "id": "T", "prompt": "p", "expected": { "must_say_any": ["x"] } } ] }"#,
    );
    let ran = workspace.run(&["run", "s.evals.json", "t.evals.json", "--format", "json", "--no-results"]);
    let documents: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(documents.as_array().unwrap().len(), 2);
    assert!(!workspace.path().join("results").exists());
}

#[test]
fn jsonl_has_one_event_on_each_line() {
    let ran = workspace().run(&["run", "s.evals.json", "--format", "jsonl", "--no-results"]);
    let events: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("run-started", "run-finished"));
    assert_eq!(names.iter().filter(|name| **name == "case-finished").count(), 3);
    let failed = events.iter().find(|event| event["event"] == "case-finished" && event["case"] == "C1").unwrap();
    assert_eq!((&failed["status"], &failed["range"]["start"]["line"]), (&"FAIL".into(), &2.into()));
}

/// The formats that `run --format` knows.
fn formats(workspace: &Workspace) -> Vec<String> {
    let refused = workspace.run(&["run", "s.evals.json", "--format", "none-of-them"]).err;
    let (_, known) = refused.split_once("[possible values: ").unwrap_or_else(|| panic!("{refused}"));
    known.split(']').next().unwrap().split(", ").map(str::to_owned).collect()
}

#[test]
fn every_format_reports_the_same_verdicts() {
    let workspace = workspace();
    let page = include_str!("../../docs/cli.md");
    let run = |format: &str| workspace.run(&["run", "s.evals.json", "--format", format, "--no-results"]);
    let document: serde_json::Value = serde_json::from_str(&run("json").out).unwrap();
    for format in formats(&workspace) {
        assert!(page.contains(&format), "docs/cli.md does not mention the format `{format}`");
        let ran = run(&format);
        assert_eq!(ran.status, 1, "{format}: {}", ran.err);
        for case in document["cases"].as_array().unwrap() {
            let (id, status) = (case["id"].as_str().unwrap(), case["status"].as_str().unwrap());
            let agrees = match format.as_str() {
                "json" => serde_json::from_str::<serde_json::Value>(&ran.out).unwrap()["summary"]["total"] == 3,
                "jsonl" => ran.out.lines().any(|line| {
                    let event: serde_json::Value = serde_json::from_str(line).unwrap();
                    let is_of_case = event["event"] == "case-finished" && event["case"] == id;
                    is_of_case && event["status"] == status && event["result"]["checks"] == case["checks"]
                }),
                "junit" => ran.out.split("<testcase ").any(|case| {
                    case.starts_with(&format!("name=\"{id}\" classname=\"s.evals\""))
                        && case.contains(&format!("<system-out>status: {status}"))
                }),
                "concise" => ran.out.contains(&format!("[{status}] {id}: ")) == (status != "PASS"),
                "github" => ran.out.contains(&format!("title={status} {id}")) == (status != "PASS"),
                "text" => ran.out.lines().any(|line| line.starts_with(status) && line.contains(id)),
                other => panic!("this test does not know how the format `{other}` shows a verdict"),
            };
            assert!(agrees, "{format}, {id} {status}:\n{}", ran.out);
        }
    }
}

#[test]
fn the_step_summary_has_the_whole_table() {
    let workspace = workspace();
    let summary = workspace.path().join("summary.md");
    for option in [&["--format", "github"][..], &["--report", "github"], &["--report", "github=annotations"]] {
        std::fs::write(&summary, "before\n").unwrap();
        let mut command = workspace.command(&[&["run", "s.evals.json", "--no-results"], option].concat());
        assert_eq!(command.env("GITHUB_STEP_SUMMARY", &summary).output().unwrap().status.code(), Some(1));
        let text = std::fs::read_to_string(&summary).unwrap();
        assert!(
            text.starts_with("before\n## ✗ Eval results: 2 of 3 cases did not pass")
                && text.contains("| C0 | PASS |")
                && text.contains("| C2 | ERROR |"),
            "{option:?}: {text}"
        );
    }
}

#[test]
fn a_suite_on_standard_input_runs_as_the_named_file() {
    use std::io::Write as _;
    let workspace = workspace();
    let mut command =
        workspace.command(&["run", "-", "--stdin-filename", "s.evals.json", "--format", "json", "--no-results"]);
    let mut child = command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let unsaved = r#"{ "cases": [ { "id": "C1", "prompt": "p1", "expected": { "must_say_any": ["first"] } } ] }"#;
    child.stdin.take().unwrap().write_all(unsaved.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["cases"][0]["status"], "PASS", "{document:#}");
}

/// C1 controls, DEL and bidirectional controls steer terminals too.
#[test]
fn no_format_prints_invisible_characters() {
    let workspace = Workspace::new();
    let id = "\u{9b}31m\u{7f}\u{202e}\u{200b}";
    workspace
        .write("s.evals.json", &format!(r#"{{ "cases": [ {{ "id": "{id}", "prompt": "p", "expected": {{}} }} ] }}"#));
    for format in ["text", "json", "jsonl", "junit", "github"] {
        let run = workspace.run(&["run", "s.evals.json", "--no-results", "--no-check", "--format", format]);
        let found = run
            .out
            .chars()
            .chain(run.err.chars())
            .find(|c| (c.is_control() && *c != '\n') || id[2..].contains(*c) && !c.is_ascii());
        assert_eq!(found, None, "{format}: {}", run.out.escape_debug());
        if format == "json" {
            let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
            assert_eq!(document["cases"][0]["id"], id);
        }
    }
}

/// A workflow obeys lines that begin with `::`, wherever they come from.
#[test]
fn a_list_in_a_workflow_is_only_text() {
    let workspace = Workspace::new();
    workspace.write("s.evals.json", r#"{ "cases": [ { "id": "::add-mask::x", "prompt": "p", "expected": {} } ] }"#);
    for arguments in [&["list", "s.evals.json"][..], &["run", "s.evals.json", "--no-check", "--no-results"]] {
        let run = workspace.run(arguments);
        let obeyed = run.out.lines().chain(run.err.lines()).find(|line| line.trim_start().starts_with("::"));
        assert_eq!(obeyed, None, "{}{}", run.out, run.err);
    }
}
