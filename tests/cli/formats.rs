//! The output of each format.

use insta::assert_snapshot;

use super::{CLEAN, FAULTY};
use crate::support::{Folder, Ran};

fn printed(format: &str) -> String {
    let folder = Folder::with(&[("evals/faulty.json", FAULTY), ("evals/clean.json", CLEAN)]);
    let ran = folder.run(&["check", "--format", format]).ends(1);
    let more = if format == "text" { "to read more: `eval-ls explain invalid-json`\n" } else { "" };
    assert_eq!(ran.err, format!("{more}3 errors in 1 file; `--fix` fixes 1 of them; 3 cases in 2 suites checked\n"));
    ran.out
}

#[test]
fn each_format_prints_the_same_findings() {
    for format in ["text", "concise", "json", "github"] {
        assert_snapshot!(format, printed(format));
    }
}

#[test]
fn statistics_count_each_lint() {
    let folder = Folder::with(&[("evals/faulty.json", FAULTY), ("evals/again.json", FAULTY)]);
    let ran = folder.run(&["check", "--statistics"]).ends(1);
    assert_snapshot!(ran.out);
    let ran = folder.run(&["check", "--statistics", "--format", "json"]);
    ran.complains(2, ["`--statistics` prints a table; remove `--format`"]);
}

#[test]
fn colour_is_for_terminals_unless_forced() {
    let folder = Folder::with(&[("evals/faulty.json", FAULTY)]);
    for (variables, colored) in
        [(&[][..], false), (&[("CLICOLOR_FORCE", "1")], true), (&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false)]
    {
        let ran = Ran::from(folder.command(&["check"]).envs(variables.iter().copied()));
        assert_eq!(ran.out.contains('\u{1b}'), colored, "{variables:?}: {ran:?}");
    }
    for format in ["concise", "json", "github"] {
        let ran = Ran::from(folder.command(&["check", "--format", format]).env("CLICOLOR_FORCE", "1"));
        assert!(!ran.out.contains('\u{1b}'), "{ran:?}");
    }
}

#[test]
fn annotations_count_paths_from_the_root_of_the_repository() {
    let folder = Folder::with(&[("apps/chat/evals/faulty.json", FAULTY), (".git/HEAD", "ref: refs/heads/main\n")]);
    let output = |format: &str, workspace: &str| {
        let mut command = folder.command(&["check", "--format", format, "evals/faulty.json"]);
        let command = command.current_dir(folder.join("apps/chat"));
        Ran::from(command.env("GITHUB_WORKSPACE", folder.join(workspace))).out
    };
    for (workspace, path) in [("", "apps/chat/evals/faulty.json"), ("apps", "chat/evals/faulty.json")] {
        let github = output("github", workspace);
        assert!(github.lines().all(|line| line.contains(&format!(" file={path},line="))), "{github}");
        assert!(github.contains(",endLine=") && github.contains(",endColumn="), "{github}");
    }
    // Text is for the person who typed the command.
    assert!(output("text", "").contains("--> evals/faulty.json:"));
}
