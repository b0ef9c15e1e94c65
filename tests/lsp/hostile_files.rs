//! The files around a suite come from anybody: devices, pipes, links, and files of any size.

#![cfg(target_os = "linux")]

use std::fs;

use serde_json::json;

use crate::lsp::running::bench::{Bench, config, refused};
use crate::lsp::support::{Client, codes};
use crate::support::Folder;

const SUITE: &str = r#"{"version":"0.3.0","cases":[{"id":"A","prompt":"p","expected":{"must_say_any":["x"]}}]}"#;
const ANSWER: &str = r#"{"format":"eval-ls/transcript@2","case":"A","response":"x","prompt":"p"}"#;

/// Opens the suite, and returns when the thread that reads answers has read its own: its only case passes. Requests are
/// answered until then.
fn opened(client: &mut Client, folder: &Folder) {
    let uri = folder.uri("evals/a.json");
    client.open(&uri, 1, SUITE);
    let column = SUITE.find("\"A\"").unwrap() as u32 + 1;
    let began = std::time::Instant::now();
    while !client.at("hover", &uri, 0, column).to_string().contains("PASS") {
        assert!(began.elapsed() < std::time::Duration::from_secs(60), "the transcript was never read");
        std::thread::yield_now();
    }
}

/// Runs the suite on the command line. Returns the folder of the run that is kept.
fn kept_run(folder: &Folder) -> String {
    folder.run(&["run", "evals/a.json"]).ends(0);
    format!("results/runs/{}", folder.last_run())
}

/// A workspace with the suite and its answer, and these files.
fn workspace(more: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(&[("eval-ls.toml", ""), ("evals/a.json", SUITE), ("evals/transcripts/a/A.json", ANSWER)]);
    more.iter().for_each(|(name, text)| drop(folder.write(name, text)));
    folder
}

fn suite_of(ids: &[String]) -> String {
    let case = |id: &String| json!({ "id": id, "prompt": "p", "expected": { "must_say_any": ["x"] } });
    json!({ "version": "0.3.0", "cases": ids.iter().map(case).collect::<Vec<_>>() }).to_string()
}

/// Puts a pipe or a link in the place of a file.
fn replace(folder: &Folder, name: &str, with: &str) {
    let _ = fs::remove_file(folder.join(name));
    match with {
        "pipe" => folder.pipe(name),
        device => folder.link(name, device),
    }
}

fn name_again(folder: &Folder, file: &str, names: impl IntoIterator<Item = String>) {
    for name in names {
        let path = folder.join(&name);
        fs::create_dir_all(path.parent().unwrap()).and_then(|()| fs::hard_link(folder.join(file), path)).unwrap();
    }
}

fn status(client: &mut Client) -> String {
    client.execute("showStatus", json!({}))["text"].as_str().unwrap().to_owned()
}

const NO_RUN: &str = "no run has ended yet; run a suite first";

#[test]
fn kept_runs_that_are_devices_or_pipes_do_not_stop_the_server() {
    for record in ["/dev/stdin", "/dev/zero", "/dev/ptmx", "pipe"] {
        let folder = workspace(&[("results/runs/a/run.json", "")]);
        replace(&folder, "results/runs/a/run.json", record);
        let mut client = Client::limited(&[&folder]);
        opened(&mut client, &folder);
        assert_eq!(client.refused("eval-ls/report", json!({})), NO_RUN, "{record}");
        assert!(client.stop().success(), "{record}");
    }
    for file in ["cases.jsonl", "answers"] {
        for kind in ["/dev/zero", "pipe"] {
            let folder = workspace(&[]);
            replace(&folder, &format!("{}/{file}", kept_run(&folder)), kind);
            let mut client = Client::limited(&[&folder]);
            opened(&mut client, &folder);
            let id = client.send_request("eval-ls/report", json!({}));
            client.response(id);
            assert!(client.stop().success(), "{file} {kind}");
        }
    }
}

#[test]
fn kept_runs_outside_of_the_workspace_are_not_read() {
    let other = workspace(&[]);
    kept_run(&other);
    for is_link in [true, false] {
        let folder = workspace(&[]);
        if is_link {
            folder.link("results", other.join("results"));
        } else {
            let place = format!("../{}/results", name_of(&other));
            folder.write("eval-ls.toml", format!("[run]\nresults = {place:?}\n"));
        }
        let mut client = Client::limited(&[&folder]);
        opened(&mut client, &folder);
        assert_eq!(client.refused("eval-ls/report", json!({})), NO_RUN, "{is_link}");
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
        bench.run_to_end(&mut client, &["A"]);
        drop(client);
        if is_link {
            bench.folder.link("evals/transcripts", victim.path());
        } else {
            let transcripts = format!("[run]\ntranscripts = {:?}\n", format!("../../{}", name_of(&victim)));
            bench.folder.write("eval-ls.toml", config("answer").replace("[run]\n", &transcripts));
        }
        let mut client = bench.client_with(true, json!({ "runEvents": true, "trusted": false }));
        client.open(&bench.uri(), 1, crate::lsp::running::bench::SUITE);
        while client.verdicts(&bench.uri())["cases"][0]["status"] != "PASS" {
            client.wait_for("eval-ls/verdictsChanged", |_| true);
        }
        for argument in [json!({ "uri": bench.uri(), "case": "A" }), json!({ "uri": bench.uri() })] {
            let why = client.refuses("acceptAsTranscript", argument);
            assert!(why.contains("A.json is outside of the workspace"), "{why}");
        }
        assert_eq!(victim.read("s/A.json"), "VICTIM");
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
        let victim = workspace(&[]);
        kept_run(&victim);
        let mut client = bench.client(true);
        bench.run_to_end(&mut client, &["A"]);
        fs::remove_dir_all(bench.folder.join("results")).unwrap();
        let results = format!("[run]\nkeep = \"1 run\"\nresults = {:?}\n", format!("../{}/results", name_of(&victim)));
        if is_link {
            bench.folder.link("results", victim.join("results"));
        } else {
            bench.folder.write("eval-ls.toml", config("answer").replace("[run]\n", &results));
        }
        let before = victim.files();
        let suites = json!([{ "uri": bench.uri(), "cases": ["A"] }]);
        let why = refused(&mut client, json!({ "suites": suites }));
        assert!(why.starts_with("the results of this suite would be written outside of the workspace, "), "{why}");
        // Neither does one write transcripts there.
        if !is_link {
            let place =
                config("answer").replace("[run]\n", "[run]\ntranscripts = \"../../outside-of-the-workspace\"\n");
            bench.folder.write("eval-ls.toml", place);
            let why = refused(&mut client, json!({ "suites": suites }));
            assert!(
                why.starts_with("the transcripts of this suite would be written outside of the workspace, "),
                "{why}"
            );
            assert!(!bench.folder.path().join("../outside-of-the-workspace").exists());
        }
        assert_eq!(victim.files(), before, "{is_link}");
    }
}

/// The answers go into these folders.
#[test]
fn other_folders_of_transcripts_and_results_need_a_new_approval() {
    let (bench, mut client) = Bench::started("answer");
    let asked = |client: &Client| {
        let questions = client.untaken().into_iter().filter(|message| message["method"] == "window/showMessageRequest");
        questions.map(|question| question["params"]["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    bench.run_to_end(&mut client, &["A"]);
    assert!(asked(&client)[0].contains("It writes to the folders results and transcripts"), "{:?}", asked(&client));
    for (times, (key, folder)) in [("results", "out"), ("transcripts", "kept")].into_iter().enumerate() {
        bench
            .folder
            .write("eval-ls.toml", config("answer").replace("[run]\n", &format!("[run]\n{key} = \"{folder}\"\n")));
        bench.run_to_end(&mut client, &["A"]);
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
        let folder = workspace(&[("many.json", &many), ("evals/transcripts/b/none.json", ANSWER)]);
        let ids: Vec<_> = (0..8).map(|index| format!("Z{index}")).collect();
        for name in ["a/", "a/none-", "b/"] {
            name_again(&folder, "many.json", ids.iter().map(|id| format!("evals/transcripts/{name}{id}.json")));
        }
        let mut client = Client::limited(&[&folder]);
        opened(&mut client, &folder);
        let uri = folder.uri("evals/b.json");
        client.open(&uri, 1, &suite_of(&ids));
        let reason = (0..10_000).find_map(|_| {
            let verdicts = client.verdicts(&uri);
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
    let folder = workspace(&[("large.json", &large)]);
    let ids: Vec<_> = (0..8).map(|index| format!("Z{index}")).collect();
    let mut client = Client::limited(&[&folder]);
    for suite in 0..6 {
        name_again(&folder, "large.json", ids.iter().map(|id| format!("evals/transcripts/s{suite}/{id}.json")));
        client.open(&folder.uri(&format!("evals/s{suite}.json")), 1, &suite_of(&ids));
    }
    opened(&mut client, &folder);
    let page = status(&mut client);
    assert!(page.contains("8 files or answers are left out, because they are too large"), "{page}");
    assert!(client.stop().success());
}

/// A suite of 60 MB that is not open, of which git stores 146 kB.
#[test]
fn a_large_suite_that_is_not_open_does_not_end_a_server_with_little_memory() {
    let cases = vec![r#"{"id":"A","prompt":"p"}"#; 2_500_000].join(",");
    let large = format!(r#"{{"version":"0.3.0","cases":[{cases}]}}"#);
    let folder = workspace(&[("evals/large.json", &large), ("evals/dense.json", &large[..(24 << 20)])]);
    let mut client = Client::limited(&[&folder]);
    opened(&mut client, &folder);
    let listed = client.request("eval-ls/tests", json!({}));
    assert_eq!(listed["suites"].as_array().unwrap().len(), 1, "{listed}");
    let page = status(&mut client);
    assert_eq!(page.matches("is too large to be read while it is not open").count(), 2, "{page}");
    assert!(client.stop().success());
}

/// 300 folders in one another and 3,000 beside each other, each with one file of 250 kB: git stores it once.
#[test]
fn many_configurations_do_not_end_a_server_with_little_memory() {
    let large = format!("# {}\n", "x".repeat(250 << 10));
    let folder = workspace(&[("large.toml", &large)]);
    let deep = (1..=300).map(|depth| format!("deep/{}eval-ls.toml", "d/".repeat(depth)));
    name_again(&folder, "large.toml", deep.chain((0..3000).map(|index| format!("wide/{index}/eval-ls.toml"))));
    let deepest = format!("deep/{}x.evals.json", "d/".repeat(300));
    folder.write(&deepest, SUITE);
    let mut client = Client::limited(&[&folder]);
    opened(&mut client, &folder);
    let uri = folder.uri(&deepest);
    client.open(&uri, 1, "{");
    assert_eq!(codes(&client.diagnostics(&uri, 1)), ["invalid-json"]);
    let listed = client.request("eval-ls/tests", json!({}));
    assert_eq!(listed["suites"].as_array().unwrap().len(), 2, "{listed}");
    assert!(client.stop().success());
}
