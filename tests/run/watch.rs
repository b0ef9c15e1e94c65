#![cfg(unix)]

use std::io::{Read as _, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::run::support::Workspace;

/// Gives a program a terminal, whose keys are the standard input of this one. Ends with the program's exit status.
const TERMINAL: &str = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";

/// A program that watches, and what it has printed.
struct Watching {
    child: Child,
    keys: Option<ChildStdin>,
    printed: Arc<Mutex<String>>,
    /// It ends when nobody can print any more.
    reading: Option<std::thread::JoinHandle<()>>,
    /// The end of what was waited for.
    seen: usize,
}

impl Watching {
    /// Starts `eval-ls run --watch`.
    fn start(workspace: &Workspace, more: &[&str]) -> Watching {
        Watching::of(workspace.command(&[&["run", "s.evals.json", "--watch"], more].concat()))
    }

    /// The same in a terminal, which shows its modes when the program has ended.
    fn in_terminal(workspace: &Workspace) -> Watching {
        let program = env!("CARGO_BIN_EXE_eval-ls");
        let script = format!("trap : INT; '{program}' run s.evals.json --watch; status=$?; stty -a; exit $status");
        Watching::of_terminal(workspace, &["sh", "-c", &script])
    }

    fn of_terminal(workspace: &Workspace, program: &[&str]) -> Watching {
        let mut command = Command::new("python3");
        command.args(["-c", TERMINAL]).args(program).current_dir(workspace.path()).stdin(Stdio::piped());
        command.env("NO_COLOR", "1").env("TERM", "dumb").env_remove("CLICOLOR_FORCE");
        Watching::of(command)
    }

    fn of(mut command: Command) -> Watching {
        let (mut reader, writer) = std::io::pipe().unwrap();
        command.stdout(writer.try_clone().unwrap()).stderr(writer);
        let mut child = command.spawn().unwrap();
        drop(command);
        let printed = Arc::new(Mutex::new(String::new()));
        let text = Arc::clone(&printed);
        let reading = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(length @ 1..) = reader.read(&mut bytes) {
                text.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..length]));
            }
        });
        Watching { keys: child.stdin.take(), child, printed, reading: Some(reading), seen: 0 }
    }

    /// Waits until the program prints a text. Returns what it printed before since the last wait.
    fn until(&mut self, text: &str) -> String {
        let start = Instant::now();
        loop {
            let printed = self.printed.lock().unwrap().clone();
            if let Some(at) = printed[self.seen..].find(text) {
                let before = printed[self.seen..self.seen + at].to_owned();
                self.seen += at + text.len();
                return before;
            }
            assert!(start.elapsed() < Duration::from_secs(60), "no `{text}` in {}", &printed[self.seen..]);
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.as_mut().unwrap().write_all(keys.as_bytes()).unwrap();
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    fn end(mut self) -> (i32, String) {
        let status = self.child.wait().unwrap().code().unwrap_or(-1);
        // What it printed last may still be in the pipe.
        self.reading.take().unwrap().join().unwrap();
        (status, self.printed.lock().unwrap()[self.seen..].to_owned())
    }
}

/// A failed test leaves no process. A terminal that is closed ends the programs in it.
impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}

const ASKS: &str = r#"{ "must_say_any": ["yes"] }"#;

fn suite(workspace: &Workspace, expected: &[&str]) {
    let cases: Vec<_> = expected.iter().map(|expected| (*expected, None)).collect();
    workspace.suite(&cases);
}

#[test]
fn what_changes_runs_again_without_a_terminal() {
    let workspace = Workspace::new();
    workspace.suite(&[(ASKS, Some("yes")), (ASKS, Some("yes")), (ASKS, Some("no"))]);
    workspace.write("eval-ls.toml", "[run]\njobs = 2\n");
    let mut watching = Watching::start(&workspace, &[]);
    assert!(watching.until("watching").contains("3 cases in 1 suite: 2 passed, 1 failed"));
    assert!(!watching.until("1 of 3 cases failed").contains("keys"), "no keys without a terminal");

    suite(&workspace, &[ASKS, r#"{ "must_say_any": ["no"] }"#, ASKS]);
    let printed = watching.until("watching");
    assert!(printed.contains("changed: s.evals.json") && printed.contains("1 case in 1 suite: 1 failed"), "{printed}");
    assert!(printed.contains("C1") && !printed.contains("C0"), "{printed}");
    watching.until("2 of 3 cases failed");

    // The folder that is watched is the one of the transcripts.
    let transcript = r#"{ "format": "eval-ls/transcript@1", "case": "C2", "response": "yes" }"#;
    workspace.write("transcripts/s.evals/C2.json", transcript);
    let printed = watching.until("1 of 3 cases failed");
    assert!(printed.contains("changed: transcripts/s.evals/C2.json"), "{printed}");
    assert!(printed.contains("1 case in 1 suite: 1 passed"), "{printed}");

    // A broken suite is reported, and what was broken is not what changed.
    let whole = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap();
    workspace.write("s.evals.json", &whole[..whole.len() / 2]);
    let printed = watching.until("watching");
    assert!(printed.contains("`s.evals.json` is not run, because it has errors: fix them"), "{printed}");
    workspace.write("s.evals.json", &whole);
    watching.until("no case is affected");
    watching.until("watching");

    // So is a broken configuration.
    workspace.write("eval-ls.toml", "[run]\njobs = 0\n");
    assert!(watching.until("watching").contains("eval-ls.toml"));
    workspace.write("eval-ls.toml", "[run]\njobs = 1\n");
    watching.until("no case is affected");

    watching.until("watching");
    workspace.write("s.evals.json", &whole.replace("C1", "C9"));
    watching.until("no stored answer");
    watching.until("watching");
    watching.signal(Signal::INT);
    assert_eq!(watching.end().0, 130);
}

#[test]
fn a_new_suite_is_found() {
    let workspace = Workspace::new();
    workspace.suite(&[(ASKS, Some("yes"))]);
    let mut watching = Watching::of(workspace.command(&["run", "--watch"]));
    watching.until("0 of 1 case failed");
    let more = std::fs::read_to_string(workspace.path().join("s.evals.json")).unwrap().replace("C0", "D0");
    workspace.write("below/more.evals.json", &more);
    let printed = watching.until("1 of 2 cases failed");
    assert!(printed.contains("changed: below/more.evals.json") && printed.contains("D0"), "{printed}");
    std::fs::remove_file(workspace.path().join("below/more.evals.json")).unwrap();
    watching.until("0 of 1 case failed");
    watching.signal(Signal::TERM);
    assert_eq!(watching.end().0, 130);
}

/// Answers what the file `answer.py` has. Hangs if that file wants it, and then leaves its process id.
const IMPORTS: &str = r#"
import json, os, sys, time, answer
case = json.loads(sys.stdin.readline())["case"]
if answer.HANGS:
    open(f"{case}.pid", "w").write(str(os.getpid()))
    time.sleep(600)
print(json.dumps({"response": answer.TEXT}))
"#;

#[test]
fn keys_run_failed_all_and_filtered_cases_and_the_terminal_is_restored() {
    let workspace = Workspace::new();
    suite(&workspace, &[ASKS, r#"{ "must_say_any": ["no"] }"#, ASKS]);
    workspace.write("answer.py", "HANGS, TEXT = False, 'yes'\n");
    workspace.agent(IMPORTS, "");
    let mut watching = Watching::in_terminal(&workspace);
    assert!(watching.until("keys: f failed").contains("1 of 3 cases failed"));
    watching.press("f");
    assert!(watching.until("keys: f failed").contains("1 case in 1 suite: 1 failed"));
    // An arrow does nothing.
    watching.press("\x1b[Aa");
    assert!(watching.until("keys: f failed").contains("3 cases in 1 suite: 2 passed, 1 failed"));
    watching.press("p");
    watching.until("empty: all): ");
    watching.press("C0,C2X\x7f\n");
    let printed = watching.until("keys: f failed");
    assert!(printed.contains("2 cases in 1 suite: 2 passed") && printed.contains("filter: C0,C2"), "{printed}");
    watching.press("\n");
    assert!(watching.until("keys: f failed").contains("2 cases in 1 suite: 2 passed"));
    watching.press("a");
    assert!(watching.until("keys: f failed").contains("3 cases in 1 suite: 2 passed"));
    // A module that the program imports is one of its files.
    workspace.write("answer.py", "HANGS, TEXT = False, 'no'  # other\n");
    let printed = watching.until("2 of 3 cases failed");
    assert!(printed.contains("changed: answer.py"), "{printed}");
    watching.press("q");
    let (status, printed) = watching.end();
    assert_eq!(status, 1);
    assert!(printed.contains(" icanon ") && printed.contains(" echo "), "{printed}");
}

#[test]
fn a_signal_restores_the_terminal() {
    for (key, status) in [("\x03", 130), ("\x1c", 1)] {
        let workspace = Workspace::new();
        workspace.suite(&[(ASKS, Some("no"))]);
        let mut watching = Watching::in_terminal(&workspace);
        watching.until("keys: f failed");
        watching.press(key);
        // Ctrl-\ does nothing.
        watching.press(if status == 1 { "q" } else { "" });
        let (ended, printed) = watching.end();
        assert_eq!(ended, status);
        assert!(printed.contains(" icanon ") && printed.contains(" echo "), "{printed}");
    }
}

#[test]
fn a_stopped_program_takes_keys_again_when_it_continues() {
    let workspace = Workspace::new();
    workspace.suite(&[(ASKS, Some("no"))]);
    let mut watching = Watching::of_terminal(&workspace, &["bash", "--norc", "--noprofile", "-i"]);
    watching.until("bash-");
    watching.press(&format!("'{}' run s.evals.json --watch\n", env!("CARGO_BIN_EXE_eval-ls")));
    watching.until("keys: f failed");
    watching.press("\x1a");
    watching.until("Stopped");
    watching.until("bash-");
    watching.press("fg\n");
    watching.until("--watch");
    // The program sets the modes of the terminal when it learns that it continues, so a key may come too early.
    let start = Instant::now();
    while !watching
        .printed
        .lock()
        .unwrap()
        .get(watching.seen..)
        .is_some_and(|new| new.contains("1 case in 1 suite: 1 failed"))
    {
        assert!(start.elapsed() < Duration::from_secs(60), "no case runs");
        watching.press("a");
        std::thread::sleep(Duration::from_millis(100));
    }
    watching.press("q");
    watching.until("bash-");
    watching.press("stty -a\n");
    watching.until(" icanon ");
    watching.until(" echo ");
    watching.press("exit\n");
    watching.end();
}

/// The process id that the program of a case has left.
fn pid(workspace: &Workspace, case: &str) -> Pid {
    let path = workspace.path().join(format!("{case}.pid"));
    let start = Instant::now();
    loop {
        if let Some(pid) =
            std::fs::read_to_string(&path).ok().and_then(|text| text.parse().ok()).and_then(Pid::from_raw)
        {
            let _ = std::fs::remove_file(&path);
            return pid;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "the program of {case} does not start");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn assert_gone(pid: Pid) {
    let start = Instant::now();
    while test_kill_process(pid).is_ok() {
        assert!(start.elapsed() < Duration::from_secs(60), "the program still runs");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nothing_of_a_target_is_left_after_a_change_and_on_quit() {
    let workspace = Workspace::new();
    suite(&workspace, &[ASKS]);
    workspace.write("answer.py", "HANGS, TEXT = True, 'yes'\n");
    workspace.agent(IMPORTS, "");
    let mut watching = Watching::in_terminal(&workspace);
    let first = pid(&workspace, "C0");
    workspace.write("answer.py", "HANGS, TEXT = True, 'no'  # other\n");
    watching.until("changed: answer.py");
    let second = pid(&workspace, "C0");
    assert_gone(first);
    workspace.write("answer.py", "HANGS, TEXT = False, 'yes'\n");
    assert!(watching.until("keys: f failed").contains("1 case in 1 suite: 1 passed"));
    assert_gone(second);
    workspace.write("answer.py", "HANGS, TEXT = True, 'yes'  # hangs\n");
    let third = pid(&workspace, "C0");
    watching.press("q");
    let (status, printed) = watching.end();
    assert_eq!(status, 0, "{printed}");
    assert_gone(third);
}

/// A configuration with a target that leaves a trace.
fn evil(more: &str) -> String {
    format!("[run]\ntarget = \"evil\"\n[targets.evil]\nkind = \"command\"\ncommand = [\"touch\", \"started\"]\n{more}")
}

#[test]
fn a_target_that_appears_is_not_started_without_a_terminal() {
    let workspace = Workspace::new();
    workspace.suite(&[(ASKS, Some("yes"))]);
    workspace.write("eval-ls.toml", "");
    let mut watching = Watching::start(&workspace, &[]);
    watching.until("watching");
    workspace.write("eval-ls.toml", &evil(""));
    let (status, printed) = watching.end();
    assert_eq!(status, 2, "{printed}");
    let told = "the target `evil` in eval-ls.toml changed after `--watch` was started; start it again";
    assert!(printed.contains(told), "{printed}");
    assert!(!workspace.path().join("started").exists());
}

#[test]
fn a_target_that_changes_waits_for_enter() {
    let workspace = Workspace::new();
    suite(&workspace, &[ASKS]);
    workspace.agent("print('{\"response\": \"yes\"}')", "");
    let mut watching = Watching::in_terminal(&workspace);
    watching.until("keys: f failed");
    workspace.write("eval-ls.toml", &evil(""));
    watching.until("changed after `--watch` was started; press Enter to start it");
    watching.until("keys: f failed");
    watching.press("a");
    watching.until("press Enter to start it");
    watching.until("keys: f failed");
    assert!(!workspace.path().join("started").exists());
    watching.press("\n");
    watching.until("keys: f failed");
    assert!(workspace.path().join("started").exists());
    // One more change waits again.
    std::fs::remove_file(workspace.path().join("started")).unwrap();
    workspace.write("eval-ls.toml", &evil("timeout = \"5s\"\n"));
    watching.until("press Enter to start it");
    watching.press("q");
    watching.end();
    assert!(!workspace.path().join("started").exists());
}

#[test]
fn the_files_in_the_folder_of_a_target_are_watched() {
    let workspace = Workspace::new();
    suite(&workspace, &[ASKS]);
    workspace.agent("", "cwd = \"app\"");
    workspace.write("app/agent.py", "print('{\"response\": \"no\"}')");
    let mut watching = Watching::start(&workspace, &[]);
    watching.until("1 of 1 case failed");
    workspace.write("app/agent.py", "print('{\"response\": \"yes\"}')");
    assert!(watching.until("0 of 1 case failed").contains("changed: app/agent.py"));
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let workspace = Workspace::new();
    workspace.suite(&[(ASKS, Some("yes"))]);
    for (arguments, message) in [
        (&["run", "--watch", "--format", "json"][..], "`--watch` needs suites that are files, and `--format text`"),
        (&["run", "--watch", "-"], "`--watch` needs suites that are files"),
        (&["run", "--watch", "--shard", "1/2"], "cannot be used with"),
        (&["run", "--watch", "--failed"], "cannot be used with"),
    ] {
        let ran = workspace.run(arguments);
        assert_eq!(ran.status, 2, "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
}
