use serde_json::{Value, json};

use crate::support::{Folder, Ran, YES};

fn workspace() -> Folder {
    let workspace = Folder::new();
    workspace.suite(&[
        (YES, Some("Yes.")),
        (r#"{ "must_say_any": ["yes"], "must_not_say": ["no"] }"#, Some("First.\nNo.")),
        (YES, None),
    ]);
    workspace
}

#[test]
pub(super) fn text_has_failures_with_lines_of_suite_and_response() {
    let texts = [
        "s.evals.json:2:61",
        "line 2, column 1: `No`",
        "no stored answer; `eval-ls record`",
        "3 cases in 1 suite: 1 passed, 1 failed, 1 error",
    ];
    let ran = workspace().run(&["run", "s.evals.json"]).prints(1, texts);
    assert!(ran.out.ends_with(" s\n"), "{ran:?}");
    assert!(!ran.out.contains('\u{1b}'), "output that is not a terminal has no colours");
}

#[test]
fn both_result_files_have_the_same_verdicts() {
    let workspace = workspace();
    workspace.run(&["run", "s.evals.json"]);
    workspace.run(&["run", "s.evals.json"]);
    let mut results = workspace.files();
    results.retain(|path, _| path.parent().is_some_and(|folder| folder.ends_with("results")));
    results.retain(|path, _| path.extension().is_some());
    assert_eq!(results.len(), 4, "two runs write two files each");
    let (path, json) = results.iter().find(|(path, _)| path.extension().is_some_and(|end| end == "json")).unwrap();
    let mut summary = serde_json::from_slice::<Value>(json).unwrap()["summary"].take();
    summary.as_object_mut().unwrap().remove("avg_soft_score").unwrap();
    assert_eq!(summary, json!({ "pass": 1, "fail": 1, "partial": 0, "error": 1, "total": 3 }));
    let markdown = workspace.read(path.with_extension("md"));
    assert!(markdown.contains("| C1 | FAIL |"), "{markdown}");
}

#[test]
fn json_is_one_document_and_several_suites_are_an_array() {
    let workspace = workspace();
    let run = |suites: &[&str]| workspace.run(&[&["run", "--format", "json", "--no-results"], suites].concat()).json();
    assert_eq!(run(&["s.evals.json"])["eval_file"], "s.evals.json");
    workspace.write("t.evals.json", workspace.read("s.evals.json"));
    assert_eq!(run(&["s.evals.json", "t.evals.json"]).as_array().unwrap().len(), 2);
    assert!(!workspace.join("results").exists());
}

#[test]
fn jsonl_has_one_event_on_each_line() {
    let ran = workspace().run(&["run", "s.evals.json", "--format", "jsonl", "--no-results"]);
    let events = ran.events();
    let names: Vec<_> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], *names.last().unwrap()), ("run-started", "run-finished"));
    assert_eq!(names.iter().filter(|name| **name == "case-finished").count(), 3);
    let failed = events.iter().find(|event| event["event"] == "case-finished" && event["case"] == "C1").unwrap();
    assert_eq!((&failed["status"], &failed["range"]["start"]["line"]), (&json!("FAIL"), &json!(2)));
}

/// The formats that `run --format` knows.
fn formats(workspace: &Folder) -> Vec<String> {
    let refused = workspace.run(&["run", "s.evals.json", "--format", "none-of-them"]).err;
    let (_, known) = refused.split_once("[possible values: ").unwrap_or_else(|| panic!("{refused}"));
    known.split(']').next().unwrap().split(", ").map(str::to_owned).collect()
}

#[test]
fn every_format_reports_the_same_verdicts() {
    let workspace = workspace();
    let page = include_str!("../../docs/cli.md");
    let run = |format: &str| workspace.run(&["run", "s.evals.json", "--format", format, "--no-results"]);
    let document = run("json").json();
    for format in formats(&workspace) {
        assert!(page.contains(&format), "docs/cli.md does not mention the format `{format}`");
        let ran = run(&format).ends(1);
        for case in document["cases"].as_array().unwrap() {
            let (id, status) = (case["id"].as_str().unwrap(), case["status"].as_str().unwrap());
            let agrees = match format.as_str() {
                "json" => ran.json()["summary"]["total"] == 3,
                "jsonl" => ran.events().iter().any(|event| {
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
fn the_step_summary_has_what_did_not_pass() {
    let workspace = workspace();
    let summary = workspace.join("summary.md");
    for option in [&["--format", "github"][..], &["--report", "github"], &["--report", "github=annotations"]] {
        std::fs::write(&summary, "before\n").unwrap();
        let mut command = workspace.command(&[&["run", "s.evals.json", "--no-results"], option].concat());
        Ran::from(command.env("GITHUB_STEP_SUMMARY", &summary)).ends(1);
        let text = std::fs::read_to_string(&summary).unwrap();
        let start = "before\n## ✗ Eval results: 2 of 3 cases fail the run";
        assert!(text.starts_with(start), "{option:?}: {text}");
        assert!(text.contains("\n### C1 · FAIL\n") && text.contains("\n### C2 · ERROR\n"), "{option:?}: {text}");
    }
}

/// Whether each report of a run shows a success.
fn successes(workspace: &Folder) -> [(&'static str, bool); 4] {
    let [markdown, page, junit, github] = ["r.md", "r.html", "r.xml", "r.txt"].map(|name| workspace.read(name));
    [
        ("md", markdown.starts_with("## ✓")),
        ("html", page.contains("\"passed\":true")),
        ("junit", !junit.contains("<failure ") && !junit.contains("<error ")),
        ("github", !github.lines().any(|line| line.starts_with("::error"))),
    ]
}

#[test]
fn every_report_shows_a_failure_whenever_the_exit_status_is_not_0() {
    let partial = r#"{ "must_say_any": ["yes"], "ui": ["A list is shown."] }"#;
    let stored = |cases: &[(&str, Option<&str>)]| {
        let workspace = Folder::new();
        workspace.suite(cases);
        workspace
    };
    let stale = Folder::asking(&["yes", "yes"], "");
    stale.run(&["record"]).ends(0);
    stale.edit("s.evals.json", "\"p0\"", "\"another\"");
    let flaky = || Folder::asking(&["yes no", "yes"], "");
    let lenient = flaky();
    lenient.edit("eval-ls.toml", "[run]\n", "[run]\nflaky = \"pass\"\n");
    for (workspace, options, status, words) in [
        (stored(&[(YES, Some("yes"))]), &[][..], 0, "✓ Eval results: 1 case passed"),
        (stored(&[(YES, Some("yes")), (YES, Some("no"))]), &[], 1, "✗ Eval results: 1 of 2 cases fails the run"),
        (stored(&[(partial, Some("yes"))]), &[], 0, "✓ Eval results: no failure counts"),
        (stored(&[(partial, Some("yes"))]), &["--strict"], 1, "; 1 partial case counts as failed"),
        (stored(&[(YES, None)]), &[], 5, "✗ Eval results: 1 of 1 case fails the run"),
        (stale, &["--target", "replay", "--strict"], 1, "2 passed, 1 stale; 1 stale case counts as failed"),
        (flaky(), &["--repeat", "2"], 1, "✗ Eval results: 1 of 2 cases fails the run"),
        (lenient, &["--repeat", "2"], 0, "; 1 flaky case does not count"),
        (
            Folder::asking(&["no"; 3], ""),
            &["--max-failures=1", "--jobs=1"],
            1,
            "✗ Eval results: ended early after 1 case\n",
        ),
    ] {
        let reports =
            ["md=r.md", "html=r.html", "junit=r.xml", "github=r.txt"].map(|report| format!("--report={report}"));
        let reports = reports.iter().map(String::as_str);
        let ran = workspace
            .run(&["run", "--no-check"].into_iter().chain(options.iter().copied()).chain(reports).collect::<Vec<_>>());
        assert_eq!(ran.status, status, "{ran:?}");
        for (report, is_success) in successes(&workspace) {
            assert_eq!(is_success, status == 0, "{report} of {ran:?}");
        }
        let markdown = workspace.read("r.md");
        assert!(markdown.contains(words), "{markdown}");
    }
}

#[test]
fn a_suite_on_standard_input_runs_as_the_named_file() {
    let unsaved = r#"{ "cases": [ { "id": "C1", "prompt": "p1", "expected": { "must_say_any": ["first"] } } ] }"#;
    let arguments = ["run", "-", "--stdin-filename", "s.evals.json", "--format", "json", "--no-results"];
    let ran = workspace().run_with(&arguments, unsaved.as_bytes());
    assert_eq!(ran.json()["cases"][0]["status"], "PASS", "{ran:?}");
}
