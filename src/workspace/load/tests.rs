use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{LoadError, Workspace, find_config};
use crate::config::{CONFIG_FILE, Config};

const LINTS: [&str; 1] = ["vacuous-case"];

/// A folder with these files in it.
fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder can be made");
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("folders can be made in it");
        fs::write(&path, content).expect("files can be written in it");
    }
    folder
}

fn load(path: &Path) -> Workspace {
    Workspace::load(path, &LINTS).expect("the workspace can be read")
}

#[test]
fn the_nearest_file_going_up_holds() {
    let folder = folder(&[
        (CONFIG_FILE, b"[run]\njobs = 1"),
        ("a/eval-ls.toml", b"[run]\njobs = 2"),
        ("a/b/evals/suite.json", b"{}"),
        ("c/suite.json", b"{}"),
        // A folder of that name is not the file.
        ("d/eval-ls.toml/suite.json", b"{}"),
    ]);
    for (start, jobs, root) in [
        ("", 1, ""),
        ("a", 2, "a"),
        ("a/b", 2, "a"),
        ("a/b/evals/suite.json", 2, "a"),
        ("a/b/evals/not-saved-yet.json", 2, "a"),
        ("c/suite.json", 1, ""),
        ("d/eval-ls.toml/suite.json", 1, ""),
        ("a/../c", 1, ""),
        ("c/../a/not-saved-yet.json", 2, "a"),
    ] {
        let workspace = load(&folder.path().join(start));
        assert_eq!(workspace.config.run.jobs.get(), jobs, "{start}");
        let expected = folder.path().join(root);
        let same = |path: &Path| path.canonicalize().expect("the folder is there");
        assert_eq!(same(&workspace.root), same(&expected), "{start}");
        let config_path = workspace.config_path.expect("a file was found");
        assert_eq!(same(&config_path), same(&expected.join(CONFIG_FILE)), "{start}");
    }
}

#[test]
fn without_a_file_the_folder_holds_with_all_defaults() {
    let folder = folder(&[("evals/suite.json", b"{}")]);
    assert_eq!(find_config(folder.path()), None, "no eval-ls.toml may lie above the system's temporary folder");
    for (start, root) in [("", ""), ("evals", "evals"), ("evals/suite.json", "evals"), ("evals/new.json", "evals")] {
        let workspace = load(&folder.path().join(start));
        let root: PathBuf = folder.path().join(root).components().collect();
        assert_eq!(workspace.root.components().collect::<PathBuf>(), root, "{start}");
        assert_eq!((workspace.config, workspace.config_path, workspace.text.as_str()), (Config::default(), None, ""));
    }
}

#[test]
fn faults_are_kept_with_the_text_they_are_in() {
    let folder = folder(&[(CONFIG_FILE, b"[run]\njobs = 2\ntimeout = 3\n")]);
    let workspace = load(folder.path());
    assert_eq!(workspace.config.run.jobs.get(), 2);
    assert_eq!(workspace.errors.len(), 1);
}

#[test]
fn a_named_file_needs_no_certain_name() {
    let folder = folder(&[("ci.toml", b"[run]\njobs = 7"), (CONFIG_FILE, b"")]);
    let workspace = Workspace::load_file(&folder.path().join("ci.toml"), &LINTS).expect("it can be read");
    assert_eq!(workspace.config.run.jobs.get(), 7);
    assert_eq!(workspace.root, folder.path());
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = folder(&[(CONFIG_FILE, b"# caf\xe9\n")]);
    let path = folder.path().join(CONFIG_FILE);
    let error = Workspace::load(folder.path(), &LINTS).expect_err("the file is Latin-1");
    assert!(matches!(&error, LoadError::NotUtf8 { path: at, offset: 5 } if *at == path), "{error:?}");
    assert_eq!(
        error.to_string(),
        format!("`{}` is not UTF-8: the byte at offset 5 begins no character; save the file as UTF-8", path.display())
    );

    let missing = folder.path().join("missing.toml");
    let error = Workspace::load_file(&missing, &LINTS).expect_err("there is no such file");
    assert!(error.to_string().starts_with(&format!("could not read `{}`: ", missing.display())), "{error}");
}
