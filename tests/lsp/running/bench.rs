//! A workspace with a program that answers, and a client that receives the events of its runs.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::lsp::support::{Client, initialize_params, push};
use crate::support::Folder;

/// Its arguments determine its answer; each behaviour is one branch.
const AGENT: &str = r#"
import json, os, signal, subprocess, sys, time
request = json.loads(sys.stdin.readline())
prompt, manner = request["prompt"], sys.argv[1]
with open("asked.log", "a") as log:
    log.write(prompt + "\n")
def wait():
    open("pid-%d" % os.getpid(), "w").close()
    time.sleep(600)
if manner == "hang" or prompt.startswith("hang"):
    wait()
elif manner == "deaf":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    subprocess.Popen([sys.executable, "-c", "import os, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); open('pid-%d' % os.getpid(), 'w').close(); time.sleep(600)"])
    wait()
elif manner == "escape":
    # The other process leaves the session of this one.
    subprocess.Popen([sys.executable, "-c", "import os, time; open('pid-%d' % os.getpid(), 'w').close(); time.sleep(600)"], start_new_session=True)
    wait()
elif manner == "crash":
    sys.exit("no key: set AGENT_KEY")
elif manner == "long":
    print(json.dumps({"response": "Answer to " + prompt + "." * (9 << 20)}))
elif manner == "flood":
    for _ in range(200):
        sys.stdout.write("x" * 100000)
else:
    print(json.dumps({"response": "Answer to " + prompt}))
"#;

/// The suite of the runs: A passes, B fails on its second list, C has no checks.
pub(crate) const SUITE: &str = r#"{ "version": "0.2.0", "cases": [
  { "id": "A", "prompt": "p1", "expected": { "outcome": "response_only", "must_say_any": ["Answer"] } },
  { "id": "B", "prompt": "p2", "expected": { "outcome": "response_only", "must_say_any": ["Answer"],
    "must_not_say": ["nothing", "to p2"] } },
  { "id": "C", "prompt": "p3", "expected": { "outcome": "response_only", "must_say_any": ["answer to p4"] } }
] }
"#;

pub(crate) struct Bench {
    pub(crate) folder: Folder,
    state: TempDir,
}

impl Bench {
    /// Creates a workspace whose target has that behaviour.
    pub(crate) fn new(manner: &str) -> Self {
        let folder = Folder::with(&[("agent.py", AGENT), ("evals/s.json", SUITE)]);
        folder.write("eval-ls.toml", config(manner));
        Bench { folder, state: tempfile::tempdir().unwrap() }
    }

    /// Creates one, and opens a session of a client that allows runs.
    pub(crate) fn started(manner: &str) -> (Self, Client) {
        let bench = Self::new(manner);
        let client = bench.client(true);
        (bench, client)
    }

    pub(crate) fn uri(&self) -> String {
        self.folder.uri("evals/s.json")
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.state.path().join("eval-ls")
    }

    pub(crate) fn approvals(&self) -> PathBuf {
        self.state().join("approvals.json")
    }

    /// Opens a session with the suite, for a client that answers questions for approval.
    pub(crate) fn client(&self, allows: bool) -> Client {
        self.client_with(allows, json!({ "runEvents": true }))
    }

    /// The same with these options.
    pub(crate) fn client_with(&self, allows: bool, options: Value) -> Client {
        let mut capabilities = push();
        capabilities["textDocument"]["codeLens"] = json!({});
        self.client_as(allows, options, capabilities)
    }

    /// The same for a client with these capabilities.
    pub(crate) fn client_of(&self, capabilities: Value) -> Client {
        self.client_as(true, json!({ "runEvents": true }), capabilities)
    }

    fn client_as(&self, allows: bool, options: Value, mut capabilities: Value) -> Client {
        let mut client = Client::spawn(
            Command::new(env!("CARGO_BIN_EXE_eval-ls")).arg("lsp").env("XDG_STATE_HOME", self.state.path()),
        );
        client.answer("window/showMessageRequest", move |params| {
            let titles: Vec<_> = params["actions"].as_array().unwrap().iter().map(|action| &action["title"]).collect();
            assert!(titles == ["Allow and run", "Do not run"] || titles[1..] == ["Cancel"], "{titles:?}");
            Some(params["actions"][if allows { 0 } else { 1 }].clone())
        });
        capabilities["window"] = json!({ "workDoneProgress": true, "showDocument": { "support": true } });
        capabilities["workspace"] = json!({ "codeLens": { "refreshSupport": true } });
        let mut params = initialize_params(capabilities, &[&self.folder]);
        params["initializationOptions"] = options;
        client.initialize(params);
        client.open(&self.uri(), 1, SUITE);
        client
    }

    /// Returns the prompts that the program has received.
    pub(crate) fn asked(&self) -> Vec<String> {
        let log = std::fs::read_to_string(self.folder.join("asked.log")).unwrap_or_default();
        log.lines().map(str::to_owned).collect()
    }

    /// Requests a run of these cases; returns its number.
    pub(crate) fn run(&self, client: &mut Client, cases: &[&str]) -> u64 {
        let suites = json!([{ "uri": self.uri(), "cases": cases }]);
        client.request("eval-ls/run", json!({ "suites": suites }))["run"].as_u64().unwrap()
    }

    /// The same, and waits for its end.
    pub(crate) fn run_to_end(&self, client: &mut Client, cases: &[&str]) {
        self.run(client, cases);
        event(client, "finished");
    }

    pub(crate) fn kept_runs(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.join("results/runs")).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != "latest" && !name.starts_with('.')).collect()
    }

    /// Asks for the verdicts until they are as `wanted`, and until the lenses show them: answers of a suite that was opened just
    /// now are known to this request first.
    pub(crate) fn verdicts(&self, client: &mut Client, wanted: impl Fn(&Value) -> bool) -> Value {
        let verdicts = loop {
            let verdicts = client.verdicts(&self.uri());
            if wanted(&verdicts) {
                break verdicts;
            }
            client.wait_for("eval-ls/verdictsChanged", |_| true);
        };
        let has_verdict = verdicts["cases"].as_array().unwrap().iter().any(|case| !case["status"].is_null());
        while has_verdict && !self.has_lens(client, "Run · ") {
            client.refreshed("codeLens");
        }
        verdicts
    }

    fn has_lens(&self, client: &mut Client, title: &str) -> bool {
        client.lenses(&self.uri()).iter().any(|(_, shown)| shown.starts_with(title))
    }

    /// Returns the process ids that the programs have reported.
    pub(crate) fn processes(&self) -> Vec<i32> {
        let names = std::fs::read_dir(self.folder.path()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter_map(|name| name.strip_prefix("pid-")?.parse().ok()).collect()
    }
}

pub(crate) fn config(manner: &str) -> String {
    format!(
        "[run]\ntarget = \"agent\"\n\n[targets.agent]\nkind = \"command\"\ncommand = [\"python3\", \"agent.py\", \"{manner}\"]\n"
    )
}

pub(crate) fn lenses(bench: &Bench, client: &mut Client, line: u64) -> Vec<String> {
    client.lenses(&bench.uri()).into_iter().filter(|(on, _)| *on == line).map(|(_, title)| title).collect()
}

pub(crate) fn event(client: &Client, kind: &str) -> Value {
    client.wait_for("eval-ls/runEvent", |params| params["kind"] == kind)["params"].take()
}

pub(crate) fn finished(client: &Client, case: &str) -> Value {
    let fits = |params: &Value| params["kind"] == "caseFinished" && params["case"] == case;
    client.wait_for("eval-ls/runEvent", fits)["params"].take()
}

/// Asks for a run that is refused; returns the reason.
pub(crate) fn refused(client: &mut Client, params: Value) -> String {
    refusal(client, params).0
}

/// Asks for a run that is refused; returns the reason and the remedy.
pub(crate) fn refusal(client: &mut Client, params: Value) -> (String, Value) {
    let id = client.send_request("eval-ls/run", params);
    let mut response = client.response(id);
    assert_eq!(response["error"]["code"], -32803, "{response}");
    (response["error"]["message"].as_str().unwrap().to_owned(), response["error"]["data"]["remedy"].take())
}
