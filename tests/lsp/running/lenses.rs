//! Code lenses and code actions: every state of a case, and of its suite.

use serde_json::{Value, json};

use super::bench::{Bench, finished};
use super::stopping::wait_for_processes;
use crate::lsp::support::{Client, push, range};

/// Returns the titles of the lenses by their line.
fn titles(client: &mut Client, bench: &Bench) -> Vec<(u64, String)> {
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": bench.uri() } }));
    let lenses = lenses.as_array().into_iter().flatten();
    let line = |lens: &Value| lens["range"]["start"]["line"].as_u64().unwrap();
    lenses.map(|lens| (line(lens), lens["command"]["title"].as_str().unwrap().to_owned())).collect()
}

fn of(line: u64, titles: &[(u64, String)]) -> Vec<&str> {
    titles.iter().filter(|(on, _)| *on == line).map(|(_, title)| title.as_str()).collect()
}

#[test]
fn lenses_show_verdicts() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    let before = titles(&mut client, &bench);
    assert_eq!(of(0, &before), ["Run suite (3) · 3 not run"]);
    assert_eq!((of(1, &before), of(2, &before)), (vec!["Run case"], vec!["Run case"]));
    bench.run(&mut client, &["A", "B"]);
    finished(&client, "B");
    client.wait_for("eval-ls/runEvent", |params| params["kind"] == "finished");
    // The run is kept only when it has ended.
    let mut after = titles(&mut client, &bench);
    while !of(0, &after).contains(&"Report") {
        client.wait_for("workspace/codeLens/refresh", |_| true);
        after = titles(&mut client, &bench);
    }
    assert_eq!(
        of(0, &after),
        ["Run suite (3) · 1 passed · 1 failed · 1 not run", "Run failed (1)", "Results", "Report"]
    );
    assert_eq!(of(1, &after), ["Run · PASS", "Open", "Accept"]);
    assert_eq!(of(2, &after), ["Run · FAIL 1 of 4 checks", "Open", "Accept (fails)"]);
    assert_eq!(of(4, &after), ["Run case"]);

    // Each starts after the one before it, from the key on: some clients sort them by their starts.
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": bench.uri() } }));
    let of_a = lenses.as_array().unwrap().iter().filter(|lens| lens["range"]["start"]["line"] == 1);
    let starts: Vec<_> = of_a.map(|lens| lens["range"]["start"]["character"].as_u64().unwrap()).collect();
    assert_eq!(starts, [4, 5, 6]);

    // A changed prompt makes it stale; a broken case does not affect the others.
    client.change(
        &bench.uri(),
        2,
        json!([{ "range": range(1, 26, 26), "text": "new " }, { "range": range(4, 10, 13), "text": "\"C" }]),
    );
    let broken = titles(&mut client, &bench);
    assert_eq!(of(1, &broken)[0], "Run · PASS · stale");
    assert_eq!(of(0, &broken)[0], "Run suite (3) · 1 passed · 1 failed · 1 not run (1 stale)");
    assert_eq!(of(2, &broken), of(2, &after));
}

#[test]
fn a_lens_shows_what_a_case_was_before() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    for _ in 0..2 {
        bench.run(&mut client, &["A"]);
        client.wait_for("eval-ls/runEvent", |params| params["kind"] == "finished");
    }
    let agent = std::fs::read_to_string(bench.folder.join("agent.py")).unwrap();
    bench.folder.write("agent.py", &agent.replace("Answer to", "No reply to"));
    bench.run(&mut client, &["A"]);
    client.wait_for("eval-ls/runEvent", |params| params["kind"] == "finished");
    drop(client);
    let mut client = bench.client(true);
    bench.verdicts(&mut client, |verdicts| verdicts["cases"][0]["status"] == "FAIL");
    let lenses = titles(&mut client, &bench);
    assert!(of(1, &lenses)[0].ends_with(" · was PASS for 2 runs"), "{lenses:?}");
    // An edited case is another question.
    client.change(&bench.uri(), 2, json!([{ "range": range(1, 26, 26), "text": "new " }]));
    let edited = titles(&mut client, &bench);
    assert!(!of(1, &edited)[0].contains("was PASS"), "{edited:?}");
}

#[test]
fn lenses_show_running_cases() {
    let bench = Bench::new("hang");
    let mut client = bench.client(true);
    bench.run(&mut client, &["A", "B"]);
    wait_for_processes(&bench, 1);
    let running = titles(&mut client, &bench);
    assert_eq!(of(0, &running), ["Running, 2 of 3 left · Stop"]);
    let first = of(1, &running)[0];
    assert!(first.starts_with("Running ") && first.ends_with(" s · Stop"), "{first}");
    assert_eq!((of(2, &running), of(4, &running)), (vec!["Queued · Stop"], vec!["Run case"]));
    // The title of a lens is that of a command.
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": bench.uri() } }));
    let stop = &lenses[1]["command"];
    assert_eq!(
        *stop,
        json!({ "title": stop["title"], "command": "eval-ls.stop", "arguments": [{ "uri": bench.uri(), "case": "A" }] })
    );
    let params = json!({ "command": stop["command"], "arguments": stop["arguments"] });
    assert_eq!(client.request("workspace/executeCommand", params), json!({ "stopped": 1 }));
    assert_eq!(finished(&client, "A")["status"], "CANCELLED");
}

#[test]
fn lenses_need_a_trusted_workspace() {
    let bench = Bench::new("answer");
    let mut client = bench.client_with(true, json!({ "trusted": false }));
    let disabled = "Runs are disabled: workspace not trusted · 3 not run".to_owned();
    assert_eq!(titles(&mut client, &bench), [(0, disabled)]);
    client.notify("eval-ls/trust", json!({ "trusted": true }));
    assert_eq!(titles(&mut client, &bench).len(), 4);
}

#[test]
fn code_actions_run_and_stop_a_case() {
    let bench = Bench::new("hang");
    let mut client = bench.client(true);
    let actions = |client: &mut Client, line: u32| -> Value {
        let params = json!({
            "textDocument": { "uri": bench.uri() }, "range": range(line, 4, 4),
            "context": { "diagnostics": [], "only": ["eval-ls.run"] },
        });
        client.request("textDocument/codeAction", params)
    };
    let titles = |actions: &Value| -> Vec<String> {
        actions.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    };
    let offered = actions(&mut client, 1);
    assert_eq!(titles(&offered), ["Run this case"]);
    assert_eq!(titles(&actions(&mut client, 0)), [""; 0]);
    let command = &offered[0]["command"];
    let params = json!({ "command": command["command"], "arguments": command["arguments"] });
    assert_eq!(client.request("workspace/executeCommand", params), json!({ "run": 1 }));
    wait_for_processes(&bench, 1);
    let offered = actions(&mut client, 1);
    assert_eq!(titles(&offered), ["Stop this case"]);
    let command = &offered[0]["command"];
    client.request(
        "workspace/executeCommand",
        json!({ "command": command["command"], "arguments": command["arguments"] }),
    );
    assert_eq!(finished(&client, "A")["status"], "CANCELLED");
}

#[test]
fn a_client_without_lenses_has_code_actions_for_the_suite() {
    let bench = Bench::new("answer");
    let titles = |client: &mut Client| -> Vec<String> {
        let params = json!({
            "textDocument": { "uri": bench.uri() }, "range": range(2, 4, 4),
            "context": { "diagnostics": [], "only": ["eval-ls.run"] },
        });
        let offered = client.request("textDocument/codeAction", params);
        offered.as_array().unwrap().iter().map(|action| action["title"].as_str().unwrap().to_owned()).collect()
    };
    let mut client = bench.client_of(push());
    assert_eq!(titles(&mut client), ["Run this case", "Run this suite"]);
    bench.run(&mut client, &["B"]);
    client.wait_for("eval-ls/runEvent", |params| params["kind"] == "finished");
    assert_eq!(titles(&mut client), ["Run this case", "Run this suite", "Run the failed cases"]);
}
