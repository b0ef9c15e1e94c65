//! No secret is in a file or in the output.

use crate::support::{Folder, Ran};

/// Checks that none of these texts is in the output or in a file, except for some files. `written` are a few of the files.
fn assert_nowhere(workspace: &Folder, ran: Ran, texts: &[&str], except: &[&str], written: &[&str]) {
    let mut files = workspace.files();
    files.retain(|path, _| !except.iter().any(|name| path.ends_with(name)));
    for name in written {
        assert!(files.keys().any(|path| path.ends_with(name)), "{name}: {ran:?}");
    }
    files.insert("output".into(), (ran.out + &ran.err).into_bytes());
    for (path, bytes) in files {
        let content = String::from_utf8_lossy(&bytes);
        for text in texts {
            assert!(!content.contains(text), "{} holds {text}:\n{content}", path.display());
        }
    }
}

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
        let workspace = Folder::of_program(2, program, "pass_env = [\"EVAL_SECRET\"]");
        workspace.edit("s.evals.json", "[\"yes\"]", r#"["no"], "must_not_say": ["I say"]"#);
        let mut command = workspace.command(&["run", "s.evals.json", "--record", "--format", format]);
        command.args(["json", "jsonl", "junit", "github", "md"].map(|name| format!("--report={name}=reports/{name}")));
        let summary = workspace.join("summary.md");
        let ran = Ran::from(command.env("EVAL_SECRET", CANARY).env("GITHUB_STEP_SUMMARY", summary)).ends(1);
        let written = ["transcripts/s.evals/C0.json", "run.json", "cases.jsonl", "answers", "junit", "md"];
        assert_nowhere(&workspace, ran, &["canary-7f3a"], &[], &written);
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
    let workspace = Folder::of_program(1, program, "");
    let mut command = workspace.command(&["run", "s.evals.json", "--record", "--report=html=r.html"]);
    let ran = Ran::from(command.env("SERVICE_API_KEY", CANARY));
    assert_nowhere(&workspace, ran, &[CANARY], &[], &["transcripts/s.evals/C0.json"]);
}

/// A form of the value that is not recognised may still be in these files.
#[cfg(unix)]
#[test]
fn files_of_a_target_with_secrets_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    for (more, is_private) in [("pass_env = [\"EVAL_SECRET\"]", true), ("", false)] {
        let workspace = Folder::of_program(1, "print('{\"response\": \"yes\"}')", more);
        let reports = ["json", "jsonl", "junit", "github", "md", "html"];
        let mut command = workspace.command(&["run", "s.evals.json", "--record"]);
        command.args(reports.map(|report| format!("--report={report}=reports/{report}")));
        Ran::from(command.env("EVAL_SECRET", "canary-7f3a")).ends(0);
        workspace.run(&["report", "--html", "page.html"]).ends(0);
        let others_read = |path: &str| workspace.join(path).metadata().unwrap().permissions().mode() & 0o077 != 0;
        let files = workspace.files();
        let files = files.keys().map(|path| path.to_str().unwrap());
        let starts = ["transcripts/s.evals/C0.json", "results/minimum-eval-results-", "reports/", "page.html"];
        let checked: Vec<_> = files.filter(|path| starts.iter().any(|start| path.starts_with(start))).collect();
        assert_eq!(checked.len(), 4 + reports.len());
        for path in checked {
            assert_eq!(others_read(path), !is_private, "{path}");
        }
        assert!(!is_private || !others_read(&format!("results/runs/{}", workspace.last_run())));
    }
}

/// A browser that fails repeats the address, also in its own words.
#[cfg(unix)]
#[test]
fn credentials_of_an_address_appear_nowhere() {
    let address = "http://user:hunter2secret@127.0.0.1:9/app?token=QUERYSECRET1&x=y#FRAGMENT1";
    for format in ["text", "json", "jsonl", "junit", "github"] {
        let workspace = Folder::of_program(1, "", "");
        let config = format!("[run]\ntarget = \"app\"\n[targets.app]\nkind = \"browser\"\nurl = \"{address}\"\n");
        workspace.write("eval-ls.toml", config);
        let script =
            format!("#!/bin/sh\necho 'cannot open {address} QUERYSECRET1 FRAGMENT1 hunter2secret' >&2\nexit 1\n");
        let program = workspace.program("agent-browser", &script);
        let mut command = workspace.command(&["run", "s.evals.json", "--format", format, "--report=html=r.html"]);
        let ran = Ran::from(command.env("AGENT_BROWSER", &program));
        assert!((ran.out.clone() + &ran.err).contains("127.0.0.1:9"), "{ran:?}");
        let secrets = ["hunter2secret", "QUERYSECRET1", "FRAGMENT1"];
        assert_nowhere(&workspace, ran, &secrets, &["eval-ls.toml", "agent-browser"], &["r.html"]);
    }
}
