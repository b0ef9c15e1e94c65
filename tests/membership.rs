//! Which files are suites: the same decision by `check`, `run`, `check FILE` and the server.

use std::collections::BTreeSet;

use serde_json::json;

use crate::lsp::support::Client;
use crate::support::{Folder, Ran};

/// What the content decides where the name does not.
#[derive(Clone, Copy, Debug, PartialEq)]
enum By {
    /// A suite in a folder `evals`.
    Content,
    /// A suite only if a command line names it: text that is not JSON.
    Naming,
    /// JSON of another program.
    Nothing,
}

/// A suite with an error, so that `check` and `run` name it.
const SUITE: &str = r#"{"version":"0.3.0","cases":[{"id":"A","prompt":"p","expected":{"must_say_any":[1]}}]}"#;

fn contents() -> Vec<(By, Vec<u8>)> {
    let text = |by: By, text: &str| (by, text.as_bytes().to_vec());
    let utf16: Vec<u8> = [0xff, 0xfe].into_iter().chain(SUITE.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    vec![
        // Suites, valid and broken.
        text(By::Content, SUITE),
        text(By::Content, &format!("\u{feff}{SUITE}")),
        text(By::Content, &SUITE.replace("\"version\":\"0.3.0\"", "\"name\":1")),
        text(By::Content, &SUITE.replace("\"version\":\"0.3.0\",", "")),
        text(By::Content, r#"{"version":"0.3.0","cases":{}}"#),
        text(By::Content, r#"{"mine":1,"cases":[{"id":"A","expected":{"outcome":"response_only"}}]}"#),
        text(By::Content, r#"[{"id":"A","prompt":"p","expected":{"must_say_any":["x"]}}]"#),
        text(By::Content, &format!("<<<<<<< HEAD\n{SUITE}\n=======\n{SUITE}\n>>>>>>> theirs\n")),
        text(By::Content, &format!("x{SUITE}")),
        text(By::Content, &format!("Here is the suite:\n\n{SUITE}\n")),
        text(By::Content, &format!("# note\n{SUITE}")),
        text(By::Content, &format!("// note\n{SUITE}")),
        text(By::Content, &format!("```json\n{SUITE}\n```\n")),
        text(By::Content, &format!("{SUITE}\nand more")),
        text(By::Content, &format!("export default {SUITE};")),
        text(By::Content, &SUITE[1..]),
        text(By::Content, &format!("{{{SUITE}")),
        text(By::Content, &format!("{SUITE}}}")),
        text(By::Content, &SUITE[..SUITE.len() - 2]),
        text(By::Content, &SUITE[..SUITE.len() / 2]),
        text(By::Content, &SUITE.replace(':', "=")),
        text(By::Content, &format!("{SUITE}{SUITE}")),
        text(By::Content, &format!("\0{SUITE}")),
        (By::Content, SUITE.replace("\"p\"", "\"caf\u{e9}\"").chars().map(|c| c as u8).collect()),
        (By::Content, utf16),
        // Nothing yet.
        text(By::Content, ""),
        text(By::Content, " \n"),
        text(By::Content, "{"),
        text(By::Content, "{}"),
        text(By::Content, r#"{ "na"#),
        // Text of any kind.
        text(By::Naming, "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123\n"),
        text(By::Naming, "\0\0\0\0"),
        text(By::Naming, "{'single': 'quotes'}"),
        text(By::Naming, "{unquoted: 1}"),
        text(By::Naming, "<!DOCTYPE html>\n<html></html>"),
        text(By::Naming, "cases:\n  - id: A\n"),
        text(By::Naming, "prose"),
        text(By::Naming, "[1, 2"),
        // JSON of other programs.
        text(By::Nothing, "null"),
        text(By::Nothing, "\"text\""),
        text(By::Nothing, "[1, 2]"),
        text(By::Nothing, r#"{"cases":[1],"mine":1}"#),
        text(By::Nothing, r#"{"cases":[{"id":"A","prompt":"p","expected":{"verdict":"yes"}}]}"#),
        text(By::Nothing, r#"{"cases":[{"id":"A","prompt":"p","expected":"Paris"}]}"#),
        text(By::Nothing, r#"[{"prompt":"a","answer":"b"}]"#),
        text(By::Nothing, r#"{"eval_set_id":"x","eval_cases":[{"eval_id":"a","conversation":[]}]}"#),
        text(By::Nothing, r#"{"name":"n","version":"1.0.0","scripts":{}}"#),
        text(By::Nothing, r#"{"format":"eval-ls/transcript@2","case":"A","response":"r"}"#),
    ]
}

/// The files that `check --format json` names.
fn found(ran: &Ran) -> BTreeSet<String> {
    ran.json().as_array().unwrap().iter().map(|finding| finding["file"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_command_and_the_server_decide_alike() {
    let folder = Folder::new();
    folder.write("included/eval-ls.toml", "[files]\ninclude = [\"*.json\"]\n");
    let places = [
        ("a/{}.evals.json", true, true),
        ("b/the-eval-set-{}.json", true, true),
        ("included/{}.json", true, true),
        ("c/evals/{}.json", false, true),
        ("d/{}.json", false, false),
    ];
    let workspace = Folder::new();
    let mut client = Client::session(json!({}), &[&workspace]);
    workspace.write("included/eval-ls.toml", "[files]\ninclude = [\"*.json\"]\n");
    for (place, by_name, by_folder) in places {
        let (mut named, mut suites, mut named_suites) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        for (index, (by, bytes)) in contents().into_iter().enumerate() {
            let path = place.replace("{}", &index.to_string());
            folder.write(&path, &bytes);
            let is_suite = by_name || (by_folder && by == By::Content);
            if is_suite {
                suites.insert(path.clone());
            }
            if by_name || by != By::Nothing {
                named_suites.insert(path.clone());
            }
            named.push(path.clone());
            if let Ok(text) = String::from_utf8(bytes) {
                let uri = workspace.uri(&path);
                client.open(&uri, 1, &text);
                let answer = client.request("eval-ls/isSuite", json!({ "uri": uri }));
                assert_eq!(answer["isSuite"], is_suite, "{path}: {text:?}: {answer}");
                let findings = client.findings(&uri);
                if text.trim().is_empty() {
                    // Somebody is about to write it.
                    continue;
                }
                assert_eq!(findings != json!([]), is_suite, "{path}: {text:?}: {findings}");
            }
        }
        let root = place.split('/').next().unwrap();
        assert_eq!(found(&folder.run(&["check", "--format", "json", root])), suites, "check {root}");
        let names: Vec<&str> = named.iter().map(String::as_str).collect();
        let ran = folder.run(&[&["check", "--format", "json"], &names[..]].concat());
        assert_eq!(found(&ran), named_suites, "check FILE in {root}");
        let skipped = contents().len() - named_suites.len();
        assert_eq!(ran.err.matches("skipped `").count(), skipped, "{ran:?}");

        let ran = folder.run(&["run", "--no-results", "--format", "concise", root]);
        let of_run: BTreeSet<String> =
            ran.out.lines().filter_map(|line| Some(line.split_once(".json")?.0.to_owned() + ".json")).collect();
        assert_eq!(of_run, suites, "run {root}: {ran:?}");
        let ran = folder.run(&["check", root]);
        let excluded = if by_folder { contents().len() - suites.len() } else { 0 };
        let line = format!("{excluded} files skipped: ");
        assert_eq!(ran.err.contains(&line), excluded > 0, "{ran:?}");
    }
}

#[test]
fn what_is_skipped_by_its_content_is_named_with_its_format() {
    let folder = Folder::with(&[
        ("evals/a.json", SUITE),
        ("evals/notes.json", r#"[{"prompt":"a","answer":"b"}]"#),
        ("evals/x.json", "prose"),
    ]);
    for command in ["check", "run"] {
        let ran = folder.run(&[command]);
        let line = "2 files skipped: `evals/notes.json` (a list of prompts; `eval-ls import evals/notes.json` makes a suite of it), \
                    `evals/x.json` (not JSON)\n";
        assert!(ran.err.contains(line), "{ran:?}");
    }
}

#[test]
fn a_suite_that_cannot_be_found_is_named() {
    let folder = Folder::with(&[("a/ok.evals.json", "{\"cases\":[]}"), ("b/ok.evals.json", "{\"cases\":[]}")]);
    folder.write("b/eval-ls.toml", "[files]\ninclude = [\"*.evals.json\", \"regression/*.evals.json\"]\n");
    std::fs::create_dir_all(folder.join("c/eval-ls.toml")).unwrap();
    for root in ["c", "d"] {
        folder.write(format!("{root}/ok.evals.json"), "{\"cases\":[]}");
    }
    #[cfg(unix)]
    folder.link("d/eval-ls.toml", "absent.toml");
    let unmatched = "`regression/*.evals.json` in `[files].include` of `b/eval-ls.toml` matches no suite";
    let unreadable = "could not read";
    let roots = [("b", 3, unmatched), ("c", 2, unreadable), ("d", 2, unreadable)];
    for (root, status, message) in roots.into_iter().take(if cfg!(unix) { 3 } else { 2 }) {
        for command in ["check", "run"] {
            let ran = folder.run(&[command, root]);
            assert!(ran.status == status || (command == "run" && ran.status > 1), "{command} {root}: {ran:?}");
            assert!(ran.err.contains(message), "{ran:?}");
        }
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../nowhere.json", folder.join("a/gone.evals.json")).unwrap();
        std::os::unix::fs::symlink("circle.evals.json", folder.join("a/circle.evals.json")).unwrap();
        for command in ["check", "run"] {
            let ran = folder.run(&[command, "a"]);
            assert!(ran.status == 3 || (command == "run" && ran.status > 1), "{command}: {ran:?}");
            for name in ["cannot read `a/gone.evals.json`", "cannot read `a/circle.evals.json`"] {
                assert!(ran.err.contains(name), "{ran:?}");
            }
        }
    }
}
