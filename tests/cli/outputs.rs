//! Outputs that options name never replace what this program reads.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::support::Folder;

const SUITE: &str =
    r#"{ "version": "0.3.0", "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#;
const ANSWER: &str = r#"{ "format": "eval-ls/transcript@2", "case": "A", "prompt": "p", "response": "yes" }"#;
const BASELINE: &str =
    r#"{ "format": "eval-ls/baseline@1", "suite": "s.evals.json", "target": "replay", "runs": [], "cases": [] }"#;

/// A workspace with everything that is read, and a kept run.
fn workspace() -> (Folder, String) {
    let folder = Folder::with(&[
        ("eval-ls.toml", ""),
        ("evals/s.evals.json", SUITE),
        ("evals/transcripts/s.evals/A.json", ANSWER),
        ("evals/transcripts/s.evals/B.json", "broken"),
        ("evals/samples/s.evals/A/fail-x.md", "no"),
        ("evals/baselines/s.evals.replay.json", BASELINE),
        ("notes.json", "{\"mine\": 1}"),
        ("copy.json", ANSWER),
        ("own.toml", ""),
    ]);
    assert_eq!(folder.run(&["run"]).status, 0);
    let run = fs::read_dir(folder.join("results/runs")).unwrap().next().unwrap().unwrap();
    let run = format!("results/runs/{}", run.file_name().to_str().unwrap());
    (folder, run)
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            match path.symlink_metadata().unwrap() {
                metadata if metadata.is_dir() => folders.push(path),
                metadata if metadata.is_symlink() => {}
                _ => drop(found.insert(path.display().to_string(), fs::read(&path).unwrap())),
            }
        }
    }
    found
}

#[test]
fn an_output_never_replaces_what_is_read() {
    let (folder, run) = workspace();
    let kept = [format!("{run}/run.json"), format!("{run}/cases.jsonl"), format!("{run}/new.xml")];
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
        ("evals/baselines/s.evals.replay.json", "a baseline"),
        ("copy.json", "a transcript"),
    ];
    places.extend(kept.iter().map(|path| (&**path, "a part of a kept run")));
    #[cfg(unix)]
    for (link, to, what) in [
        ("to-suite", "evals/s.evals.json", "a suite"),
        ("to-config", "eval-ls.toml", "a configuration"),
        ("to-link", "to-suite", "a suite"),
    ] {
        std::os::unix::fs::symlink(to, folder.join(link)).unwrap();
        places.push((link, what));
    }
    let before = files(folder.path());
    for (path, what) in places {
        for format in ["json", "jsonl", "junit", "md", "github", "html"] {
            let ran = folder.run(&["run", "--report", &format!("{format}={path}")]);
            assert_eq!(ran.status, 2, "{format}={path}: {ran:?}");
            assert!(ran.err.contains(&format!("` is {what}; name another file")), "{path}: {}", ran.err);
        }
        for command in [
            &["merge", "results", "--report", &format!("junit={path}")][..],
            &["report", "--html", path],
            &["run", "--target", "replay", "--report", &format!("json={path}")],
        ] {
            let ran = folder.run(command);
            assert_eq!(ran.status, 2, "{command:?}: {ran:?}");
            assert!(ran.err.contains(what), "{command:?}: {}", ran.err);
        }
    }
    assert_eq!(files(folder.path()), before);
}

#[test]
fn two_outputs_are_two_files() {
    let (folder, _) = workspace();
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
        std::os::unix::fs::symlink("out", folder.join("same")).unwrap();
        std::os::unix::fs::symlink("out/new.json", folder.join("link.json")).unwrap();
        pairs.extend([("out/new.json", "same/new.json"), ("link.json", "out/new.json")]);
    }
    let before = files(folder.path());
    for (first, second) in pairs {
        let ran = folder.run(&["run", "--report", &format!("json={first}"), "--report", &format!("md={second}")]);
        assert_eq!(ran.status, 2, "{first} {second}: {ran:?}");
        assert!(ran.err.contains("is named for two outputs; name another file"), "{}", ran.err);
    }
    assert_eq!(files(folder.path()), before);
}

#[test]
fn an_output_is_no_file_that_the_command_names() {
    let (folder, _) = workspace();
    folder.write("answers.csv", "id,prompt\na,hi\n");
    let before = files(folder.path());
    for command in [
        &["run", "--config", "own.toml", "--report", "json=own.toml"][..],
        &["run", "evals/s.evals.json", "notes.json", "--report", "json=notes.json"],
    ] {
        let ran = folder.run(command);
        assert_eq!(ran.status, 2, "{command:?}: {ran:?}");
        assert!(ran.err.contains("is read by this command; name another file"), "{}", ran.err);
    }
    for output in ["eval-ls.toml", "evals/transcripts/s.evals/A.json", "answers.csv"] {
        let ran = folder.run(&["import", "answers.csv", "--output", output]);
        assert_eq!(ran.status, 2, "{output}: {ran:?}");
    }
    assert_eq!(files(folder.path()), before);
}

#[test]
fn other_files_and_earlier_reports_are_replaced() {
    let (folder, _) = workspace();
    for path in ["notes.json", "report.json", "evals/report.xml", "deep/er/report.json"] {
        for _ in 0..2 {
            let ran = folder.run(&["run", "--report", &format!("json={path}")]);
            assert_eq!(ran.status, 0, "{path}: {ran:?}");
            assert!(folder.read(path).contains("\"PASS\""), "{path}");
        }
    }
}
