//! The TOML on the pages can be added to the file that `eval-ls init` writes.

use std::path::{Path, PathBuf};

use eval_ls::testing::config_errors;
use regex::Regex;
use toml_edit::{DocumentMut, Item};

const TEMPLATE: &str = include_str!("../../src/config/template.toml");

/// A key of the file as a whole goes before the first table, and the keys of a table that the file has go there. All else is
/// appended.
fn added(block: &str) -> String {
    let block: DocumentMut = block.parse().unwrap();
    let mut file: DocumentMut = TEMPLATE.parse().unwrap();
    let mut appended = DocumentMut::new();
    for (key, item) in block.iter() {
        match (file.get_mut(key).and_then(Item::as_table_mut), item.as_table()) {
            (Some(present), Some(keys)) => {
                keys.iter().for_each(|(key, value)| drop(present.insert(key, value.clone())))
            }
            _ if item.is_value() => drop(file.insert(key, item.clone())),
            _ => drop(appended.insert(key, item.clone())),
        }
    }
    format!("{file}\n{appended}")
}

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            pages(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "md") {
            found.push(entry);
        }
    }
}

#[test]
fn toml_of_the_pages_fits_into_the_first_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![root.join("README.md"), root.join("editors/vscode/README.md")];
    pages(&root.join("docs"), &mut found);
    pages(&root.join("editors/vscode/walkthrough"), &mut found);
    let block = Regex::new(r"(?ms)^```toml\n(.*?)^```$").unwrap();
    let mut blocks = 0;
    for page in found {
        let text = std::fs::read_to_string(&page).unwrap();
        for found in block.captures_iter(&text) {
            blocks += 1;
            let file = added(&found[1]);
            let errors = config_errors(&file);
            let texts: Vec<&str> = errors.iter().map(|span| &file[span.range()]).collect();
            assert!(errors.is_empty(), "{}: {texts:?} in\n{}", page.display(), &found[1]);
        }
    }
    assert!(blocks > 20, "{blocks}");
}
