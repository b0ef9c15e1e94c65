//! Each exit status, and the message with it.

use super::{CLEAN, FAULTY};
use crate::support::{Folder, Ran};

#[test]
pub(crate) fn every_outcome_has_its_exit_status() {
    let folder = Folder::with(&[
        ("clean.evals.json", CLEAN),
        ("faulty.evals.json", FAULTY),
        ("warned.evals.json", &CLEAN.replace("\"expected\": {", "\"expected\": { \"note\": 1,")),
        ("empty/readme.txt", ""),
        ("wrong/eval-ls.toml", "[lints]\nduplicate-case-idd = \"off\"\n"),
        ("wrong/clean.evals.json", CLEAN),
        ("unreadable/eval-ls.toml/x", ""),
        ("latin1/eval-ls.toml", ""),
    ]);
    folder.write("latin1/eval-ls.toml", b"# caf\xe9");
    folder.write("latin1.evals.json", b"{\"name\": \"caf\xe9\"}");
    for (args, status, said) in [
        (&["check", "clean.evals.json"][..], 0, "1 case in 1 suite, no findings\n"),
        (&["check", "clean.evals.json", "./clean.evals.json"], 0, "1 case in 1 suite, no findings\n"),
        (
            &["check", "faulty.evals.json"],
            1,
            "3 errors in 1 file; `--fix` fixes 1 of them; 2 cases in 1 suite checked\n",
        ),
        (&["check", "warned.evals.json"], 0, "1 warning in 1 file; 1 case in 1 suite checked\n"),
        (&["check", "--deny", "warnings", "warned.evals.json"], 1, "1 error in 1 file; 1 case in 1 suite checked\n"),
        (&["check", "latin1.evals.json"], 1, "1 error in 1 file; 0 cases in 1 suite checked\n"),
        (&["check", "wrong"], 2, "1 error in 1 file; "),
        (&["check", "wrong/eval-ls.toml"], 2, "1 error in 1 file; "),
        (&["check", "latin1"], 2, "not UTF-8"),
        (&["check", "--formt", "json"], 2, "unexpected argument '--formt'"),
        (&["check", "--stdin-filename", "x.json"], 2, "add `-` to the paths"),
        (&["check", "--fix", "--format", "json", "-"], 2, "remove `--format`"),
        (&["check", "absent.json"], 3, "cannot read `absent.json`"),
        (&["check", "absent.json", "faulty.evals.json"], 3, "3 errors in 1 file"),
        (&["check", "empty"], 3, "`empty` contains no suites"),
        (&["list", "clean.evals.json"], 0, ""),
        (&["list", "faulty.evals.json"], 3, "`faulty.evals.json` is not valid JSON"),
        (&["list", "latin1.evals.json"], 3, "`latin1.evals.json`: invalid UTF-8 at byte"),
        (&["list", "absent.json"], 3, "cannot read `absent.json`"),
        (&["explain", "duplicate-case-id"], 0, ""),
        (
            &["explain", "duplicate-case-di"],
            2,
            "no lint or finding is called `duplicate-case-di`; did you mean `duplicate-case-id`?",
        ),
        (&["explain", "x"], 2, "`eval-ls explain` lists them all"),
        (&["schema", "0.3"], 0, ""),
        (&["schema", "0.4"], 2, "0.1, 0.2, 0.3, config, transcript, result"),
        (&["completions", "tcsh"], 2, "bash"),
        (&["--version"], 0, ""),
        (&[], 2, "Usage: eval-ls <COMMAND>"),
    ] {
        folder.run(args).complains(status, [said]);
    }
}

#[test]
fn an_empty_folder_has_no_suites() {
    let said = "contains no suites; `eval-ls init` writes a first one, and `[files]` in eval-ls.toml defines which files are \
                suites\n";
    let ran = Folder::new().run(&["check"]);
    assert_eq!((ran.status, ran.err), (0, format!("the current folder {said}")));
    for command in ["check .", "run", "list", "challenge"] {
        let words: Vec<&str> = command.split(' ').collect();
        let ran = Folder::new().run(&words);
        assert_eq!((ran.status, ran.err), (3, format!("error: the current folder {said}")), "{command}");
    }
}

#[cfg(unix)]
#[test]
fn write_errors_are_reported() {
    use std::process::Stdio;
    let folder = Folder::new();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = folder.command(&["schema", "0.3"]);
    Ran::from(command.stdout(full).stderr(Stdio::piped())).complains(3, ["cannot write to standard output"]);
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_not_an_error() {
    use std::io::pipe;
    use std::process::Stdio;
    let folder = Folder::with(&[("faulty.evals.json", FAULTY), ("clean.evals.json", CLEAN)]);
    for (args, status) in [
        (&["check", "faulty.evals.json"][..], 1),
        (&["check", "--format", "json", "faulty.evals.json"], 1),
        (&["check", "--format", "github", "clean.evals.json"], 0),
        (&["list", "clean.evals.json"], 0),
        (&["explain"], 0),
        (&["schema", "0.3"], 0),
        (&["completions", "zsh"], 0),
        (&["--help"], 0),
    ] {
        let (reader, writer) = pipe().unwrap();
        let (error_reader, error_writer) = pipe().unwrap();
        drop((reader, error_reader));
        let mut command = folder.command(args);
        let ended = command.stdin(Stdio::null()).stdout(writer).stderr(error_writer).status().unwrap();
        assert_eq!(ended.code(), Some(status), "{args:?}: {ended}");
    }
}
