use std::collections::BTreeSet;

use tempfile::TempDir;
use time::macros::datetime;

use super::*;
use crate::suite::Case;

const AT: OffsetDateTime = datetime!(2026-11-21 10:20:30 UTC);

fn header() -> Header {
    Header {
        format: FORMAT.to_owned(),
        suite: "evals/é.json".to_owned(),
        target: "agent".to_owned(),
        started_at: "2026-11-21T10:20:30Z".to_owned(),
        total: 3,
    }
}

fn suite() -> &'static Path {
    Path::new("evals/é.json")
}

fn begin(folder: &Path) -> Journal {
    Journal::create(folder, suite(), &header(), AT).unwrap()
}

fn claimed(folder: &Path) -> Vec<Leftover> {
    claim_leftovers(folder, suite()).into_iter().map(Result::unwrap).collect()
}

fn result() -> CaseResult {
    CaseResult::not_run(&Case::default(), "why")
}

fn files(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_journal_exists_while_its_run_continues() {
    let folder = TempDir::new().unwrap();
    let results = folder.path().join("a/results");
    let mut journal = begin(&results);
    journal.add(2, &result()).unwrap();
    assert_eq!(files(&results), [".journal-%C3%A9.20261121-102030-1.jsonl".to_owned()].into());

    let text = fs::read_to_string(journal.path()).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(serde_json::from_str::<Header>(lines[0]).unwrap(), header());
    let line: serde_json::Value = serde_json::from_str(lines[1]).unwrap();
    assert_eq!((&line["index"], &line["result"]["reason"]), (&2.into(), &"why".into()));

    // A locked journal is not a leftover.
    assert_eq!(claimed(&results), []);
    assert_eq!(files(&results).len(), 1);
    journal.remove().unwrap();
    assert_eq!(files(&results), [].into());
}

#[test]
fn leftovers_are_found_and_never_overwritten() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // Three runs in one second; one has no results.
    let mut journals = [begin(folder), begin(folder), begin(folder)];
    journals[0].add(0, &result()).unwrap();
    journals[2].add(0, &result()).unwrap();
    journals[2].add(1, &result()).unwrap();
    let live = begin(folder);
    // A killed process leaves the file and releases the lock.
    drop(journals);
    assert!(claim_leftovers(folder, Path::new("evals/other.json")).is_empty());

    let found = claimed(folder);
    let first = folder.join("minimum-eval-results-20261121-102030.interrupted.jsonl");
    let second = folder.join("minimum-eval-results-20261121-102030-2.interrupted.jsonl");
    let started_at = Some("2026-11-21T10:20:30Z".to_owned());
    let leftover = |path: &Path, finished| Leftover { path: path.to_owned(), started_at: started_at.clone(), finished };
    assert_eq!(found, [leftover(&first, 1), leftover(&second, 2)]);
    assert_eq!(fs::read_to_string(&second).unwrap().lines().count(), 3);
    assert_eq!(files(folder).len(), 3, "the two leftovers and the live journal");
    assert!(live.path().exists());
    assert_eq!(claimed(folder), []);
}

#[test]
fn half_a_line_is_kept_and_not_counted() {
    let folder = TempDir::new().unwrap();
    let mut journal = begin(folder.path());
    journal.add(0, &result()).unwrap();
    journal.file.write_all(b"{\"index\": 1, \"res").unwrap();
    drop(journal);
    let found = claimed(folder.path());
    assert_eq!(found[0].finished, 1);
    assert!(fs::read_to_string(&found[0].path).unwrap().ends_with("\"res"));
}

#[test]
fn other_files_are_left_alone() {
    let folder = TempDir::new().unwrap();
    let names = [
        ".journal-%C3%A9.jsonl",
        ".journal-%C3%A9.20261121-102030.jsonl",
        ".journal-%C3%A9.b.20261121-102030-1.jsonl",
        "journal-%C3%A9.20261121-102030-1.jsonl",
        "minimum-eval-results-20261121-102030.json",
    ];
    for name in names {
        fs::write(folder.path().join(name), "{}\n{}\n").unwrap();
    }
    assert_eq!(claimed(folder.path()), []);
    assert_eq!(files(folder.path()).len(), names.len());
    assert_eq!(claimed(&folder.path().join("none")), []);
}

#[test]
fn a_journal_of_a_suite_with_the_longest_name_fits() {
    let folder = TempDir::new().unwrap();
    let suite = format!("{}.json", "é".repeat(120));
    let journal = Journal::create(folder.path(), Path::new(&suite), &header(), AT);
    journal.unwrap().remove().unwrap();
}

#[test]
fn errors_name_the_path() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = Journal::create(&file.join("results"), suite(), &header(), AT).unwrap_err().to_string();
    assert!(error.starts_with("cannot make the folder `") && error.contains("file/results`"), "{error}");

    let journal = folder.path().join(".journal-%C3%A9.20261121-102030-1.jsonl");
    fs::create_dir(&journal).unwrap();
    let errors = claim_leftovers(folder.path(), suite());
    let [Err(error)] = &errors[..] else { panic!("a folder is not a journal: {errors:?}") };
    assert!(error.to_string().starts_with(&format!("cannot rename `{}`: ", journal.display())), "{error}");
}
