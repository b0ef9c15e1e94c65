//! Which files `check` reads, and which configuration applies to them.

use serde_json::Value;

use super::support::{CLEAN, FAULTY, Folder, Ran};

/// Returns the files with findings, in the order of the output.
fn files(ran: &Ran) -> Vec<String> {
    let findings: Vec<Value> = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let mut files: Vec<String> = findings.iter().map(|one| one["file"].as_str().unwrap().to_owned()).collect();
    files.dedup();
    files
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
        let ran = folder.run(&[&["check", "--format", "json"], args].concat());
        assert_eq!(files(&ran), expected, "{args:?}");
    }
}

#[test]
fn without_a_configuration_the_default_folder_itself_may_be_named() {
    let folder = Folder::with(&[("results/evals/a.json", FAULTY), ("results/evals/results/b.json", FAULTY)]);
    for (place, expected) in [("results/evals", "a.json"), ("results", "evals/a.json"), ("results/evals/results", "")] {
        let mut command = folder.command(&["check", "--format", "json"]);
        let ran: Ran = command.current_dir(folder.join(place)).output().unwrap().into();
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
    let ran = folder.run(&[&["check", "--format", "json"], &named[..]].concat());
    assert_eq!(files(&ran), named[..2]);
    let skipped = "skipped `evals/other.json`: it is an object with `prompts`\n\
                   skipped `kept.json`: its `format` is `eval-ls/transcript@2`\n";
    assert!(ran.err.starts_with(skipped), "{}", ran.err);
    let ran = folder.run(&[&["check", "--format", "json", "--force-exclude"], &named[..]].concat());
    assert_eq!(files(&ran), ["a.evals.json"]);
    folder.write("eval-ls.toml", "[files]\nforce_exclude = true\n");
    let ran = folder.run(&[&["check", "--format", "json"], &named[..]].concat());
    assert_eq!(files(&ran), ["a.evals.json"]);
    assert_eq!(folder.run(&["check", "package.json", "kept.json"]).status, 0);
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
            let ran = folder.run(&arguments);
            assert_eq!(ran.status, 1, "{arguments:?}: {}", ran.err);
            assert!(ran.out.contains(" --> a.evals.json:"), "{arguments:?}: {}", ran.out);
        }
    }
}

#[test]
fn the_configuration_sets_the_level_of_a_lint() {
    let folder = Folder::with(&[
        ("evals/a.json", FAULTY),
        ("evals/eval-ls.toml", "[lints]\nduplicate-case-id = \"off\"\nunknown-key = \"hint\"\n"),
    ]);
    let ran = folder.run(&["check", "--deny", "warnings", "evals/a.json"]);
    assert_eq!(
        ran.err,
        "to read more: `eval-ls explain invalid-json`\n1 error, 1 hint in 1 file; `--fix` fixes 1 of them; 2 cases in 1 suite checked\n"
    );
}

#[test]
fn errors_in_the_configuration_are_drawn_and_suites_are_checked_anyway() {
    let folder = Folder::with(&[("evals/a.json", FAULTY), ("eval-ls.toml", "[lints]\nunknown-key = \"loud\"\n")]);
    let ran = folder.run(&["check", "evals"]);
    assert_eq!(ran.status, 2);
    assert!(ran.out.contains(" --> eval-ls.toml:2:15\n"), "{}", ran.out);
    assert!(ran.out.contains(" --> evals/a.json:4:84\n"), "{}", ran.out);
    assert!(ran.err.contains("in 2 files"), "{}", ran.err);
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
        let ran = folder.run_with(&[&["check"], args].concat(), FAULTY.as_bytes());
        assert_eq!(ran.status, 1);
        assert!(ran.out.contains(found), "{args:?}: {}", ran.out);
    }
    let ran = folder.run_with(&["check", "-", "--stdin-filename", "evals/new.json"], FAULTY.as_bytes());
    assert!(!ran.out.contains("duplicate-case-id"), "{}", ran.out);
    let ran = folder.run_with(&["check", "-"], CLEAN.as_bytes());
    assert_eq!((ran.status, ran.err.as_str()), (0, "1 case in 1 suite, no findings\n"));
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
        let ran = folder.run(&[&["check", "--format", "json"], args].concat());
        assert_eq!(files(&ran), expected, "{args:?}");
        assert!(ran.out.contains("unknown-tool"), "{ran:?}");
    }
}

#[test]
fn allowed_findings_are_left_out_and_idle_entries_are_reported() {
    let suite = r#"{ "version": "0.3.0", "cases": [
        { "id": "A1", "prompt": "Hi.", "expected": {} },
        { "id": "A2", "prompt": "Ho.", "expected": {} }
    ] }"#;
    let config = "[[allow]]\nlint = \"vacuous-case\"\ncases = \"A1\"\nreason = \"a probe\"\n\n\
        [[allow]]\nlint = \"empty-prompt\"\ncases = \"A*\"\nreason = \"none\"\n\n\
        [[allow]]\nlint = \"vacuous-case\"\nfiles = [\"evals/gone.json\"]\nreason = \"gone\"\n";
    let folder = Folder::with(&[("evals/a.json", suite), ("eval-ls.toml", config)]);
    let lines = |args: &[&str]| -> Vec<(String, u64)> {
        let ran = folder.run(&[&["check", "--format", "json"], args].concat());
        let findings: Vec<Value> = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
        let line = |finding: &Value| finding["range"]["start"]["line"].as_u64().unwrap();
        findings.iter().map(|one| (one["file"].as_str().unwrap().to_owned(), line(one))).collect()
    };
    let in_suite = ("evals/a.json".to_owned(), 3);
    let (idle, gone) = (("eval-ls.toml".to_owned(), 6), ("eval-ls.toml".to_owned(), 11));
    assert_eq!(lines(&["."]), [idle.clone(), gone, in_suite.clone()]);
    assert_eq!(lines(&["evals/a.json"]), [idle, in_suite]);
}

#[test]
fn suites_that_share_a_folder_of_transcripts_are_reported() {
    let config = "[run]\ntranscripts = \"../t\"\n[files]\ninclude = [\"**/x*\"]\n";
    let folder = Folder::with(&[("a/x.json", CLEAN), ("b/x.json", CLEAN), ("b/x", CLEAN), ("eval-ls.toml", config)]);
    let ran = folder.run(&["check"]);
    assert_eq!(ran.status, 0);
    let message = "the transcripts of this suite and of `a/x.json` are in one folder; rename one of the suites";
    assert_eq!(ran.out.matches(message).count(), 2, "{}", ran.out);
    let ran = folder.run(&["run", "--no-results"]);
    assert_eq!(ran.err.matches(message).count(), 2, "{}", ran.err);
    folder.write("eval-ls.toml", "");
    assert_eq!(folder.run(&["check"]).out, "");
}

#[test]
fn folders_outside_of_the_workspace_are_reported() {
    let outer = Folder::with(&[("w/evals/x-eval-set.v0.1.json", CLEAN)]);
    outer.write("w/eval-ls.toml", "[run]\ntranscripts = \"../../t\"\nresults = \"../r\"\n");
    let ran = outer.run(&["check", "--format", "json", "w"]);
    let findings: Vec<Value> = serde_json::from_str(&ran.out).unwrap();
    let place = |finding: &Value| {
        (finding["file"].as_str().unwrap().to_owned(), finding["range"]["start"]["line"].as_u64().unwrap())
    };
    let places: Vec<_> = findings.iter().map(place).collect();
    assert_eq!(places, [("w/eval-ls.toml".to_owned(), 3), ("w/evals/x-eval-set.v0.1.json".to_owned(), 1)]);
    let messages: Vec<_> = findings.iter().map(|finding| finding["message"].as_str().unwrap()).collect();
    assert!(messages[0].starts_with("kept runs are outside of the workspace, in `"), "{messages:?}");
    assert!(
        messages[1].starts_with("the transcripts of this suite are outside of the workspace, in `"),
        "{messages:?}"
    );
    assert_eq!(ran.status, 0);
    outer.write("w/eval-ls.toml", "[run]\ntranscripts = \"../t\"\nresults = \"evals/../r\"\n");
    assert_eq!(outer.run(&["check", "w"]).out, "");
}

#[cfg(unix)]
#[test]
fn a_configuration_that_is_a_link_to_nowhere_is_an_error() {
    let folder = Folder::with(&[("x-eval-set.v0.1.json", CLEAN)]);
    std::os::unix::fs::symlink("absent.toml", folder.path().join("eval-ls.toml")).unwrap();
    let ran = folder.run(&["check"]);
    assert_ne!(ran.status, 0);
    assert!(ran.err.contains("could not read") && ran.err.contains("eval-ls.toml"), "{}", ran.err);
}

#[test]
fn suites_are_reported_in_order_on_any_number_of_threads() {
    let names: Vec<String> = (0..20).map(|number| format!("{number:02}-eval-set.v0.1.json")).collect();
    let files: Vec<_> = names.iter().map(|name| (name.as_str(), FAULTY)).collect();
    let folder = Folder::with(&files);
    let one = folder.run(&["check", "--format", "json", "--jobs", "1"]);
    assert_eq!((one.status, self::files(&one)), (1, names));
    for jobs in ["2", "50"] {
        assert_eq!(folder.run(&["check", "--format", "json", "--jobs", jobs]).out, one.out);
    }
    assert_eq!(folder.run(&["check", "--jobs", "0"]).status, 2);
}

#[test]
fn samples_are_judged_with_each_check() {
    let suite = r#"{ "version": "0.2.0", "cases": [{ "id": "A/1", "prompt": "Ready?", "expected": { "must_say_any": ["yes"] } }] }"#;
    let good = r#"{ "format": "eval-ls/transcript@1", "case": "A/1", "response": "Yes." }"#;
    let folder = Folder::with(&[("a.evals.json", suite), ("transcripts/a.evals/x", "")]);
    assert_eq!(folder.run(&["check"]).status, 0);
    // The folder of a case has the name of its transcript.
    let name = "samples/a.evals/A%2F1";
    folder.write(&format!("{name}/pass-a.json"), good);
    folder.write(&format!("{name}/pass-b.md"), "Not now.");
    folder.write(&format!("{name}/fail-a.md"), "yes and no");
    folder.write(&format!("{name}/other.md"), "yes");
    let ran = folder.run(&["check", "--format", "concise"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    for line in [
        "error[failed-sample] the case fails the good sample `pass-b.md`: `must_say_any`",
        "error[passed-sample] the case passes the bad sample `fail-a.md`",
        "error[failed-sample] the sample `other.md` cannot be judged: its name begins with neither `pass-` nor `fail-`",
    ] {
        assert!(ran.out.contains(line), "{line}: {ran:?}");
    }
    assert!(!ran.out.contains("pass-a.json"), "{ran:?}");
    for number in 0..200 {
        folder.write(&format!("{name}/pass-{number:03}.md"), "yes");
    }
    let ran = folder.run(&["check", "--format", "concise"]);
    assert!(ran.out.contains("the case has more than 200 samples, and the rest is not judged"), "{ran:?}");
    assert_eq!(folder.run(&["explain", "failed-sample"]).status, 0);
    assert_eq!(folder.run(&["explain", "passed-sample"]).status, 0);
}
