//! A run with a real program.
#![cfg(unix)]

use std::ffi::OsString;

use super::*;
use crate::config::CommandTarget as CommandConfig;
use crate::targets::CommandTarget;

fn program(bench: &Bench, script: &str) -> Arc<dyn Target> {
    let command = CommandConfig {
        cwd: None,
        command: ["sh", "-c", script].map(String::from).to_vec(),
        env: [].into(),
        pass_env: vec!["SECRET".to_owned()],
    };
    let variables: [(OsString, OsString); 2] =
        [("PATH".into(), std::env::var_os("PATH").unwrap()), ("SECRET".into(), "sk-canary".into())];
    Arc::new(CommandTarget::with_environment("agent", &command, bench.folder.path(), &variables))
}

/// The text of every file below a folder.
fn all_text(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| if path.is_dir() { all_text(&path) } else { fs::read_to_string(path).unwrap() }).collect()
}

#[tokio::test]
async fn passed_environment_values_are_written_nowhere() {
    let mut bench = Bench::with_cases(&["A", "B", "C"]).kept();
    bench.options.record = true;
    let script = r#"
        case $(cat) in
        *'"A"'*) printf '{"response": "yes %s", "telemetry": [{"key": "%s", "%s": 1}]}' "$SECRET" "$SECRET" "$SECRET" ;;
        *'"B"'*) echo "invalid key $SECRET" >&2; exit 1 ;;
        *) echo "using $SECRET" ;;
        esac"#;
    let (outcome, events) = bench.run(program(&bench, script)).await;
    let emitted = events.iter().map(|event| serde_json::to_string(event).unwrap()).collect::<Vec<_>>().join("\n");
    let written = all_text(bench.folder.path());
    for text in [&emitted, &written] {
        assert!(!text.contains("canary"), "{text}");
        assert!(text.contains("yes [redacted SECRET]") && text.contains("invalid key [redacted SECRET]"), "{text}");
    }
    let statuses: Vec<Status> = outcome.run.results().map(|case| case.status).collect();
    assert_eq!(statuses, [Status::Pass, Status::Error, Status::Error]);
}

#[tokio::test(flavor = "multi_thread")]
async fn cancelling_a_run_ends_its_programs() {
    let bench = Bench::with_cases(&["A", "B"]).jobs(2);
    let folder = bench.folder.path().to_owned();
    let cancel = bench.cancel.clone();
    let both_run = async move {
        while files(&folder).iter().filter(|file| file.starts_with("pid")).count() < 2 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        cancel.cancel();
    };
    let target = program(&bench, "echo $$ > new.$$; mv new.$$ pid.$$; sleep 600");
    let ((outcome, _), ()) = tokio::join!(bench.run(target), both_run);
    assert_eq!((ends(&outcome), outcome.run.finished().unwrap().not_run), (pairs(&[]), 2));
    for file in files(bench.folder.path()).iter().filter_map(|file| file.strip_prefix("pid.")) {
        let process = rustix::process::Pid::from_raw(file.parse().unwrap()).unwrap();
        assert!(rustix::process::test_kill_process(process).is_err(), "{file} still runs");
    }
}
