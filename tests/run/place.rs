//! The one place of results: the folder of `eval-ls.toml`, or the common folder of the suites.

use std::path::Path;

use serde_json::Value;

use super::edit_json;
use crate::support::{Folder, Ran};

const SUITE: &str = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#;

/// A workspace with these suites, in each of which the case `A` has the stored answer `yes`.
fn workspace(suites: &[&str]) -> Folder {
    let workspace = Folder::new();
    for suite in suites {
        workspace.write(suite, SUITE);
        let path = Path::new(suite);
        let (folder, name) = (path.parent().unwrap(), path.file_stem().unwrap().to_str().unwrap());
        let answer = r#"{ "format": "eval-ls/transcript@1", "case": "A", "response": "yes" }"#;
        workspace.write(format!("{}/transcripts/{name}/A.json", folder.display()), answer);
    }
    workspace
}

fn run_in(workspace: &Folder, folder: &str, arguments: &[&str]) -> Ran {
    Ran::from(workspace.command(arguments).current_dir(workspace.join(folder)))
}

fn results(folder: &Path) -> usize {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| name.starts_with("minimum-eval-results-")).count()
}

#[test]
fn without_a_configuration_every_command_finds_the_run() {
    for is_repository in [true, false] {
        let workspace = workspace(&["evals/a.evals.json"]);
        if is_repository {
            workspace.write(".git/HEAD", "ref: refs/heads/main\n");
        }
        let folders: &[&str] = if is_repository { &["", "evals", "docs"] } else { &["", "evals"] };
        std::fs::create_dir(workspace.join("docs")).unwrap();
        for folder in folders {
            let suite = match *folder {
                "" => "evals/a.evals.json",
                "evals" => "a.evals.json",
                _ => "../evals/a.evals.json",
            };
            run_in(&workspace, folder, &["run", suite]).ends(0);
        }
        assert!(!workspace.join("results").exists() && !workspace.join("docs/results").exists());
        for folder in folders {
            for arguments in [
                &["runs"][..],
                &["show", "A"],
                &["run", "--answers-of", "latest", "--no-results"],
                &["report", "--html", "-"],
                &["compare", "latest~1", "latest"],
                &["accept", "A"],
            ] {
                let ran = run_in(&workspace, folder, arguments);
                assert!(ran.status == 0, "{folder}: {ran:?}");
            }
            let listed = run_in(&workspace, folder, &["runs", "--format", "json"]).json();
            assert_eq!(listed.as_array().unwrap().len(), folders.len(), "{folder}");
        }
    }
}

#[test]
fn suites_in_several_folders_are_one_run_in_their_common_folder() {
    let workspace = workspace(&[".claude/evals/a.json", ".claude/evals/deep/evals/b.json"]);
    workspace.run(&["run"]).ends(0);
    let folder = workspace.join(".claude/evals/results");
    assert_eq!(results(&folder), 4);
    assert!(folder.join(".gitignore").is_file() && folder.join("runs").is_dir());
    let runs = workspace.runs();
    assert_eq!((runs.len(), runs[0]["suites"].as_array().unwrap().len()), (1, 2));
    assert!(!workspace.join(".claude/evals/deep/evals/results").exists());
}

#[test]
pub(super) fn result_files_go_with_their_run() {
    let workspace = workspace(&["evals/a.evals.json"]);
    workspace.write("eval-ls.toml", "[run]\nkeep = \"2 runs\"\n");
    let files = || results(&workspace.join("results"));
    for run in 1..=4 {
        workspace.run(&["run"]).ends(0);
        assert_eq!(files(), 2 * run.min(2));
    }
    // What is not of this run stays, whatever its record says.
    workspace.write("results/minimum-eval-results-notes.md", "mine");
    workspace.write("results/notes.md", "mine");
    edit_json(&workspace.join("results/runs/latest/run.json"), |run| {
        let results = run["results"].as_array_mut().unwrap();
        assert_eq!(results.len(), 2);
        let mine = ["notes.md", "minimum-eval-results-notes.md", "../evals/a.evals.json", "/etc/hostname", ""];
        results.extend(mine.map(Value::from));
    });
    workspace.run(&["runs", "rm", "latest"]).ends(0);
    assert_eq!(files(), 3);
    assert!(workspace.join("results/notes.md").exists() && workspace.join("evals/a.evals.json").exists());
}

#[test]
fn answers_stay_out_of_git_and_other_files_do_not() {
    let workspace = workspace(&["api/evals/a.evals.json"]);
    workspace.write("api/evals/results/notes.md", "mine");
    let git = |arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        Ran::from(git.args(arguments).current_dir(workspace.path())).ends(0)
    };
    git(&["init", "-q"]);
    workspace.run(&["run"]).ends(0);
    let status = git(&["status", "--porcelain", "--untracked-files=all"]).prints(0, ["api/evals/results/notes.md"]);
    assert_eq!(status.out.matches("results/").count(), 1, "{status:?}");
}

#[test]
fn runs_have_relative_names() {
    let workspace = workspace(&["evals/a.evals.json"]);
    workspace.agent("print('{\"response\": \"no\"}')", "");
    workspace.edit("eval-ls.toml", "target = \"agent\"\n", "");
    workspace.write(".git/HEAD", "ref: refs/heads/main\n");
    for arguments in [&["run", "--target", "agent"][..], &["run"], &["run"], &["run", "--target", "agent"]] {
        workspace.run(arguments);
    }
    let listed = workspace.runs();
    let id = |index: usize| listed[index]["id"].as_str().unwrap().to_owned();
    // The page of a run names it.
    let named = |name: &str| workspace.run(&["compare", name, "target:agent", "--format", "json"]);
    for (name, index) in
        [("latest~1", 1), ("latest~2", 2), ("target:agent~1", 3), ("target:replay", 1), ("branch:main~1", 1)]
    {
        let ran = named(name);
        assert!(ran.out.contains(&id(index)), "{ran:?}");
    }
    for (name, fault) in [
        ("latest~4", "there is no run `latest~4`: 4 such runs are kept; `eval-ls runs` lists the runs"),
        ("target:agent~2", "there is no run `target:agent~2`: 2 such runs are kept"),
        ("latest~x", "there is no run `latest~x`"),
        ("target:other", "no kept run has the target `other`; `eval-ls runs` lists the runs"),
        ("branch:other", "no kept run has the branch `other`"),
    ] {
        named(name).complains(4, [fault]);
    }
}
