//! `check --fix`.

use serde_json::Value;

use super::{CLEAN, FAULTY};
use crate::support::{Folder, Numbers};

const FIXED: &str = "1 file fixed; 2 errors in 1 file; 1 has a fix that changes the meaning, see its help; ";

#[test]
fn a_file_is_fixed_in_place() {
    let fixed = FAULTY.replace("\"tandem\",]", "\"tandem\"]");
    let folder = Folder::with(&[("evals/a.json", FAULTY), ("evals/b.json", CLEAN)]);
    let before = std::fs::metadata(folder.join("evals/b.json")).unwrap().modified().unwrap();
    folder.run(&["check", "--fix"]).complains(1, [FIXED]);
    assert_eq!(folder.read("evals/a.json"), fixed);
    assert_eq!(std::fs::metadata(folder.join("evals/b.json")).unwrap().modified().unwrap(), before);
    assert_eq!(std::fs::read_dir(folder.join("evals")).unwrap().count(), 2);

    let folder = Folder::with(&[("evals/a.json", &CLEAN.replace("\"book\"]", "\"book\",]"))]);
    let ran = folder.run(&["check", "--fix"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, "1 file fixed; 1 case in 1 suite, no findings\n"));
    assert_eq!(folder.read("evals/a.json"), CLEAN);
}

#[test]
fn the_text_of_standard_input_is_printed() {
    let folder = Folder::with(&[("broken/eval-ls.toml", "x")]);
    let fixed = FAULTY.replace("\"tandem\",]", "\"tandem\"]");
    let ran = folder.run_with(&["check", "--fix", "-"], FAULTY.as_bytes());
    assert_eq!(ran.complains(1, [FIXED, "error[duplicate-case-id]"]).out, fixed);

    // A filter never loses text that it cannot fix.
    let ran = folder.run_with(&["check", "--fix", "-", "--stdin-filename", "broken/a.json"], FAULTY.as_bytes());
    assert_eq!((ran.status, ran.out.as_str()), (2, FAULTY));
    let latin1 = folder.write("latin1", b"\xff{");
    let mut command = folder.command(&["check", "--fix", "-"]);
    let output = command.stdin(std::fs::File::open(latin1).unwrap()).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b"\xff{"[..]));
}

#[cfg(unix)]
#[test]
fn a_fixed_file_keeps_its_link_and_permissions() {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::with(&[("real/a.json", FAULTY), ("evals/locked.json", FAULTY), ("eval-ls.toml", "")]);
    folder.link("evals/a.json", "../real/a.json");
    fs::set_permissions(folder.join("real/a.json"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(folder.join("evals/locked.json"), fs::Permissions::from_mode(0o444)).unwrap();
    // The findings that are left include those of the file that was not written.
    let left = "1 file fixed; 5 errors in 2 files; `--fix` fixes 1 of them; 4 cases in 2 suites checked\n";
    let ran = folder.run(&["check", "--fix", "evals/a.json", "evals/locked.json"]);
    ran.complains(3, ["cannot write evals/locked.json: the file is read-only", left]);
    assert_eq!(folder.read("evals/locked.json"), FAULTY);
    assert!(fs::symlink_metadata(folder.join("evals/a.json")).unwrap().is_symlink());
    assert_eq!(fs::metadata(folder.join("real/a.json")).unwrap().permissions().mode() & 0o777, 0o600);
    assert_ne!(folder.read("real/a.json"), FAULTY);
    // A repository can bring a link, and a hook the name of it.
    let other = Folder::with(&[("a.json", FAULTY)]);
    folder.link("evals/out.json", other.join("a.json"));
    let ran = folder.run(&["check", "--fix", "evals/out.json"]);
    ran.complains(3, ["`evals/out.json` is a link that leads out; to change that file, name it"]);
    assert_eq!(other.read("a.json"), FAULTY);
}

#[cfg(unix)]
#[test]
fn files_outside_of_the_named_folder_are_not_fixed() {
    let folder = Folder::with(&[("real/a.json", FAULTY), ("evals/b.json", FAULTY)]);
    folder.link("evals/a.json", "../real/a.json");
    folder.link("evals/c.json", "b.json");
    let fault = "`evals/a.json` is a link to a file outside of the workspace; to read that file, name it";
    folder.run(&["check", "--fix", "evals"]).complains(3, [fault]);
    assert_eq!(folder.read("real/a.json"), FAULTY);
    assert_ne!(folder.read("evals/b.json"), FAULTY);
    assert_eq!(folder.run(&["check", "--fix", "."]).status, 1);
    assert_ne!(folder.read("real/a.json"), FAULTY);
}

#[cfg(unix)]
#[test]
fn a_file_with_several_names_is_not_fixed() {
    let folder = Folder::with(&[("evals/a.json", FAULTY)]);
    std::fs::hard_link(folder.join("evals/a.json"), folder.join("other")).unwrap();
    let ran = folder
        .run(&["check", "--fix"])
        .complains(3, ["cannot write evals/a.json: the file has several names (hard links)"]);
    assert!(!ran.err.contains("no findings"), "{ran:?}");
    assert_eq!((folder.read("evals/a.json"), folder.read("other")), (FAULTY.to_owned(), FAULTY.to_owned()));
}

/// Applies the first safe fix of each finding of `check --format json` that does not overlap an earlier one.
fn fixed_by_hand(text: &str, findings: &str) -> String {
    let lines: Vec<usize> = line_starts(text);
    let offset = |place: &Value| {
        let line = lines[place["line"].as_u64().unwrap() as usize - 1];
        let column = place["column"].as_u64().unwrap() as usize - 1;
        text[line..].char_indices().nth(column).map_or(text.len(), |(at, _)| line + at)
    };
    let findings: Vec<Value> = serde_json::from_str(findings).unwrap();
    let replaced = |edit: &Value| {
        let [start, end] = ["start", "end"].map(|key| offset(&edit["range"][key]));
        (start, end, edit["newText"].as_str().unwrap().to_owned())
    };
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    for finding in &findings {
        let Some(fix) = finding["fixes"].as_array().unwrap().iter().find(|fix| fix["safe"] == true) else { continue };
        let of_fix: Vec<_> = fix["edits"].as_array().unwrap().iter().map(replaced).collect();
        let meets = |a: &(usize, usize, String), b: &(usize, usize, String)| a.0 == b.0 || a.0 < b.1 && b.0 < a.1;
        if !of_fix.iter().any(|edit| edits.iter().any(|other| meets(edit, other))) {
            edits.extend(of_fix);
        }
    }
    edits.sort();
    let mut fixed = text.to_owned();
    for (start, end, new) in edits.iter().rev() {
        fixed.replace_range(start..end, new);
    }
    fixed
}

fn line_starts(text: &str) -> Vec<usize> {
    let mut starts = vec![0];
    for (at, c) in text.char_indices() {
        let is_break = c == '\n' || c == '\r' && text.as_bytes().get(at + 1) != Some(&b'\n');
        starts.extend(is_break.then(|| at + 1));
    }
    starts
}

/// The text has parts of itself, and what people write in it by mistake, where they do not belong.
#[test]
fn only_safe_fixes_change_the_text() {
    let folder = Folder::new();
    let check = |arguments: &[&str], text: &str| folder.run_with(&[&["check"], arguments].concat(), text.as_bytes());
    let source = format!("{FAULTY}// x\u{feff}'x'\r\n\t\u{1}\"x\",");
    let mut numbers = Numbers(1);
    for _ in 0..64 {
        let mut place = |longest: usize| {
            let start = source.floor_char_boundary(numbers.below(source.len()));
            start..source.ceil_char_boundary((start + numbers.below(longest)).min(source.len()))
        };
        let mut text = FAULTY.to_owned();
        for _ in 0..3 {
            let at = text.floor_char_boundary(place(1).start.min(text.len()));
            text.insert_str(at, &source[place(20)]);
        }
        let mut expected = text.clone();
        for _ in 0..64 {
            let next = fixed_by_hand(&expected, &check(&["--format", "json", "-"], &expected).out);
            if next == expected {
                break;
            }
            expected = next;
        }
        assert_eq!(check(&["--fix", "-"], &text).out, expected, "{text}");
        let again = check(&["--fix", "-"], &expected);
        assert_eq!(again.out, expected, "{text}");
        assert!(!again.err.contains("fixed;"), "{text}");
    }
}

#[test]
fn the_fixed_text_is_printed_exactly() {
    let text = "\n::error::x\n{ \"cases\": [ { \"id\": \"##[x]\", \"prompt\": \"p\", \"expected\": {}, } ] }\n";
    let ran = Folder::new().run_with(&["check", "--fix", "-"], text.as_bytes());
    assert!(ran.out.starts_with("\n::error::x\n") && ran.out.contains("\"##[x]\""), "{ran:?}");
}
