//! The events of runs, and their effects.

use serde_json::{Value, json};

use super::bench::{Bench, SUITE, config, event, finished, refused};
use crate::lsp::support::{range, workspace_folder};

#[test]
fn a_run_reports_its_events_and_verdicts() {
    let (bench, mut client) = Bench::started("answer");
    let run = bench.run(&mut client, &["A", "B"]);
    let items = json!([{ "uri": bench.uri(), "case": "A" }, { "uri": bench.uri(), "case": "B" }]);
    assert_eq!(
        event(&client, "started"),
        json!({ "kind": "started", "run": run, "target": "agent", "live": true, "items": items })
    );
    assert_eq!(
        event(&client, "caseStarted"),
        json!({ "kind": "caseStarted", "run": run, "uri": bench.uri(), "case": "A" })
    );
    let first = finished(&client, "A");
    assert_eq!((&first["status"], &first["failures"], &first["reason"]), (&json!("PASS"), &json!([]), &Value::Null));
    assert_eq!(first["output"], "Answer to p1\n");
    let tests = client.request("eval-ls/tests", json!({ "uri": bench.uri() }));
    assert_eq!(first["hash"], tests["suites"][0]["cases"][0]["hash"]);

    let second = finished(&client, "B");
    let failure = json!({
        "check": "must_not_say:to p2", "message": second["failures"][0]["message"], "range": range(3, 32, 39),
    });
    assert_eq!((&second["status"], &second["failures"]), (&json!("FAIL"), &json!([failure])));
    assert_eq!(
        event(&client, "finished"),
        json!({ "kind": "finished", "run": run, "cancelled": false, "reason": null })
    );
    assert_eq!(bench.asked(), ["p1", "p2"]);

    let verdicts = client.verdicts(&bench.uri());
    let summary = json!({ "pass": 1, "partial": 0, "fail": 1, "error": 0, "notRun": 1, "running": 0, "queued": 0, "total": 3, "stale": 0, "reason": null });
    assert_eq!(verdicts["summary"], summary);
    assert_eq!((&verdicts["version"], &verdicts["target"]), (&json!(1), &json!("agent")));
    assert_eq!(verdicts["targets"], json!(["agent", "replay"]));
    assert_eq!(verdicts["cases"][1]["failures"], second["failures"]);
    assert_eq!(verdicts["cases"][2]["status"], Value::Null);
    // The run is kept, but its answers are not transcripts, and there are no result files.
    assert_eq!(bench.kept_runs().len(), 1);
    assert!(!bench.folder.join("evals/results").exists() && !bench.folder.join("evals/transcripts").exists());
}

#[test]
fn answers_survive_the_session() {
    let (bench, mut client) = Bench::started("answer");
    bench.run_to_end(&mut client, &["A", "B"]);
    let before = client.verdicts(&bench.uri());
    drop(client);
    let mut client = bench.client(true);
    let wanted = |verdicts: &Value| verdicts["cases"][1]["status"] == "FAIL";
    let after = bench.verdicts(&mut client, wanted);
    assert_eq!((&after["summary"], &after["cases"]), (&before["summary"], &before["cases"]));
    assert_eq!(after["answeredBy"], json!(["agent"]));
    // The answer can still be accepted.
    client.execute("acceptAsTranscript", json!({ "uri": bench.uri(), "case": "A" }));
    assert!(bench.folder.join("evals/transcripts/s/A.json").exists());
    assert_eq!(bench.asked(), ["p1", "p2"]);
    assert_eq!(
        client.execute("acceptAsTranscript", json!({ "uri": bench.uri() })),
        json!({ "message": "1 answer accepted, 0 transcripts replaced", "undo": false })
    );
    assert!(bench.folder.join("evals/transcripts/s/B.json").exists());
    // A closed suite has them, too.
    client.close(&bench.uri());
    let closed = client.verdicts(&bench.uri());
    assert_eq!(closed["summary"], before["summary"]);
    client.open(&bench.uri(), 1, SUITE);
    bench.verdicts(&mut client, wanted);
}

#[test]
fn unsaved_text_runs_and_edits_during_the_run_are_judged() {
    let (bench, mut client) = Bench::started("answer");
    // `p1` is saved; another case is broken.
    client.change(
        &bench.uri(),
        2,
        json!([{ "range": range(1, 27, 27), "text": "!" }, { "range": range(5, 0, 4), "text": "  { ," }]),
    );
    let run = bench.run(&mut client, &["A"]);
    let ran = finished(&client, "A");
    assert_eq!((&ran["run"], &ran["status"], &ran["output"]), (&json!(run), &json!("PASS"), &json!("Answer to p!1\n")));
    client.change(&bench.uri(), 3, json!([{ "text": SUITE.replace("[\"Answer\"]", "[\"Question\"]") }]));
    let verdicts = client.verdicts(&bench.uri());
    let case = &verdicts["cases"][0];
    assert_eq!((&case["status"], &case["stale"]), (&json!("FAIL"), &json!(true)), "{verdicts}");
    assert_eq!(verdicts["summary"]["stale"], 1);
    let tests = client.request("eval-ls/tests", json!({ "uri": bench.uri() }));
    assert_ne!(ran["hash"], tests["suites"][0]["cases"][0]["hash"]);
}

#[test]
fn a_program_that_fails_is_an_error_with_its_reason() {
    for (manner, reason) in [("crash", "no key: set AGENT_KEY"), ("flood", "10 MiB")] {
        let (bench, mut client) = Bench::started(manner);
        bench.run(&mut client, &["A"]);
        let came = finished(&client, "A");
        assert_eq!(came["status"], "ERROR");
        assert!(came["reason"].as_str().unwrap().contains(reason), "{came}");
        event(&client, "finished");
        // It is visible, and can run again.
        let verdicts = client.verdicts(&bench.uri());
        assert_eq!((&verdicts["summary"]["error"], &verdicts["summary"]["notRun"]), (&json!(1), &json!(2)));
        assert_eq!(verdicts["cases"][0]["reason"], came["reason"]);
        client.execute("runFailed", json!({ "uri": bench.uri() }));
        finished(&client, "A");
    }
}

#[test]
fn invalid_runs_are_refused_with_the_reason() {
    let (bench, mut client) = Bench::started("answer");
    let suites = |cases: Value| json!({ "suites": [{ "uri": bench.uri(), "cases": cases }] });
    let of = |uri: &str| json!({ "suites": [{ "uri": uri }] });
    let mut named = suites(json!(["A"]));
    named["target"] = json!("agnet");
    for (params, reason) in [
        (suites(json!(["a"])), "case `a` does not exist; did you mean `A`?"),
        (suites(json!([])), "no case can run"),
        (named, "target `agnet` does not exist; eval-ls.toml defines `agent`, `replay`"),
        (json!({ "suites": [] }), "no case can run"),
        (of(&bench.folder.uri("eval-ls.toml")), "is not an eval suite"),
        (of("untitled:a"), "is not an eval suite"),
    ] {
        let why = refused(&mut client, params);
        assert!(why.contains(reason), "{why}");
    }
    client.change(&bench.uri(), 2, json!([{ "range": range(2, 9, 12), "text": "\"A\"" }]));
    assert_eq!(refused(&mut client, suites(json!(["A"]))), "several cases have the id `A`; give each a unique id");
    client.change(&bench.uri(), 3, json!([{ "text": SUITE.replace("\"p1\"", "\"p1") }]));
    assert_eq!(refused(&mut client, suites(json!(["A"]))), "case `A` has a syntax error; fix it before running");
    bench.folder.write("eval-ls.toml", &(config("answer") + "more = 1\n"));
    let why = refused(&mut client, suites(json!(["B"])));
    assert!(why.starts_with("eval-ls.toml, line 7: unknown key `more`"), "{why}");
    assert_eq!(bench.asked(), [""; 0]);
}

#[test]
fn what_can_be_judged_runs_and_the_rest_is_an_error() {
    let (bench, mut client) = Bench::started("answer");
    let misspelt = r#"{ "id": "D", "prompt": "p4", "expected": { "must_sya_any": ["Answer"] } },
  { "id": "E", "prompt": "p5" }"#;
    let suite = SUITE.replace("\"id\": \"B\"", "\"id\": \"A\"").replace("\n] }", &format!(",\n{misspelt}\n] }}"));
    client.change(&bench.uri(), 2, json!([{ "text": suite }]));
    let broken = bench.folder.uri("evals/broken.json");
    client.open(&broken, 1, &SUITE.replace("\"p1\"", "\"p1").replace("\"p2\"", "\"\""));
    let nowhere = bench.folder.uri("eval-ls.toml");
    client.request("eval-ls/run", json!({ "suites": [{ "uri": bench.uri() }, { "uri": broken }, { "uri": nowhere }] }));
    let shown =
        client.wait_for("window/showMessage", |params| params["message"].to_string().contains("not an eval suite"));
    assert!(shown["params"]["message"].as_str().unwrap().contains("eval-ls.toml"), "{shown}");
    let mut ended = Vec::new();
    for _ in 0..7 {
        let came = client.wait_for("eval-ls/runEvent", |params| params["kind"] == "caseFinished");
        let [uri, case, reason] =
            ["uri", "case", "reason"].map(|key| came["params"][key].as_str().unwrap_or("").to_owned());
        ended.push((uri == broken, case, reason));
    }
    ended.sort();
    let expected = [
        (false, "A", "several cases have the id `A`; give each a unique id"),
        (false, "C", ""),
        (false, "D", "line 6: the runner ignores the key `must_sya_any`; did you mean `must_say_any`? (unknown-key)"),
        (false, "E", ""),
        (true, "A", "case `A` has a syntax error; fix it before running"),
        (true, "B", "case `B` has no `prompt`"),
        (true, "C", ""),
    ];
    assert_eq!(ended, expected.map(|(is_broken, case, reason)| (is_broken, case.to_owned(), reason.to_owned())));
    let mut asked = bench.asked();
    asked.sort();
    assert_eq!(asked, ["p3", "p3", "p5"]);
}

#[test]
fn only_cases_with_changed_prompts_run_if_asked_for() {
    let (bench, mut client) = Bench::started("answer");
    bench.run_to_end(&mut client, &["A", "B"]);
    let changed = json!({ "suites": [{ "uri": bench.uri(), "cases": ["A", "B"] }], "changed": true });
    // Other expectations need no other answer.
    client.change(&bench.uri(), 2, json!([{ "text": SUITE.replace("[\"Answer\"]", "[\"Question\"]") }]));
    assert_eq!(client.request("eval-ls/run", changed.clone()), json!({ "run": null }));
    client.change(&bench.uri(), 3, json!([{ "text": SUITE.replace("\"p2\"", "\"p8\"") }]));
    assert_eq!(client.request("eval-ls/run", changed), json!({ "run": 2 }));
    event(&client, "finished");
    assert_eq!(bench.asked(), ["p1", "p2", "p8"]);
}

#[test]
fn two_folders_have_their_own_targets() {
    let (one, other) = (Bench::new("answer"), Bench::new("crash"));
    let mut client = one.client(true);
    let added = json!([workspace_folder(&other.folder)]);
    client.change_folders(added, json!([]));
    let suites = json!([{ "uri": one.uri(), "cases": ["A"] }, { "uri": other.uri(), "cases": ["B"] }]);
    client.request("eval-ls/run", json!({ "suites": suites }));
    assert_eq!(finished(&client, "A")["status"], "PASS");
    let came = finished(&client, "B");
    assert_eq!((&came["status"], &came["uri"]), (&json!("ERROR"), &json!(other.uri())));
    assert_eq!((one.asked().len(), other.asked().len()), (1, 1));
}

#[test]
fn only_a_client_without_a_test_explorer_gets_the_outcome_as_a_message() {
    let bench = Bench::new("answer");
    let mut client = bench.client_with(true, json!({}));
    bench.run(&mut client, &["A", "B"]);
    let message = client.message();
    assert_eq!(message, "1 of 2 cases passed: `B` FAIL 1 of 4 checks");
    let fits = |params: &Value| params["value"]["kind"] == "end";
    assert_eq!(client.wait_for("$/progress", fits)["params"]["value"]["message"], message);

    let mut client = bench.client(true);
    bench.run_to_end(&mut client, &["A"]);
    client.request("eval-ls/stop", json!({}));
    assert!(client.untaken().iter().all(|message| message["method"] != "window/showMessage"));
}
