//! The result files of a suite.

use std::cmp::Reverse;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::config::Config;
use crate::files::Reader;

use super::root_of_file;

/// The number of results that are read to find one of a suite: they share a folder with those of its neighbours.
const MAX_READ: usize = 20;

/// The bytes of a result that are read to learn its suite, which is named at the beginning.
const HEAD: u64 = 16 * 1024;

/// The folders that may hold results of the suite at `suite`, which is absolute: that of its workspace, and the one beside the suite,
/// into which the shell runner and earlier versions wrote.
pub(crate) fn results_folders(suite: &Path, config: &Config) -> Vec<PathBuf> {
    let results = &config.run.results;
    let beside = suite.parent().unwrap_or(Path::new("")).join(results);
    let mut folders = vec![root_of_file(suite).join(results), beside];
    folders.dedup();
    folders
}

/// Whether the name of a file is that of the results of a run.
pub(crate) fn is_result(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| name.starts_with("minimum-eval-results-") && name.ends_with(".json"))
}

/// The Markdown of the last run of the suite at `suite`, if there is one in the workspace.
pub(crate) fn last_result(suite: &Path, config: &Config) -> Option<PathBuf> {
    let reader = Reader::within(&root_of_file(suite), u64::MAX);
    let result = |entry: fs::DirEntry| -> Option<(SystemTime, PathBuf)> {
        let path = entry.path();
        is_result(&path).then_some((entry.metadata().ok()?.modified().ok()?, path))
    };
    let folders = results_folders(suite, config).into_iter().filter(|folder| reader.admits(folder));
    let entries = folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut results: Vec<_> = entries.filter_map(result).collect();
    results.sort_by_key(|(modified, path)| Reverse((*modified, path.clone())));
    let of_suite = results.into_iter().take(MAX_READ).find(|(_, path)| {
        let of = eval_file(&reader, path);
        // As it was given: perhaps from a folder above.
        of.is_some_and(|of| suite.ends_with(of.trim_start_matches("./")))
    });
    Some(of_suite?.1.with_extension("md")).filter(|page| reader.admits(page) && page.is_file())
}

/// The suite that a result names.
fn eval_file(reader: &Reader, path: &Path) -> Option<String> {
    let head = reader.read_part(path, 0, HEAD).ok()?;
    let head = String::from_utf8_lossy(&head);
    let (_, value) = head.split_once("\"eval_file\":")?;
    // The rest of the document is cut off.
    serde_json::Deserializer::from_str(value).into_iter().next()?.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_result_of_the_suite_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let evals = folder.path().join("evals");
        fs::create_dir(&evals).unwrap();
        let suite = evals.join("a.json");
        let config = Config::default();
        assert_eq!(last_result(&suite, &config), None);
        let results = evals.join("results");
        fs::create_dir(&results).unwrap();
        let write = |name: &str, of: &str| {
            let json = format!("{{ \"generated_at\": \"x\", \"eval_file\": \"./evals/{of}\", \"cases\": [");
            fs::write(results.join(format!("{name}.json")), json).unwrap();
            fs::write(results.join(format!("{name}.md")), "# Eval results").unwrap();
        };
        write("minimum-eval-results-20260101-000000", "a.json");
        write("minimum-eval-results-20260102-000000", "a.json");
        write("minimum-eval-results-20260103-000000", "b.json");
        write("notes", "a.json");
        fs::write(results.join("minimum-eval-results-20260104-000000.json"), "not JSON").unwrap();
        for name in fs::read_dir(&results).unwrap().flatten() {
            let file = fs::File::options().write(true).open(name.path()).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }
        assert_eq!(last_result(&suite, &config), Some(results.join("minimum-eval-results-20260102-000000.md")));
        assert_eq!(last_result(&evals.join("c.json"), &config), None);
        assert_eq!(last_result(&evals.join("other/a.json"), &config), None);
        // The folder of the workspace comes first, and the one beside a suite is from an earlier version.
        fs::write(folder.path().join("eval-ls.toml"), "").unwrap();
        assert_eq!(last_result(&suite, &config), Some(results.join("minimum-eval-results-20260102-000000.md")));
    }
}
