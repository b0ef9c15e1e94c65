//! Pages whose examples run: the commands of each `console` block run in one folder, one after the other, and their
//! output is part of the page. A comment before a block says more about it:
//!
//! - `<!-- file: PATH -->`: the block is written to the file.
//! - `<!-- edit: PATH -->`: the removed lines of the block, a diff, are replaced in the file by the added ones.
//! - `<!-- include: PATH -->`: the block is a file of this repository.

use std::path::Path;
use std::process::Command;

use regex::Regex;

use super::read;

pub(crate) fn page(present: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let block = Regex::new(
        r"(?ms)^(?:<!-- (?<what>file|edit|include): (?<path>\S+) -->\n)?```(?<language>\w+)\n(?<body>.*?)^```$",
    )
    .unwrap();
    let replaced = block.replace_all(present, |found: &regex::Captures<'_>| {
        let (whole, body) = (&found[0], &found["body"]);
        let path = found.name("path").map(|path| path.as_str());
        let path = |root: &Path| root.join(path.expect("a comment with a path"));
        let new = match found.name("what").map(|what| what.as_str()) {
            Some("include") => read(&found["path"]),
            Some("file") => {
                std::fs::create_dir_all(path(folder.path()).parent().unwrap()).unwrap();
                std::fs::write(path(folder.path()), body).unwrap();
                return whole.to_owned();
            }
            Some(_) => {
                edit(&path(folder.path()), body);
                return whole.to_owned();
            }
            None if &found["language"] == "console" => ran(body, folder.path()),
            None => return whole.to_owned(),
        };
        format!("{}{new}```", whole.strip_suffix("```").and_then(|whole| whole.strip_suffix(body)).unwrap())
    });
    replaced.into_owned()
}

/// Replaces the lines of a diff that start with `-` by those that start with `+`.
fn edit(path: &Path, diff: &str) {
    let lines = |sign: char| diff.lines().filter_map(|line| line.strip_prefix(sign)).collect::<Vec<_>>().join("\n");
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.matches(&lines('-')).count(), 1, "{}: {}", path.display(), lines('-'));
    std::fs::write(path, text.replace(&lines('-'), &lines('+'))).unwrap();
}

/// The commands of a block, each with its output.
fn ran(block: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_eval-ls"));
    let path = std::env::join_paths(
        std::iter::once(program.parent().unwrap().to_owned())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut page = String::new();
    for command in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(folder).env("PATH", path.as_ref().unwrap());
        for name in ["GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "CLICOLOR_FORCE", "CI", "COLUMNS"] {
            shell.env_remove(name);
        }
        let output = shell.output().unwrap();
        page += &format!("$ {command}\n{}", String::from_utf8(output.stdout).unwrap());
    }
    same_each_time(&page)
}

/// The text with fixed times and names of runs.
fn same_each_time(text: &str) -> String {
    let mut text = text.to_owned();
    for (pattern, fixed) in [
        (r"\d{8}T\d{6}Z-[0-9a-f]{6}", "20260301T100000Z-4f1c2a"),
        // The second run of a second has a number.
        (r"\b\d{8}-\d{6}(?:-\d+)?\b", "20260301-100000"),
        (r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "2026-03-01 10:00 UTC"),
        (r"\b\d+\.\d s\b", "0.0 s"),
    ] {
        text = Regex::new(pattern).unwrap().replace_all(&text, fixed).into_owned();
    }
    text
}
