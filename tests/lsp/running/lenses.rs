//! Code lenses and code actions: every state of a case, and of its suite.

use serde_json::{Value, json};

use super::bench::{Bench, event, finished};
use super::stopping::wait_for_processes;
use crate::lsp::support::{Client, push, range, texts};

fn of(line: u64, titles: &[(u64, String)]) -> Vec<&str> {
    titles.iter().filter(|(on, _)| *on == line).map(|(_, title)| title.as_str()).collect()
}

#[test]
fn lenses_show_verdicts() {
    let (bench, mut client) = Bench::started("answer");
    let before = client.lenses(&bench.uri());
    assert_eq!(of(0, &before), ["Run suite (3) · 3 not run"]);
    assert_eq!((of(1, &before), of(2, &before)), (vec!["Run case"], vec!["Run case"]));
    bench.run(&mut client, &["A", "B"]);
    finished(&client, "B");
    event(&client, "finished");
    // The run is kept only when it has ended.
    let mut after = client.lenses(&bench.uri());
    while !of(0, &after).contains(&"Report") {
        client.refreshed("codeLens");
        after = client.lenses(&bench.uri());
    }
    assert_eq!(
        of(0, &after),
        ["Run suite (3) · 1 passed · 1 failed · 1 not run", "Run failed (1)", "Results", "Report"]
    );
    assert_eq!(of(1, &after), ["Run · PASS", "Open", "Accept"]);
    assert_eq!(of(2, &after), ["Run · FAIL 1 of 4 checks", "Open", "Accept (fails)"]);
    assert_eq!(of(4, &after), ["Run case"]);

    // Each starts after the one before it, from the key on: some clients sort them by their starts.
    let lenses = client.of("codeLens", &bench.uri());
    let of_a = lenses.as_array().unwrap().iter().filter(|lens| lens["range"]["start"]["line"] == 1);
    let starts: Vec<_> = of_a.map(|lens| lens["range"]["start"]["character"].as_u64().unwrap()).collect();
    assert_eq!(starts, [4, 5, 6]);

    // A changed prompt makes it stale; a broken case does not affect the others.
    client.change(
        &bench.uri(),
        2,
        json!([{ "range": range(1, 26, 26), "text": "new " }, { "range": range(4, 10, 13), "text": "\"C" }]),
    );
    let broken = client.lenses(&bench.uri());
    assert_eq!(of(1, &broken)[0], "Run · PASS · stale");
    assert_eq!(of(0, &broken)[0], "Run suite (3) · 1 passed · 1 failed · 1 not run (1 stale)");
    assert_eq!(of(2, &broken), of(2, &after));
}

#[test]
fn lenses_show_running_cases() {
    let (bench, mut client) = Bench::started("hang");
    bench.run(&mut client, &["A", "B"]);
    wait_for_processes(&bench, 1);
    let running = client.lenses(&bench.uri());
    assert_eq!(of(0, &running), ["Running, 2 of 3 left · Stop"]);
    let first = of(1, &running)[0];
    assert!(first.starts_with("Running ") && first.ends_with(" s · Stop"), "{first}");
    assert_eq!((of(2, &running), of(4, &running)), (vec!["Queued · Stop"], vec!["Run case"]));
    // The title of a lens is that of a command.
    let lenses = client.of("codeLens", &bench.uri());
    let stop = &lenses[1]["command"];
    assert_eq!(
        *stop,
        json!({ "title": stop["title"], "command": "eval-ls.stop", "arguments": [{ "uri": bench.uri(), "case": "A" }] })
    );
    assert_eq!(
        client
            .request("workspace/executeCommand", json!({ "command": stop["command"], "arguments": stop["arguments"] })),
        json!({ "stopped": 1 })
    );
    assert_eq!(finished(&client, "A")["status"], "CANCELLED");
}

/// The code actions on a line that run something.
fn runs(client: &mut Client, bench: &Bench, line: u32) -> Value {
    client.actions(&bench.uri(), range(line, 4, 4), json!({ "only": ["eval-ls.run"] }))
}

#[test]
fn code_actions_run_and_stop_a_case() {
    let (bench, mut client) = Bench::started("hang");
    assert_eq!(runs(&mut client, &bench, 0), json!([]));
    for (title, result) in [("Run this case", json!({ "run": 1 })), ("Stop this case", json!({ "stopped": 1 }))] {
        let offered = runs(&mut client, &bench, 1);
        assert_eq!(texts(&offered, "title"), [title]);
        let command = &offered[0]["command"];
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        assert_eq!(client.request("workspace/executeCommand", params), result);
        wait_for_processes(&bench, 1);
    }
    assert_eq!(finished(&client, "A")["status"], "CANCELLED");
}

#[test]
fn a_client_without_lenses_has_code_actions_for_the_suite() {
    let bench = Bench::new("answer");
    let mut client = bench.client_of(push());
    let titles = ["Run this case", "Run this suite", "Run the failed cases"];
    assert_eq!(texts(&runs(&mut client, &bench, 2), "title"), titles[..2]);
    bench.run_to_end(&mut client, &["B"]);
    assert_eq!(texts(&runs(&mut client, &bench, 2), "title"), titles);
}
