use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::{ConfigCache, Loaded, LoadedConfig};
use crate::config::{CONFIG_FILE, Config};
use crate::workspace::{Scope, absolute};

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

/// The configuration that applies in a folder.
fn of_folder(folder: &Path) -> Loaded {
    ConfigCache::new(LINTS.to_vec()).of_folder(&absolute(folder))
}

#[test]
fn a_huge_configuration_is_not_read() {
    let folder = folder(&[(CONFIG_FILE, b"")]);
    let path = folder.path().join(CONFIG_FILE);
    fs::File::create(&path).unwrap().set_len(4 << 30).unwrap();
    let error = LoadedConfig::read(&path, &LINTS).unwrap_err();
    assert!(error.to_string().ends_with(": larger than 256 KiB"), "{error}");
}

#[test]
fn the_nearest_file_going_up_applies() {
    let folder = folder(&[
        (CONFIG_FILE, b"[run]\njobs = 1"),
        ("a/eval-ls.toml", b"[run]\njobs = 2"),
        ("a/b/evals/suite.json", b"{}"),
        ("c/suite.json", b"{}"),
    ]);
    for (start, jobs, root) in [
        ("", 1, ""),
        ("a", 2, "a"),
        ("a/b", 2, "a"),
        ("a/b/evals", 2, "a"),
        ("a/b/not-there-yet", 2, "a"),
        ("c", 1, ""),
        ("a/../c", 1, ""),
        ("c/../a/b", 2, "a"),
    ] {
        let loaded = of_folder(&folder.path().join(start));
        let loaded = loaded.as_ref().as_ref().expect("the file can be read");
        assert_eq!(loaded.config.run.jobs.get(), jobs, "{start}");
        let same = |path: &Path| path.canonicalize().expect("the folder exists");
        assert_eq!(same(&loaded.root), same(&folder.path().join(root)), "{start}");
        let config_path = loaded.config_path.as_deref().expect("a file was found");
        assert_eq!(same(config_path), same(&folder.path().join(root).join(CONFIG_FILE)), "{start}");
    }
}

#[test]
fn the_defaults_apply_without_a_file() {
    let folder = folder(&[("evals/suite.json", b"{}")]);
    let scope = Scope::of_folder(folder.path());
    assert_eq!(scope.config_path(), None, "no eval-ls.toml may be above the system's temporary folder");
    let mut cache = ConfigCache::new(LINTS.to_vec());
    for start in ["", "evals"] {
        let start = folder.path().join(start);
        let loaded = cache.of_folder(&start);
        let loaded = loaded.as_ref().as_ref().expect("nothing is read");
        assert_eq!((&*loaded.config, &loaded.config_path, loaded.text.as_str()), (&Config::default(), &None, ""));
        assert_eq!(loaded.root.components().collect::<PathBuf>(), start.components().collect::<PathBuf>());
    }
    assert!(cache.files().is_empty());
}

#[test]
fn each_file_is_read_once() {
    let folder = folder(&[(CONFIG_FILE, b""), ("a/b.json", b"{}"), ("c/eval-ls.toml", b"")]);
    let mut cache = ConfigCache::new(LINTS.to_vec());
    let of_a = cache.of_folder(&folder.path().join("a"));
    let of_root = cache.of_folder(folder.path());
    assert!(Arc::ptr_eq(&of_a, &of_root));
    assert!(!Arc::ptr_eq(&of_root, &cache.of_folder(&folder.path().join("c"))));
    assert_eq!(cache.files().len(), 2);
}

#[test]
fn errors_are_kept_with_their_text() {
    let folder = folder(&[(CONFIG_FILE, b"[run]\njobs = 2\ntimeout = 3\n")]);
    let loaded = of_folder(folder.path());
    let loaded = loaded.as_ref().as_ref().expect("the file can be read");
    assert_eq!(loaded.config.run.jobs.get(), 2);
    assert_eq!(loaded.errors.len(), 1);
}

#[test]
fn what_is_not_a_file_cannot_be_read() {
    let folder = folder(&[(CONFIG_FILE, b""), ("d/eval-ls.toml/suite.json", b"{}")]);
    let loaded = of_folder(&folder.path().join("d"));
    let error = loaded.as_ref().as_ref().expect_err("it is a folder").to_string();
    assert!(error.starts_with("could not read") && error.contains("d/eval-ls.toml"), "{error}");
}

#[test]
fn a_named_file_may_have_any_name() {
    let folder = folder(&[("ci.toml", b"[run]\njobs = 7"), (CONFIG_FILE, b"")]);
    let loaded = LoadedConfig::read(&folder.path().join("ci.toml"), &LINTS).expect("it can be read");
    assert_eq!(loaded.config.run.jobs.get(), 7);
    assert_eq!(loaded.root, folder.path());
}

#[test]
fn an_error_names_the_file() {
    let folder = folder(&[(CONFIG_FILE, b"# caf\xe9\n")]);
    let path = folder.path().join(CONFIG_FILE);
    let loaded = of_folder(folder.path());
    let error = loaded.as_ref().as_ref().expect_err("the file is Latin-1");
    assert!(error.contains("the byte at offset 5 begins no character"), "{error}");
    assert_eq!(
        error.to_string(),
        format!("`{}` is not UTF-8: the byte at offset 5 begins no character; save the file as UTF-8", path.display())
    );

    let missing = folder.path().join("missing.toml");
    let error = LoadedConfig::read(&missing, &LINTS).expect_err("there is no such file");
    assert!(error.to_string().starts_with(&format!("could not read `{}`: ", missing.display())), "{error}");
}
