//! The table of commands in `docs/runs.md`: the target that each asks, what it writes, and its exit status.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::run::resume::killed;
use crate::support::Folder;

#[test]
fn each_row_of_the_table_is_true() {
    let (_, page) =
        include_str!("../../docs/runs.md").split_once("| command | asks | writes | exit status |\n").unwrap();
    let rows = page.lines().skip(1).take_while(|line| line.starts_with('|'));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect();
    assert_eq!(rows.len(), 9, "{rows:?}");
    for row in rows {
        let [command, asks, writes, status] = row[..] else { panic!("{row:?}") };
        let arguments: Vec<&str> = command.trim_matches('`').split(' ').skip(1).collect();
        for fails in [false, true] {
            let workspace = prepared(&arguments, fails);
            let (asked, before) = (asked(&workspace), workspace.files());
            let ran = workspace.run(&arguments);
            let seen = format!("{command}, with an answer that fails: {fails}\n{}{}", ran.out, ran.err);
            let expected = i32::from(fails && status.starts_with('1'));
            assert_eq!(ran.status, expected, "{seen}");
            assert_eq!(self::asked(&workspace) > asked, !asks.starts_with("nobody"), "{seen}");
            assert_eq!(written(&before, &workspace.files()), writes.split(", ").collect::<Vec<_>>(), "{seen}");
        }
    }
}

/// A workspace with two stored answers that pass, and with what the command goes on from. If it `fails`, the last answer to `C1` does.
fn prepared(arguments: &[&str], fails: bool) -> Folder {
    let workspace = Folder::asking(&["yes", "yes"], "");
    let does = |arguments: &[&str]| workspace.run(arguments);
    assert_eq!(does(&["record"]).status, 0);
    if arguments == ["compare"] {
        does(&["run"]);
    }
    let answer = if fails { "no" } else { "yes." };
    workspace.write("C0.txt", "yes.");
    workspace.write("C1.txt", answer);
    match arguments {
        ["run", "--target", "replay"] if fails => {
            std::fs::remove_dir_all(workspace.join("transcripts")).unwrap();
            does(&["record"]);
        }
        ["run", "--failed", ..] => {
            workspace.write("C1.txt", format!("no no {answer}"));
            does(&["run", "--cases=C1"]);
        }
        ["run", "--resume"] => assert!(killed(&workspace, &["run", "--jobs=1"], 3), "it waits for the answer to C1"),
        ["run" | "record", ..] if !arguments.contains(&"latest") => {}
        _ => drop(does(&["run"])),
    }
    workspace
}

fn asked(workspace: &Folder) -> usize {
    std::fs::read_to_string(workspace.join("asked")).map_or(0, |asked| asked.len())
}

/// What was written, in the words of the table.
fn written(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<&'static str> {
    let records = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().filter(|path| path.ends_with("run.json")).count();
    let has_changed =
        |folder: &str| after.iter().any(|(path, text)| path.starts_with(folder) && before.get(path) != Some(text));
    let run = match (records(after) > records(before), has_changed("results")) {
        (true, _) => Some("a run"),
        (false, true) => Some("the same run"),
        (false, false) => None,
    };
    let transcripts = has_changed("transcripts").then_some("transcripts");
    let written: Vec<_> = run.into_iter().chain(transcripts).collect();
    if written.is_empty() { vec!["nothing"] } else { written }
}
