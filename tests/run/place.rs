//! The one place of results: the folder of `eval-ls.toml`, or the common folder of the suites.

use std::path::Path;

use serde_json::Value;

use crate::run::support::{Ran, Workspace};

const SUITE: &str = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["yes"] } } ] }"#;

/// A workspace with these suites, in each of which the case `A` has the stored answer `yes`.
fn workspace(suites: &[&str]) -> Workspace {
    let workspace = Workspace::new();
    for suite in suites {
        workspace.write(suite, SUITE);
        let path = Path::new(suite);
        let (folder, name) = (path.parent().unwrap(), path.file_stem().unwrap().to_str().unwrap());
        let answer = r#"{ "format": "eval-ls/transcript@1", "case": "A", "response": "yes" }"#;
        workspace.write(&format!("{}/transcripts/{name}/A.json", folder.display()), answer);
    }
    workspace
}

/// Runs the program in a folder of the workspace.
fn run_in(workspace: &Workspace, folder: &str, arguments: &[&str]) -> Ran {
    let output = workspace.command(arguments).current_dir(workspace.path().join(folder)).output();
    Ran::from(output.unwrap())
}

/// The files in a folder that are not those of runs.
fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}

#[test]
fn without_a_configuration_every_command_finds_the_run() {
    for is_repository in [true, false] {
        let workspace = workspace(&["evals/a.evals.json"]);
        if is_repository {
            workspace.write(".git/HEAD", "ref: refs/heads/main\n");
        }
        let folders: &[&str] = if is_repository { &["", "evals", "docs"] } else { &["", "evals"] };
        std::fs::create_dir(workspace.path().join("docs")).unwrap();
        for folder in folders {
            let suite = if *folder == "evals" { "a.evals.json" } else { "../evals/a.evals.json" };
            let suite = if folder.is_empty() { "evals/a.evals.json" } else { suite };
            let ran = run_in(&workspace, folder, &["run", suite]);
            assert_eq!(ran.status, 0, "{}", ran.err);
        }
        assert!(!workspace.path().join("results").exists() && !workspace.path().join("docs/results").exists());
        for folder in folders {
            for arguments in [
                &["runs"][..],
                &["runs", "A"],
                &["run", "--answers-of", "latest", "--no-results"],
                &["report", "--html", "-"],
                &["compare", "latest~1", "latest"],
                &["accept", "A"],
                &["baseline", "accept"],
                &["list", "--failed", "."],
            ] {
                let ran = run_in(&workspace, folder, arguments);
                let is_list_elsewhere = arguments[0] == "list" && *folder == "docs";
                assert!(ran.status == 0 || is_list_elsewhere, "{folder} {arguments:?}: {}{}", ran.out, ran.err);
            }
            let listed: Value =
                serde_json::from_str(&run_in(&workspace, folder, &["runs", "--format", "json"]).out).unwrap();
            assert_eq!(listed.as_array().unwrap().len(), folders.len(), "{folder}");
        }
    }
}

#[test]
fn suites_in_several_folders_are_one_run_in_their_common_folder() {
    let workspace = workspace(&[".claude/evals/a.json", ".claude/evals/deep/evals/b.json"]);
    let ran = workspace.run(&["run"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    let results = workspace.path().join(".claude/evals/results");
    let names = names(&results);
    assert_eq!(names.iter().filter(|name| name.starts_with("minimum-eval-results-")).count(), 4, "{names:?}");
    assert!(names.contains(&".gitignore".to_owned()) && names.contains(&"runs".to_owned()), "{names:?}");
    let runs: Vec<Value> = serde_json::from_str(&workspace.run(&["runs", "--format", "json"]).out).unwrap();
    assert_eq!((runs.len(), runs[0]["suites"].as_array().unwrap().len()), (1, 2));
    assert!(!workspace.path().join(".claude/evals/deep/evals/results").exists());
}

#[test]
fn result_files_go_with_their_run() {
    let workspace = workspace(&["evals/a.evals.json"]);
    workspace.write("eval-ls.toml", "[run]\nkeep = \"2 runs\"\n");
    let results = workspace.path().join("results");
    let files = || names(&results).into_iter().filter(|name| name.starts_with("minimum-eval-results-")).count();
    for run in 1..=4 {
        assert_eq!(workspace.run(&["run"]).status, 0);
        assert_eq!(files(), 2 * run.min(2));
    }
    // What is not of this run stays, whatever its record says.
    workspace.write("results/minimum-eval-results-notes.md", "mine");
    workspace.write("results/notes.md", "mine");
    let record = results.join("runs/latest/run.json");
    let mut run: Value = serde_json::from_slice(&std::fs::read(&record).unwrap()).unwrap();
    let own = run["results"].as_array().unwrap().len();
    let mine = ["notes.md", "minimum-eval-results-notes.md", "../evals/a.evals.json", "/etc/hostname", ""];
    run["results"].as_array_mut().unwrap().extend(mine.map(Value::from));
    std::fs::write(&record, run.to_string()).unwrap();
    let ran = workspace.run(&["runs", "rm", "latest"]);
    assert_eq!((own, ran.status, files()), (2, 0, 3), "{}", ran.err);
    assert!(results.join("notes.md").exists() && workspace.path().join("evals/a.evals.json").exists());
}

#[test]
fn answers_stay_out_of_git_and_other_files_do_not() {
    let workspace = workspace(&["api/evals/a.evals.json"]);
    workspace.write("api/evals/results/notes.md", "mine");
    let git = |arguments: &[&str]| {
        let output = std::process::Command::new("git").args(arguments).current_dir(workspace.path()).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    git(&["init", "-q"]);
    assert_eq!(workspace.run(&["run"]).status, 0);
    let status = git(&["status", "--porcelain", "--untracked-files=all"]);
    assert!(status.contains("api/evals/results/notes.md"), "{status}");
    assert_eq!(status.matches("results/").count(), 1, "{status}");
}

#[test]
fn runs_have_relative_names() {
    let workspace = workspace(&["evals/a.evals.json"]);
    let config = "[targets.agent]\nkind = \"command\"\ncommand = [\"python3\", \"agent.py\"]\n";
    workspace.write("eval-ls.toml", config);
    workspace.write(
        "agent.py",
        "import json, sys\nfor line in sys.stdin:\n    print(json.dumps({'response': 'no'}), flush=True)\n",
    );
    workspace.write(".git/HEAD", "ref: refs/heads/main\n");
    for arguments in [
        &["run", "--target", "agent"][..],
        &["run", "--label", "v=1"],
        &["run", "--label", "v=2"],
        &["run", "--target", "agent", "--label", "v=1"],
    ] {
        workspace.run(arguments);
    }
    let listed: Value = serde_json::from_str(&workspace.run(&["runs", "--format", "json"]).out).unwrap();
    let id = |index: usize| listed[index]["id"].as_str().unwrap().to_owned();
    // The page of a run names it.
    let named = |name: &str| workspace.run(&["compare", name, "target:agent", "--format", "json"]);
    for (name, index) in [
        ("latest~1", 1),
        ("latest~2", 2),
        ("target:agent~1", 3),
        ("target:replay", 1),
        ("label:v=1~1", 2),
        ("label:v=2", 1),
        ("branch:main~1", 1),
    ] {
        let ran = named(name);
        assert!(ran.out.contains(&id(index)), "{name}: {}{}", ran.out, ran.err);
    }
    for (name, fault) in [
        ("latest~4", "there is no run `latest~4`: 4 such runs are kept; `eval-ls runs` lists the runs"),
        ("target:agent~2", "there is no run `target:agent~2`: 2 such runs are kept"),
        ("label:v=2~1", "there is no run `label:v=2~1`: 1 such run is kept"),
        ("latest~x", "there is no run `latest~x`"),
        ("target:other", "no kept run has the target `other`; `eval-ls runs` lists the runs"),
        ("label:v", "no kept run has the label `v`"),
        ("branch:other", "no kept run has the branch `other`"),
    ] {
        let ran = named(name);
        assert_eq!(ran.status, 4, "{name}");
        assert!(ran.err.contains(fault), "{name}: {}", ran.err);
    }
}
