//! Which files `check` reads, and which configuration applies to them.

use serde_json::Value;

use super::{CLEAN, FAULTY};
use crate::support::{Folder, Ran};

/// The files of the findings and their lines, in the order of the output.
fn places(ran: &Ran) -> Vec<(String, u64)> {
    let line = |finding: &Value| finding["range"]["start"]["line"].as_u64().unwrap();
    let findings = ran.json();
    findings.as_array().unwrap().iter().map(|one| (one["file"].as_str().unwrap().to_owned(), line(one))).collect()
}

/// The files with findings, in the order of the output.
fn files(ran: &Ran) -> Vec<String> {
    let mut files: Vec<String> = places(ran).into_iter().map(|(file, _)| file).collect();
    files.dedup();
    files
}

fn check(folder: &Folder, arguments: &[&str]) -> Ran {
    folder.run(&[&["check", "--format", "json"], arguments].concat())
}

#[test]
fn a_folder_is_searched_by_the_nearest_configuration() {
    let folder = Folder::with(&[
        ("a-eval-set.v0.1.json", FAULTY),
        ("package.json", FAULTY),
        (".claude/evals/hidden.json", FAULTY),
        ("results/a-eval-set.json", FAULTY),
        ("web/node_modules/p/evals/x.json", FAULTY),
        (".gitignore", "*\n"),
        ("sub/eval-ls.toml", "[files]\ninclude = [\"suites/*.json\", \"odd.txt\"]\nexclude = [\"**/old/**\"]\n"),
        ("sub/suites/b.json", FAULTY),
        ("sub/suites/deeper/c.json", FAULTY),
        ("sub/odd.txt", FAULTY),
        ("sub/evals/d.json", FAULTY),
        ("sub/node_modules/suites/e.json", FAULTY),
    ]);
    let all = [".claude/evals/hidden.json", "a-eval-set.v0.1.json", "sub/odd.txt", "sub/suites/b.json"];
    for (args, expected) in [
        (&[][..], &all[..]),
        (&["."], &all[..]),
        (&["sub"], &all[2..]),
        (&["sub/suites"], &all[3..]),
        (&[".claude/evals"], &all[..1]),
        (&["./sub/../sub"], &["sub/../sub/odd.txt", "sub/../sub/suites/b.json"]),
        (&["package.json"], &["package.json"]),
        (&["sub/suites/b.json", "sub"], &["sub/suites/b.json", "sub/odd.txt"]),
    ] {
        assert_eq!(files(&check(&folder, args)), expected, "{args:?}");
    }
}

#[test]
fn without_a_configuration_the_default_folder_itself_may_be_named() {
    let folder = Folder::with(&[("results/evals/a.json", FAULTY), ("results/evals/results/b.json", FAULTY)]);
    for (place, expected) in [("results/evals", "a.json"), ("results", "evals/a.json"), ("results/evals/results", "")] {
        let ran = Ran::from(folder.command(&["check", "--format", "json"]).current_dir(folder.join(place)));
        assert_eq!(files(&ran).concat(), expected, "{place}");
    }
}

/// pre-commit and lint-staged name every JSON file that has changed.
#[test]
fn named_files_that_are_not_suites_are_skipped() {
    let folder = Folder::with(&[
        ("a.evals.json", FAULTY),
        ("package.json", FAULTY),
        ("evals/other.json", r#"{ "prompts": ["x"] }"#),
        ("kept.json", r#"{ "format": "eval-ls/transcript@2", "case": "A" }"#),
    ]);
    let named = ["a.evals.json", "package.json", "evals/other.json", "kept.json"];
    let ran = check(&folder, &named);
    assert_eq!(files(&ran), named[..2]);
    let skipped = "skipped `evals/other.json`: it is an object with `prompts`\n\
                   skipped `kept.json`: its `format` is `eval-ls/transcript@2`\n";
    assert!(ran.err.starts_with(skipped), "{ran:?}");
    assert_eq!(files(&check(&folder, &[&["--force-exclude"], &named[..]].concat())), ["a.evals.json"]);
    folder.run(&["check", "--force-exclude", "package.json", "kept.json"]).ends(0);
}

/// pre-commit appends the names of the changed files to `entry`.
#[test]
fn a_file_whose_name_looks_like_an_option_does_not_replace_the_hook() {
    let read = |path: &str| std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    for page in [".pre-commit-hooks.yaml", "docs/ci.md"] {
        let page = read(page);
        let entry = page.lines().find_map(|line| line.trim().strip_prefix("entry: eval-ls ")).unwrap();
        for odd in ["-h.json", "--version.json"] {
            let folder = Folder::with(&[(odd, "{}"), ("a.evals.json", FAULTY)]);
            let arguments: Vec<&str> = entry.split(' ').chain([odd, "a.evals.json"]).collect();
            folder.run(&arguments).prints(1, [" --> a.evals.json:"]);
        }
    }
}

#[test]
fn the_configuration_sets_the_level_of_a_lint() {
    let folder = Folder::with(&[
        ("evals/a.json", FAULTY),
        ("evals/eval-ls.toml", "[lints]\nduplicate-case-id = \"off\"\nunknown-key = \"hint\"\n"),
    ]);
    let count = "\n1 error, 1 hint in 1 file; `--fix` fixes 1 of them; 2 cases in 1 suite checked\n";
    folder.run(&["check", "--deny", "warnings", "evals/a.json"]).complains(1, [count]);
}

#[test]
fn errors_in_the_configuration_are_drawn_and_suites_are_checked_anyway() {
    let folder = Folder::with(&[("evals/a.json", FAULTY), ("eval-ls.toml", "[lints]\nunknown-key = \"loud\"\n")]);
    let ran = folder.run(&["check", "evals"]);
    ran.prints(2, [" --> eval-ls.toml:2:15\n", " --> evals/a.json:4:84\n"]).complains(2, ["in 2 files"]);
    // Faulty settings are not applied.
    folder.run(&["check", "--fix", "evals"]);
    assert_eq!(folder.read("evals/a.json"), FAULTY);
}

#[test]
fn standard_input_has_a_file_name() {
    let folder = Folder::with(&[("evals/eval-ls.toml", "[lints]\nduplicate-case-id = \"off\"\n")]);
    for (args, found) in [
        (&["-"][..], "error[duplicate-case-id]: case id `BOOK1` is used twice\n --> <stdin>:5:13\n"),
        (&["-", "--stdin-filename", "x/new.json"], " --> x/new.json:5:57\n"),
    ] {
        folder.run_with(&[&["check"], args].concat(), FAULTY.as_bytes()).prints(1, [found]);
    }
    let ran = folder.run_with(&["check", "-", "--stdin-filename", "evals/new.json"], FAULTY.as_bytes());
    assert!(!ran.out.contains("duplicate-case-id"), "{ran:?}");
    let ran = folder.run_with(&["check", "-"], CLEAN.as_bytes());
    assert_eq!(ran.ends(0).err, "1 case in 1 suite, no findings\n");
}

#[test]
fn tools_in_transcripts_are_known() {
    let suite = |tool: &str| CLEAN.replace("\"book\"", &format!("\"{tool}\""));
    let transcript = |tool: &str| {
        let event = format!(r#"{{ "source": "tool.{tool}", "event": "start" }}"#);
        format!(r#"{{ "format": "eval-ls/transcript@1", "case": "BOOK1", "response": "", "telemetry": [ {event} ] }}"#)
    };
    let folder = Folder::with(&[
        ("app/eval-ls.toml", ""),
        ("app/a-eval-set.json", &suite("book_slto")),
        ("app/deep/b-eval-set.json", &suite("pay_bill")),
        ("app/deep/transcripts/b-eval-set/BOOK1.json", &transcript("book_slot")),
        ("alone/c-eval-set.json", &suite("book_slto")),
        ("alone/d-eval-set.json", &suite("pay_blil")),
        ("alone/transcripts/d-eval-set/BOOK1.json", &transcript("pay_bill")),
    ]);
    // The findings do not depend on which suites of the workspace are named.
    for (args, expected) in [
        (&[][..], &["alone/d-eval-set.json", "app/a-eval-set.json"][..]),
        (&["app/a-eval-set.json"], &["app/a-eval-set.json"]),
        (&["alone/c-eval-set.json", "alone/d-eval-set.json"], &["alone/d-eval-set.json"]),
        (&["alone"], &["alone/d-eval-set.json"]),
    ] {
        let ran = check(&folder, args);
        assert_eq!(files(&ran), expected, "{args:?}");
        assert!(ran.out.contains("unknown-tool"), "{ran:?}");
    }
}

#[test]
pub(crate) fn allowed_findings_are_left_out_and_idle_entries_are_reported() {
    let suite = r#"{ "version": "0.3.0", "cases": [
        { "id": "A1", "prompt": "Hi.", "expected": {} },
        { "id": "A2", "prompt": "Ho.", "expected": {} }
    ] }"#;
    let config = "[[allow]]\nlint = \"vacuous-case\"\ncases = \"A1\"\nreason = \"a probe\"\n\n\
        [[allow]]\nlint = \"empty-prompt\"\ncases = \"A*\"\nreason = \"none\"\n\n\
        [[allow]]\nlint = \"vacuous-case\"\nfiles = [\"evals/gone.json\"]\nreason = \"gone\"\n";
    let folder = Folder::with(&[("evals/a.json", suite), ("eval-ls.toml", config)]);
    let [in_suite, idle, gone] =
        [("evals/a.json", 3), ("eval-ls.toml", 6), ("eval-ls.toml", 11)].map(|(file, line)| (file.to_owned(), line));
    assert_eq!(places(&check(&folder, &["."])), [idle.clone(), gone, in_suite.clone()]);
    assert_eq!(places(&check(&folder, &["evals/a.json"])), [idle, in_suite]);
}

#[test]
fn suites_that_share_a_folder_of_transcripts_are_reported() {
    let config = "[run]\ntranscripts = \"../t\"\n[files]\ninclude = [\"**/x*\"]\n";
    let folder = Folder::with(&[("a/x.json", CLEAN), ("b/x.json", CLEAN), ("b/x", CLEAN), ("eval-ls.toml", config)]);
    let ran = folder.run(&["check"]).ends(0);
    let message = "the transcripts of this suite and of `a/x.json` are in one folder; rename one of the suites";
    assert_eq!(ran.out.matches(message).count(), 2, "{ran:?}");
    let ran = folder.run(&["run", "--no-results"]);
    assert_eq!(ran.err.matches(message).count(), 2, "{ran:?}");
    folder.write("eval-ls.toml", "");
    assert_eq!(folder.run(&["check"]).out, "");
}

#[test]
fn folders_outside_of_the_workspace_are_reported() {
    let outer = Folder::with(&[("w/evals/x-eval-set.v0.1.json", CLEAN)]);
    outer.write("w/eval-ls.toml", "[run]\ntranscripts = \"../../t\"\nresults = \"../r\"\n");
    let ran = check(&outer, &["w"]);
    let expected = [("w/eval-ls.toml", 3), ("w/evals/x-eval-set.v0.1.json", 1)];
    assert_eq!(places(&ran), expected.map(|(file, line)| (file.to_owned(), line)));
    ran.prints(
        0,
        [
            "kept runs are outside of the workspace, in `",
            "the transcripts of this suite are outside of the workspace, in `",
        ],
    );
    outer.write("w/eval-ls.toml", "[run]\ntranscripts = \"../t\"\nresults = \"evals/../r\"\n");
    assert_eq!(outer.run(&["check", "w"]).out, "");
}

#[test]
fn suites_are_reported_in_order_on_any_number_of_threads() {
    let names: Vec<String> = (0..20).map(|number| format!("{number:02}-eval-set.v0.1.json")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), FAULTY)).collect();
    let folder = Folder::with(&files);
    let mut first = None;
    for threads in ["1", "2", "50"] {
        let mut command = folder.command(&["check", "--format", "json"]);
        let ran = Ran::from(command.env("RAYON_NUM_THREADS", threads)).ends(1);
        assert_eq!(self::files(&ran), names, "{threads}");
        assert_eq!(first.get_or_insert_with(|| ran.out.clone()), &ran.out, "{threads}");
    }
}

#[test]
fn samples_are_judged_with_each_check() {
    let suite = r#"{ "version": "0.2.0", "cases": [{ "id": "A/1", "prompt": "Ready?", "expected": { "must_say_any": ["yes"] } }] }"#;
    let folder = Folder::with(&[("a.evals.json", suite), ("transcripts/a.evals/x", "")]);
    folder.run(&["check"]).ends(0);
    // The folder of a case has the name of its transcript.
    let sample = |name: &str, text: &str| drop(folder.write(format!("samples/a.evals/A%2F1/{name}"), text));
    sample("pass-a.json", r#"{ "format": "eval-ls/transcript@1", "case": "A/1", "response": "Yes." }"#);
    sample("pass-b.md", "Not now.");
    sample("fail-a.md", "yes and no");
    sample("other.md", "yes");
    let lines = [
        "error[failed-sample] the case fails the good sample `pass-b.md`: `must_say_any`",
        "error[passed-sample] the case passes the bad sample `fail-a.md`",
        "error[failed-sample] the sample `other.md` cannot be judged: its name begins with neither `pass-` nor `fail-`",
    ];
    let ran = folder.run(&["check", "--format", "concise"]).prints(1, lines);
    assert!(!ran.out.contains("pass-a.json"), "{ran:?}");
    let challenged = folder.run(&["challenge", "--format", "concise"]).prints(1, lines);
    assert!(challenged.err.contains("1 of 1 case passes a wrong answer."), "{challenged:?}");
    (0..200).for_each(|number| sample(&format!("pass-{number:03}.md"), "yes"));
    let ran = folder.run(&["check", "--format", "concise"]);
    assert!(ran.out.contains("the case has more than 200 samples, and the rest is not judged"), "{ran:?}");
}
