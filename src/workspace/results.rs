//! Where the results of a workspace are, and the answers beside its suites: samples, and those that `[challenge]` lists.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use walkdir::WalkDir;

use crate::challenge::Sample;
use crate::config::{CONFIG_FILE, Pattern};
use crate::filed::Filed;
use crate::files::{Reader, below};
use crate::git;
use crate::suite::Case;
use crate::transcript::Transcript;

use super::{FileRules, Scope, Search, absolute};

/// Whether the name of a file is that of the results of a run.
pub(crate) fn is_result(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| name.starts_with("minimum-eval-results-") && name.ends_with(".json"))
}

/// The number of entries of folders that a search for suites looks at. Nearer folders come first, and suites are seldom deep: a
/// folder of 20,000 entries takes less time than a person notices.
const MOST_ENTRIES: usize = 20_000;

/// How long the suites of a folder are remembered. A server asks at each request, and looks for new runs as often.
const REMEMBERED: Duration = Duration::from_secs(2);

/// Folders that programs fill. They are large, and what is in them belongs to nobody's suites.
const FILLED: [&str; 8] = ["node_modules", "target", "build", "dist", "out", "venv", ".venv", "__pycache__"];

/// The roots that were found, by the folder in which suites were searched.
static KNOWN: Mutex<BTreeMap<PathBuf, (Instant, PathBuf)>> = Mutex::new(BTreeMap::new());

/// The root of the workspace of `folder`, which is absolute. The one place for results and kept runs is in it.
///
/// It is the folder of the `eval-ls.toml` that applies. Without one, it is the nearest common folder of the suites in the git
/// repository; outside of a repository, and in a folder that a program fills, such as `target`, of those in the current folder, or in `folder` if that is elsewhere. Without suites, it is
/// the folder in which they were searched.
pub(crate) fn root_of(folder: &Path) -> PathBuf {
    let scope = Scope::of_folder(folder);
    match scope.root() {
        Some(root) => root.to_owned(),
        None => root_of_suites(&top_of(folder, &absolute(Path::new(".")), std::env::home_dir().as_deref())),
    }
}

/// The root of the workspace of the suite at an absolute path.
pub(crate) fn root_of_file(path: &Path) -> PathBuf {
    root_of(path.parent().unwrap_or(path))
}

/// The folder in which suites that belong with those in `folder` are searched. `here` is the current folder. It is never the home
/// folder or one above it, which hold many projects.
fn top_of(folder: &Path, here: &Path, home: Option<&Path>) -> PathBuf {
    let is_filled = |root: &Path| folder.strip_prefix(root).is_ok_and(|below| below.iter().any(fills));
    let is_project = |top: &Path| home.is_none_or(|home| !home.starts_with(top)) && !is_filled(top);
    let around = || Some(here.to_owned()).filter(|here| folder.starts_with(here));
    let top = git::root(folder).filter(|root| is_project(root)).or_else(around);
    top.filter(|top| is_project(top)).unwrap_or_else(|| folder.to_owned())
}

/// The nearest common folder of the suites below `top`, except those to which an `eval-ls.toml` applies and those of another
/// repository.
fn root_of_suites(top: &Path) -> PathBuf {
    let now = Instant::now();
    let is_known = |since: &Instant| now.duration_since(*since) < REMEMBERED;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, root)) = known.get(top).filter(|(since, _)| is_known(since)) {
        return root.clone();
    }
    let rules = FileRules::new(Arc::default(), None);
    let found = Search {
        opened: &[top.to_owned()],
        rules_in: &mut |_| rules.clone(),
        enters: &|folder| {
            let is_filled = folder.file_name().is_some_and(fills);
            !is_filled && !folder.join(".git").exists() && !folder.join(CONFIG_FILE).exists()
        },
        reader: &Reader::within(top, u64::MAX),
        max_entries: MOST_ENTRIES,
    }
    .below(top);
    let root = common(found.suites.iter().filter_map(|suite| suite.parent())).unwrap_or(top).to_owned();
    known.retain(|_, (since, _)| is_known(since));
    known.insert(top.to_owned(), (now, root.clone()));
    root
}

/// Whether a program fills folders of that name.
fn fills(name: &OsStr) -> bool {
    FILLED.iter().any(|filled| name == *filled)
}

/// The nearest folder that has all these folders; `None` if there are none.
fn common<'a>(folders: impl IntoIterator<Item = &'a Path>) -> Option<&'a Path> {
    folders
        .into_iter()
        .reduce(|one, other| one.ancestors().find(|folder| other.starts_with(folder)).unwrap_or_else(|| Path::new("/")))
}

/// The most samples of a case, and the most files of `[challenge]`: each is judged at every check of the suite.
const MOST_FILES: usize = 200;

/// The largest of them in bytes: an answer is text.
const MOST_BYTES: u64 = 1 << 20;

/// The samples of a case of the suite at `suite`, sorted by name: the files of `samples/<suite>/<case>/`, named as transcripts are. The name of a
/// good one begins with `pass-`, that of a bad one with `fail-`. A `.json` file is a transcript, any other the text of a response. Links that
/// lead out of `root` are not followed.
pub(crate) fn samples_of(root: &Path, suite: &Path, case: &Case) -> Vec<Sample> {
    let Some(folder) = folder_of_samples(suite, case) else { return Vec::new() };
    let reader = Reader::within(root, MOST_BYTES);
    if !folder.is_dir() || !reader.admits(&folder) {
        return Vec::new();
    }
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.is_file()).collect();
    files.sort();
    let left_out = files.split_off(files.len().min(MOST_FILES));
    let mut samples: Vec<Sample> = files.into_iter().map(|path| sample(&reader, &path, case)).collect();
    if let Some(first) = left_out.first() {
        let fault = format!("the case has more than {MOST_FILES} samples, and the rest is not judged");
        samples.push(Sample { name: name_of(first), is_good: true, answer: Err(fault) });
    }
    samples
}

/// The text of an answer that is stored as a sample. It has no pages: no check reads them, and a sample has a limit.
pub(crate) fn sample_text(answer: Transcript) -> String {
    Transcript { pages: None, ..answer }.to_json_line() + "\n"
}

/// The folder of the samples of a case; `None` for a case without an id.
pub(crate) fn folder_of_samples(suite: &Path, case: &Case) -> Option<PathBuf> {
    let id = case.id.as_ref().filter(|id| !id.value.is_empty())?;
    Some(Filed::Samples.path(suite, &id.value))
}

fn sample(reader: &Reader, path: &Path, case: &Case) -> Sample {
    let name = name_of(path);
    let is_good = name.starts_with("pass-");
    let answer = if is_good || name.starts_with("fail-") {
        answer(reader, path, case)
    } else {
        Err("its name begins with neither `pass-` nor `fail-`".to_owned())
    };
    Sample { name, is_good, answer }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn answer(reader: &Reader, path: &Path, case: &Case) -> Result<Transcript, String> {
    let bytes = reader.read(path, MOST_BYTES).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    answer_of_text(path, text, case)
}

/// The answer in a file with this text: a transcript in a `.json` file, the response to the case's prompt in any other.
///
/// # Errors
/// If it is not a transcript: a lower-case fragment.
pub(crate) fn answer_of_text(path: &Path, text: String, case: &Case) -> Result<Transcript, String> {
    if path.extension() == Some(OsStr::new("json")) {
        return Transcript::parse(&text).map_err(|error| error.to_string());
    }
    let prompt = case.prompt.as_ref().map(|prompt| prompt.value.clone());
    Ok(Transcript { prompt, response: text, ..Transcript::default() })
}

/// The regular files below `root` that match a pattern, sorted by name: each with its path below `root`, and its path. No link is
/// followed.
pub(crate) fn matching(root: &Path, pattern: &Pattern) -> impl Iterator<Item = (String, PathBuf)> {
    let folder = literal_folder(pattern.as_str());
    // Only `**` matches a path with more parts than the pattern has.
    let depth = if pattern.as_str().contains("**") { usize::MAX } else { pattern.as_str().split('/').count() };
    let files = WalkDir::new(root.join(folder)).max_depth(depth).sort_by_file_name();
    let files = files.into_iter().flatten().filter(|entry| entry.file_type().is_file());
    files.filter_map(move |entry| {
        let name = below(entry.path(), root)?;
        pattern.matches(&name).then(|| (name, entry.into_path()))
    })
}

/// Returns the folder before the first part with a wildcard.
fn literal_folder(glob: &str) -> &str {
    let end = glob.find(['*', '?', '[', '{', '\\']).unwrap_or(glob.len());
    glob[..end].rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const SUITE: &str = r#"{"cases": [{"id": "A", "prompt": "Which?", "expected": {"must_say_any": ["this"]}}]}"#;

    fn folder_with(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        for file in files {
            let file = path.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, SUITE).unwrap();
        }
        (folder, path)
    }

    #[test]
    fn without_a_configuration_the_root_is_the_common_folder_of_the_suites() {
        for (files, root) in [
            (&[".git/HEAD", ".claude/evals/a.json", ".claude/evals/deep/b.json", "src/main.json"][..], ".claude/evals"),
            (&[".git/HEAD", "evals/a.json", "api/evals/b.json"], ""),
            (&[".git/HEAD", "desk.evals.json", "evals/a.json"], ""),
            (&[".git/HEAD", "src/notes.json"], ""),
            (&[".git/HEAD", "evals/a.json", "target/evals/b.json", "web/node_modules/evals/c.json"], "evals"),
            (&[".git/HEAD", "evals/a.json", "vendor/.git/HEAD", "vendor/evals/b.json"], "evals"),
            (&[".git/HEAD", "evals/a.json", "api/eval-ls.toml", "api/evals/b.json"], "evals"),
        ] {
            let (_folder, path) = folder_with(files);
            for place in files
                .iter()
                .filter(|file| !["vendor", "api/", "target", "node_modules"].iter().any(|other| file.contains(other)))
            {
                let place = path.join(place);
                assert_eq!(root_of_file(&place), path.join(root).components().collect::<PathBuf>(), "{files:?}");
            }
            assert_eq!(root_of(&path), path.join(root).components().collect::<PathBuf>(), "{files:?}");
        }
    }

    #[test]
    fn a_configuration_is_the_root() {
        let (_folder, path) = folder_with(&[".git/HEAD", "evals/a.json", "api/eval-ls.toml", "api/evals/b.json"]);
        assert_eq!(root_of_file(&path.join("api/evals/b.json")), path.join("api"));
    }

    #[test]
    fn a_new_suite_counts_soon() {
        let (_folder, path) = folder_with(&[".git/HEAD", "evals/a.json"]);
        assert_eq!(root_of(&path), path.join("evals"));
        fs::create_dir(path.join("more")).unwrap();
        fs::write(path.join("more/b.evals.json"), SUITE).unwrap();
        while root_of(&path) != path {
            std::thread::yield_now();
        }
    }

    #[test]
    fn suites_are_searched_in_the_repository_else_in_the_current_folder_and_never_in_the_home_folder() {
        let (_folder, path) = folder_with(&["with/.git/HEAD", "with/a/x.json", "without/a/x.json"]);
        let (with, without, home) = (path.join("with"), path.join("without"), Some(path.as_path()));
        for (folder, here, top) in [
            (with.join("a"), &path, &with),
            (with.join("a"), &with.join("a"), &with),
            (without.join("a"), &without, &without),
            (without.join("a"), &with, &without.join("a")),
            (without.join("a"), &path, &without.join("a")),
            (with.join("target/a"), &path, &with.join("target/a")),
            (with.join("target/a"), &with.join("target"), &with.join("target")),
        ] {
            assert_eq!(top_of(&folder, here, home), *top, "{}", here.display());
        }
        // A repository of the files in the home folder.
        assert_eq!(top_of(&with.join("a"), &with, Some(&with.join("home"))), with.join("a"));
    }
}
