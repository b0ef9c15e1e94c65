//! Kept runs, configurations and repositories that came with the files of somebody else.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{edit_json, without_lines};
use crate::support::{Folder, Ran};

const RUN: &str = "results/runs/latest";
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nSECRET";

/// A clone with a suite, its transcript and one kept run. Nothing outside of it may change.
fn cloned() -> Folder {
    let clone = Folder::stored(&["yes"]);
    clone.write("eval-ls.toml", "");
    clone.run(&["run"]).ends(0);
    // A forged run has no hash of its lines.
    without_lines(&clone.join(RUN));
    clone
}

fn edit(clone: &Folder, name: &str, edit: impl FnOnce(&mut Value)) {
    edit_json(&clone.join(RUN).join(name), edit);
}

/// Makes the run look interrupted, so that `--resume` continues it.
fn interrupt(clone: &Folder) {
    edit(clone, "run.json", |record| {
        record["ended_at"] = Value::Null;
        // The line of the case does not count, so the case runs again.
        record["suites"][0]["cases"][0]["hash"] = "other".into();
    });
}

/// Puts a link in the place of a file or folder of the run.
fn link(clone: &Folder, name: &str, to: &Path) {
    let path = clone.join(RUN).join(name);
    let _ = fs::remove_file(&path);
    let _ = fs::remove_dir_all(&path);
    symlink(to, path).unwrap();
}

/// The page that a command may write, and all output of the program.
fn shown(clone: &Folder, arguments: &[&str]) -> String {
    let ran = clone.run(arguments);
    let page = fs::read_to_string(clone.join("page.html")).unwrap_or_default();
    format!("{}{}{page}", ran.out, ran.err)
}

#[test]
fn an_id_in_a_record_removes_no_folder() {
    for id in ["../../src", "..", "src", ".", "/etc", "20200101T000000Z-00000g"] {
        let clone = cloned();
        clone.write("eval-ls.toml", "[run]\nkeep = \"1 runs\"\n");
        let mine = clone.write("src/mine.py", "work");
        fs::create_dir_all(clone.join("results/runs/.gone-../.keep")).unwrap();
        for folder in ["results/runs/20200101T000000Z-000000", "src"] {
            let path = clone.write(format!("{folder}/run.json"), clone.read(format!("{RUN}/run.json")));
            edit_json(&path, |record| {
                record["id"] = id.into();
                record["started_at"] = "2020-01-01T00:00:00Z".into();
            });
        }
        for arguments in [&["run"][..], &["runs", "rm", id], &["runs", "rm", "src"]] {
            clone.run(arguments);
            assert!(mine.is_file(), "{id}: {arguments:?}");
        }
        let listed = clone.run(&["runs"]);
        assert!(!listed.out.contains("2020"), "a record of another folder is not a run: {listed:?}");
    }
}

#[test]
fn resuming_a_run_writes_through_no_link_and_into_no_file_with_another_name() {
    let (link_fault, name_fault) =
        ("it is a link, and links are not followed here", "it has several names (hard links)");
    for (name, fault) in [
        ("cases.jsonl", link_fault),
        ("answers", link_fault),
        ("pictures", link_fault),
        ("cases.jsonl", name_fault),
        ("answers", name_fault),
    ] {
        let (clone, outside) = (cloned(), Folder::new());
        interrupt(&clone);
        let victim = outside.write(if name == "pictures" { "folder/picture" } else { "profile" }, "mine");
        link(&clone, name, if name == "pictures" { victim.parent().unwrap() } else { &victim });
        if fault == name_fault {
            let path = clone.join(RUN).join(name);
            fs::remove_file(&path).and_then(|()| fs::hard_link(&victim, &path)).unwrap();
        }
        clone.run(&["run", "--resume"]).complains(3, [fault]);
        assert_eq!(outside.files().into_values().collect::<Vec<_>>(), [b"mine"], "{name}");
    }
}

#[test]
fn no_command_shows_what_a_link_in_a_run_points_at() {
    // A file outside of the clone, and one in it.
    for is_inside in [false, true] {
        let (clone, outside) = (cloned(), Folder::new());
        let place = if is_inside { &clone } else { &outside };
        let text = place.write("secret", "{\"format\": \"eval-ls/answer@1\", \"response\": \"SECRET\"}");
        let picture = place.write("own.png", PNG);
        edit(&clone, "cases.jsonl", |line| {
            line["picture"] = "pictures/x.png".into();
            line["answer"] = json!({ "sha256": "x", "start": 0, "length": 60 });
        });
        let secret_in_base64 = "NFQ1JFV";
        for (name, to) in [("pictures/x.png", &picture), ("pictures/x.png", &text), ("answers", &text)] {
            link(&clone, name, to);
            for arguments in [
                &["report", "--html=page.html"][..],
                &["run", "--answers-of", "latest", "--no-results"],
                &["accept", "--yes"],
            ] {
                let shown = shown(&clone, arguments);
                let is_shown = shown.contains("SECRET") || shown.contains(secret_in_base64);
                assert!(!is_shown, "{name}: {arguments:?}: {shown}");
            }
        }
        // A copy of the file is not a link, but text is not a picture.
        clone.remove("results/runs/latest/pictures/x.png");
        clone.write("results/runs/latest/pictures/x.png", "SECRET SECRET");
        let shown = shown(&clone, &["report", "--html=page.html"]);
        assert!(!shown.contains("image/png;base64"), "{shown}");
    }
}

#[test]
fn a_folder_to_compare_with_is_no_way_to_another_file() {
    let (clone, outside) = (cloned(), Folder::new());
    let secret = outside.write("secret", "SECRET");
    for name in ["run.json", "cases.jsonl"] {
        let place = clone.join("known").join(name);
        let restore = || {
            fs::remove_dir_all(clone.join("known")).unwrap_or_default();
            for name in ["run.json", "cases.jsonl"] {
                clone.write(format!("known/{name}"), clone.read(format!("{RUN}/{name}")));
            }
            edit_json(&clone.join("known/run.json"), |record| record["id"] = "20200101T000000Z-000000".into());
        };
        restore();
        clone.run(&["compare", "known"]).prints(0, ["unchanged (1)"]);
        type Change<'a> = (&'a dyn Fn(), &'a str);
        let changes: [Change<'_>; 3] = [
            (&|| symlink(&secret, &place).unwrap(), "known"),
            (&|| clone.pipe(&format!("known/{name}")), "known"),
            (&|| fs::File::create(&place).unwrap().set_len(1 << 40).unwrap(), "larger than 1024 MiB"),
        ];
        for (change, said) in changes {
            restore();
            fs::remove_file(&place).unwrap();
            change();
            let ran = clone.run(&["compare", "known"]);
            assert!([3, 4].contains(&ran.status) && ran.err.contains(said), "{name}: {ran:?}");
            assert!(!ran.err.contains("SECRET") && ran.err.len() < 1000, "{name}: {ran:?}");
        }
    }
}

#[test]
fn a_path_in_a_record_leads_to_no_suite_outside() {
    let (clone, outside) = (cloned(), Folder::new());
    let victim = outside.write("p.evals.json", clone.read("s.evals.json"));
    clone.pipe("fifo.evals.json");
    for (path, reason) in
        [(victim.to_str().unwrap(), "is outside of the workspace"), ("fifo.evals.json", "is not a regular file")]
    {
        edit(&clone, "run.json", |record| {
            record["suites"][0]["path"] = path.into();
            record["ended_at"] = "2026-01-01T00:00:00Z".into();
        });
        for arguments in [&["run", "--answers-of", "latest", "--no-results"][..], &["accept", "--yes"]] {
            clone.run(arguments).complains(3, [reason]);
        }
        interrupt(&clone);
        clone.run(&["run", "--resume"]).complains(3, [reason]);
    }
    assert_eq!(outside.files().len(), 1);
}

#[test]
fn a_picture_that_does_not_fit_is_not_read() {
    let clone = cloned();
    edit(&clone, "cases.jsonl", |line| line["picture"] = "pictures/x.png".into());
    let picture = fs::File::create(clone.join(RUN).join("pictures/x.png")).unwrap();
    // More than the address space of the program below.
    picture.set_len(1 << 40).unwrap();
    let shown = shown(&clone, &["report", "--html=page.html"]);
    assert!(shown.contains("pictures/x.png") && !shown.contains("image/png;base64"));
}

#[test]
fn runs_at_once_do_not_remove_a_run_that_is_still_read() {
    let workspace = Folder::stored(&["yes"]);
    workspace.write("eval-ls.toml", "[run]\nkeep = \"1 runs\"\n");
    for _ in 0..5 {
        let start = |number: usize| {
            let mut command = workspace.command(&["run", &format!("--report=html=page-{number}.html")]);
            command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        for child in (0..6).map(start).collect::<Vec<_>>() {
            Ran::from(child.wait_with_output().unwrap()).ends(0);
        }
    }
}

#[test]
fn a_configuration_that_everybody_can_write_starts_nothing() {
    let workspace = Folder::of_program(1, "open('owned', 'w'); print('{\"response\": \"yes\"}')", "");
    workspace.store("C0", "yes");
    fs::set_permissions(workspace.join("eval-ls.toml"), fs::Permissions::from_mode(0o666)).unwrap();
    for arguments in [&["run"][..], &["record"], &["run", "s.evals.json"]] {
        workspace.run(arguments).complains(2, ["can be written by everybody, so no target of it is started"]);
    }
    assert!(!workspace.join("owned").exists());
    // It may decide about stored answers, and who names it has chosen it.
    workspace.run(&["run", "--target=replay"]).ends(0);
    workspace.run(&["run", "--config=eval-ls.toml"]).ends(0);
    assert!(workspace.join("owned").exists());
}

pub(super) fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=a", "-c", "user.email=a@b.example"];
    let mut command = Command::new("git");
    command.args(identity).args(arguments).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
    Ran::from(command).ends(0);
}

#[test]
fn a_configuration_above_the_repository_does_not_apply() {
    let workspace = Folder::of_program(1, "print('{\"response\": \"yes\"}')", "");
    let inner = workspace.join("clone/evals");
    fs::create_dir_all(&inner).unwrap();
    fs::rename(workspace.join("s.evals.json"), inner.join("s.evals.json")).unwrap();
    let run = || Ran::from(workspace.command(&["run"]).current_dir(&inner));
    // Without a repository, it applies, and the run shows its path.
    run().complains(0, [format!("the configuration is `{}`", workspace.join("eval-ls.toml").display())]);
    git(&workspace.join("clone"), &["init", "--quiet"]);
    let ran = run();
    assert!(ran.status == 4 || !ran.err.contains("the configuration is"), "{ran:?}");
    assert!(
        ran.err.contains("replay") || ran.status != 0,
        "the target of the configuration above is not used: {ran:?}"
    );
}

#[test]
fn a_replay_starts_no_program_of_the_repository() {
    let workspace = Folder::stored(&["yes"]);
    workspace.write("evals/eval-ls.toml", "");
    for name in ["s.evals.json", "transcripts"] {
        fs::rename(workspace.join(name), workspace.join("evals").join(name)).unwrap();
    }
    // The folder has the files of a second repository, and both have a filter.
    let owned = workspace.join("owned");
    let filter = format!("touch {}; cat", owned.display());
    let inner = workspace.join("evals");
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
    for arguments in [&["run"][..], &["runs"], &["check"]] {
        workspace.command(arguments).current_dir(&inner).output().unwrap();
        assert!(!owned.exists(), "{arguments:?}");
    }
    let record: Value = serde_json::from_str(&workspace.read("evals/results/runs/latest/run.json")).unwrap();
    assert_eq!(record["git"]["branch"], "main");
    assert_eq!(record["git"]["commit"].as_str().map(str::len), Some(40));
}

#[test]
fn a_transcript_is_not_read_through_a_link() {
    let workspace = Folder::stored(&["yes"]);
    let transcript = workspace.join("transcripts/s.evals/C0.json");
    fs::rename(&transcript, workspace.join("elsewhere.json")).unwrap();
    symlink("../../elsewhere.json", &transcript).unwrap();
    workspace.run(&["run"]).prints(5, ["it is a link, and links are not followed here"]);
}

#[test]
fn a_file_with_the_name_of_a_run_is_not_the_run() {
    let clone = cloned();
    let forged = r#"{"eval_file": "s.evals.json", "cases": [{"id": "C0", "prompt": "p0", "status": "FAIL"}]}"#;
    for name in ["latest", "branch:main", &clone.last_run()] {
        clone.write(name, forged);
        let ran = clone.run(&["run", &format!("--failed={name}")]);
        assert!([0, 4].contains(&ran.status) && !ran.out.contains("C0"), "{ran:?}");
    }
}

#[test]
fn no_run_of_another_project_is_read_or_removed() {
    let (victim, clone) = (cloned(), cloned());
    let count = || fs::read_dir(victim.join("results/runs")).unwrap().count();
    victim.run(&["run"]);
    victim.run(&["run"]);
    let before = count();
    for is_link in [true, false] {
        let elsewhere = || format!("../{}/results", victim.join("").file_name().unwrap().display());
        let results = if is_link { "results".into() } else { elsewhere() };
        clone.write("eval-ls.toml", format!("[run]\nkeep = \"1 runs\"\nresults = {results:?}\n"));
        if is_link {
            fs::remove_dir_all(clone.join("results")).unwrap();
            clone.link("results", victim.join("results"));
            assert_eq!(clone.run(&["runs"]).out, "");
        }
        clone.run(&["run"]);
        let ran = clone.run(&["runs", "rm", "latest"]);
        assert!(is_link || ran.err.contains("is outside of the workspace, so no run is removed there"), "{ran:?}");
        assert_eq!(count(), before + usize::from(!is_link), "link: {is_link}");
    }
}

#[test]
fn a_link_out_of_the_repository_shows_no_line_of_a_file() {
    let suite = "{\"version\": \"0.2.0\", \"cases\": [{\"id\": \"SECRET\", \"x\": [";
    let (clone, outside) = (cloned(), Folder::with(&[("s.json", suite), ("s.toml", "a b SECRET")]));
    clone.link("x.evals.json", outside.join("s.json"));
    let said = "`x.evals.json` is a link to a file outside of the workspace; to read that file, name it";
    let check = |arguments: &[&str], said: &str| {
        let shown = shown(&clone, arguments);
        assert!(!shown.contains("SECRET") && shown.contains(said), "{arguments:?}: {shown}");
    };
    for arguments in [&["check"][..], &["run"], &["list"]] {
        check(arguments, said);
    }
    clone.remove("eval-ls.toml");
    clone.link("eval-ls.toml", outside.join("s.toml"));
    check(&["list"], "");
    check(&["check"], "a link that leads out of its workspace");
    check(&["run"], "a link that leads out of its workspace");
}

#[test]
fn an_answer_is_accepted_into_no_linked_folder() {
    let clone = cloned();
    fs::remove_dir_all(clone.join("transcripts/s.evals")).unwrap();
    clone.link("transcripts/s.evals", "../own");
    clone.write("own/C0.json", "mine");
    let ran = clone.run(&["accept", "--yes"]);
    assert!(ran.err.contains("its folder is a link"), "{ran:?}");
    assert_eq!(clone.read("own/C0.json"), "mine");
    clone.run(&["run"]).prints(5, ["its folder is a link"]);
}

#[test]
fn a_line_with_two_statuses_is_refused() {
    let clone = cloned();
    edit(&clone, "cases.jsonl", |line| line["status"] = "FAIL".into());
    for arguments in
        [&["show", "C0"][..], &["report", "--html=page.html"], &["run", "--answers-of", "latest", "--no-results"]]
    {
        let ran = clone.run(arguments);
        assert!(ran.status != 0 && ran.err.contains("the line of the case `C0` has two statuses"), "{ran:?}");
    }
}

#[test]
fn a_folder_in_place_of_the_latest_run_is_reported_before_any_case() {
    let clone = cloned();
    clone.remove(RUN);
    fs::create_dir_all(clone.join(RUN).join("x")).unwrap();
    let count = || fs::read_dir(clone.join("results/runs")).unwrap().count();
    let before = count();
    clone.run(&["run"]).complains(3, ["cannot replace"]);
    assert_eq!(count(), before, "no interrupted run is left");
}
