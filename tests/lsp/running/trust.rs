//! Nothing is started without approval.

use serde_json::{Value, json};

use super::bench::{Bench, SUITE, config, finished, refusal, refused};
use crate::lsp::support::Client;

fn suites(bench: &Bench) -> Value {
    json!({ "suites": [{ "uri": bench.uri(), "cases": ["A"] }] })
}

/// Returns how often the server asked for approval.
fn times_asked(client: &Client) -> usize {
    client.untaken().iter().filter(|message| message["method"] == "window/showMessageRequest").count()
}

#[test]
fn approval_is_requested_once_with_the_exact_program() {
    let (bench, mut client) = Bench::started("answer");
    for _ in 0..2 {
        bench.run(&mut client, &["A"]);
        finished(&client, "A");
    }
    let asked = client.wait_for("window/showMessageRequest", |_| true);
    let message = asked["params"]["message"].as_str().unwrap();
    let program = "It starts this program for each case: python3 agent.py answer";
    assert_eq!(message.lines().collect::<Vec<_>>()[..2], ["Run evals with the target agent?", program], "{message}");
    assert_eq!(times_asked(&client), 0);
    // The approval also applies in another session.
    let mut client = bench.client(false);
    bench.run(&mut client, &["A"]);
    finished(&client, "A");
    assert_eq!(times_asked(&client), 0);
    // A changed table needs a new approval.
    bench.folder.write("eval-ls.toml", &(config("answer") + "env = { A = \"B\" }\n"));
    assert_eq!(refused(&mut client, suites(&bench)), "target `agent` was not allowed to run, so it ran no case");
    assert_eq!(times_asked(&client), 1);
    assert_eq!(bench.asked().len(), 3);
}

#[test]
fn a_refusal_applies_to_one_run() {
    let bench = Bench::new("answer");
    let mut client = bench.client(false);
    for times in 1..=2 {
        assert_eq!(refused(&mut client, suites(&bench)), "target `agent` was not allowed to run, so it ran no case");
        assert_eq!(times_asked(&client), times);
    }
    assert!(!bench.approvals().exists());
    assert_eq!(bench.asked(), [""; 0]);
    // A question without an answer is not an approval, and delays nothing.
    client.answer("window/showMessageRequest", |_| None);
    client.send_request("eval-ls/run", suites(&bench));
    assert_eq!(client.verdicts(&bench.uri())["summary"]["running"], 0);
    client.answer("window/showMessageRequest", |_| Some(Value::Null));
    refused(&mut client, suites(&bench));
    assert_eq!(bench.asked(), [""; 0]);
    // An answer that cannot be read is none.
    let mut other = bench.client(false);
    other.answer("window/showMessageRequest", |_| None);
    let run = other.send_request("eval-ls/run", suites(&bench));
    let id = &other.wait_for("window/showMessageRequest", |_| true)["id"];
    let deep = (0..200).fold(json!([]), |inner, _| json!([inner]));
    other.send(&json!({ "jsonrpc": "2.0", "id": id, "result": deep }));
    assert!(other.response(run)["error"]["message"].is_string());
    // A replay needs no approval.
    let asked = times_asked(&client);
    let mut replay = suites(&bench);
    replay["target"] = json!("replay");
    client.request("eval-ls/run", replay);
    assert_eq!(finished(&client, "A")["status"], "ERROR");
    assert_eq!(times_asked(&client), asked);
}

#[test]
fn an_untrusted_workspace_runs_nothing() {
    let bench = Bench::new("answer");
    let mut client = bench.client_with(true, json!({ "runEvents": true, "trusted": false }));
    let untrusted = "runs are disabled: the editor does not trust this workspace";
    let mut replay = suites(&bench);
    replay["target"] = json!("replay");
    for params in [suites(&bench), replay] {
        assert_eq!(refusal(&mut client, params), (untrusted.to_owned(), json!("trust")));
    }
    assert_eq!(times_asked(&client), 0);
    let disabled = "Runs are disabled: workspace not trusted · 3 not run".to_owned();
    assert_eq!(client.lenses(&bench.uri()), [(0, disabled)]);
    client.notify("eval-ls/trust", json!({ "trusted": true }));
    assert_eq!(client.lenses(&bench.uri()).len(), 4);
    bench.run(&mut client, &["A"]);
    finished(&client, "A");
    client.notify("eval-ls/trust", json!({ "trusted": false }));
    assert_eq!(refused(&mut client, suites(&bench)), untrusted);
}

#[test]
fn a_client_may_ask_itself() {
    for allows in [true, false] {
        let bench = Bench::new("answer");
        let mut client = bench.client_with(true, json!({ "runEvents": true, "asks": true }));
        client.answer("eval-ls/ask", move |params| {
            let message = params["message"].as_str().unwrap();
            assert!(
                message.contains("python3 agent.py answer") && message.contains("You are asked again if"),
                "{message}"
            );
            assert_eq!(params["choices"], json!(["Allow and run"]));
            Some(if allows { json!("Allow and run") } else { Value::Null })
        });
        if allows {
            bench.run(&mut client, &["A"]);
            finished(&client, "A");
        } else {
            // The person knows, so the client shows nothing.
            let id = client.send_request("eval-ls/run", suites(&bench));
            assert_eq!(client.response(id)["error"]["code"], -32800);
        }
        assert_eq!(times_asked(&client), 0);
        assert_eq!(bench.approvals().exists(), allows);
    }
}

#[test]
fn a_client_that_starts_runs_itself_requests_approval() {
    let bench = Bench::new("answer");
    bench.folder.write("inner/eval-ls.toml", config("crash"));
    bench.folder.write("other.toml", config("flood"));
    let uris = json!([bench.uri(), bench.folder.uri("inner/evals/t.json")]);
    let method = "eval-ls/requestApproval";
    let mut client = bench.client(false);
    assert_eq!(
        client.refused(method, json!({ "uris": uris })),
        "target `agent` was not allowed to run, so it ran no case"
    );
    assert_eq!(times_asked(&client), 1);
    let replay = client.request(method, json!({ "uris": uris, "target": "replay" }));
    assert_eq!(replay["approved"].as_array().map(Vec::len), Some(2), "{replay}");
    let unknown = "target `other` does not exist; eval-ls.toml defines `agent`, `replay`";
    assert_eq!(client.refused(method, json!({ "uris": uris, "target": "other" })), unknown);
    assert_eq!(times_asked(&client), 1);

    // Each configuration has its own program.
    let mut client = bench.client(true);
    for times in [2, 2] {
        client.request(method, json!({ "uris": uris }));
        assert_eq!(times_asked(&client), times);
    }
    let given = json!({ "uris": uris, "config": bench.folder.uri("other.toml") });
    client.request(method, given);
    assert_eq!(times_asked(&client), 3);
    // The server's own runs know these approvals.
    bench.run(&mut client, &["A"]);
    finished(&client, "A");
    assert_eq!(times_asked(&client), 3);

    bench.folder.write("eval-ls.toml", "[run]\njobs = true\n");
    let faulty = client.refused(method, json!({ "uris": uris }));
    assert!(faulty.starts_with("eval-ls.toml: expected a whole number"), "{faulty}");
    client.notify("eval-ls/trust", json!({ "trusted": false }));
    let untrusted = "runs are disabled: the editor does not trust this workspace";
    assert_eq!(client.refused(method, json!({ "uris": uris })), untrusted);
}

#[test]
fn a_target_that_is_swapped_during_the_question_is_not_approved() {
    let (bench, mut client) = Bench::started("answer");
    let path = bench.folder.join("eval-ls.toml");
    client.answer("window/showMessageRequest", move |params| {
        std::fs::write(&path, config("crash")).unwrap();
        Some(params["actions"][0].clone())
    });
    let why = client.refused("eval-ls/requestApproval", json!({ "uris": [bench.uri()] }));
    assert_eq!(why, "eval-ls.toml was changed during the question; run it again");
}

#[test]
fn an_approval_binds_the_run_that_a_client_starts() {
    let (bench, mut client) = Bench::started("answer");
    let approved = client.request("eval-ls/requestApproval", json!({ "uris": [bench.uri()] }));
    let hash = approved["approved"][0].as_str().unwrap();
    let run =
        |options: &[&str]| bench.folder.run(&[&["run", "--no-results"], options, &["--", "evals/s.json"]].concat());
    let bound = format!("--approved={hash}");
    run(&[&bound]).ends(1);
    // One of several.
    run(&["--approved=0", &bound]).ends(1);
    let asked = bench.asked().len();
    let more = |lines: &str| bench.folder.write("eval-ls.toml", config("answer") + lines);
    more("env = { A = \"B\" }\n");
    run(&[&bound]).complains(2, ["the target `agent` was changed after it was approved: run it again"]);
    more("[[policy]]\ncases = \"*\"\nrepeat = 20\n");
    run(&[&bound]).ends(2);
    assert_eq!(bench.asked().len(), asked);
}

#[test]
fn a_held_lock_delays_no_request_and_no_run() {
    let (bench, mut client) = Bench::started("answer");
    std::fs::create_dir_all(bench.state()).unwrap();
    let lock = std::fs::File::create(bench.state().join("approvals.lock")).unwrap();
    lock.lock().unwrap();
    bench.run(&mut client, &["A"]);
    finished(&client, "A");
    assert!(!bench.approvals().exists());
    // A pipe of this name is the same.
    drop(lock);
    std::fs::remove_file(bench.state().join("approvals.lock")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(bench.state().join("approvals.lock")).status();
    assert!(made.unwrap().success());
    bench.run(&mut client, &["A"]);
    finished(&client, "A");
    assert_eq!(times_asked(&client), 2, "an approval that was not saved counts once");
}

/// A program in the new folder was not approved.
#[cfg(unix)]
#[test]
fn a_link_that_is_changed_during_the_question_changes_nothing() {
    use std::os::unix::fs::symlink;

    let (bench, mut client) = Bench::started("answer");
    for name in ["a", "b"] {
        let agent = format!("print('{{\"response\": \"Answer of {name}\"}}')");
        for (file, text) in
            [("agent.py", agent), ("eval-ls.toml", config("answer")), ("evals/s.json", SUITE.to_owned())]
        {
            bench.folder.write(format!("{name}/{file}"), text);
        }
    }
    let [a, b, link] = ["a", "b", "link"].map(|name| bench.folder.join(name));
    symlink(a, &link).unwrap();
    client.answer("window/showMessageRequest", move |params| {
        std::fs::remove_file(&link).and_then(|()| symlink(&b, &link)).unwrap();
        Some(params["actions"][0].clone())
    });
    let uri = bench.folder.uri("link/evals/s.json");
    client.open(&uri, 1, SUITE);
    client.request("eval-ls/run", json!({ "suites": [{ "uri": uri, "cases": ["A"] }] }));
    let came = finished(&client, "A");
    assert_eq!(came["status"], "PASS", "{came}");
    let answer = client.request("eval-ls/transcript", json!({ "uri": uri, "case": "A" }));
    assert!(answer["text"].as_str().unwrap().contains("Answer of a"), "{answer}");
}
