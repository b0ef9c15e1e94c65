//! Hostile files and names, and very large ones.

use serde_json::json;

use super::FAULTY;
use crate::support::{Folder, Ran};

#[test]
fn control_characters_reach_no_output() {
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\u{7f}\r\u{200b}]]>";
    let broken =
        format!("{{ \"name\": \"{evil}\", \"cases\": [ {{ \"id\": \"{evil}\", {evil} \"{evil}\": {evil} }} ] }}");
    let case = json!({ "id": evil, "prompt": "p <b>", "expected": { "must_say_any": ["p <b>"] } });
    let valid = json!({ "version": "0.2.0", "cases": [case] }).to_string();
    let folder = Folder::with(&[("broken/a.evals.json", &broken), ("valid/a.evals.json", &valid)]);
    for (command, status, formats) in [
        (&["check", "broken"][..], 1, "text concise json github"),
        (&["run", "--no-results", "--no-check", "valid"], 5, "text concise json jsonl junit github"),
        (&["challenge", "valid"], 1, "text concise json github"),
    ] {
        for format in formats.split(' ') {
            let ran = folder.run(&[command, &["--format", format]].concat()).ends(status);
            for text in [&ran.out, &ran.err] {
                let is_evil = |c: &char| *c != '\n' && (c.is_control() || "\u{202e}\u{2066}\u{200b}".contains(*c));
                assert_eq!(text.chars().find(is_evil), None, "{ran:?}");
            }
            assert!(format != "junit" || !ran.out.contains("]]>"), "{ran:?}");
            assert!(status != 5 || format != "json" || ran.json()["cases"][0]["id"] == evil, "{ran:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn names_of_files_are_escaped() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = Folder::with(&[("evals/--fix.json", FAULTY), ("evals/a\nb\u{1b}[31m%,:.json", FAULTY)]);
    folder.write("evals/-", FAULTY);
    folder.write(OsStr::from_bytes(b"evals/caf\xe9.json"), FAULTY);

    let ran = folder.run(&["check", "evals"]);
    let ran = ran.complains(1, ["\n9 errors in 3 files; `--fix` fixes 3 of them; 6 cases in 3 suites"]);
    ran.prints(1, [" --> evals/a␊b␛[31m%,:.json:4:84\n", " --> evals/caf�.json:4:84\n"]);
    let ran = folder.run(&["check", "--format", "github", "evals/a\nb\u{1b}[31m%,:.json"]);
    assert!(ran.out.starts_with("::error file=evals/a%0Ab␛[31m%25%2C%3A.json,line="), "{ran:?}");
    let ran = folder.run(&["check", "absent\u{1b}[31m\n.json"]);
    assert!(ran.err.starts_with("error: cannot read `absent␛[31m␊.json`: "), "{ran:?}");

    let mut command = folder.command(&["check", "--", "--fix.json", "./-"]);
    Ran::from(command.current_dir(folder.join("evals"))).complains(1, ["in 2 files"]);
    assert_eq!(folder.read("evals/--fix.json"), FAULTY);
}

#[test]
fn a_wrong_argument_is_quoted_on_one_line() {
    for odd in ["--x\n::error::y ##[error]\u{1b}[31m", "--fail=\n::error::y"] {
        let ran = Folder::new().run(&["check", odd]).ends(2);
        assert!(ran.err.contains("␊::error::y") || ran.err.contains("--fail"), "{ran:?}");
        assert!(!ran.err.contains("##[") && !ran.err.contains(['\u{1b}', '\r']), "{ran:?}");
        assert!(!ran.err.lines().any(|line| line.trim_start().starts_with("::")), "{ran:?}");
    }
}

#[test]
fn long_output_is_cut_and_counted() {
    let mut keys: String = (0..40_000).map(|n| format!("\"x{n}\":0,")).collect();
    keys.pop();
    let one_line = format!("{{\"cases\":[{{\"id\":\"A\",\"prompt\":\"p\",\"expected\":{{{keys}}}}}]}}");
    let folder = Folder::with(&[("evals/big.evals.json", &one_line)]);
    let ran = folder.run(&["check"]);
    assert!(ran.out.contains("this is found more than 1000 times; the rest is not listed"), "{}", &ran.out[..1000]);
    assert!(ran.out.ends_with("\nand 1 more finding in evals/big.evals.json; `--format json` has them all\n\n"));
    assert!(ran.out.len() < 1_000_000, "{}", ran.out.len());
    assert!(ran.out.lines().all(|line| line.chars().count() < 200));
    let ran = folder.run(&["check", "--format", "json"]);
    assert_eq!(ran.json().as_array().unwrap().len(), 1_001);
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_suites() {
    let folder = Folder::with(&[("suites/a.json", FAULTY)]);
    std::fs::create_dir_all(folder.join("evals/folder.json")).unwrap();
    folder.pipe("evals/fifo.json");
    for (name, to) in [("up", ".."), ("dangling", "absent"), ("link", "../suites/a.json")] {
        folder.link(&format!("evals/{name}.json"), to);
    }
    let ran = folder.run(&["check"]);
    assert!(ran.out.contains(" --> evals/link.json:4:84\n"), "{ran:?}");
    for name in ["evals/dangling.json", "evals/fifo.json"] {
        assert!(ran.err.contains(&format!("error: cannot read `{name}`: ")), "{ran:?}");
    }
    assert!(ran.err.ends_with("3 errors in 1 file; `--fix` fixes 1 of them; 2 cases in 1 suite checked\n"), "{ran:?}");
}

#[test]
fn a_long_id_is_shortened_in_every_line() {
    let id = "x".repeat(3000);
    let suite = json!({ "cases": [{ "id": id, "prompt": "p", "expected": { "must_say_any": ["yes"] } }] });
    let folder = Folder::with(&[("a.evals.json", &*suite.to_string())]);
    for command in ["run", "run --format concise", "run --format github", "check"] {
        let ran = folder.run(&command.split(' ').collect::<Vec<_>>());
        let id = format!("{}…", "x".repeat(60));
        assert!(command == "check" || ran.out.contains(&id), "{ran:?}");
        assert!(ran.out.lines().chain(ran.err.lines()).all(|line| line.len() < 400), "{ran:?}");
    }
}
