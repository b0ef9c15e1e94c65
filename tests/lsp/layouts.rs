//! The command line and the server agree on which files are suites, in every layout.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::lsp::support::Client;
use crate::support::Folder;

const SUITE: &str = r#"{ "version": "0.2.0", "cases": [ { "id": "A", "prompt": "p", "expected": {} } ] }"#;

struct Layout {
    name: &'static str,
    /// Configurations, by path.
    configurations: &'static [(&'static str, &'static str)],
    /// The folders that are opened in the editor and named on the command line.
    opened: &'static [&'static str],
    suites: &'static [&'static str],
    others: &'static [&'static str],
}

const LAYOUTS: &[Layout] = &[
    Layout {
        name: "no configuration",
        configurations: &[],
        opened: &[""],
        suites: &["a-eval-set.json", "evals/x.json", "deep/er/evals/x.json", ".hidden/a.evals.json"],
        others: &["package.json", "evals/deeper/x.json", "results/a-eval-set.json", "evals/transcripts/x/A.evals.json"],
    },
    Layout {
        name: "the folder `evals` itself",
        configurations: &[],
        opened: &["evals"],
        suites: &["evals/x.json", "evals/sub/a.evals.json"],
        others: &["evals/sub/x.json", "evals/results/x.json", "evals/results/a-eval-set.json"],
    },
    Layout {
        name: "a project below a folder called `results`",
        configurations: &[],
        opened: &["results/project"],
        suites: &["results/project/evals/x.json", "results/project/a.evals.json"],
        others: &["results/project/results/a.evals.json", "results/project/x.json"],
    },
    Layout {
        name: "the folder `results` itself",
        configurations: &[],
        opened: &["results"],
        suites: &["results/a-eval-set.json"],
        others: &["results/x.json"],
    },
    Layout {
        name: "a configuration above the folder",
        configurations: &[("eval-ls.toml", "[files]\ninclude = ['checks/*.json']")],
        opened: &["checks"],
        suites: &["checks/x.json"],
        others: &["checks/deep/x.json", "checks/evals/x.json"],
    },
    Layout {
        name: "a configuration, and the folder `evals` opened",
        configurations: &[("evals/eval-ls.toml", "[files]\ninclude = ['*.suite.json']")],
        opened: &["evals"],
        suites: &["evals/x.suite.json"],
        others: &["evals/x.json", "evals/a-eval-set.json"],
    },
    Layout {
        name: "nested configurations",
        configurations: &[
            ("eval-ls.toml", "[files]\nexclude = ['old/**']"),
            ("a/eval-ls.toml", "[files]\ninclude = ['*.json']"),
            ("old/eval-ls.toml", ""),
            ("a/b/eval-ls.toml", ""),
        ],
        opened: &[""],
        suites: &["evals/x.json", "a/x.json", "a/b/evals/x.json"],
        others: &["a/b/x.json", "old/evals/x.json", "old/a-eval-set.json", "x.json"],
    },
    Layout {
        name: "an excluded folder that is opened",
        configurations: &[("eval-ls.toml", "[files]\nexclude = ['old/**']"), ("old/eval-ls.toml", "")],
        opened: &["old"],
        suites: &["old/evals/x.json"],
        others: &["old/x.json"],
    },
    Layout {
        name: "a configuration that is not valid",
        configurations: &[("eval-ls.toml", "[files\ninclude = ")],
        opened: &[""],
        suites: &["evals/x.json"],
        others: &["x.json", "results/a.evals.json"],
    },
    Layout {
        name: "overlapping folders",
        configurations: &[],
        opened: &["", "results/inner"],
        suites: &["evals/x.json", "results/inner/a.evals.json"],
        others: &["results/a.evals.json", "results/inner/results/a.evals.json"],
    },
    Layout {
        name: "no folder",
        configurations: &[],
        opened: &[],
        suites: &["evals/x.json", "results/project/a.evals.json"],
        others: &["x.json"],
    },
];

#[test]
fn the_command_line_and_the_server_agree_on_suites() {
    for layout in LAYOUTS {
        let folder = folder(layout);
        let expected: BTreeSet<PathBuf> = layout.suites.iter().map(|name| folder.join(name)).collect();
        let mut client = open(&folder, layout.opened);
        if !layout.opened.is_empty() {
            assert_eq!(listed_by_cli(&folder, layout.opened), expected, "{}: the command line", layout.name);
            assert_eq!(listed_by_server(&mut client), expected, "{}: the server's search", layout.name);
        }
        for (names, is_suite) in [(layout.suites, true), (layout.others, false)] {
            for name in names {
                let answer = client.request("eval-ls/isSuite", json!({ "uri": folder.uri(name) }));
                assert_eq!(answer["isSuite"], is_suite, "{}: {name}: {answer}", layout.name);
                client.open(&folder.uri(name), 1, SUITE);
            }
        }
        assert_eq!(listed_by_server(&mut client), expected, "{}: open documents", layout.name);
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
    assert_eq!(listed_by_cli(&folder, &[""]), [folder.join("evals/suite.json")].into());
    let mut client = open(&folder, &[""]);
    let listed = ["evals/empty.json", "evals/suite.json"].map(|name| folder.join(name));
    assert_eq!(listed_by_server(&mut client), listed.into());
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
    use std::os::unix::fs::symlink;
    let folder = Folder::with(&[("evals/x.json", SUITE), ("kept/y.json", SUITE)]);
    symlink(folder.join("kept/y.json"), folder.join("evals/y.json")).unwrap();
    symlink(folder.join("evals"), folder.join("other")).unwrap();
    symlink("nowhere", folder.join("evals/broken.json")).unwrap();
    let expected: BTreeSet<PathBuf> = ["evals/x.json", "evals/y.json"].map(|name| folder.join(name)).into();
    assert_eq!(listed_by_cli(&folder, &[""]), expected);
    assert_eq!(listed_by_server(&mut open(&folder, &[""])), expected);
}

fn folder(layout: &Layout) -> Folder {
    let folder = Folder::with(layout.configurations);
    layout.suites.iter().chain(layout.others).for_each(|name| drop(folder.write(name, SUITE)));
    folder
}

fn open(folder: &Folder, opened: &[&str]) -> Client {
    let mut client = Client::start();
    let folders: Vec<Value> =
        opened.iter().map(|name| json!({ "uri": folder.uri(name).trim_end_matches('/'), "name": name })).collect();
    client.initialize(json!({ "processId": null, "rootUri": null, "capabilities": {}, "workspaceFolders": folders }));
    client
}

fn listed_by_cli(folder: &Folder, opened: &[&str]) -> BTreeSet<PathBuf> {
    let paths = opened.iter().map(|name| folder.join(name));
    let output =
        Command::new(env!("CARGO_BIN_EXE_eval-ls")).args(["list", "--format", "json"]).args(paths).output().unwrap();
    let listed: Value = serde_json::from_slice(&output.stdout).unwrap();
    listed.as_array().unwrap().iter().map(|case| PathBuf::from(case["file"].as_str().unwrap())).collect()
}

fn listed_by_server(client: &mut Client) -> BTreeSet<PathBuf> {
    let listed = client.request("eval-ls/tests", json!({}));
    let path = |suite: &Value| Path::new(suite["uri"].as_str().unwrap().strip_prefix("file://").unwrap()).to_owned();
    listed["suites"].as_array().unwrap().iter().map(path).collect()
}
