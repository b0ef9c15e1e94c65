//! Kept runs, configurations and repositories that came with the files of somebody else.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::support::{Workspace, without_lines};

const PASSING: (&str, Option<&str>) = (r#"{ "must_say_any": ["yes"] }"#, Some("yes"));

/// A clone with a suite, its transcript and one kept run. Nothing outside of `clone` may change.
struct Clone {
    outer: tempfile::TempDir,
    workspace: Workspace,
    /// The run's folder.
    run: PathBuf,
}

impl Clone {
    fn new() -> Clone {
        let workspace = Workspace::new();
        workspace.write("eval-ls.toml", "");
        workspace.suite(&[PASSING]);
        assert_eq!(workspace.run(&["run"]).status, 0);
        let runs = workspace.path().join("results/runs");
        let run = runs.join(fs::read_link(runs.join("latest")).unwrap());
        // A forged run has no hash of its lines.
        without_lines(&run);
        Clone { outer: tempfile::tempdir().unwrap(), workspace, run }
    }

    /// A file outside of the clone.
    fn victim(&self, name: &str) -> PathBuf {
        let path = self.outer.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        path
    }

    fn edit(&self, name: &str, edit: impl FnOnce(&mut Value)) {
        let path = self.run.join(name);
        let mut value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        edit(&mut value);
        fs::write(path, format!("{value}\n")).unwrap();
    }

    /// Makes the run look interrupted, so that `--resume` continues it.
    fn interrupt(&self) {
        self.edit("run.json", |record| {
            record["ended_at"] = Value::Null;
            // The line of the case does not count, so the case runs again.
            record["suites"][0]["cases"][0]["hash"] = "other".into();
        });
    }

    fn link(&self, name: &str, to: &Path) {
        let path = self.run.join(name);
        let _ = fs::remove_file(&path);
        let _ = fs::remove_dir_all(&path);
        symlink(to, path).unwrap();
    }

    /// The text of all files in the clone that a page or a report may be, and all output of the program.
    fn shown(&self, arguments: &[&str]) -> String {
        let ran = self.workspace.run(arguments);
        let page = fs::read_to_string(self.workspace.path().join("page.html")).unwrap_or_default();
        format!("{}{}{page}", ran.out, ran.err)
    }
}

#[test]
fn an_id_in_a_record_removes_no_folder() {
    for id in ["../../src", "..", "src", ".", "/etc", "20200101T000000Z-00000g"] {
        let clone = Clone::new();
        clone.workspace.write("eval-ls.toml", "[run]\nkeep = \"1 runs\"\n");
        let mine = clone.workspace.write("src/mine.py", "work");
        let old = clone.run.with_file_name("20200101T000000Z-000000");
        fs::create_dir_all(old.with_file_name(".gone-../.keep")).unwrap();
        fs::create_dir(&old).unwrap();
        let record = fs::read_to_string(clone.run.join("run.json")).unwrap();
        let mut record: Value = serde_json::from_str(&record).unwrap();
        record["id"] = id.into();
        record["started_at"] = "2020-01-01T00:00:00Z".into();
        for path in [old.join("run.json"), clone.workspace.path().join("src/run.json")] {
            fs::write(path, record.to_string()).unwrap();
        }
        for arguments in [&["run"][..], &["runs", "gc"], &["runs", "rm", id], &["runs", "rm", "src"]] {
            clone.workspace.run(arguments);
            assert!(mine.is_file(), "{id}: {arguments:?}");
        }
        let listed = clone.workspace.run(&["runs"]);
        assert!(!listed.out.contains("2020"), "a record of another folder is not a run: {}", listed.out);
    }
}

#[test]
fn resuming_a_run_writes_through_no_link() {
    for name in ["cases.jsonl", "answers", "pictures"] {
        let clone = Clone::new();
        clone.interrupt();
        let victim = match name {
            "pictures" => clone.victim("folder/picture").parent().unwrap().to_owned(),
            _ => clone.victim("profile"),
        };
        clone.link(name, &victim);
        let ran = clone.workspace.run(&["run", "--resume"]);
        let text = if victim.is_dir() { victim.join("picture") } else { victim.clone() };
        assert_eq!(fs::read_to_string(text).unwrap(), "mine", "{name}");
        let others = fs::read_dir(clone.outer.path()).unwrap().count();
        assert_eq!(others, 1, "{name}");
        let refused = "it is a link, and links are not followed here";
        assert!(ran.status == 3 && ran.err.contains(refused), "{name}: {}", ran.err);
    }
}

#[test]
fn resuming_a_run_writes_into_no_file_with_another_name() {
    for name in ["cases.jsonl", "answers"] {
        let clone = Clone::new();
        clone.interrupt();
        let victim = clone.victim("profile");
        let path = clone.run.join(name);
        fs::remove_file(&path).unwrap();
        fs::hard_link(&victim, &path).unwrap();
        let ran = clone.workspace.run(&["run", "--resume"]);
        assert!(ran.status == 3 && ran.err.contains("it has several names (hard links)"), "{name}: {}", ran.err);
        assert_eq!(fs::read_to_string(victim).unwrap(), "mine", "{name}");
    }
}

#[test]
fn no_command_shows_what_a_link_in_a_run_points_at() {
    // A file outside of the clone, and one in it.
    for inside in [false, true] {
        let clone = Clone::new();
        let png = b"\x89PNG\r\n\x1a\nSECRET";
        let (text, picture) = match inside {
            true => (clone.workspace.write(".env", "SECRET"), clone.workspace.write("own.png", "")),
            false => (clone.victim("secret"), clone.victim("own.png")),
        };
        fs::write(&text, "{\"format\": \"eval-ls/answer@1\", \"response\": \"SECRET\"}").unwrap();
        fs::write(&picture, png).unwrap();
        let line = fs::read_to_string(clone.run.join("cases.jsonl")).unwrap();
        let mut line: Value = serde_json::from_str(&line).unwrap();
        line["picture"] = "pictures/x.png".into();
        line["answer"] = json!({ "sha256": "x", "start": 0, "length": 60 });
        fs::write(clone.run.join("cases.jsonl"), format!("{line}\n")).unwrap();
        let secret_in_base64 = "NFQ1JFV";
        for (name, to) in [("pictures/x.png", &picture), ("pictures/x.png", &text), ("answers", &text)] {
            clone.link(name, to);
            for arguments in [
                &["report", "--html=page.html"][..],
                &["run", "--answers-of", "latest", "--no-results"],
                &["accept", "--yes"],
            ] {
                let shown = clone.shown(arguments);
                assert!(
                    !shown.contains("SECRET") && !shown.contains(secret_in_base64),
                    "{name}: {arguments:?}: {shown}"
                );
            }
        }
        // A copy of the file is not a link, but text is not a picture.
        fs::remove_file(clone.run.join("pictures/x.png")).unwrap();
        fs::write(clone.run.join("pictures/x.png"), "SECRET SECRET").unwrap();
        let shown = clone.shown(&["report", "--html=page.html"]);
        assert!(!shown.contains("image/png;base64"), "{shown}");
    }
}

#[test]
fn merging_shards_copies_nothing_through_a_link() {
    let clone = Clone::new();
    let shard = Workspace::new();
    shard.write("eval-ls.toml", "");
    shard.suite(&[PASSING]);
    assert_eq!(shard.run(&["run", "--shard=1/1"]).status, 0);
    let runs = shard.path().join("results/runs");
    let run = runs.join(fs::read_link(runs.join("latest")).unwrap());
    let path = run.join("cases.jsonl");
    let mut line: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    line["picture"] = "pictures/x.png".into();
    fs::write(&path, format!("{line}\n")).unwrap();
    without_lines(&run);
    let secret = clone.victim("secret.png");
    fs::write(&secret, b"\x89PNG\r\n\x1a\nSECRET").unwrap();
    symlink(&secret, run.join("pictures/x.png")).unwrap();
    let ran = clone.workspace.run(&["merge", run.to_str().unwrap(), "--report=html=page.html"]);
    let copies = clone.workspace.files().into_iter().filter(|(_, bytes)| {
        let text = String::from_utf8_lossy(bytes);
        text.contains("SECRET") || text.contains("NFQ1JFV")
    });
    assert_eq!((ran.status, copies.count()), (0, 0), "{}", ran.err);
}

#[test]
fn a_path_in_a_record_leads_to_no_suite_outside() {
    let clone = Clone::new();
    let suite = fs::read_to_string(clone.workspace.path().join("s.evals.json")).unwrap();
    let victim = clone.victim("p.evals.json");
    fs::write(&victim, suite).unwrap();
    let fifo = clone.workspace.path().join("fifo.evals.json");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    for (path, reason) in
        [(victim.to_str().unwrap(), "is outside of the workspace"), ("fifo.evals.json", "is not a regular file")]
    {
        clone.edit("run.json", |record| {
            record["suites"][0]["path"] = path.into();
            record["ended_at"] = "2026-01-01T00:00:00Z".into();
        });
        for arguments in
            [&["baseline", "accept"][..], &["run", "--answers-of", "latest", "--no-results"], &["accept", "--yes"]]
        {
            let ran = clone.workspace.run(arguments);
            assert!(ran.status == 3 && ran.err.contains(reason), "{arguments:?}: {}", ran.err);
        }
        clone.interrupt();
        let ran = clone.workspace.run(&["run", "--resume"]);
        assert!(ran.status == 3 && ran.err.contains(reason), "{}", ran.err);
    }
    let left: Vec<_> = fs::read_dir(clone.outer.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["p.evals.json"]);
}

#[test]
fn a_picture_that_does_not_fit_is_not_read() {
    let clone = Clone::new();
    let line = fs::read_to_string(clone.run.join("cases.jsonl")).unwrap();
    let mut line: Value = serde_json::from_str(&line).unwrap();
    line["picture"] = "pictures/x.png".into();
    fs::write(clone.run.join("cases.jsonl"), format!("{line}\n")).unwrap();
    let picture = fs::File::create(clone.run.join("pictures/x.png")).unwrap();
    // More than the address space of the program below.
    picture.set_len(1 << 40).unwrap();
    let shown = clone.shown(&["report", "--html=page.html"]);
    assert!(shown.contains("pictures/x.png") && !shown.contains("image/png;base64"));
}

#[test]
fn runs_at_once_do_not_remove_a_run_that_is_still_read() {
    let workspace = Workspace::new();
    workspace.write("eval-ls.toml", "[run]\nkeep = \"1 runs\"\n");
    workspace.suite(&[PASSING]);
    for round in 0..5 {
        let page = |number: usize| format!("--report=html=page-{number}.html");
        let started: Vec<_> = (0..6)
            .map(|number| {
                workspace.command(&["run", &page(number)]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
            })
            .collect();
        for child in started {
            let ran = child.wait_with_output().unwrap();
            assert_eq!(ran.status.code(), Some(0), "{round}: {}", String::from_utf8_lossy(&ran.stderr));
        }
    }
}

#[test]
fn a_configuration_that_everybody_can_write_starts_nothing() {
    let workspace = Workspace::new();
    workspace.suite(&[PASSING]);
    workspace.agent("open('owned', 'w'); print('{\"response\": \"yes\"}')", "");
    let config = workspace.path().join("eval-ls.toml");
    fs::set_permissions(&config, fs::Permissions::from_mode(0o666)).unwrap();
    for arguments in [&["run"][..], &["record"], &["run", "s.evals.json"]] {
        let ran = workspace.run(arguments);
        assert!(
            ran.status == 2 && ran.err.contains("can be written by everybody, so no target of it is started"),
            "{}",
            ran.err
        );
    }
    assert!(!workspace.path().join("owned").exists());
    // It may decide about stored answers, and who names it has chosen it.
    assert_eq!(workspace.run(&["run", "--target=replay"]).status, 0);
    assert_eq!(workspace.run(&["run", "--config=eval-ls.toml"]).status, 0);
    assert!(workspace.path().join("owned").exists());
}

#[test]
fn a_configuration_above_the_repository_does_not_apply() {
    let workspace = Workspace::new();
    workspace.agent("print('{\"response\": \"yes\"}')", "");
    let inner = workspace.path().join("clone/evals");
    fs::create_dir_all(&inner).unwrap();
    workspace.suite(&[PASSING]);
    fs::rename(workspace.path().join("s.evals.json"), inner.join("s.evals.json")).unwrap();
    let run = |arguments: &[&str]| {
        let ran = workspace.command(arguments).current_dir(&inner).output().unwrap();
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    // Without a repository, it applies, and the run shows its path.
    let (status, said) = run(&["run"]);
    let path = workspace.path().join("eval-ls.toml");
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains(&format!("the configuration is `{}`", path.display())), "{said}");
    let git = Command::new("git").args(["init", "--quiet"]).current_dir(workspace.path().join("clone")).status();
    assert!(git.unwrap().success());
    let (status, said) = run(&["run"]);
    assert!(status == Some(4) || !said.contains("the configuration is"), "{status:?} {said}");
    assert!(said.contains("replay") || status != Some(0), "the target of the configuration above is not used: {said}");
}

#[test]
fn a_replay_starts_no_program_of_the_repository() {
    let workspace = Workspace::new();
    workspace.write("evals/eval-ls.toml", "");
    workspace.suite(&[PASSING]);
    for name in ["s.evals.json", "transcripts"] {
        fs::rename(workspace.path().join(name), workspace.path().join("evals").join(name)).unwrap();
    }
    let owned = workspace.path().join("owned");
    let git = |folder: &Path, arguments: &[&str]| {
        let identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"];
        let mut command = Command::new("git");
        command.args(identity).args(arguments).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(command.output().unwrap().status.success(), "{arguments:?}");
    };
    // The folder has the files of a second repository, and both have a filter.
    let filter = format!("touch {}; cat", owned.display());
    let inner = workspace.path().join("evals");
    git(workspace.path(), &["init", "--quiet", "--initial-branch=main"]);
    git(workspace.path(), &["add", "--all"]);
    git(workspace.path(), &["commit", "--quiet", "--message=one"]);
    git(workspace.path(), &["config", "filter.x.clean", &filter]);
    git(&inner, &["init", "--quiet", "--bare", "."]);
    for (key, value) in [("core.bare", "false"), ("core.worktree", "."), ("filter.x.clean", &filter)] {
        git(&inner, &["config", "--file", "config", key, value]);
    }
    workspace.write(".gitattributes", "* filter=x\n");
    workspace.write("evals/.gitattributes", "* filter=x\n");
    let run = |arguments: &[&str]| workspace.command(arguments).current_dir(&inner).output().unwrap();
    for arguments in [&["run"][..], &["runs"], &["check"]] {
        run(arguments);
        assert!(!owned.exists(), "{arguments:?}");
    }
    let runs = inner.join("results/runs");
    let latest = runs.join(fs::read_link(runs.join("latest")).unwrap());
    let record: Value = serde_json::from_str(&fs::read_to_string(latest.join("run.json")).unwrap()).unwrap();
    assert_eq!(record["git"]["branch"], "main");
    assert_eq!(record["git"]["commit"].as_str().map(str::len), Some(40));
}

#[test]
fn a_transcript_is_not_read_through_a_link() {
    let workspace = Workspace::new();
    workspace.suite(&[PASSING]);
    let transcript = workspace.path().join("transcripts/s.evals/C0.json");
    fs::rename(&transcript, workspace.path().join("elsewhere.json")).unwrap();
    symlink("../../elsewhere.json", &transcript).unwrap();
    let ran = workspace.run(&["run"]);
    assert!(ran.status != 0 && ran.out.contains("it is a link, and links are not followed here"), "{}", ran.out);
}

#[test]
fn a_file_with_the_name_of_a_run_is_not_the_run() {
    let clone = Clone::new();
    let forged = r#"{"eval_file": "s.evals.json", "cases": [{"id": "C0", "prompt": "p0", "status": "FAIL"}]}"#;
    let id = clone.run.file_name().unwrap().to_str().unwrap().to_owned();
    for name in ["latest", "branch:main", &id] {
        clone.workspace.write(name, forged);
        let ran = clone.workspace.run(&["run", &format!("--failed={name}")]);
        assert!([0, 4].contains(&ran.status) && !ran.out.contains("C0"), "{name}: {}{}", ran.out, ran.err);
    }
}

#[test]
fn no_run_of_another_project_is_read_or_removed() {
    let victim = Clone::new();
    let results = victim.workspace.path().join("results");
    let count = || fs::read_dir(results.join("runs")).unwrap().count();
    victim.workspace.run(&["run"]);
    victim.workspace.run(&["run"]);
    let before = count();
    let clone = Clone::new();
    let own = clone.workspace.path().join("results");
    let keep = |results: &Path| format!("[run]\nkeep = \"1 runs\"\nresults = {:?}\n", results.to_str().unwrap());
    for link in [true, false] {
        if link {
            fs::remove_dir_all(&own).unwrap();
            symlink(&results, &own).unwrap();
            clone.workspace.write("eval-ls.toml", &keep(Path::new("results")));
            let listed = clone.workspace.run(&["runs"]);
            assert!(listed.out.is_empty(), "{}", listed.out);
        } else {
            clone.workspace.write("eval-ls.toml", &keep(&results));
        }
        let ran = clone.workspace.run(&["runs", "gc"]);
        assert!(link || ran.err.contains("is outside of the workspace, so no run is removed there"), "{}", ran.err);
        clone.workspace.run(&["runs", "rm", "latest"]);
        assert_eq!(count(), before, "link: {link}");
    }
}

#[test]
fn a_link_out_of_the_repository_shows_no_line_of_a_file() {
    let clone = Clone::new();
    let (suite, config) = (clone.victim("s.json"), clone.victim("s.toml"));
    fs::write(&suite, "{\"version\": \"0.2.0\", \"cases\": [{\"id\": \"SECRET\", \"x\": [").unwrap();
    fs::write(&config, "a b SECRET").unwrap();
    symlink(&suite, clone.workspace.path().join("x.evals.json")).unwrap();
    for arguments in [&["check"][..], &["run"], &["list"]] {
        let shown = clone.shown(arguments);
        let said = "`x.evals.json` is a link to a file outside of the workspace; to read that file, name it";
        assert!(!shown.contains("SECRET") && shown.contains(said), "{arguments:?}: {shown}");
    }
    fs::remove_file(clone.workspace.path().join("eval-ls.toml")).unwrap();
    symlink(&config, clone.workspace.path().join("eval-ls.toml")).unwrap();
    assert!(!clone.shown(&["list"]).contains("SECRET"));
    for arguments in [&["check"][..], &["run"]] {
        let shown = clone.shown(arguments);
        assert!(!shown.contains("SECRET") && shown.contains("a link that leads out of its workspace"), "{shown}");
    }
}

#[test]
fn an_answer_is_accepted_into_no_linked_folder() {
    let clone = Clone::new();
    let transcripts = clone.workspace.path().join("transcripts/s.evals");
    fs::remove_dir_all(&transcripts).unwrap();
    symlink("../own", &transcripts).unwrap();
    let mine = clone.workspace.write("own/C0.json", "mine");
    let ran = clone.workspace.run(&["accept", "--yes"]);
    assert!(ran.err.contains("its folder is a link"), "{}", ran.err);
    assert_eq!(fs::read_to_string(mine).unwrap(), "mine");
    let ran = clone.workspace.run(&["run"]);
    assert!(ran.status != 0 && ran.out.contains("its folder is a link"), "{}", ran.out);
}

#[test]
fn shards_with_impossible_numbers_are_refused() {
    let (workspace, results) = (Workspace::new(), tempfile::tempdir().unwrap());
    workspace.write("eval-ls.toml", "");
    workspace.suite(&[PASSING]);
    let folder = results.path().to_str().unwrap();
    assert_eq!(workspace.run(&["run", "--shard=1/1", "--results", folder]).status, 0);
    let runs = results.path().join("runs");
    let path = runs.join(fs::read_link(runs.join("latest")).unwrap()).join("run.json");
    let record: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    for (key, number, refused) in
        [("count", u64::MAX, true), ("count", 0, true), ("index", 2, true), ("jobs", u64::MAX, false)]
    {
        let mut record = record.clone();
        record["shard"][key] = number.into();
        fs::write(&path, record.to_string()).unwrap();
        let ran = workspace.run(&["merge", folder, "--no-results"]);
        assert_eq!(ran.err.contains("has impossible numbers"), refused, "{key} {number}: {}", ran.err);
        assert!(matches!(ran.status, 0..=5), "{key} {number}: {}", ran.status);
    }
}

#[test]
fn a_line_with_two_statuses_is_refused() {
    let clone = Clone::new();
    let path = clone.run.join("cases.jsonl");
    let mut line: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    line["status"] = "FAIL".into();
    fs::write(&path, format!("{line}\n")).unwrap();
    for arguments in [
        &["runs", "*"][..],
        &["baseline", "accept"],
        &["report", "--html=page.html"],
        &["run", "--answers-of", "latest", "--no-results"],
    ] {
        let ran = clone.workspace.run(arguments);
        assert!(ran.status != 0 && ran.err.contains("the line of the case `C0` has two statuses"), "{}", ran.err);
    }
}

#[test]
fn a_folder_in_place_of_the_latest_run_is_reported_before_any_case() {
    let clone = Clone::new();
    let runs = clone.run.parent().unwrap();
    fs::remove_file(runs.join("latest")).unwrap();
    fs::create_dir_all(runs.join("latest/x")).unwrap();
    let before = fs::read_dir(runs).unwrap().count();
    let ran = clone.workspace.run(&["run"]);
    assert!(ran.status == 3 && ran.err.contains("cannot replace"), "{}", ran.err);
    assert_eq!(fs::read_dir(runs).unwrap().count(), before, "no interrupted run is left");
}
