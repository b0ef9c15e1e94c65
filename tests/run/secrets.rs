use crate::run::support::Workspace;

/// Values of `pass_env` are never written or printed, whatever the program does with them.
#[test]
fn passed_environment_values_appear_nowhere() {
    const CANARY: &str = "canary-7f3a\"9b/secret";
    let program = r#"
import json, os, sys
secret = os.environ["EVAL_SECRET"]
case = json.loads(sys.stdin.readline())["case"]
if case == "C1":
    sys.stderr.write("failed with " + secret)
    sys.exit(3)
telemetry = [{"source": "tool.x", "event": "start", "data": {secret: [secret]}}, "raw " + secret]
print(json.dumps({"response": "I say " + secret + " yes", "telemetry": telemetry}))
"#;
    for format in ["text", "json", "jsonl", "junit", "github"] {
        let workspace = Workspace::new();
        workspace.suite(&[
            (r#"{ "must_say_any": ["no"], "must_not_say": ["I say"] }"#, None),
            (r#"{ "must_say_any": ["x"] }"#, None),
        ]);
        workspace.agent(program, "pass_env = [\"EVAL_SECRET\"]");
        let label = format!("note=it is {CANARY}");
        let arguments =
            ["run", "s.evals.json", "--record", "--format", format, "--label", &label, "--status-level", "all"];
        let reports =
            ["json", "jsonl", "junit", "github", "md"].map(|format| format!("--report={format}=reports/{format}"));
        let mut command = workspace.command(&arguments);
        command.args(reports);
        let summary = workspace.path().join("summary.md");
        let output = command.env("EVAL_SECRET", CANARY).env("GITHUB_STEP_SUMMARY", &summary).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
        let mut written = workspace.files();
        written.push(("standard output".into(), output.stdout));
        written.push(("standard error".into(), output.stderr));
        assert!(written.iter().any(|(path, _)| path.ends_with("transcripts/s.evals/C0.json")), "{written:?}");
        for name in ["run.json", "cases.jsonl", "answers", "junit", "md"] {
            assert!(written.iter().any(|(path, _)| path.ends_with(name)), "{name}");
        }
        for (path, bytes) in written {
            let text = String::from_utf8_lossy(&bytes);
            assert!(!text.contains("canary-7f3a"), "{format}: {} holds the secret:\n{text}", path.display());
        }
    }
}

/// A program may find a key that it was not passed: in its parent, as here, or in the user's shell.
#[cfg(target_os = "linux")]
#[test]
fn a_key_that_was_not_passed_appears_nowhere() {
    const CANARY: &str = "canary-5d1e8c7b";
    let program = r#"
import json, os
print(json.dumps({"response": open("/proc/%d/environ" % os.getppid(), errors="replace").read() if os.access("/proc/%d/environ" % os.getppid(), os.R_OK) else "hidden"}))
"#;
    let workspace = Workspace::new();
    workspace.suite(&[(r#"{ "must_say_any": ["no"] }"#, None)]);
    workspace.agent(program, "");
    let mut command = workspace.command(&["run", "s.evals.json", "--record", "--report=html=r.html"]);
    let output = command.env("SERVICE_API_KEY", CANARY).output().unwrap();
    let mut written = workspace.files();
    written.push(("standard output".into(), output.stdout));
    written.push(("standard error".into(), output.stderr));
    assert!(written.iter().any(|(path, _)| path.ends_with("transcripts/s.evals/C0.json")), "{written:?}");
    for (path, bytes) in written {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(CANARY), "{} holds the key:\n{text}", path.display());
    }
}

/// A form of the value that is not recognised may still be in these files.
#[cfg(unix)]
#[test]
fn files_of_a_target_with_secrets_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    for (more, is_private) in [("pass_env = [\"EVAL_SECRET\"]", true), ("", false)] {
        let workspace = Workspace::new();
        workspace.suite(&[(r#"{ "must_say_any": ["yes"] }"#, None)]);
        workspace.agent("print('{\"response\": \"yes\"}')", more);
        let reports = ["json", "jsonl", "junit", "github", "md", "html"];
        let mut command = workspace.command(&["run", "s.evals.json", "--record"]);
        command.args(reports.map(|report| format!("--report={report}=reports/{report}")));
        let output = command.env("EVAL_SECRET", "canary-7f3a").output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let others_read = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o077 != 0;
        let mut checked = 0;
        for (path, _) in workspace.files() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_report = path.parent().is_some_and(|folder| folder.ends_with("reports"));
            if path.ends_with("transcripts/s.evals/C0.json") || name.starts_with("minimum-eval-results-") || is_report {
                assert_eq!(others_read(&path), !is_private, "{}", path.display());
                checked += 1;
            }
        }
        assert_eq!(checked, 3 + reports.len());
        let runs = std::fs::read_dir(workspace.path().join("results/runs")).unwrap().flatten();
        let folder = runs.map(|entry| entry.path()).find(|path| path.is_dir() && !path.is_symlink()).unwrap();
        assert!(!is_private || !others_read(&folder));
        assert_eq!(workspace.run(&["report", "--html", "page.html"]).status, 0);
        assert_eq!(others_read(&workspace.path().join("page.html")), !is_private);
    }
}

/// A browser that fails repeats the address, also in its own words.
#[cfg(unix)]
#[test]
fn credentials_of_an_address_appear_nowhere() {
    const PARTS: [&str; 3] = ["hunter2secret", "QUERYSECRET1", "FRAGMENT1"];
    let address = "http://user:hunter2secret@127.0.0.1:9/app?token=QUERYSECRET1&x=y#FRAGMENT1";
    for format in ["text", "json", "jsonl", "junit", "github"] {
        let workspace = Workspace::new();
        workspace.suite(&[(r#"{ "must_say_any": ["x"] }"#, None)]);
        let config = format!("[run]\ntarget = \"app\"\n[targets.app]\nkind = \"browser\"\nurl = \"{address}\"\n");
        workspace.write("eval-ls.toml", &config);
        let script =
            format!("#!/bin/sh\necho 'cannot open {address} QUERYSECRET1 FRAGMENT1 hunter2secret' >&2\nexit 1\n");
        let program = workspace.write("agent-browser", &script);
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let mut command = workspace.command(&["run", "s.evals.json", "--format", format, "--report=html=r.html"]);
        let output = command.env("AGENT_BROWSER", &program).output().unwrap();
        let shown = [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat();
        assert!(shown.contains("127.0.0.1:9"), "{shown}");
        let mut written = workspace.files();
        written.retain(|(path, _)| !path.ends_with("eval-ls.toml") && !path.ends_with("agent-browser"));
        assert!(written.iter().any(|(path, _)| path.ends_with("r.html")), "{format}");
        written.push(("output".into(), shown.into_bytes()));
        for (path, bytes) in written {
            let text = String::from_utf8_lossy(&bytes);
            for part in PARTS {
                assert!(!text.contains(part), "{format}: {} holds {part}:\n{text}", path.display());
            }
        }
    }
}
