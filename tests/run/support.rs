use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A target that answers from a list: the n-th answer to a case is the n-th word of the file with its name.
/// The word `crash` ends the program.
pub(crate) const WORDS_AGENT: &str = r#"
import json, os, sys
for line in sys.stdin:
    case = json.loads(line)["case"]
    words = open(case + ".txt").read().split()
    asked = case + ".asked"
    number = os.path.getsize(asked) if os.path.exists(asked) else 0
    open(asked, "a").write("x")
    word = words[number % len(words)]
    if word == "crash":
        sys.exit(1)
    print(json.dumps({"response": word}), flush=True)
"#;

/// A workspace in a temporary folder, and the program to run in it.
pub(crate) struct Workspace {
    folder: TempDir,
}

/// The result of a run of the program.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file and creates its folders.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Writes a suite of cases `C0`, `C1`, … with these values of `expected`. A case without a response has no transcript.
    pub(crate) fn suite(&self, cases: &[(&str, Option<&str>)]) {
        let case = |(index, (expected, _)): (usize, &(&str, Option<&str>))| {
            format!(r#"{{ "id": "C{index}", "prompt": "p{index}", "expected": {expected} }}"#)
        };
        let list: Vec<_> = cases.iter().enumerate().map(case).collect();
        self.write("s.evals.json", &format!(r#"{{ "cases": [ {} ] }}"#, list.join(",\n")));
        for (index, (_, response)) in cases.iter().enumerate() {
            let Some(response) = response else { continue };
            let transcript = serde_json::json!({
                "format": "eval-ls/transcript@1", "case": format!("C{index}"), "response": response
            });
            self.write(&format!("transcripts/s.evals/C{index}.json"), &transcript.to_string());
        }
    }

    /// Configures a target `agent` that runs this Python program.
    pub(crate) fn agent(&self, program: &str, more: &str) {
        self.write("agent.py", program);
        let config = format!(
            "[run]\ntarget = \"agent\"\n\n[targets.agent]\nkind = \"command\"\ncommand = [\"python3\", \"agent.py\"]\n{more}\n"
        );
        self.write("eval-ls.toml", &config);
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command.env_remove("GITHUB_STEP_SUMMARY").env_remove("CLICOLOR_FORCE");
        // The jobs of these tests are not those of the runs.
        for system in ["GITHUB_ACTIONS", "GITLAB_CI", "BUILDKITE", "CIRCLECI", "JENKINS_URL", "TF_BUILD"] {
            command.env_remove(system);
        }
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(self.command(arguments).output().unwrap())
    }

    /// Every file below the folder, with its contents.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut folders = vec![self.path().to_owned()];
        let mut files = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if entry.is_dir() {
                    folders.push(entry);
                } else {
                    files.push((entry.clone(), std::fs::read(&entry).unwrap()));
                }
            }
        }
        files
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Ran {
            status: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Makes a run one of an earlier version, which did not write a hash of the lines.
pub(crate) fn without_lines(run: &Path) {
    let path = run.join("run.json");
    let mut record: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    assert!(record.as_object_mut().unwrap().remove("lines").is_some(), "{record}");
    std::fs::write(&path, record.to_string()).unwrap();
}
