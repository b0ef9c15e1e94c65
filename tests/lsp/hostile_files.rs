//! The files around a suite come from anybody: devices, pipes, links, and files of any size.

#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::lsp::running::bench::{Bench, config, event, refused};
use crate::lsp::support::Client;
use crate::support::Folder;

const SUITE: &str = r#"{"version":"0.3.0","cases":[{"id":"A","prompt":"p","expected":{"must_say_any":["x"]}}]}"#;
const ANSWER: &str = r#"{"format":"eval-ls/transcript@2","case":"A","response":"x","prompt":"p"}"#;

/// Opens the suite, and returns when the thread that reads answers has read its own: its only case passes. Requests are
/// answered until then.
fn opened(client: &mut Client, folder: &Folder) {
    let uri = folder.uri("evals/a.json");
    client.open(&uri, 1, SUITE);
    let at = json!({ "line": 0, "character": SUITE.find("\"A\"").unwrap() + 1 });
    let hover = json!({ "textDocument": { "uri": uri }, "position": at });
    let began = std::time::Instant::now();
    while !client.request("textDocument/hover", hover.clone()).to_string().contains("PASS") {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "the transcript was never read");
        std::thread::yield_now();
    }
}

/// Runs the suite on the command line. Returns the folder of the run that is kept.
fn kept_run(folder: &Folder) -> std::path::PathBuf {
    let mut run = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
    let run = run.args(["run", "evals/a.json"]).current_dir(folder.path()).output().unwrap();
    assert!(run.status.success(), "{run:?}");
    folder.join("results/runs").join(fs::read_link(folder.join("results/runs/latest")).unwrap())
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

const NO_RUN: &str = "no run has ended yet; run a suite first";

/// Why there is no page of the last run.
fn no_report(client: &mut Client) -> String {
    let id = client.send_request("eval-ls/report", json!({}));
    client.response(id)["error"]["message"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn kept_runs_that_are_devices_or_pipes_do_not_stop_the_server() {
    let workspace =
        || Folder::with(&[("eval-ls.toml", ""), ("evals/a.json", SUITE), ("evals/transcripts/a/A.json", ANSWER)]);
    for record in ["/dev/stdin", "/dev/zero", "/dev/ptmx", "pipe"] {
        let folder = workspace();
        fs::create_dir_all(folder.join("results/runs/a")).unwrap();
        let path = folder.join("results/runs/a/run.json");
        if record == "pipe" {
            pipe(&path)
        } else {
            symlink(record, path).unwrap()
        }
        let mut client = Client::limited(&[&folder]);
        opened(&mut client, &folder);
        assert_eq!(no_report(&mut client), NO_RUN, "{record}");
        assert!(client.stop().success(), "{record}");
    }
    for file in ["cases.jsonl", "answers"] {
        for kind in ["/dev/zero", "pipe"] {
            let folder = workspace();
            let path = kept_run(&folder).join(file);
            fs::remove_file(&path).unwrap();
            if kind == "pipe" {
                pipe(&path)
            } else {
                symlink(kind, path).unwrap()
            }
            let mut client = Client::limited(&[&folder]);
            opened(&mut client, &folder);
            no_report(&mut client);
            assert!(client.stop().success(), "{file} {kind}");
        }
    }
}

#[test]
fn kept_runs_outside_of_the_workspace_are_not_read() {
    let other = Folder::with(&[("eval-ls.toml", ""), ("evals/a.json", SUITE), ("evals/transcripts/a/A.json", ANSWER)]);
    kept_run(&other);
    let results = other.join("results");
    for is_link in [true, false] {
        let config = format!("[run]\nresults = {:?}\n", format!("../{}/results", name_of(&other)));
        let config = if is_link { "" } else { &config };
        let folder =
            Folder::with(&[("eval-ls.toml", config), ("evals/a.json", SUITE), ("evals/transcripts/a/A.json", ANSWER)]);
        if is_link {
            symlink(&results, folder.join("results")).unwrap();
        }
        let mut client = Client::limited(&[&folder]);
        opened(&mut client, &folder);
        assert_eq!(no_report(&mut client), NO_RUN, "{is_link}");
    }
}

/// The last part of a folder's path: test folders are beside each other.
fn name_of(folder: &Folder) -> String {
    let path = folder.path().canonicalize().unwrap();
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// A repository may have a kept run, whose answers an editor offers to accept.
#[test]
fn accepting_an_answer_never_writes_outside_of_the_workspace() {
    for is_link in [true, false] {
        let bench = Bench::new("answer");
        let victim = Folder::with(&[("s/A.json", "VICTIM")]);
        let mut client = bench.client(true);
        bench.run(&mut client, &["A"]);
        event(&client, "finished");
        drop(client);
        if is_link {
            symlink(victim.path(), bench.folder.join("evals/transcripts")).unwrap();
        } else {
            let transcripts = format!("[run]\ntranscripts = {:?}\n", format!("../../{}", name_of(&victim)));
            bench.folder.write("eval-ls.toml", &config("answer").replace("[run]\n", &transcripts));
        }
        let mut client = bench.client_with(true, json!({ "runEvents": true, "trusted": false }));
        client.open(&bench.uri(), 1, crate::lsp::running::bench::SUITE);
        while client.request("eval-ls/verdicts", json!({ "uri": bench.uri() }))["cases"][0]["status"] != "PASS" {
            client.wait_for("eval-ls/verdictsChanged", |_| true);
        }
        for argument in [json!({ "uri": bench.uri(), "case": "A" }), json!({ "uri": bench.uri() })] {
            let params = json!({ "command": "eval-ls.acceptAsTranscript", "arguments": [argument] });
            let id = client.send_request("workspace/executeCommand", params);
            let why = client.response(id)["error"]["message"].as_str().unwrap_or_default().to_owned();
            assert!(why.contains("A.json is outside of the workspace"), "{why}");
        }
        assert_eq!(fs::read_to_string(victim.join("s/A.json")).unwrap(), "VICTIM");
        // Neither does a rename of the case move a file there.
        let at = json!({ "line": 1, "character": 13 });
        let params = json!({ "textDocument": { "uri": bench.uri() }, "position": at, "newName": "other" });
        let edit = client.request("textDocument/rename", params).to_string();
        assert!(edit.contains("other") && !edit.contains(&name_of(&victim)), "{edit}");
    }
}

#[test]
fn a_run_does_not_write_results_outside_of_the_workspace() {
    for is_link in [true, false] {
        let bench = Bench::new("answer");
        let victim =
            Folder::with(&[("eval-ls.toml", ""), ("evals/a.json", SUITE), ("evals/transcripts/a/A.json", ANSWER)]);
        kept_run(&victim);
        let mut client = bench.client(true);
        bench.run(&mut client, &["A"]);
        event(&client, "finished");
        fs::remove_dir_all(bench.folder.join("results")).unwrap();
        let results = format!("[run]\nkeep = \"1 run\"\nresults = {:?}\n", format!("../{}/results", name_of(&victim)));
        if is_link {
            symlink(victim.join("results"), bench.folder.join("results")).unwrap();
        } else {
            bench.folder.write("eval-ls.toml", &config("answer").replace("[run]\n", &results));
        }
        let before = listing(&victim.join("results/runs"));
        let suites = json!([{ "uri": bench.uri(), "cases": ["A"] }]);
        let why = refused(&mut client, json!({ "suites": suites }));
        assert!(why.starts_with("the results of this suite would be written outside of the workspace, "), "{why}");
        assert_eq!(listing(&victim.join("results/runs")), before, "{is_link}");
    }
}

fn listing(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().display().to_string()).collect();
    names.sort();
    names
}

/// The answers go into these folders.
#[test]
fn other_folders_of_transcripts_and_results_need_a_new_approval() {
    let bench = Bench::new("answer");
    let mut client = bench.client(true);
    let asked = |client: &Client| {
        let questions = client.untaken().into_iter().filter(|message| message["method"] == "window/showMessageRequest");
        questions.map(|question| question["params"]["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    bench.run(&mut client, &["A"]);
    event(&client, "finished");
    assert!(asked(&client)[0].contains("It writes to the folders results and transcripts"), "{:?}", asked(&client));
    for (times, (key, folder)) in [("results", "out"), ("transcripts", "kept")].into_iter().enumerate() {
        bench
            .folder
            .write("eval-ls.toml", &config("answer").replace("[run]\n", &format!("[run]\n{key} = \"{folder}\"\n")));
        bench.run(&mut client, &["A"]);
        event(&client, "finished");
        let questions = asked(&client);
        assert_eq!(questions.len(), times + 2);
        assert!(questions[times + 1].contains(folder), "{questions:?}");
    }
}

/// Eight names of a file of 16 MB in values of two bytes would take gigabytes.
#[test]
fn transcripts_of_many_values_do_not_end_a_server_with_little_memory() {
    for element in ["{}", "[]", "1", "{\"a\":{}}"] {
        let values = vec![element; 16_000_000 / (element.len() + 1)].join(",");
        let many = format!(r#"{{"format":"eval-ls/transcript@2","case":"A","response":"x","telemetry":[{values}]}}"#);
        let folder =
            Folder::with(&[("eval-ls.toml", ""), ("many.json", &many), ("evals/transcripts/a/A.json", ANSWER)]);
        let ids: Vec<_> = (0..8).map(|index| format!("Z{index}")).collect();
        for id in &ids {
            fs::hard_link(folder.join("many.json"), folder.join(&format!("evals/transcripts/a/{id}.json"))).unwrap();
            fs::hard_link(folder.join("many.json"), folder.join(&format!("evals/transcripts/a/none-{id}.json")))
                .unwrap();
        }
        let case = |id: &String| json!({ "id": id, "prompt": "p", "expected": { "must_say_any": ["x"] } });
        let cases: Vec<_> = ids.iter().map(case).collect();
        let text = json!({ "version": "0.3.0", "cases": cases }).to_string();
        folder.write("evals/a.json", SUITE);
        folder.write("evals/transcripts/b/none.json", ANSWER);
        for id in &ids {
            fs::hard_link(folder.join("many.json"), folder.join(&format!("evals/transcripts/b/{id}.json"))).unwrap();
        }
        let mut client = Client::limited(&[&folder]);
        opened(&mut client, &folder);
        let uri = folder.uri("evals/b.json");
        client.open(&uri, 1, &text);
        let reason = (0..10_000).find_map(|_| {
            let verdicts = client.request("eval-ls/verdicts", json!({ "uri": uri }));
            (verdicts["cases"][7]["status"] == "ERROR").then(|| verdicts["cases"][7].to_string())
        });
        assert!(
            reason.as_deref().is_some_and(|reason| reason.contains("too large for the editor")),
            "{element} {reason:?}"
        );
        assert!(client.stop().success(), "{element}");
    }
}

/// Six suites, each with 120 MB of transcripts: names of one file.
#[test]
fn transcripts_of_many_suites_do_not_end_a_server_with_little_memory() {
    let large =
        json!({ "format": "eval-ls/transcript@2", "case": "A", "response": "y".repeat(15_000_000) }).to_string();
    let folder = Folder::with(&[
        ("eval-ls.toml", ""),
        ("large.json", &large),
        ("evals/a.json", SUITE),
        ("evals/transcripts/a/A.json", ANSWER),
    ]);
    let ids: Vec<_> = (0..8).map(|index| format!("Z{index}")).collect();
    let case = |id: &String| json!({ "id": id, "prompt": "p", "expected": { "must_say_any": ["x"] } });
    let text = json!({ "version": "0.3.0", "cases": ids.iter().map(case).collect::<Vec<_>>() }).to_string();
    let suites: Vec<_> = (0..6).map(|index| format!("s{index}")).collect();
    for suite in &suites {
        fs::create_dir_all(folder.join(&format!("evals/transcripts/{suite}"))).unwrap();
        for id in &ids {
            fs::hard_link(folder.join("large.json"), folder.join(&format!("evals/transcripts/{suite}/{id}.json")))
                .unwrap();
        }
    }
    let mut client = Client::limited(&[&folder]);
    for suite in &suites {
        client.open(&folder.uri(&format!("evals/{suite}.json")), 1, &text);
    }
    opened(&mut client, &folder);
    let status = json!({ "command": "eval-ls.showStatus", "arguments": [{}] });
    let page = client.request("workspace/executeCommand", status)["text"].as_str().unwrap().to_owned();
    assert!(page.contains("8 files or answers are left out, because they are too large"), "{page}");
    assert!(client.stop().success());
}

/// A hundred targets, each with a baseline of 13 MB: links to one file.
#[test]
fn baselines_of_many_targets_do_not_end_a_server_with_little_memory() {
    let line =
        json!({ "id": "A", "prompt": "0", "setup_prompts": "0", "expected": "0", "config": "0", "attempts": [] });
    let lines = vec![line.to_string(); 150_000].join(",");
    let baseline = format!(
        r#"{{"format":"eval-ls/baseline@1","suite":"a.json","target":"t","runs":[{{"id":"r","started_at":"2026-01-01T00:00:00Z"}}],"cases":[{lines}]}}"#
    );
    assert!((8 << 20..16 << 20).contains(&baseline.len()), "{}", baseline.len());
    let target = |index: usize| format!("[targets.t{index}]\nkind = \"command\"\ncommand = [\"true\"]\n");
    let config: String = (0..100).map(target).collect();
    let folder = Folder::with(&[
        ("eval-ls.toml", &config),
        ("baseline.json", &baseline),
        ("evals/a.json", SUITE),
        ("evals/transcripts/a/A.json", ANSWER),
    ]);
    fs::create_dir_all(folder.join("evals/baselines")).unwrap();
    for index in 0..100 {
        symlink("../../baseline.json", folder.join(&format!("evals/baselines/a.t{index}.json"))).unwrap();
    }
    let mut client = Client::limited(&[&folder]);
    opened(&mut client, &folder);
    assert!(client.stop().success());
}

/// A suite of 60 MB that is not open, of which git stores 146 kB.
#[test]
fn a_large_suite_that_is_not_open_does_not_end_a_server_with_little_memory() {
    let cases = vec![r#"{"id":"A","prompt":"p"}"#; 2_500_000].join(",");
    let large = format!(r#"{{"version":"0.3.0","cases":[{cases}]}}"#);
    let folder = Folder::with(&[
        ("eval-ls.toml", ""),
        ("evals/a.json", SUITE),
        ("evals/large.json", &large),
        ("evals/dense.json", &large[..(24 << 20)]),
        ("evals/transcripts/a/A.json", ANSWER),
    ]);
    let mut client = Client::limited(&[&folder]);
    opened(&mut client, &folder);
    let found = client.request("workspace/symbol", json!({ "query": "A" }));
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    let listed = client.request("eval-ls/tests", json!({}));
    assert_eq!(listed["suites"].as_array().unwrap().len(), 1, "{listed}");
    let status = json!({ "command": "eval-ls.showStatus", "arguments": [{}] });
    let page = client.request("workspace/executeCommand", status)["text"].as_str().unwrap().to_owned();
    assert_eq!(page.matches("is too large to be read while it is not open").count(), 2, "{page}");
    assert!(client.stop().success());
}

/// 300 folders in one another and 3,000 beside each other, each with one file of 250 kB: git stores it once.
#[test]
fn many_configurations_do_not_end_a_server_with_little_memory() {
    let large = format!("# {}\n", "x".repeat(250 << 10));
    let folder = Folder::with(&[
        ("eval-ls.toml", ""),
        ("large.toml", &large),
        ("evals/a.json", SUITE),
        ("evals/transcripts/a/A.json", ANSWER),
    ]);
    let mut deep = folder.join("deep");
    let folders = (0..300).map(|_| {
        deep.push("d");
        deep.clone()
    });
    let deepest = folder.join("deep").join("d/".repeat(300));
    for path in folders.chain((0..3000).map(|index| folder.join(&format!("wide/{index}")))) {
        fs::create_dir_all(&path).unwrap();
        fs::hard_link(folder.join("large.toml"), path.join("eval-ls.toml")).unwrap();
    }
    fs::write(deepest.join("x.evals.json"), SUITE).unwrap();
    let mut client = Client::limited(&[&folder]);
    opened(&mut client, &folder);
    let uri = format!("{}/{}x.evals.json", folder.uri("deep"), "d/".repeat(300));
    client.open(&uri, 1, "{");
    let report = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(report["items"][0]["code"], "invalid-json", "{report}");
    assert_eq!(client.request("workspace/symbol", json!({ "query": "A" })).as_array().unwrap().len(), 1);
    assert!(client.stop().success());
}
