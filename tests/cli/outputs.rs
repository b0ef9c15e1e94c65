//! Outputs that options name never replace what this program reads.

use crate::support::Folder;

const SUITE: &str =
    r#"{ "version": "0.3.0", "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#;
const ANSWER: &str = r#"{ "format": "eval-ls/transcript@2", "case": "A", "prompt": "p", "response": "yes" }"#;

/// A workspace with everything that is read, and a kept run.
fn workspace() -> Folder {
    let folder = Folder::with(&[
        ("eval-ls.toml", ""),
        ("evals/s.evals.json", SUITE),
        ("evals/transcripts/s.evals/A.json", ANSWER),
        ("evals/transcripts/s.evals/B.json", "broken"),
        ("evals/samples/s.evals/A/fail-x.md", "no"),
        ("notes.json", "{\"mine\": 1}"),
        ("copy.json", ANSWER),
        ("own.toml", ""),
    ]);
    folder.run(&["run"]).ends(0);
    folder
}

#[test]
fn an_output_never_replaces_what_is_read() {
    let folder = workspace();
    let run = format!("results/runs/{}", folder.last_run());
    let kept = ["run.json", "cases.jsonl", "new.xml"].map(|name| format!("{run}/{name}"));
    let absolute = folder.join("evals/s.evals.json").display().to_string();
    let mut places = vec![
        ("evals/s.evals.json", "a suite"),
        ("./evals/../evals/s.evals.json", "a suite"),
        (&absolute, "a suite"),
        ("evals/new.evals.json", "a suite by its name"),
        ("eval-ls.toml", "a configuration"),
        ("evals/eval-ls.toml", "a configuration"),
        ("evals/transcripts/s.evals/A.json", "among the transcripts of a suite"),
        ("evals/transcripts/s.evals/B.json", "among the transcripts of a suite"),
        ("evals/transcripts/s.evals/C.json", "among the transcripts of a suite"),
        ("evals/samples/s.evals/A/fail-x.md", "among the samples of a suite"),
        ("copy.json", "a transcript"),
    ];
    places.extend(kept.iter().map(|path| (&**path, "a part of a kept run")));
    #[cfg(unix)]
    for (link, to, what) in [
        ("to-suite", "evals/s.evals.json", "a suite"),
        ("to-config", "eval-ls.toml", "a configuration"),
        ("to-link", "to-suite", "a suite"),
    ] {
        folder.link(link, to);
        places.push((link, what));
    }
    let before = folder.files();
    for (path, what) in places {
        for format in ["json", "jsonl", "junit", "md", "github", "html"] {
            let ran = folder.run(&["run", "--report", &format!("{format}={path}")]);
            ran.complains(2, [format!("` is {what}; name another file")]);
        }
        for command in
            [&["report", "--html", path][..], &["run", "--target", "replay", "--report", &format!("json={path}")]]
        {
            folder.run(command).complains(2, [what]);
        }
    }
    assert_eq!(folder.files(), before);
}

#[test]
fn two_outputs_are_two_files() {
    let folder = workspace();
    folder.write("out/old.json", "{}");
    let absolute = folder.join("out/new.json").display().to_string();
    let mut pairs = vec![
        ("out/new.json", "out/new.json"),
        ("out/new.json", "./out/../out/new.json"),
        ("out/new.json", &*absolute),
        ("out/old.json", "out//old.json"),
    ];
    #[cfg(unix)]
    {
        folder.link("same", "out");
        folder.link("link.json", "out/new.json");
        pairs.extend([("out/new.json", "same/new.json"), ("link.json", "out/new.json")]);
    }
    let before = folder.files();
    for (first, second) in pairs {
        let ran = folder.run(&["run", "--report", &format!("json={first}"), "--report", &format!("md={second}")]);
        ran.complains(2, ["is named for two outputs; name another file"]);
    }
    assert_eq!(folder.files(), before);
}

#[test]
fn an_output_is_no_file_that_the_command_names() {
    let folder = workspace();
    folder.write("answers.csv", "id,prompt\na,hi\n");
    let before = folder.files();
    for command in [
        &["run", "--config", "own.toml", "--report", "json=own.toml"][..],
        &["run", "evals/s.evals.json", "notes.json", "--report", "json=notes.json"],
    ] {
        folder.run(command).complains(2, ["is read by this command; name another file"]);
    }
    for output in ["eval-ls.toml", "evals/transcripts/s.evals/A.json", "answers.csv"] {
        folder.run(&["import", "answers.csv", "--output", output]).ends(2);
    }
    assert_eq!(folder.files(), before);
}

#[test]
fn other_files_and_earlier_reports_are_replaced() {
    let folder = workspace();
    for path in ["notes.json", "report.json", "evals/report.xml", "deep/er/report.json"] {
        for _ in 0..2 {
            folder.run(&["run", "--report", &format!("json={path}")]).ends(0);
            assert!(folder.read(path).contains("\"PASS\""), "{path}");
        }
    }
}
