//! Holds `ARCHITECTURE.md` and `src/` together: a folder uses what its row of the table allows, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use regex::Regex;

struct Row {
    may_use: BTreeSet<String>,
    everything_but: Option<BTreeSet<String>>,
    own_crates: BTreeSet<String>,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The table's rows by folder.
fn table() -> BTreeMap<String, Row> {
    let page = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let names = |cell: &str| -> BTreeSet<String> {
        let name = Regex::new("`([a-z_]+)`").unwrap();
        name.captures_iter(cell).map(|found| found[1].to_owned()).collect()
    };
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").collect();
        assert_eq!(cells.len(), 4, "a row has four cells: {line}");
        let everything_but = cells[2].trim().starts_with("everything but").then(|| names(cells[2]));
        let folder = names(cells[0]).pop_first().unwrap();
        let may_use = if everything_but.is_some() { BTreeSet::new() } else { names(cells[2]) };
        (folder, Row { may_use, everything_but, own_crates: names(cells[3]) })
    })
    .collect()
}

/// The Rust files below a folder, those of unit tests left out.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_string_lossy().into_owned();
        if entry.is_dir() && name != "tests" {
            files.extend(sources(&entry));
        } else if name.ends_with(".rs") && name != "tests.rs" && name != "testing.rs" {
            files.push(entry);
        }
    }
    files
}

/// The code of a file without comments and without its unit tests at its end.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let tests = Regex::new(r"(?m)^#\[cfg\(test\)\]\nmod \w+ \{").unwrap();
    let end = tests.find(&text).map_or(text.len(), |found| found.start());
    text[..end].lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The folders of this crate that a piece of code names: `crate::text::Span`, `crate::{text, syntax}`.
fn folders_used(code: &str) -> BTreeSet<String> {
    let one = Regex::new(r"\bcrate::([a-z_]+)").unwrap();
    let several = Regex::new(r"\bcrate::\{([^}]*)\}").unwrap();
    let names = one.captures_iter(code).map(|found| found[1].to_owned());
    let grouped = several.captures_iter(code).flat_map(|found| {
        found[1].split(',').map(|name| name.trim().split("::").next().unwrap().to_owned()).collect::<Vec<_>>()
    });
    names.chain(grouped).collect()
}

#[test]
fn every_folder_uses_only_what_its_row_allows() {
    let table = table();
    let mut faults = Vec::new();
    for (folder, row) in &table {
        let path = root().join("src").join(folder);
        assert!(path.is_dir(), "ARCHITECTURE.md speaks of src/{folder}, which is not there");
        for file in sources(&path) {
            for used in folders_used(&code(&file)).into_iter().filter(|used| used != folder && table.contains_key(used))
            {
                let allowed =
                    row.everything_but.as_ref().map_or_else(|| row.may_use.contains(&used), |not| !not.contains(&used));
                if !allowed {
                    faults.push(format!("{} uses crate::{used}", file.strip_prefix(root()).unwrap().display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "not allowed by ARCHITECTURE.md:\n{}", faults.join("\n"));
}

#[test]
fn every_folder_has_its_row() {
    let table = table();
    let folders =
        fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    for folder in folders.filter(|folder| !sources(folder).is_empty()) {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        assert!(table.contains_key(&name), "ARCHITECTURE.md has no row for src/{name}");
    }
}

#[test]
fn what_a_row_may_use_stands_above_it_and_never_uses_it_back() {
    let table = table();
    for (folder, row) in &table {
        for used in &row.may_use {
            let back = table.get(used).unwrap_or_else(|| panic!("{folder} may use {used}, which has no row"));
            assert!(!back.may_use.contains(folder), "{folder} and {used} may use each other");
        }
    }
}

#[test]
fn fenced_crates_are_used_in_their_folder_alone() {
    let table = table();
    let mut faults = Vec::new();
    for (owner, row) in &table {
        for fenced in &row.own_crates {
            let used = Regex::new(&format!(r"\b{fenced}::|^use {fenced}\b")).unwrap();
            for file in sources(&root().join("src")) {
                let place = file.strip_prefix(root().join("src")).unwrap();
                if !place.starts_with(owner) && used.is_match(&code(&file)) {
                    faults.push(format!("src/{} uses {fenced}, which belongs to {owner}", place.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
