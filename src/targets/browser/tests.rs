//! Failures of agent-browser, played by a small program in its place. `tests/browser` tests the real program.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use super::*;
use crate::targets::{Cancel, Deadline, Progress, Request};

/// Writes a program. Another process writes it: a process that another test starts meanwhile would inherit the open file of this one, and
/// the system starts no program that is open for writing (`ETXTBSY`).
fn write_program(path: &Path, text: &str) {
    let mut writer = Command::new("sh");
    writer.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut writer = writer.spawn().unwrap();
    writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
}

/// What calls about a page answer.
const OPENED: &str =
    r#"[{"success":true,"result":{"url":"http://localhost/"}},{"success":true,"result":{"url":"http://localhost/"}}]"#;
const EMPTY: &str = r#"[{"success":true,"result":{"origin":"http://localhost/","refs":{},"snapshot":"- main"}},{"success":true,"result":{}},{"success":true,"result":{}}]"#;
const ASKED: &str = r#"[{"success":true,"result":{"origin":"http://localhost/","refs":{"e1":{"role":"textbox","name":"Ask"}},"snapshot":"- textbox \"Ask\" [ref=e1]"}},{"success":true,"result":{}},{"success":true,"result":{}}]"#;

/// What typing a prompt answers, and pressing Enter.
const TYPED: &str = r#"[{"success":true,"result":{}},{"success":true,"result":{}},{"success":true,"result":{"origin":"http://localhost/","refs":{},"snapshot":"- typed"}},{"success":true,"result":{}},{"success":true,"result":{}},{"success":true,"result":{"origin":"http://localhost/","result":"{\"holds\":true,\"value\":\"\",\"baseline\":{\"lines\":[],\"signs\":[]}}"}}]"#;
const PRESSED: &str = r#"[{"success":true,"result":{}}]"#;

/// What looking for evidence answers, and taking a snapshot after it.
fn looked(found: serde_json::Value) -> String {
    let result = serde_json::json!({
        "origin": "http://localhost/", "refs": {}, "snapshot": "- typed", "result": found.to_string(),
    });
    serde_json::json!([{ "success": true, "result": result }, { "success": true, "result": {} }]).to_string()
}

/// A folder with a program in it that stands for agent-browser.
struct Bench {
    folder: TempDir,
    limit: &'static str,
    cancel: Cancel,
}

impl Bench {
    /// One that does what `script` says, and whose sessions always close.
    fn new(script: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("agent-browser");
        let here = folder.path().display();
        let script = format!(
            "#!/bin/sh\nhere={here}\necho \"$AGENT_BROWSER_SOCKET_DIR\" >> {here}/homes\ncase \"$*\" in *close*) exit 0; esac\n{script}\n"
        );
        write_program(&path, &script);
        Self { folder, limit: "20s", cancel: Cancel::new() }
    }

    /// One whose calls answer these, one after the other, and the last of them for ever.
    fn answering(answers: &[&str]) -> Self {
        let bench = Self::new(&format!(
            "cat > $here/asked; n=$(($(cat $here/n 2>/dev/null || echo 0) + 1)); echo $n > $here/n\n\
             [ $n -gt {} ] && n={}; cat $here/answer.$n",
            answers.len(),
            answers.len()
        ));
        for (index, answer) in answers.iter().enumerate() {
            fs::write(bench.folder.path().join(format!("answer.{}", index + 1)), answer).unwrap();
        }
        bench
    }

    fn target(&self) -> BrowserTarget {
        let config =
            config::BrowserTarget { settle: "1ms".parse().unwrap(), ..config::BrowserTarget::new("http://localhost/") };
        self.target_with(&config, "agent-browser")
    }

    fn target_with(&self, config: &config::BrowserTarget, program: &str) -> BrowserTarget {
        let path = self.folder.path().join(program);
        let lookup = |name: &str| (name == "AGENT_BROWSER").then(|| path.clone().into());
        let all = std::env::vars_os().filter(|(name, _)| name == "PATH");
        let program = Program::new(self.folder.path(), &lookup, all);
        BrowserTarget::with_program("app", config, self.folder.path(), &BrowserOptions::default(), program).unwrap()
    }

    fn context(&self) -> Context {
        Context { deadline: Deadline::start(self.limit.parse().unwrap(), &self.cancel), progress: Progress::ignored() }
    }

    async fn ask(&self) -> Result<String, String> {
        self.ask_target(&self.target()).await
    }

    async fn ask_target(&self, target: &BrowserTarget) -> Result<String, String> {
        let context = self.context();
        let mut session = target.session(0, &context).await.map_err(|error| error.to_string())?;
        let request = Request { case: "A1".to_owned(), prompt: "--help".to_owned(), ..Request::default() };
        let answer = session.ask(&request, &context).await;
        session.close().await;
        answer.map(|transcript| transcript.response).map_err(|error| error.to_string())
    }

    /// The folders that calls were given.
    fn homes(&self) -> Vec<PathBuf> {
        let text = fs::read_to_string(self.folder.path().join("homes")).unwrap_or_default();
        text.lines().map(PathBuf::from).collect()
    }
}

#[tokio::test]
async fn errors_of_agent_browser_become_reasons() {
    let mut page = String::new();
    for answers in [
        &[""][..],
        &["oops\nx"],
        &["{}"],
        &[r#"{"success":false,"error":"Daemon not ready\nx"}"#],
        &["[]"],
        &[r#"{"success":false,"error":"Auto-launch failed: Chrome not found. Checked:\n - x"}"#],
        &[r#"{"success":false,"error":"Failed to launch Chrome at \"/x\": no such file"}"#],
        &[r#"[{"success":false,"error":"Navigation failed: net::ERR_CONNECTION_REFUSED"}]"#],
        &[r#"[{"success":true,"result":{}},{"success":true,"result":{"url":"http://evil.example/\u001b"}}]"#],
        &[OPENED, r#"[{"success":false,"code":"page_wedged","error":"page_wedged: the tab stopped responding"}]"#],
        &[OPENED, r#"[{"success":true,"result":{}},{"success":true,"result":{}},{"success":true,"result":{}}]"#],
    ] {
        let reason = Bench::answering(answers).ask().await.unwrap_err();
        page += &format!("{}\n──▶ {reason}\n\n", answers.join("\n"));
    }
    insta::assert_snapshot!("reasons", page);
}

#[tokio::test]
async fn a_missing_program_is_reported_with_how_to_install_it() {
    let bench = Bench::new("");
    let target = bench.target_with(&config::BrowserTarget::new("http://localhost/"), "nowhere");
    let error = bench.ask_target(&target).await.unwrap_err();
    let shown = bench.folder.path().join("nowhere").display().to_string();
    let reason = format!(
        "there is no program `{shown}`; install it with `npm install -g agent-browser`, or set AGENT_BROWSER to where it is"
    );
    assert_eq!(error, reason);
}

#[tokio::test]
async fn every_wait_ends_with_its_reason() {
    let busy =
        config::BrowserTarget { busy: vec!["Ask".to_owned()], ..config::BrowserTarget::new("http://localhost/") };
    let still =
        config::BrowserTarget { settle: "1ms".parse().unwrap(), ..config::BrowserTarget::new("http://localhost/") };
    let working = looked(serde_json::json!({ "holds": "no", "busy": ["the page shows `Ask`"] }));
    let silent = looked(serde_json::json!({ "holds": "no" }));
    let echoing = looked(serde_json::json!({ "holds": "no", "echoed": true, "beside": "Offline\u{1b}" }));
    let ignoring = looked(serde_json::json!({ "holds": "prompt" }));
    let disabled = r#"[{"success":false,"error":"it is disabled"}]"#;
    let sent = |then: &str| Bench::answering(&[OPENED, ASKED, ASKED, TYPED, PRESSED, then]);
    let slow = Bench { limit: "1s", ..Bench::new("sleep 60") };
    let mut page = String::new();
    for (name, bench, config) in [
        ("slow", slow, &busy),
        ("no field", Bench::answering(&[OPENED, EMPTY]), &still),
        ("disabled", Bench::answering(&[OPENED, ASKED, ASKED, disabled, ASKED]), &still),
        ("working", sent(&working), &busy),
        ("silent", sent(&silent), &still),
        ("echoing", sent(&echoing), &still),
        ("ignoring", sent(&ignoring), &still),
    ] {
        let mut target = bench.target_with(config, "agent-browser");
        let app = Arc::get_mut(&mut target.app).expect("nobody else has it yet");
        (app.loading, app.answer_within) = (Duration::from_millis(1), "1ms".parse().ok());
        page += &format!("{name}: {}\n\n", bench.ask_target(&target).await.unwrap_err());
    }
    insta::assert_snapshot!("waits", page);
}

#[tokio::test]
async fn a_prompt_is_never_taken_for_an_option() {
    let bench = Bench::answering(&[OPENED, ASKED, ASKED, "[]"]);
    let error = bench.ask().await.unwrap_err();
    assert!(error.contains("it took 0 of 6 steps"), "{error}");
    let asked = fs::read_to_string(bench.folder.path().join("asked")).unwrap();
    let steps: Vec<Vec<String>> = serde_json::from_str(&asked).unwrap();
    let names: Vec<_> = steps.iter().map(|step| step[0].as_str()).collect();
    assert_eq!(names, ["eval", "fill", "snapshot", "network", "network", "eval"]);
    assert_eq!(steps[1], ["fill", "@e1", "--help"]);
}

#[tokio::test]
async fn nothing_is_sent_to_a_page_that_went_elsewhere_while_it_was_typed() {
    let typed = r#"[{"success":true,"result":{}},{"success":true,"result":{}},{"success":true,"result":{"origin":"http://evil.example/","refs":{},"snapshot":"- main"}},{"success":true,"result":{}},{"success":true,"result":{}},{"success":true,"result":{}}]"#;
    let bench = Bench::answering(&[OPENED, ASKED, ASKED, typed]);
    let error = bench.ask().await.unwrap_err();
    assert!(error.contains("http://evil.example/"), "{error}");
    let asked = fs::read_to_string(bench.folder.path().join("asked")).unwrap();
    assert!(asked.contains(r#"["fill","@e1","--help"]"#) && !asked.contains(r#"["press""#), "{asked}");
}

#[tokio::test]
async fn a_session_has_its_own_folder_and_removes_it() {
    let bench = Bench::answering(&[r#"[{"success":false,"error":"Navigation failed: net::ERR_FAILED"}]"#]);
    let target = bench.target();
    let (one, two) = tokio::join!(bench.ask_target(&target), bench.ask_target(&target));
    assert!(one.is_err() && two.is_err());
    let mut homes = bench.homes();
    homes.sort();
    homes.dedup();
    assert_eq!(homes.len(), 2, "each has its own");
    assert!(homes.iter().all(|home| !home.exists()));
}

#[tokio::test]
async fn a_browser_that_does_not_close_is_killed_with_all_its_processes() {
    // It leaves a program running, as agent-browser does, and does not end it when it is to close.
    let script = "setsid sh -c 'env -i sleep 600 & echo $! > $0/pids; echo $$ >> $0/pids; wait' $here >/dev/null 2>&1 &\n\
                  while [ $(wc -l < $here/pids || echo 0) -lt 2 ]; do sleep 0.02; done 2>/dev/null\n\
                  cat >/dev/null; echo '[{\"success\":false,\"error\":\"no\"}]'";
    let bench = Bench::new(script);
    bench.ask().await.unwrap_err();
    let pids = fs::read_to_string(bench.folder.path().join("pids")).unwrap();
    assert_eq!(pids.lines().count(), 2, "{pids}");
    for pid in pids.lines() {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit(')').next().and_then(|fields| fields.trim_start().chars().next());
        assert!(matches!(state, None | Some('Z' | 'X')), "{pid} still runs: {stat}");
    }
}

#[tokio::test]
async fn cancelling_and_dropping_leave_nothing_behind() {
    let bench = Bench::new("sleep 600");
    let target = bench.target();
    let cancel = async {
        sleep(Duration::from_millis(200)).await;
        bench.cancel.cancel();
    };
    let (answer, ()) = tokio::join!(bench.ask_target(&target), cancel);
    assert_eq!(answer, Err("cancelled".to_owned()));

    let dropped = Bench::new("sleep 600");
    assert!(timeout(Duration::from_millis(300), dropped.ask()).await.is_err());
    for home in bench.homes().into_iter().chain(dropped.homes()) {
        assert!(!home.exists(), "{}", home.display());
    }
}

#[tokio::test]
async fn set_up_finds_the_fault_that_prevents_all_cases() {
    let bench = Bench::answering(&[r#"[{"success":false,"error":"Navigation failed: net::ERR_NAME_NOT_RESOLVED"}]"#]);
    let error = bench.target().set_up(&bench.context()).await.unwrap_err();
    let reason = "the app does not answer at `http://localhost/` (name not resolved); is it running?";
    assert_eq!(error.to_string(), reason);
    assert!(bench.homes().iter().all(|home| !home.exists()));
}
