//! The command line and the server agree on which files are suites, in every layout.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::lsp::support::Client;
use crate::support::{Folder, Ran};

const SUITE: &str = r#"{ "version": "0.2.0", "cases": [ { "id": "A", "prompt": "p", "expected": {} } ] }"#;

/// A name; configurations by path; the folders that are opened in the editor and named on the command line; suites; other files.
type Layout = (
    &'static str,
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

const LAYOUTS: &[Layout] = &[
    (
        "no configuration",
        &[],
        &[""],
        &["a-eval-set.json", "evals/x.json", "deep/er/evals/x.json", ".hidden/a.evals.json"],
        &["package.json", "evals/deeper/x.json", "results/a-eval-set.json", "evals/transcripts/x/A.evals.json"],
    ),
    (
        "the folder `evals` itself",
        &[],
        &["evals"],
        &["evals/x.json", "evals/sub/a.evals.json"],
        &["evals/sub/x.json", "evals/results/x.json", "evals/results/a-eval-set.json"],
    ),
    (
        "a project below a folder called `results`",
        &[],
        &["results/project"],
        &["results/project/evals/x.json", "results/project/a.evals.json"],
        &["results/project/results/a.evals.json", "results/project/x.json"],
    ),
    ("the folder `results` itself", &[], &["results"], &["results/a-eval-set.json"], &["results/x.json"]),
    (
        "a configuration above the folder",
        &[("eval-ls.toml", "[files]\ninclude = ['checks/*.json']")],
        &["checks"],
        &["checks/x.json"],
        &["checks/deep/x.json", "checks/evals/x.json"],
    ),
    (
        "a configuration, and the folder `evals` opened",
        &[("evals/eval-ls.toml", "[files]\ninclude = ['*.suite.json']")],
        &["evals"],
        &["evals/x.suite.json"],
        &["evals/x.json", "evals/a-eval-set.json"],
    ),
    (
        "nested configurations",
        &[
            ("eval-ls.toml", "[files]\nexclude = ['old/**']"),
            ("a/eval-ls.toml", "[files]\ninclude = ['*.json']"),
            ("old/eval-ls.toml", ""),
            ("a/b/eval-ls.toml", ""),
        ],
        &[""],
        &["evals/x.json", "a/x.json", "a/b/evals/x.json"],
        &["a/b/x.json", "old/evals/x.json", "old/a-eval-set.json", "x.json"],
    ),
    (
        "an excluded folder that is opened",
        &[("eval-ls.toml", "[files]\nexclude = ['old/**']"), ("old/eval-ls.toml", "")],
        &["old"],
        &["old/evals/x.json"],
        &["old/x.json"],
    ),
    (
        "a configuration that is not valid",
        &[("eval-ls.toml", "[files\ninclude = ")],
        &[""],
        &["evals/x.json"],
        &["x.json", "results/a.evals.json"],
    ),
    (
        "overlapping folders",
        &[],
        &["", "results/inner"],
        &["evals/x.json", "results/inner/a.evals.json"],
        &["results/a.evals.json", "results/inner/results/a.evals.json"],
    ),
    ("no folder", &[], &[], &["evals/x.json", "results/project/a.evals.json"], &["x.json"]),
];

#[test]
fn the_command_line_and_the_server_agree_on_suites() {
    for (layout, configurations, opened, suites, others) in LAYOUTS {
        let folder = Folder::with(configurations);
        suites.iter().chain(*others).for_each(|name| drop(folder.write(name, SUITE)));
        let expected: BTreeSet<PathBuf> = suites.iter().map(|name| folder.join(name)).collect();
        let mut client = open(&folder, opened);
        if !opened.is_empty() {
            assert_eq!(listed_by_cli(&folder, opened), expected, "{layout}: the command line");
            assert_eq!(listed_by_server(&mut client), expected, "{layout}: the server's search");
        }
        for (names, is_suite) in [(*suites, true), (*others, false)] {
            for name in names {
                let answer = client.request("eval-ls/isSuite", json!({ "uri": folder.uri(name) }));
                assert_eq!(answer["isSuite"], is_suite, "{layout}: {name}: {answer}");
                client.open(&folder.uri(name), 1, SUITE);
            }
        }
        assert_eq!(listed_by_server(&mut client), expected, "{layout}: open documents");
        client.stop();
    }
}

/// Other programs have folders called `evals`, too. A suite stays one while its text changes.
#[test]
fn the_content_decides_in_folders_called_evals() {
    let folder = Folder::with(&[
        ("evals/suite.json", SUITE),
        ("evals/config.json", r#"{ "prompts": ["x"], "tests": [ { "vars": {} } ] }"#),
        ("evals/samples.json", r#"[ { "input": "x", "ideal": "y" } ]"#),
        ("evals/empty.json", ""),
        ("evals/kept.json", r#"{ "format": "eval-ls/transcript@1", "case": "A", "prompt": "p", "response": "" }"#),
    ]);
    let mut client = open(&folder, &[""]);
    for (name, is_suite, reason) in [
        ("evals/suite.json", true, "A suite"),
        ("evals/empty.json", true, "A suite"),
        ("evals/new.json", true, "A suite"),
        ("evals/config.json", false, "it is a configuration of promptfoo"),
        ("evals/samples.json", false, "it is a list of prompts"),
        ("evals/kept.json", false, "its `format` is `eval-ls/transcript@1`"),
    ] {
        let answer = client.request("eval-ls/isSuite", json!({ "uri": folder.uri(name) }));
        assert_eq!(answer["isSuite"], is_suite, "{name}: {answer}");
        assert!(answer["reason"].as_str().unwrap().contains(reason), "{name}: {answer}");
    }

    let uri = folder.uri("evals/config.json");
    client.open(&uri, 1, r#"{ "prompts": ["x"] }"#);
    let is_suite = |client: &mut Client| client.request("eval-ls/isSuite", json!({ "uri": uri }))["isSuite"] == true;
    let symbols = |client: &mut Client| client.of("documentSymbol", &uri);
    assert!(!is_suite(&mut client));
    assert_eq!(symbols(&mut client), Value::Null);
    client.change(&uri, 2, json!([{ "text": SUITE }]));
    assert!(is_suite(&mut client));
    assert!(symbols(&mut client).to_string().contains("\"name\":\"A\""));
    client.change(&uri, 3, json!([{ "text": r#"{ "prompts": ["x"] }"# }]));
    assert!(!is_suite(&mut client));
    assert_eq!(symbols(&mut client), Value::Null);
    client.stop();
}

/// A file may be a link; a linked folder is not searched, because its files would be listed twice.
#[cfg(unix)]
#[test]
fn links_to_files_are_suites_and_links_to_folders_are_not_searched() {
    let folder = Folder::with(&[("evals/x.json", SUITE), ("kept/y.json", SUITE)]);
    folder.link("evals/y.json", folder.join("kept/y.json"));
    folder.link("other", folder.join("evals"));
    folder.link("evals/broken.json", "nowhere");
    let expected: BTreeSet<PathBuf> = ["evals/x.json", "evals/y.json"].map(|name| folder.join(name)).into();
    assert_eq!(listed_by_cli(&folder, &[""]), expected);
    assert_eq!(listed_by_server(&mut open(&folder, &[""])), expected);
}

fn open(folder: &Folder, opened: &[&str]) -> Client {
    let mut client = Client::start();
    let folders: Vec<Value> =
        opened.iter().map(|name| json!({ "uri": folder.uri(name).trim_end_matches('/'), "name": name })).collect();
    client.initialize(json!({ "processId": null, "rootUri": null, "capabilities": {}, "workspaceFolders": folders }));
    client
}

fn listed_by_cli(folder: &Folder, opened: &[&str]) -> BTreeSet<PathBuf> {
    let mut command = folder.command(&["list"]);
    let listed = Ran::from(command.args(opened.iter().map(|name| folder.join(name)))).json();
    listed.as_array().unwrap().iter().map(|case| PathBuf::from(case["file"].as_str().unwrap())).collect()
}

fn listed_by_server(client: &mut Client) -> BTreeSet<PathBuf> {
    let listed = client.request("eval-ls/tests", json!({}));
    let path = |suite: &Value| Path::new(suite["uri"].as_str().unwrap().strip_prefix("file://").unwrap()).to_owned();
    listed["suites"].as_array().unwrap().iter().map(path).collect()
}
