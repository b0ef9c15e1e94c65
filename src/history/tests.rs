use std::path::Path;

use serde_json::{Value, json};

use crate::runs::{CaseLine, KeptRun};

use super::History;

/// Writes a run of the suite `s.json` with the cases `A` and `B`: the hash of `A`'s text, and the statuses of both.
fn run(folder: &Path, number: usize, hash: &str, statuses: [&str; 2]) -> (KeptRun, Vec<CaseLine>) {
    let id = id_of(number);
    let folder = folder.join(&id);
    std::fs::create_dir(&folder).unwrap();
    let hashes = |text: &str| json!({ "hash": text, "prompts": "p", "hints": "h" });
    let case = |index: usize, id: &str, text: &str| -> Value {
        let mut case = hashes(text);
        case["index"] = index.into();
        case["id"] = id.into();
        case
    };
    let record = json!({
        "format": "eval-ls/run@2", "id": id, "started_at": format!("2026-03-0{number}T09:00:00Z"),
        "target": { "name": "app" }, "suites": [{ "path": "s.json", "cases": [case(0, "A", hash), case(1, "B", "b")] }],
    });
    std::fs::write(folder.join("run.json"), record.to_string()).unwrap();
    // The cases of a run end in any order.
    let lines = [(1, "B", statuses[1]), (0, "A", statuses[0])].map(|(index, id, status)| {
        let repeats = (status == "FLAKY").then(|| {
            let attempts = ["PASS", "FAIL", "FAIL"].map(|status| json!({ "status": status, "checks": {} }));
            json!({ "planned": 3, "min_pass": 3, "flaky": true, "attempts": attempts })
        });
        let status = if status == "FLAKY" { "FAIL" } else { status };
        let mut result = json!({ "id": id, "status": status });
        if let Some(repeats) = repeats {
            result["repeats"] = repeats;
        }
        let range = json!({ "start": { "line": 1, "column": 1 }, "end": { "line": 1, "column": 2 } });
        format!(
            "{}\n",
            json!({ "suite": 0, "index": index, "case": id, "status": status, "range": range, "result": result })
        )
    });
    std::fs::write(folder.join("cases.jsonl"), lines.concat()).unwrap();
    let run = KeptRun::read(&folder).unwrap();
    let lines = run.lines().unwrap();
    assert_eq!(lines.len(), 2, "the lines can be read");
    (run, lines)
}

fn id_of(number: usize) -> String {
    format!("2026030{number}T090000Z-00000{number}")
}

#[test]
fn a_history_has_flips_and_the_start_of_the_status() {
    let folder = tempfile::tempdir().unwrap();
    let a = ["PASS", "FAIL", "ERROR", "PASS", "FLAKY", "FAIL", "FAIL"];
    let runs: Vec<_> = (1..=7).map(|number| run(folder.path(), number, "a", [a[number - 1], "PASS"])).collect();
    let history = History::of("app", &runs);
    let names: Vec<&str> = history.cases.iter().map(|case| case.case.as_str()).collect();
    assert_eq!((history.runs, names), (7, vec!["A", "B"]));
    let case = &history.cases[0];
    let passed: Vec<_> = case.points.iter().map(|point| (point.passed, point.judged)).collect();
    assert_eq!((passed, case.flips), (vec![(1, 1), (0, 1), (0, 0), (1, 1), (1, 3), (0, 1), (0, 1)], 3));
    assert_eq!((case.since.run.to_string(), case.since.runs), (id_of(6), 2));
    assert_eq!(case.points[4].word(), "FLAKY");
    let steady = &history.cases[1];
    assert_eq!((steady.flips, steady.since.runs, steady.since.run.to_string()), (0, 7, id_of(1)));
}

#[test]
fn an_edit_starts_a_new_count() {
    let folder = tempfile::tempdir().unwrap();
    let runs: Vec<_> = [("a", "FAIL"), ("a", "FAIL"), ("edited", "FAIL"), ("edited", "PASS"), ("edited", "PASS")]
        .into_iter()
        .enumerate()
        .map(|(at, (hash, status))| run(folder.path(), at + 1, hash, [status, "PASS"]))
        .collect();
    let history = History::of("app", &runs);
    let case = &history.cases[0];
    assert_eq!(case.points[2].edits, ["expectations"]);
    assert_eq!((case.flips, case.since.runs), (1, 2));
}
