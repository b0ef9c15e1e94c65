use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use tempfile::TempDir;

use super::{ConfigCache, LoadedConfig, Membership, Search, absolute, deciding_scopes};
use crate::files::Reader;

fn folder() -> TempDir {
    TempDir::new().expect("a temporary folder can be made")
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
