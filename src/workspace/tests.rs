use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::{ConfigCache, LoadedConfig, Membership, Search, absolute, deciding_scopes, own_answers};
use crate::config::Pattern;
use crate::files::Reader;

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder can be made")
}

fn answers(folder: &Path, glob: &str) -> Result<Vec<String>, String> {
    let pattern = Pattern::new(glob).expect("the glob is valid");
    let answers = own_answers(folder, &[pattern], u64::MAX).map_err(|fault| fault.to_string())?;
    Ok(answers.into_iter().map(|answer| format!("{} {}", answer.name, answer.response.len())).collect())
}

#[test]
fn answers_are_the_files_that_match() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir_all(path("answers/c.txt")).unwrap();
    fs::write(path("answers/b.txt"), "bb").unwrap();
    fs::write(path("answers/a.txt"), b"\xff").unwrap();
    fs::write(path("answers/a.md"), "").unwrap();
    assert_eq!(answers(folder.path(), "answers/*.txt"), Ok(vec!["a 3".to_owned(), "b 2".to_owned()]));
    let missing = answers(folder.path(), "*.text").unwrap_err();
    assert_eq!(missing, "no file matches `*.text`, which `answers` in [challenge] lists");
}

#[test]
fn answers_have_at_most_a_megabyte_each() {
    let folder = folder();
    let file = fs::File::create(folder.path().join("a.txt")).unwrap();
    file.set_len(1 << 20).unwrap();
    assert_eq!(answers(folder.path(), "*.txt"), Ok(vec![format!("a {}", 1 << 20)]));
    file.set_len((1 << 20) + 1).unwrap();
    assert!(answers(folder.path(), "*.txt").unwrap_err().ends_with("a.txt` is larger than 1048576 bytes"));
}

#[test]
fn at_most_200_files_are_answers() {
    let folder = folder();
    let write = |number: usize| fs::write(folder.path().join(format!("{number}.txt")), "").unwrap();
    (0..200).for_each(write);
    assert_eq!(answers(folder.path(), "*.txt").map(|all| all.len()), Ok(200));
    write(200);
    assert_eq!(answers(folder.path(), "*.txt").unwrap_err(), "`answers` in [challenge] matches more than 200 files");
}

#[cfg(unix)]
#[test]
fn answers_outside_of_the_workspace_are_not_read() {
    let folder = folder();
    let root = folder.path().join("root");
    fs::create_dir_all(root.join("own")).unwrap();
    fs::create_dir(folder.path().join("other")).unwrap();
    fs::write(folder.path().join("other/secret.txt"), "x").unwrap();
    fs::write(root.join("own/a.txt"), "x").unwrap();
    std::os::unix::fs::symlink("../other", root.join("link")).unwrap();
    std::os::unix::fs::symlink("own", root.join("near")).unwrap();
    std::os::unix::fs::symlink("../../other/secret.txt", root.join("own/secret.txt")).unwrap();
    let fault =
        "`link/*.txt`, which `answers` in [challenge] lists, leads out of the workspace; list files below eval-ls.toml";
    assert_eq!(answers(&root, "link/*.txt").unwrap_err(), fault);
    for inside in ["own/*.txt", "near/*.txt", "**/*.txt"] {
        assert_eq!(answers(&root, inside).map(|all| all.len()), Ok(1), "{inside}");
    }
}

#[test]
fn each_membership_is_explained() {
    let folder = Membership::InExcludedFolder(PathBuf::from("/w/old"));
    let excluded = Membership::Excluded("**/old/**".to_owned());
    let all = [Membership::Suite, Membership::NotIncluded, excluded, folder];
    insta::assert_snapshot!(all.map(|membership| membership.to_string()).join("\n"));
}

/// Each is read before a file can be opened.
#[test]
fn few_of_many_nested_configurations_decide_about_a_file() {
    let folder = folder();
    let root = absolute(folder.path());
    let path = root.join("d/".repeat(20)).join("a.evals.json");
    for folder in path.ancestors().skip(1).take_while(|folder| *folder != root) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("eval-ls.toml"), "").unwrap();
    }
    let mut configurations = ConfigCache::new(Vec::new());
    let opened = std::slice::from_ref(&root);
    let membership = super::membership(&path, opened, &mut |folder| configurations.rules_in(folder));
    assert_eq!(membership, Membership::Suite);
    assert_eq!(configurations.files().len(), 4);
    assert_eq!(deciding_scopes(path.parent().unwrap(), opened).len(), 4);
}

#[test]
fn configurations_that_are_dropped_are_read_again() {
    let folder = folder();
    let root = absolute(folder.path());
    let names: Vec<_> = (0..10).map(|number| root.join(number.to_string())).collect();
    for name in &names {
        fs::create_dir(name).unwrap();
        fs::write(name.join("eval-ls.toml"), "[run]\njobs = 3").unwrap();
    }
    let mut configurations = ConfigCache::new(Vec::new()).keeping(4);
    for name in names.iter().chain(&names) {
        let loaded = configurations.of_folder(name);
        assert_eq!(loaded.as_ref().as_ref().unwrap().config.run.jobs.get(), 3);
        assert!(configurations.files().len() <= 4);
    }
}

#[test]
fn a_configuration_with_the_same_text_is_not_parsed_again() {
    let folder = folder();
    let path = absolute(folder.path()).join("eval-ls.toml");
    fs::write(&path, "[run]\njobs = 3").unwrap();
    let known = LoadedConfig::read_again(&path, &[], None).unwrap();
    fs::write(&path, "[run]\njobs = 3").unwrap();
    assert!(Arc::ptr_eq(&known, &LoadedConfig::read_again(&path, &[], Some(&known)).unwrap()));
    fs::write(&path, "[run]\njobs = 4").unwrap();
    let again = LoadedConfig::read_again(&path, &[], Some(&known)).unwrap();
    assert_eq!(again.config.run.jobs.get(), 4);
}

#[test]
fn a_search_ends_after_its_number_of_entries() {
    let folder = folder();
    let root = absolute(folder.path());
    for name in ["a", "b"] {
        fs::create_dir(root.join(name)).unwrap();
        fs::write(root.join(name).join("x.evals.json"), "{}").unwrap();
    }
    for (max_entries, suites) in [(4, 2), (3, 1), (2, 0)] {
        let mut configurations = ConfigCache::new(Vec::new());
        let mut search = Search {
            opened: std::slice::from_ref(&root),
            rules_in: &mut |folder| configurations.rules_in(folder),
            enters: &|_| true,
            reader: &Reader::default(),
            max_entries,
        };
        assert_eq!(search.below(&root).suites.len(), suites, "{max_entries}");
    }
}
