//! The commands of the README work.

use std::path::Path;
use std::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_eval-ls");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Runs the command lines of the README: those of the program in an empty folder, and those of cargo in a copy of the
/// examples. A comment with a number is part of the output.
#[test]
fn commands_of_the_readme_work() {
    let (empty, examples) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // The examples of the repository contain the results of runs.
    let files = Command::new("git").args(["ls-files", "examples"]).current_dir(ROOT).output().unwrap();
    for file in String::from_utf8(files.stdout).unwrap().lines() {
        let copy = examples.path().join(file);
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::copy(Path::new(ROOT).join(file), copy).unwrap();
    }
    let mut ran = 0;
    for line in super::read("README.md").lines().filter_map(|line| line.strip_prefix("$ ")) {
        let (command, comment) =
            line.split_once('#').map_or((line, ""), |(command, comment)| (command, comment.trim()));
        let (words, folder) = if let Some(words) = command.strip_prefix("eval-ls ") {
            (words, empty.path())
        } else if let Some(words) = command.strip_prefix("cargo run --release -- ") {
            (words, examples.path())
        } else {
            assert_eq!(command, "cargo install --path .", "nobody has tried this command");
            continue;
        };
        let output = Command::new(PROGRAM).args(words.split_whitespace()).current_dir(folder).output().unwrap();
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(matches!(output.status.code(), Some(0 | 1)), "{command}: {said}");
        assert!(!comment.contains(|c: char| c.is_ascii_digit()) || said.contains(comment), "{command}: {said}");
        ran += 1;
    }
    assert_eq!(ran, 9);
}
