//! The commands of the README work, and its output is that of the program.

use std::path::Path;
use std::process::Command;

use crate::support::Folder;

const PROGRAM: &str = env!("CARGO_BIN_EXE_eval-ls");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Commands that take too long for a test. `.ci/run` calls the second one.
const NOT_RUN: [&str; 2] = ["cargo install --path .", "scripts/test"];

/// Runs the command lines of the README: `scripts/try` in this folder, and those of the program in an empty one. A comment with a
/// number is part of the output. Each line of the first code block is one that `scripts/try` prints.
#[test]
fn commands_of_the_readme_work() {
    let empty = tempfile::tempdir().unwrap();
    let readme = super::read("README.md");
    let mut ran = 0;
    for line in readme.lines().filter_map(|line| line.strip_prefix("$ ")) {
        let (command, comment) = line.split_once('#').unwrap_or((line, ""));
        let (command, comment) = (command.trim(), comment.trim());
        let output = if let Some(words) = command.strip_prefix("eval-ls ") {
            Command::new(PROGRAM).args(words.split_whitespace()).current_dir(empty.path()).output().unwrap()
        } else if command == "scripts/try" {
            Command::new(Path::new(ROOT).join(command)).env("EVAL_LS_BINARY", PROGRAM).output().unwrap()
        } else {
            assert!(NOT_RUN.contains(&command), "nobody has tried `{command}`");
            continue;
        };
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        let expected = if command == "scripts/try" { &[0][..] } else { &[0, 1] };
        assert!(output.status.code().is_some_and(|status| expected.contains(&status)), "{command}: {said}");
        assert!(!comment.contains(|c: char| c.is_ascii_digit()) || said.contains(comment), "{command}: {said}");
        if command == "scripts/try" {
            let shown = readme.split("```").nth(1).unwrap().lines().skip(1);
            shown.for_each(|line| assert!(said.contains(line), "`{command}` does not print: {line}\n{said}"));
        }
        ran += 1;
    }
    assert_eq!(ran, 7);
}

#[test]
fn the_suite_of_the_readme_has_no_finding() {
    let readme = super::read("README.md");
    let suite = readme.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    Folder::with(&[("shop.evals.json", suite)]).run(&["check"]).complains(0, ["no findings"]);
}
