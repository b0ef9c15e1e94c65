//! One state of a case, wherever it is shown: the last run decides, whatever ran and wherever it ran.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::bench::{Bench, SUITE, config, event, finished, lenses};
use crate::lsp::support::Client;

const TRANSCRIPT: &str = "evals/transcripts/s/A.json";

fn run_with(bench: &Bench, client: &mut Client, target: &str, cases: &[&str]) {
    let suites = json!([{ "uri": bench.uri(), "cases": cases }]);
    client.request("eval-ls/run", json!({ "suites": suites, "target": target }));
}

fn run_to_end(bench: &Bench, client: &mut Client, target: &str, cases: &[&str]) {
    run_with(bench, client, target, cases);
    event(client, "finished");
}

/// The verdicts when the case A has this label.
fn labelled(bench: &Bench, client: &mut Client, label: Option<&str>) -> Value {
    bench.verdicts(client, |verdicts| verdicts["cases"][0]["label"] == json!(label))
}

fn transcript(response: &str) -> String {
    json!({ "format": "eval-ls/transcript@1", "case": "A", "prompt": "p1", "response": response }).to_string()
}

/// Renames the case A, which is on the second line, and applies the edit of the suite.
fn rename(bench: &Bench, client: &mut Client, to: &str, version: i32) {
    let at = json!({ "line": 1, "character": 12 });
    let params = json!({ "textDocument": { "uri": bench.uri() }, "position": at, "newName": to });
    client.request("textDocument/rename", params);
    client.change(&bench.uri(), version, json!([{ "text": SUITE.replace("\"A\"", &format!("\"{to}\"")) }]));
}

#[test]
fn a_replay_without_a_transcript_is_an_error_everywhere() {
    let (bench, mut client) = Bench::started("answer");
    client.execute("chooseTarget", json!({ "uri": bench.uri(), "target": "replay" }));
    bench.run(&mut client, &["A"]);
    let started = event(&client, "started");
    assert_eq!((&started["target"], &started["live"]), (&json!("replay"), &json!(false)));
    let ended = finished(&client, "A");
    assert_eq!((&ended["status"], &ended["label"]), (&json!("ERROR"), &json!("ERROR no stored answer")));
    let check = |client: &mut Client| {
        let verdicts = labelled(&bench, client, Some("ERROR no stored answer"));
        assert_eq!((&verdicts["answeredBy"], &verdicts["summary"]["error"]), (&json!(["replay"]), &json!(1)));
        assert_eq!(verdicts["summary"]["reason"], "no stored answer");
        assert_eq!(lenses(&bench, client, 1), ["Run · ERROR no stored answer", "Choose target"]);
    };
    check(&mut client);
    event(&client, "finished");
    let is_about_a = |params: &Value| params["diagnostics"].to_string().contains("no stored answer; `eval-ls record`");
    client.wait_for("textDocument/publishDiagnostics", is_about_a);
    drop(client);
    let mut client = bench.client(true);
    check(&mut client);
    // A transcript that is written later counts.
    bench.folder.write(TRANSCRIPT, transcript("Answer"));
    labelled(&bench, &mut client, Some("PASS"));
}

#[test]
fn the_transcript_counts_again_after_a_replay_and_after_a_rename() {
    let bench = Bench::new("answer");
    bench.folder.write(TRANSCRIPT, transcript("nothing"));
    let mut client = bench.client(true);
    labelled(&bench, &mut client, Some("FAIL 1 of 2 checks"));
    run_to_end(&bench, &mut client, "agent", &["A"]);
    labelled(&bench, &mut client, Some("PASS"));
    run_to_end(&bench, &mut client, "replay", &["A"]);
    let verdicts = labelled(&bench, &mut client, Some("FAIL 1 of 2 checks"));
    assert_eq!(verdicts["answeredBy"], json!(["replay"]));
    assert!(!lenses(&bench, &mut client, 1).iter().any(|title| title.starts_with("Accept")));
    drop(client);
    let mut client = bench.client(true);
    labelled(&bench, &mut client, Some("FAIL 1 of 2 checks"));
    // The next live answer counts again.
    run_to_end(&bench, &mut client, "agent", &["A"]);
    labelled(&bench, &mut client, Some("PASS"));

    // The transcript of a renamed case counts, and it has no earlier runs.
    rename(&bench, &mut client, "Z", 2);
    // The client moves the transcript.
    bench.folder.write("evals/transcripts/s/Z.json", transcript("nothing").replace("\"A\"", "\"Z\""));
    bench.folder.remove(TRANSCRIPT);
    client.files_changed();
    let renamed = labelled(&bench, &mut client, Some("FAIL 1 of 2 checks"));
    assert_eq!(renamed["cases"][0]["id"], "Z");
}

#[test]
fn a_failure_beside_a_transcript_reads_the_same_in_the_next_session() {
    let bench = Bench::new("crash");
    bench.folder.write(TRANSCRIPT, transcript("Answer"));
    let mut client = bench.client(true);
    labelled(&bench, &mut client, Some("PASS"));
    run_with(&bench, &mut client, "agent", &["A"]);
    let label = "ERROR last run failed: no key: set AGENT_KEY";
    let ended = finished(&client, "A");
    assert_eq!(ended["label"], label);
    assert!(ended["reason"].as_str().unwrap().starts_with("last run failed: no key: set AGENT_KEY ("), "{ended}");
    event(&client, "finished");
    let mut shown = [true, false].map(|is_same_session| {
        if !is_same_session {
            client = bench.client(true);
        }
        let mut verdicts = labelled(&bench, &mut client, Some(label));
        assert_eq!((&verdicts["summary"]["pass"], &verdicts["summary"]["error"]), (&json!(0), &json!(1)));
        assert_eq!(verdicts["summary"]["reason"], "last run failed: no key: set AGENT_KEY");
        assert_eq!(verdicts["answeredBy"], json!(["agent"]));
        assert_eq!(lenses(&bench, &mut client, 1)[0], format!("Run · {label}"));
        verdicts["cases"].take()
    });
    assert_eq!(shown[0].take(), shown[1]);
    // The next answer replaces it.
    bench.folder.write("eval-ls.toml", config("answer"));
    run_to_end(&bench, &mut client, "agent", &["A"]);
    labelled(&bench, &mut client, Some("PASS"));
}

#[test]
fn a_chosen_target_stays_chosen_in_the_next_session() {
    let (bench, mut client) = Bench::started("answer");
    let target = |client: &mut Client, wanted: &str| {
        bench.verdicts(client, |verdicts| verdicts["target"] == wanted);
    };
    target(&mut client, "agent");
    client.execute("chooseTarget", json!({ "uri": bench.uri(), "target": "replay" }));
    target(&mut client, "replay");
    while !bench.state().join("choices.json").exists() {
        std::thread::yield_now();
    }
    drop(client);
    let mut client = bench.client(true);
    target(&mut client, "replay");
    // Another target is configured: the choice was about the former one.
    let other = "[targets.other]\nkind = \"command\"\ncommand = [\"python3\", \"agent.py\", \"answer\"]\n";
    let text = config("answer").replace("target = \"agent\"", "target = \"other\"") + other;
    bench.folder.write("eval-ls.toml", &text);
    client.files_changed();
    target(&mut client, "other");
}

#[test]
fn a_target_of_the_settings_is_announced() {
    let (bench, mut client) = Bench::started("answer");
    bench.verdicts(&mut client, |verdicts| verdicts["target"] == "agent");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "eval-ls": { "target": "replay" } } }));
    // It waits for the announcement if the change comes later than the request.
    bench.verdicts(&mut client, |verdicts| verdicts["target"] == "replay");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "eval-ls": {} } }));
    client.wait_for("eval-ls/verdictsChanged", |_| true);
    bench.verdicts(&mut client, |verdicts| verdicts["target"] == "agent");
}

#[test]
fn a_run_in_a_terminal_is_seen_if_the_client_reports_no_file() {
    let (bench, mut client) = Bench::started("answer");
    bench.folder.run(&["run"]).ends(1);
    labelled(&bench, &mut client, Some("PASS"));
    client.wait_for("eval-ls/runsChanged", |_| true);
    assert_eq!(client.request("eval-ls/report", json!({}))["id"], json!(bench.kept_runs()[0]));
}

/// A client that chooses `choice`, with a suite whose case `A` passes on its transcript and fails on the new answer. Returns the question, too.
fn accepting(bench: &Bench, choice: Value) -> (Client, Arc<Mutex<Vec<Value>>>) {
    bench.folder.write(TRANSCRIPT, transcript("Answer to all"));
    let mut client = bench.client_with(true, json!({ "runEvents": true, "asks": true }));
    let questions = Arc::new(Mutex::new(Vec::new()));
    let asked = Arc::clone(&questions);
    client.answer("eval-ls/ask", move |params| {
        if params["choices"] == json!(["Allow and run"]) {
            return Some(json!("Allow and run"));
        }
        asked.lock().unwrap().push(params.clone());
        Some(choice.clone())
    });
    run_to_end(bench, &mut client, "agent", &["A", "B"]);
    let suite = SUITE.replacen("[\"Answer\"]", "[\"to all\"]", 1);
    client.change(&bench.uri(), 2, json!([{ "text": suite }]));
    bench.verdicts(&mut client, |verdicts| verdicts["cases"][0]["status"] == "FAIL");
    (client, questions)
}

#[test]
fn a_failing_answer_replaces_a_transcript_that_passes_only_if_a_person_agrees() {
    let kept = |bench: &Bench| bench.folder.read(TRANSCRIPT);
    let replaced = json!({ "message": "1 answer accepted, 1 transcript replaced", "undo": true });
    for (choice, result, edited) in [
        (Value::Null, Value::Null, false),
        (json!("Compare"), json!({ "compare": true }), false),
        (json!("Replace"), replaced.clone(), false),
        (json!("Replace"), replaced, true),
    ] {
        let bench = Bench::new("answer");
        let (mut client, questions) = accepting(&bench, choice.clone());
        let titles = lenses(&bench, &mut client, 1);
        assert!(titles.contains(&"Accept (fails)".to_owned()), "{titles:?}");
        let of_case = json!({ "uri": bench.uri(), "case": "A" });
        assert_eq!(client.execute("acceptAsTranscript", of_case), result);
        let question = &questions.lock().unwrap()[0];
        assert_eq!(question["choices"], json!(["Replace", "Compare"]));
        let message = question["message"].as_str().unwrap();
        assert!(message.starts_with("Replace the transcript of `A`?\nIt passes."), "{message}");
        assert_eq!(kept(&bench).contains("Answer to p1"), choice == "Replace");
        if choice != "Replace" {
            continue;
        }
        if edited {
            bench.folder.write(TRANSCRIPT, transcript("by hand"));
        } else {
            client.execute("undoAccept", json!({}));
        }
        let expected = transcript(if edited { "by hand" } else { "Answer to all" });
        assert_eq!(kept(&bench), expected);
        // A file that has changed since stays.
        let why = client.refuses("undoAccept", json!({}));
        assert!(why.starts_with("nothing is restored"), "{why}");
        assert_eq!(kept(&bench), expected);
    }
}

#[test]
fn accepting_all_answers_asks_before_it_replaces_transcripts() {
    let bench = Bench::new("answer");
    let (mut client, questions) = accepting(&bench, json!("Accept"));
    let result = json!({ "message": "2 answers accepted, 1 transcript replaced", "undo": true });
    assert_eq!(client.execute("acceptAsTranscript", json!({ "uri": bench.uri() })), result);
    let expected = "Accept 2 answers as transcripts?\nReplace a transcript: 1\nDo not pass: 2\n\
                    Do not pass, and replace a transcript that does: 1";
    assert_eq!(questions.lock().unwrap()[..], [json!({ "message": expected, "choices": ["Accept"] })]);
    assert!(bench.folder.join("evals/transcripts/s/B.json").exists());
}

#[cfg(unix)]
#[test]
fn an_accepted_answer_of_a_target_with_secrets_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::new("answer");
    bench.folder.write("eval-ls.toml", format!("{}pass_env = [\"PATH\"]\n", config("answer")));
    let mut client = bench.client(true);
    run_to_end(&bench, &mut client, "agent", &["A"]);
    client.execute("acceptAsTranscript", json!({ "uri": bench.uri(), "case": "A" }));
    let file = std::fs::metadata(bench.folder.join("evals/transcripts/s/A.json")).unwrap();
    assert_eq!(file.permissions().mode() & 0o077, 0);
}

#[test]
fn a_long_answer_counts_in_the_next_session() {
    let (bench, mut client) = Bench::started("long");
    run_to_end(&bench, &mut client, "agent", &["A"]);
    labelled(&bench, &mut client, Some("PASS"));
    drop(client);
    labelled(&bench, &mut bench.client(true), Some("PASS"));
}
