//! Real programs, written in `sh`, that do what programs do.
#![cfg(unix)]

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Map, Value, json};
use tempfile::TempDir;

use super::*;
use crate::processes::Group;
use crate::targets::{Cancel, Deadline, Progress, process};

const CANARY: &str = "sk-canary-\"quoted\"";

/// A folder with a program in it.
struct Bench {
    folder: TempDir,
    limit: &'static str,
    cwd: Option<&'static str>,
    cancel: Cancel,
}

impl Bench {
    /// With `script`, which runs by `sh`, as the program.
    fn new(script: &str) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("agent.sh"), script).unwrap();
        Self { folder, limit: "60s", cwd: None, cancel: Cancel::new() }
    }

    fn limit(self, limit: &'static str) -> Self {
        Self { limit, ..self }
    }

    async fn ask(&self) -> Result<Transcript, String> {
        self.ask_program(&["sh", "agent.sh"]).await
    }

    async fn ask_program(&self, command: &[&str]) -> Result<Transcript, String> {
        let target = self.target(command);
        let deadline = Deadline::start(self.limit.parse().unwrap(), &self.cancel);
        let context = Context { deadline, progress: Progress::ignored() };
        let mut session = target.session(0, &context).await.expect("a program's session always opens");
        session.ask(&request(), &context).await.map_err(|error| error.to_string())
    }

    fn target(&self, command: &[&str]) -> CommandTarget {
        let config = config::CommandTarget {
            command: command.iter().map(|word| (*word).to_owned()).collect(),
            cwd: self.cwd.map(str::to_owned),
            env: [("MODE".to_owned(), "eval mode".to_owned())].into(),
            pass_env: vec!["SECRET".to_owned()],
        };
        let variables: [(OsString, OsString); 4] = [
            ("PATH".into(), std::env::var_os("PATH").unwrap()),
            ("LANG".into(), "C".into()),
            ("SECRET".into(), CANARY.into()),
            ("OTHER".into(), "not for the program".into()),
        ];
        CommandTarget::with_environment("agent", &config, self.folder.path(), &variables)
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.path().join(file)).expect(file)
    }

    /// Whether nothing is left of the process group whose number the program wrote to `group`.
    fn is_group_gone(&self) -> bool {
        let id = self.read("group").trim().parse().expect("a process id");
        !Group::with_leader(id).is_running()
    }
}

fn request() -> Request {
    Request {
        suite: "evals.json".into(),
        case: "A\u{2028}1".to_owned(),
        preconditions: Vec::new(),
        setup_prompts: vec!["one\ntwo".to_owned()],
        prompt: "what \"now\"?".to_owned(),
    }
}

/// The reason that `script` leads to.
async fn reason(script: &str) -> String {
    Bench::new(script).ask().await.expect_err("this is not an answer")
}

#[tokio::test]
async fn a_program_is_asked_by_one_line_and_answers_with_one_object() {
    let bench = Bench::new(
        r#"cat > request.json
           echo 'a log line' >&2
           printf %s '{"response": "a\nb \ud83d.", "telemetry": [{"source": "tool.x", "event": "start"}, "raw"]}'"#,
    );
    let transcript = bench.ask().await.unwrap();
    let line = bench.read("request.json");
    assert_eq!(line.find('\n'), Some(line.len() - 1));
    let asked: Value = serde_json::from_str(&line).unwrap();
    let expected = json!({
        "format": "eval-ls/request@1", "case": "A\u{2028}1", "setup_prompts": ["one\ntwo"], "prompt": "what \"now\"?"
    });
    assert_eq!(asked, expected);

    assert!(transcript.duration_ms.is_some());
    assert!(transcript.recorded_at.as_ref().is_some_and(|at| at.ends_with('Z') && at.len() == 20), "{transcript:?}");
    let event = json!({"source": "tool.x", "event": "start"});
    let expected = Transcript {
        case: "A\u{2028}1".to_owned(),
        target: Some("agent".to_owned()),
        prompt: Some("what \"now\"?".to_owned()),
        setup_prompts: Some(vec!["one\ntwo".to_owned()]),
        response: "a\nb \u{fffd}.".to_owned(),
        telemetry: vec![Event::from_value(event), Event::Raw("raw".to_owned())],
        recorded_at: transcript.recorded_at.clone(),
        duration_ms: transcript.duration_ms,
        pages: None,
        program: None,
        usage: None,
        extra: Map::new(),
        last_record: None,
    };
    assert_eq!(transcript, expected);
}

#[tokio::test]
async fn what_is_no_answer_is_an_error_that_says_why() {
    let mut page = String::new();
    for script in [
        "",
        "echo Starting; echo '{\"response\": \"\"}'",
        "echo '{\"response\": \"\"}'; echo '{\"response\": \"\"}'; echo oops >&2",
        "printf '{\"response\": 1}'",
        "exit 3",
        "echo '{\"response\": \"\"}'; exit 1",
        "kill -KILL $$",
        "echo oops >&2; exit 1",
        "printf 'a\\n\\n\\033[31mred\\007\\tb\\r\\n\\n' >&2; exit 1",
        "printf '\\377' >&2; exit 1",
    ] {
        page += &format!("{script}\n──▶ {}\n\n", reason(script).await);
    }
    insta::assert_snapshot!("no_answers", page);
}

#[tokio::test]
async fn a_variable_that_is_not_passed_is_named_with_the_fix() {
    let script = "echo \"KeyError: 'OTHER' (SECRET and LANG are set, and $PATH)\" >&2; exit 1";
    let reason = reason(script).await;
    let hints: Vec<&str> = reason.lines().skip(1).filter(|line| line.contains("pass_env")).collect();
    assert_eq!(
        hints,
        ["`OTHER` is set, but not passed to the program; add it to `pass_env` in `[targets.agent]`"],
        "{reason}"
    );
}

#[tokio::test]
async fn only_the_end_of_standard_error_is_quoted() {
    let reason = reason("n=0; while [ $n -lt 30000 ]; do echo line $n >&2; n=$((n+1)); done; exit 1").await;
    let quoted: Vec<&str> = reason.lines().skip(2).collect();
    assert_eq!((quoted.len(), quoted.first(), quoted.last()), (16, Some(&"  line 29984"), Some(&"  line 29999")));
    let reason = self::reason("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 1").await;
    assert_eq!(reason.lines().nth(2).map(str::len), Some("  …".len() + 2_000));
}

#[tokio::test]
async fn a_program_that_cannot_be_started_says_what_is_missing() {
    let bench = Bench::new("#!/no/such/interpreter\n");
    let program = bench.folder.path().join("agent.sh");
    let missing = "is not on PATH; install it, or correct `command` in eval-ls.toml";
    assert_eq!(bench.ask_program(&["no-such-program-1"]).await, Err(format!("`no-such-program-1` {missing}")));
    let gone = bench.folder.path().join("gone/agent");
    let reason = format!("`gone/agent`: there is no file `{}`; correct `command` in eval-ls.toml", gone.display());
    assert_eq!(bench.ask_program(&["gone/agent"]).await, Err(reason));
    let reason = bench.ask_program(&["./agent.sh"]).await.unwrap_err();
    assert!(reason.contains("it is not executable"), "{reason}");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let reason = bench.ask_program(&["./agent.sh"]).await.unwrap_err();
    assert!(reason.contains("names an interpreter in its first line that does not exist"), "{reason}");
    let target = CommandTarget { program: bench.target(&["sh"]).program };
    fs::remove_dir_all(bench.folder.path()).unwrap();
    let fault = Fault::start(&target.program.path, &target.program.folder, io::ErrorKind::NotFound.into());
    assert!(matches!(fault, Fault::NoFolder(_)), "{fault}");
}

#[tokio::test]
async fn no_shell_reads_the_command_and_no_pipe_or_pause_ends_it() {
    let script =
        "head -c 30000000 /dev/zero >&2; sleep 0.3; printf '{\"resp'; sleep 0.3; printf 'onse\": \"%s\"}' \"$*\"";
    let answer = Bench::new(script).ask_program(&["sh", "agent.sh", "$HOME;", "`id`", "*", "a  b"]).await.unwrap();
    assert_eq!(answer.response, "$HOME; `id` * a  b");
}

#[tokio::test]
async fn a_program_runs_in_the_folder_of_the_configuration_or_in_its_own_below_it() {
    let script = "printf '{\"response\": \"%s\"}' \"$(pwd -P)\"";
    let mut bench = Bench::new(script);
    let folder = bench.folder.path().canonicalize().unwrap();
    assert_eq!(bench.ask().await.unwrap().response, folder.to_str().unwrap());
    fs::create_dir(folder.join("app")).unwrap();
    fs::write(folder.join("app/agent.sh"), script).unwrap();
    bench.cwd = Some("app");
    assert_eq!(bench.ask().await.unwrap().response, folder.join("app").to_str().unwrap());
    fs::set_permissions(folder.join("app/agent.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    let reason = bench.ask_program(&["./agent.py"]).await.unwrap_err();
    assert!(reason.contains("/app/./agent.py`; correct `command`"), "{reason}");
    bench.cwd = Some("gone");
    let reason = bench.ask().await.unwrap_err();
    assert!(reason.contains("the folder that it runs in, `") && reason.contains("does not exist"), "{reason}");
}

#[tokio::test]
async fn a_folder_that_links_elsewhere_starts_nothing() {
    let elsewhere = TempDir::new().unwrap();
    let mut bench = Bench::new("");
    fs::write(elsewhere.path().join("agent.sh"), "touch started").unwrap();
    std::os::unix::fs::symlink(elsewhere.path(), bench.folder.path().join("app")).unwrap();
    bench.cwd = Some("app");
    let reason = bench.ask().await.unwrap_err();
    assert!(reason.contains("is a link out of the folder of eval-ls.toml; correct `cwd`"), "{reason}");
    assert!(!elsewhere.path().join("started").exists());
}

#[tokio::test]
async fn the_environment_is_exactly_what_is_allowed() {
    let bench = Bench::new("");
    let deadline = Deadline::start("60s".parse().unwrap(), &bench.cancel);
    let printed = exchange(None, bench.target(&["env"]).program.command(), b"", &deadline).await.unwrap();
    let mut variables: Vec<_> = std::str::from_utf8(&printed.stdout).unwrap().lines().collect();
    variables.sort_unstable();
    let path = format!("PATH={}", std::env::var("PATH").unwrap());
    assert_eq!(variables, ["LANG=C", "MODE=eval mode", &path, &format!("SECRET={CANARY}")]);
}

#[tokio::test]
async fn what_was_passed_from_the_environment_is_seen_nowhere() {
    let bench = Bench::new(
        r#"escaped=$(printf %s "$SECRET" | sed 's/"/\\"/g')
           printf '{"response": "<%s>", "telemetry": [{"k %s": [{"v": "%s"}]}, "raw %s"], "key %s": "%s"}' "$escaped" "$escaped" "$escaped" "$escaped" "$escaped" "$escaped""#,
    );
    let transcript = bench.ask().await.unwrap();
    assert_eq!(transcript.response, "<[redacted SECRET]>");
    let kept = transcript.to_json();
    assert!(!kept.contains("canary"), "{kept}");
    assert_eq!(kept.matches("[redacted SECRET]").count(), 6, "{kept}");

    for (script, shown) in [
        (r#"echo "failed with $SECRET!" >&2; exit 1"#, "failed with [redacted SECRET]!"),
        (r#"echo "$SECRET was printed""#, "`[redacted SECRET] was printed`"),
        // The end that is kept begins within the secret.
        (r#"printf "$SECRET" >&2; head -c 65530 /dev/zero | tr '\0' '\n' >&2; exit 1"#, "standard error is empty"),
        (r#"echo "$SECRET" >&2; head -c 65520 /dev/zero | tr '\0' '\n' >&2; echo x >&2; exit 1"#, "x (`sh` failed"),
    ] {
        let reason = reason(script).await;
        assert!(!reason.contains("canary") && !reason.contains("ted\""), "{script}: {reason}");
        assert!(reason.contains(shown), "{script}: {reason}");
    }
}

#[tokio::test]
async fn ten_mebibytes_are_an_answer_and_more_is_not() {
    let answer = |letters: usize| {
        format!("printf '{{\"response\": \"'; head -c {letters} /dev/zero | tr '\\0' x; printf '\"}}'")
    };
    let most = process::MOST_OUTPUT - r#"{"response": ""}"#.len();
    assert_eq!(Bench::new(&answer(most)).ask().await.unwrap().response.len(), most);
    let more = "`sh`: it printed more than 10 MiB to standard output";
    assert_eq!(reason(&answer(most + 1)).await, format!("{more}; standard error is empty"));
    let bench = Bench::new("echo $$ > group; echo on my way >&2; cat /dev/zero");
    assert_eq!(bench.ask().await, Err(format!("{more}\nstandard error ends with:\n  on my way")));
    assert!(bench.is_group_gone());
}

#[tokio::test]
async fn a_program_need_not_read_what_it_is_asked() {
    for script in ["echo '{\"response\": \"\"}'", "exec <&-; sleep 0.1; echo '{\"response\": \"\"}'"] {
        let bench = Bench::new(script);
        let target = bench.target(&["sh", "agent.sh"]);
        let deadline = Deadline::start("60s".parse().unwrap(), &bench.cancel);
        let input = vec![b'x'; 4 << 20];
        let exchanged = exchange(None, target.program.command(), &input, &deadline).await.unwrap();
        assert!(matches!(exchanged.ending, Ending::Exited(status) if status.success()), "{exchanged:?}");
    }
}

#[tokio::test]
async fn a_program_that_hangs_is_ended_with_all_that_it_started() {
    let scripts = [
        ("sleep 600", "; standard error is empty"),
        ("trap 'echo bye >&2; exit' TERM; echo hi >&2; sleep 600 & wait", "\nstandard error ends with:\n  hi\n  bye"),
        ("trap '' TERM; echo stubborn >&2; sleep 600; sleep 600", "\nstandard error ends with:\n  stubborn"),
        ("(trap '' TERM; sleep 600) & (sleep 600 &) ; sleep 600", "; standard error is empty"),
        (
            "echo '{\"response\": \"\"}'; sleep 600",
            "; it printed its answer, but did not exit; standard error is empty",
        ),
        ("exec >&- 2>&- <&-; sleep 600", "; standard error is empty"),
        ("trap 'echo awake >&2; exit' TERM; kill -STOP $$; sleep 600", "\nstandard error ends with:\n  awake"),
    ];
    // All at once, so that the limit can be generous: a busy machine takes its time to start a program.
    const MORE: &str = "\nif it needs more time, raise `timeout` in eval-ls.toml, or `--timeout`";
    let checks = scripts.map(|(script, why)| async move {
        let (before, after) = why.split_once('\n').unwrap_or((why, ""));
        let after = if after.is_empty() { String::new() } else { format!("\n{after}") };
        let why = format!("{before}{MORE}{after}");
        let bench = Bench::new(&format!("echo $$ > group; {script}")).limit("2s");
        assert_eq!(bench.ask().await, Err(format!("timed out after 2s{why}")), "{script}");
        assert!(bench.is_group_gone(), "{script}");
    });
    futures_util::future::join_all(checks).await;
}

#[tokio::test]
async fn children_that_hold_the_pipes_do_not_hold_up_the_answer() {
    for script in [
        "echo $$ > group; sleep 600 & echo '{\"response\": \"done\"}'",
        "echo $$ > group; sleep 600 >&- & echo '{\"response\": \"done\"}'",
        "echo $$ > group; (trap '' TERM; sleep 600; sleep 600) & echo '{\"response\": \"done\"}'",
        "echo $$ > group; sleep 600 >/dev/null 2>&1 & echo '{\"response\": \"done\"}'",
    ] {
        let bench = Bench::new(script);
        assert_eq!(bench.ask().await.unwrap().response, "done", "{script}");
        assert!(bench.is_group_gone(), "{script}");
    }
}

#[tokio::test]
async fn cancelling_leaves_no_process_behind() {
    let bench = Bench::new("(trap '' TERM; sleep 600) & echo $$ > ready; mv ready group; wait");
    let asking = bench.ask();
    let started = wait_for(&bench, "group");
    tokio::pin!(asking);
    tokio::select! {
        _ = &mut asking => panic!("it hangs"),
        () = started => bench.cancel.cancel(),
    }
    assert_eq!(asking.await, Err("cancelled".to_owned()));
    assert!(bench.is_group_gone());
}

#[tokio::test]
async fn a_future_that_is_dropped_leaves_no_process_behind() {
    let bench = Bench::new("trap '' TERM; sleep 600 & echo $$ > ready; mv ready group; wait");
    tokio::select! {
        _ = bench.ask() => panic!("it hangs"),
        () = wait_for(&bench, "group") => {}
    }
    while !bench.is_group_gone() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn a_case_cancelled_before_it_starts_is_cancelled() {
    let bench = Bench::new("sleep 600");
    bench.cancel.cancel();
    assert_eq!(bench.ask().await, Err("cancelled".to_owned()));
}

#[test]
fn variables_that_are_not_set_are_named_where_a_program_fails() {
    let error = ProgramError {
        target: "agent".to_owned(),
        program: "agent".to_owned(),
        fault: Fault::TooMuch,
        unset: vec!["KEY".to_owned()],
        withheld: Vec::new(),
        stderr: Some(StandardError::of("")),
    };
    let reason = "`agent`: it printed more than 10 MiB to standard output; standard error is empty\n\
                  `KEY`, which `pass_env` names, is not set; set it in the environment of eval-ls";
    assert_eq!(error.to_string(), reason);
}

async fn wait_for(bench: &Bench, file: &str) {
    while !Path::new(&bench.folder.path().join(file)).exists() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}
