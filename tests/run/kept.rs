//! Runs that are kept, resumed, listed and removed.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::run::support::{Ran, WORDS_AGENT, Workspace, without_lines};

const YES: &str = r#"{ "must_say_any": ["yes"] }"#;
const PASSES: (&str, Option<&str>) = (YES, Some("yes"));
const FAILS: (&str, Option<&str>) = (YES, Some("no"));

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace.suite(&[PASSES, FAILS, (YES, None)]);
    workspace
}

/// The kept runs, the last one first, as `runs --format json` lists them.
fn runs(workspace: &Workspace) -> Vec<Value> {
    let ran = workspace.run(&["runs", "--format", "json"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

fn latest(workspace: &Workspace) -> PathBuf {
    workspace.path().join("results/runs/latest")
}

fn lines(workspace: &Workspace) -> Vec<Value> {
    let text = std::fs::read_to_string(latest(workspace).join("cases.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The ids of the cases that ran, in the order of the suite.
fn ids(ran: &Ran) -> Vec<String> {
    let document: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    document["cases"].as_array().unwrap().iter().map(|case| case["id"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_run_is_kept_with_its_record_and_answers() {
    let workspace = workspace();
    workspace.write("eval-ls.toml", "[run]\nlabels = { env = \"staging\", build = \"1\" }\n");
    let ran = workspace.run(&["run", "s.evals.json", "--label", "build=2"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    let record: Value = serde_json::from_slice(&std::fs::read(latest(&workspace).join("run.json")).unwrap()).unwrap();
    let schema: Value = serde_json::from_str(&workspace.run(&["schema", "run"]).out).unwrap();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    let faults: Vec<_> = validator.iter_errors(&record).map(|fault| fault.to_string()).collect();
    assert_eq!(faults, [""; 0], "{record:#}");
    assert_eq!(record["labels"], json!({ "build": "2", "env": "staging" }));
    assert_eq!((&record["target"]["name"], &record["target"]["kind"]), (&json!("replay"), &json!("replay")));
    assert_eq!((&record["git"], &record["os"]), (&Value::Null, &json!(std::env::consts::OS)));
    assert_eq!((&record["suites"][0]["path"], &record["not_run"]), (&json!("s.evals.json"), &json!(0)));
    assert_eq!(record["suites"][0]["cases"].as_array().unwrap().len(), 3);
    assert_eq!(record["summary"]["total"], 3);

    let lines = lines(&workspace);
    let ends = lines.iter().map(|line| (line["case"].as_str().unwrap(), line["status"].as_str().unwrap()));
    assert_eq!(ends.collect::<Vec<_>>(), [("C0", "PASS"), ("C1", "FAIL"), ("C2", "ERROR")]);
    let part = |key: &str| lines[1]["answer"][key].as_u64().unwrap() as usize;
    let answers = std::fs::read(latest(&workspace).join("answers")).unwrap();
    let answer: Value = serde_json::from_slice(&answers[part("start")..][..part("length")]).unwrap();
    assert_eq!((&answer["format"], &answer["response"]), (&json!("eval-ls/answer@1"), &json!("no")));
    assert_eq!(lines[2]["answer"], Value::Null);

    // The result files have the same results.
    let file = std::fs::read_dir(workspace.path().join("results")).unwrap().map(|entry| entry.unwrap().path());
    let file = file.into_iter().find(|path| path.extension().is_some_and(|end| end == "json")).unwrap();
    let document: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let results: Vec<Value> = lines.iter().map(|line| line["result"].clone()).collect();
    assert_eq!(document["cases"], Value::Array(results));
}

#[test]
fn runs_are_listed_and_removed() {
    let workspace = workspace();
    assert!(workspace.run(&["runs"]).err.contains("no run is kept"));
    for _ in 0..3 {
        workspace.run(&["run"]);
    }
    let all: Vec<String> = runs(&workspace).iter().map(|run| run["id"].as_str().unwrap().to_owned()).collect();
    assert_eq!(all.len(), 3);
    let text = workspace.run(&["runs"]).out;
    assert_eq!(text.lines().count(), 3);
    assert!(text.starts_with(&format!("{}  just now  run replay  ", all[0])), "{text}");
    assert!(text.lines().all(|line| line.contains("  s  ")), "{text}");
    assert!(text.contains("1 passed, 1 failed, 1 error"), "{text}");

    let ran = workspace.run(&["runs", "rm", &all[0], "nothing"]);
    assert_eq!((ran.status, ran.out.trim()), (4, format!("removed {}", all[0]).as_str()), "{}", ran.err);
    assert!(ran.err.contains("there is no run `nothing`"), "{}", ran.err);
    assert_eq!(std::fs::read_link(latest(&workspace)).unwrap(), PathBuf::from(&all[1]));

    workspace.write("eval-ls.toml", "[run]\nkeep = \"1 run\"\n");
    let ran = workspace.run(&["runs", "gc"]);
    assert_eq!((ran.status, ran.out.trim()), (0, format!("removed {}", all[2]).as_str()), "{}", ran.err);
    workspace.run(&["run"]);
    let left = runs(&workspace);
    assert_eq!(left.len(), 1, "a run removes the others when it ends");
    assert_ne!(left[0]["id"], json!(all[1]));
}

#[test]
fn the_cases_that_did_not_pass_are_selected() {
    let workspace = workspace();
    let ran = workspace.run(&["run", "--failed"]);
    assert_eq!(ran.status, 4);
    assert!(ran.err.contains("no run is kept in"), "{}", ran.err);
    workspace.run(&["run"]);
    let first = runs(&workspace)[0]["id"].as_str().unwrap().to_owned();
    for arguments in [&["list", "--failed", "--format", "json"][..], &["challenge", "--failed", "--format", "json"]] {
        let out = workspace.run(arguments).out;
        let has = |id: &str| out.contains(&format!("\"id\": \"{id}\""));
        assert!(!has("C0") && has("C1") && has("C2"), "{out}");
    }
    let ran = workspace.run(&["run", "--failed", "--format", "json"]);
    assert_eq!(ids(&ran), ["C1", "C2"]);

    // What passes now is not in the next one.
    workspace.suite(&[PASSES, PASSES, (YES, None)]);
    assert_eq!(ids(&workspace.run(&["run", "--failed", "--format", "json"])), ["C1", "C2"]);
    assert_eq!(ids(&workspace.run(&["run", "--failed", "--format", "json"])), ["C2"]);
    assert_eq!(ids(&workspace.run(&["run", &format!("--failed={first}"), "--format", "json"])), ["C1", "C2"]);
    // A run of other cases does not hide a case that fails.
    workspace.run(&["run", "--cases", "C0"]);
    assert_eq!(ids(&workspace.run(&["run", "--failed", "--format", "json"])), ["C2"]);
    let last = runs(&workspace)[1]["id"].as_str().unwrap().to_owned();
    for (option, sentence) in [
        ("--failed", "no selected case failed when `replay` last answered it"),
        (&format!("--failed={last}"), &format!("no selected case failed in the run {last}")),
    ] {
        for command in ["run", "list", "challenge"] {
            let ran = workspace.run(&[command, option, "--cases", "C0"]);
            assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{command} {option}: {ran:?}");
            assert_eq!(ran.err.lines().last().unwrap_or_default(), format!("{sentence}"), "{command} {option}");
        }
    }
}

#[test]
fn cases_that_failed_ask_the_target_that_failed() {
    let workspace = Workspace::new();
    let nine = r#"{ "must_say_any": ["nine"] }"#;
    workspace.suite(&[(nine, Some("nine")), (nine, Some("nine"))]);
    workspace.agent(WORDS_AGENT, "");
    workspace.write("C0.txt", "eight");
    workspace.write("C1.txt", "nine");
    let config = std::fs::read_to_string(workspace.path().join("eval-ls.toml")).unwrap();
    workspace.write("eval-ls.toml", &config.replace("[run]\ntarget = \"agent\"\n", ""));
    assert_eq!(workspace.run(&["run", "--target", "agent"]).status, 1);
    // The stored answers pass, but another target failed.
    let again = workspace.run(&["run", "--failed", "--format", "json"]);
    assert_eq!((again.status, ids(&again)), (1, vec!["C0".to_owned()]), "{again:?}");
    assert_eq!(runs(&workspace)[0]["target"]["name"], json!("agent"));
    let id = runs(&workspace)[0]["id"].as_str().unwrap().to_owned();
    for failed in ["--failed", &format!("--failed={id}")] {
        let other = workspace.run(&["run", failed, "--target", "replay", "--no-results"]);
        assert_eq!(other.status, 0, "{other:?}");
        assert!(other.err.contains("the cases failed with `agent`, and `replay` is asked"), "{}", other.err);
    }
    // A replay in between changes nothing about what the agent said, once the agent is the last target again.
    workspace.run(&["run"]);
    workspace.run(&["run", "--target", "agent", "--cases", "C1"]);
    assert_eq!(ids(&workspace.run(&["run", "--failed", "--format", "json"])), ["C0"]);
}

/// A result of a shell runner before there were scores.
fn early_result(cases: &[(&str, &str)]) -> String {
    let case = |(id, status): &(&str, &str)| {
        json!({
            "id": id, "prompt": "p", "expected_outcome": "response_only", "status": status,
            "checks": { "passed": [], "failed": ["a"], "unknown_ui": [] }, "snapshot_excerpt": ["- document"]
        })
    };
    let count = |wanted: &str| cases.iter().filter(|(_, status)| *status == wanted).count();
    json!({
        "generated_at": "2026-02-03T10:00:00Z", "eval_file": "evals/../s.evals.json", "app_url": "http://localhost:1",
        "space_url": "http://localhost:1/s", "session": "s", "telemetry_log_path": "t.log",
        "summary": { "pass": count("PASS"), "fail": count("FAIL"), "partial": count("PARTIAL"), "total": cases.len() },
        "cases": cases.iter().map(case).collect::<Vec<_>>()
    })
    .to_string()
}

#[test]
fn result_files_of_the_shell_runner_are_read() {
    let workspace = workspace();
    let ends = [("C0", "PASS"), ("C1", "PARTIAL"), ("C2", "FAIL")];
    let file = workspace.write("old.json", &early_result(&ends));
    let ran = workspace.run(&["list", &format!("--failed={}", file.display())]);
    assert_eq!(ran.out, "C1\tgeneral\tp1\nC2\tgeneral\tp2\n", "{}", ran.err);
    // Without a kept run, the last result file of the suite counts.
    workspace.write("results/minimum-eval-results-20260203-100000.json", &early_result(&[("C0", "FAIL")]));
    workspace.write("results/minimum-eval-results-20260203-110000.json", &early_result(&ends));
    let ran = workspace.run(&["list", "--failed"]);
    assert_eq!(ran.out, "C1\tgeneral\tp1\nC2\tgeneral\tp2\n", "{}", ran.err);
    let schema: Value = serde_json::from_str(&workspace.run(&["schema", "result"]).out).unwrap();
    let document = serde_json::from_str(&early_result(&ends)).unwrap();
    assert!(jsonschema::draft7::new(&schema).unwrap().is_valid(&document));
}

#[test]
fn cases_are_selected_by_patterns_and_categories() {
    let workspace = Workspace::new();
    let case = |id: &str, category: &str| json!({ "id": id, "category": category, "prompt": "p", "expected": { "must_say_any": ["x"] } });
    let cases = [case("SYN1", "synthesis"), case("SYN2", "git"), case("A*", "git"), case("AB", "general")];
    workspace.write("s.evals.json", &json!({ "cases": cases }).to_string());
    let list = |arguments: &[&str]| {
        let ran = workspace.run(&[&["list"], arguments].concat());
        let ids = ran.out.lines().map(|line| line.split('\t').next().unwrap().to_owned()).collect::<Vec<_>>();
        (ran.status, ids.join(" "), ran.err)
    };
    for (arguments, ids) in [
        (&["--cases", "SYN*"][..], "SYN1 SYN2"),
        (&["--cases", "A*"], "A*"),
        (&["--cases", "A?"], "A* AB"),
        (&["--cases", "SYN?", "--category", "git"], "SYN2"),
        (&["--category", "g*"], "SYN2 A* AB"),
    ] {
        assert_eq!(list(arguments), (0, ids.to_owned(), String::new()), "{arguments:?}");
    }
    for (arguments, message) in [
        (&["--cases", "SYN9"][..], "there is no case `SYN9`; did you mean `SYN1`?"),
        (&["--cases", "B*"], "no case matches `B*`"),
        (&["--category", "gti"], "there is no category `gti`; did you mean `git`?"),
        (&["--cases", "AB", "--category", "git"], "no case is selected"),
    ] {
        let (status, ids, err) = list(arguments);
        assert_eq!((status, ids.as_str()), (4, ""), "{arguments:?}");
        assert!(err.contains(message), "{arguments:?}: {err}");
    }
    assert_eq!(list(&["--cases", ""]).0, 2);
}

#[cfg(unix)]
#[test]
fn the_branch_and_the_commit_are_kept_and_git_is_not_started() {
    let workspace = workspace();
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(["-c", "user.name=a", "-c", "user.email=a@b.example"]).args(arguments).current_dir(workspace.path());
        assert!(git.output().unwrap().status.success());
    };
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message=one"]);
    workspace.agent("print('{\"response\": \"yes\"}')", "");
    let program = workspace.write("bin/git", "#!/bin/sh\ntouch started\n");
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
    for arguments in [&["run", "--target=replay"][..], &["run", "--target=agent"], &["record"], &["list"], &["check"]] {
        workspace.command(arguments).env("PATH", &path).output().unwrap();
    }
    assert!(!workspace.path().join("started").exists());
    let listed = runs(&workspace);
    assert_eq!(listed.len(), 3);
    for run in listed {
        assert_eq!(run["git"]["branch"], "main");
        assert_eq!(run["git"]["commit"].as_str().unwrap().len(), 40);
    }
}

#[test]
fn a_program_cannot_change_the_report_of_the_run_that_judges_it() {
    const CHEATS: &str = r#"
import json, sys
case, text = json.loads(sys.stdin.readline())["case"], "no"
if case == "C1":
    path = "results/runs/latest/cases.jsonl"
    line = open(path).readline()
    open(path, "a").write(line.replace('"FAIL"', '"PASS"'))
    text = "yes"
print(json.dumps({"response": text}))
"#;
    let workspace = Workspace::new();
    let asks = r#"{ "must_say_any": ["yes"] }"#;
    workspace.suite(&[(asks, None), (asks, None)]);
    workspace.agent(CHEATS, "");
    let ran = workspace.run(&["run", "--report=html=r.html"]);
    assert_eq!(ran.status, 3, "{ran:?}");
    assert!(ran.out.contains("1 passed, 1 failed"), "{}", ran.out);
    assert!(!workspace.path().join("r.html").exists());
    let refused = "its lines were changed after they were written; run the cases again";
    assert!(ran.err.contains(refused), "{}", ran.err);
    for command in [
        &["runs", "*"][..],
        &["report", "--html", "r.html"],
        &["run", "--answers-of", "latest", "--no-results"],
        &["accept", "--yes"],
        &["compare", "latest", "latest"],
    ] {
        let ran = workspace.run(command);
        assert!(ran.status > 1 && ran.err.contains(refused), "{command:?}: {ran:?}");
    }
    let ran = workspace.run(&["list", "--failed"]);
    assert_eq!(ran.out, "C0\tgeneral\tp0\nC1\tgeneral\tp1\n", "its verdicts are not known");
    assert!(ran.err.contains(refused) && ran.err.contains("its cases are selected"), "{}", ran.err);
    // Other runs are read.
    workspace.write("agent.py", "print('{\"response\": \"yes\"}')\n");
    assert_eq!(workspace.run(&["run"]).status, 0);
    let ran = workspace.run(&["runs", "C1"]);
    assert!(ran.status == 0 && ran.out.starts_with("1 run of the target `agent`\n"), "{ran:?}");
    assert!(ran.err.contains(refused) && ran.err.contains("the run is left out"), "{}", ran.err);
    assert_eq!(workspace.run(&["list", "--failed"]).out, "");
    workspace.run(&["runs", "rm", "latest"]);
    assert!(workspace.run(&["runs"]).out.contains("1 passed, 1 failed"));
    // It is read as before without the hash.
    without_lines(&latest(&workspace));
    assert_eq!(workspace.run(&["runs", "*"]).status, 0);
}

#[test]
fn a_damaged_run_is_read_as_far_as_it_is_whole() {
    let workspace = workspace();
    workspace.run(&["run"]);
    let path = latest(&workspace).join("cases.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("not json\n{}", &text[..text.len() - 20])).unwrap();
    without_lines(&latest(&workspace));
    // The line of C2 is broken, so it has no verdict.
    assert_eq!(workspace.run(&["list", "--failed"]).out, "C1\tgeneral\tp1\nC2\tgeneral\tp2\n");
    let other = latest(&workspace).join("../20200101T000000Z-abcdef");
    std::fs::create_dir(&other).unwrap();
    std::fs::write(other.join("run.json"), "{").unwrap();
    assert_eq!(runs(&workspace).len(), 1);
    let ran = workspace.run(&["list", "--failed=2020"]);
    assert!(ran.err.contains("there is no run `2020`"), "{}", ran.err);
}

#[test]
fn a_clock_that_jumps_does_not_change_what_the_last_run_is() {
    let workspace = workspace();
    workspace.run(&["run", "--cases", "C1"]);
    // A run from the future, as its name has it.
    let runs_folder = workspace.path().join("results/runs");
    let first = std::fs::read_link(latest(&workspace)).unwrap();
    let future = "29990101T000000Z-abcdef";
    std::fs::rename(runs_folder.join(&first), runs_folder.join(future)).unwrap();
    let record = runs_folder.join(future).join("run.json");
    let text = std::fs::read_to_string(&record).unwrap().replace(first.to_str().unwrap(), future);
    std::fs::write(&record, text.replace("\"started_at\": \"20", "\"started_at\": \"29")).unwrap();
    workspace.run(&["run", "--cases", "C2"]);
    assert_eq!(
        workspace
            .run(&["run", "--answers-of", "latest", "--no-results", "--format", "json"])
            .out
            .matches("\"id\": \"C")
            .count(),
        1
    );
    assert_eq!(workspace.run(&["list", "--failed"]).out, "C1\tgeneral\tp1\nC2\tgeneral\tp2\n");
    let listed: Vec<_> = runs(&workspace).iter().map(|run| run["id"] == json!(future)).collect();
    assert_eq!(listed, [false, true]);
    assert_eq!(workspace.run(&["runs", "gc"]).out, "");
}

#[test]
fn runs_at_once_are_kept_apart() {
    let workspace = workspace();
    let mut children: Vec<_> = (0..4)
        .map(|_| {
            let mut command = workspace.command(&["run", "--format", "json"]);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    assert!(children.iter_mut().all(|child| child.wait().unwrap().code() == Some(1)));
    let runs = runs(&workspace);
    assert_eq!(runs.len(), 4);
    assert!(runs.iter().all(|run| run["state"] == "ended" && run["summary"]["total"] == 3));
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_an_error_before_any_case() {
    use std::os::unix::fs::PermissionsExt as _;
    let workspace = workspace();
    let results = workspace.path().join("results");
    std::fs::create_dir(&results).unwrap();
    std::fs::set_permissions(&results, std::fs::Permissions::from_mode(0o555)).unwrap();
    if std::fs::write(results.join("probe"), "").is_ok() {
        // The superuser writes everywhere, so a file takes the place of the folder.
        std::fs::remove_dir_all(&results).unwrap();
        std::fs::write(&results, "").unwrap();
    }
    let ran = workspace.run(&["run"]);
    assert_eq!(ran.status, 3, "{}", ran.out);
    assert!(ran.err.contains("/results") && ran.err.contains("--no-results"), "{}", ran.err);
    assert_eq!(workspace.run(&["run", "--no-results"]).status, 1);
}

#[test]
fn a_replay_is_the_same_on_any_number_of_threads() {
    let cases: Vec<_> = [PASSES, FAILS, (YES, None), (YES, Some("yes and no"))].into_iter().cycle().take(100).collect();
    let known = ["1", "3", "64"].map(|jobs| {
        let workspace = Workspace::new();
        workspace.suite(&cases);
        let ran = workspace.run(&["run", "--jobs", jobs, "--format", "jsonl"]);
        assert_eq!(ran.status, 1, "{}", ran.err);
        let is_of_case = |event: &Value| event["case"].is_string() || event["case"].is_object();
        let mut events: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        events.retain(is_of_case);
        let mut lines = lines(&workspace);
        for value in events.iter_mut().chain(&mut lines) {
            value.as_object_mut().unwrap().remove("duration_ms");
        }
        assert_eq!((events.len(), lines.len()), (200, 100));
        let answers = std::fs::read_to_string(latest(&workspace).join("answers")).unwrap();
        assert_eq!(answers.matches("eval-ls/answer@1").count(), 3, "equal answers are kept once");
        (events, lines, answers)
    });
    assert_eq!(known[0], known[1]);
    assert_eq!(known[0], known[2]);
}

#[test]
fn a_replay_goes_on_after_half_an_answer() {
    let workspace = workspace();
    workspace.run(&["run", "s.evals.json"]);
    let folder = latest(&workspace);
    let whole = std::fs::read_to_string(folder.join("answers")).unwrap();
    // As if the run had been killed while it wrote the second answer.
    let half = &whole[..lines(&workspace)[1]["answer"]["start"].as_u64().unwrap() as usize + 10];
    std::fs::write(folder.join("answers"), half).unwrap();
    let text = std::fs::read_to_string(folder.join("cases.jsonl")).unwrap();
    std::fs::write(folder.join("cases.jsonl"), text.split_inclusive('\n').next().unwrap()).unwrap();
    let record = std::fs::read_to_string(folder.join("run.json")).unwrap();
    let mut record: Value = serde_json::from_str(&record).unwrap();
    record.as_object_mut().unwrap().retain(|key, _| key != "ended_at" && key != "lines");
    std::fs::write(folder.join("run.json"), record.to_string()).unwrap();

    let ran = workspace.run(&["run", "--resume"]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert_eq!(lines(&workspace).len(), 3);
    let judged = workspace.run(&["run", "--answers-of", "latest", "--no-results", "--format", "json"]);
    assert!(!judged.out.contains("its contents were changed"), "{}", judged.out);
    assert!(judged.err.is_empty() || !judged.err.contains("error: "), "{}", judged.err);
}
