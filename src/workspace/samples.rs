use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

use walkdir::WalkDir;

use crate::challenge::{OwnAnswer, Sample};
use crate::config::{CONFIG_FILE, Pattern};
use crate::filed::Filed;
use crate::files::{Reader, below};
use crate::suite::Case;
use crate::transcript::Transcript;

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

/// Why the answers that `[challenge]` lists cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum AnswersError {
    /// A file cannot be read.
    #[error("cannot read the answer `{}`: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A file is larger than 1 MiB.
    #[error("the answer `{}` is larger than {MOST_BYTES} bytes", .0.display())]
    TooLarge(PathBuf),
    /// There are more than 200 files.
    #[error("`answers` in [challenge] matches more than {MOST_FILES} files")]
    TooMany,
    /// The files have too many bytes.
    #[error("the answers that `answers` in [challenge] matches are larger than {} MiB together", .0 >> 20)]
    TooMuch(u64),
    /// The files would be read outside of the workspace.
    #[error("`{0}`, which `answers` in [challenge] lists, leads out of the workspace; list files below {CONFIG_FILE}")]
    Outside(String),
    /// A pattern matches no file.
    #[error("no file matches `{0}`, which `answers` in [challenge] lists")]
    NoMatch(String),
}

/// Returns the answers in the files that the patterns match below `root`, sorted by path. Each has the name of its
/// file. Invalid UTF-8 is read as U+FFFD.
///
/// # Errors
/// If a file cannot be read, is larger than 1 MiB, there are more than 200, they have more than `most` bytes together, or a
/// pattern matches none. Links that lead out of `root` are not followed.
pub(crate) fn own_answers(root: &Path, patterns: &[Pattern], most: u64) -> Result<Vec<OwnAnswer>, AnswersError> {
    let mut answers = Vec::new();
    let (reader, mut left) = (Reader::within(root, MOST_BYTES), most);
    for pattern in patterns {
        let before = answers.len();
        let folder = root.join(literal_folder(pattern.as_str()));
        if folder.exists() && !reader.admits(&folder) {
            return Err(AnswersError::Outside(pattern.as_str().to_owned()));
        }
        for (_, path) in matching(root, pattern) {
            let answer = own_answer(&reader, &path)?;
            left = left.checked_sub(answer.response.len() as u64).ok_or(AnswersError::TooMuch(most))?;
            answers.push(answer);
            if answers.len() > MOST_FILES {
                return Err(AnswersError::TooMany);
            }
        }
        if answers.len() == before {
            return Err(AnswersError::NoMatch(pattern.as_str().to_owned()));
        }
    }
    Ok(answers)
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

fn own_answer(reader: &Reader, path: &Path) -> Result<OwnAnswer, AnswersError> {
    let fault = |source: io::Error| match source.kind() {
        io::ErrorKind::FileTooLarge => AnswersError::TooLarge(path.to_owned()),
        _ => AnswersError::Read { path: path.to_owned(), source },
    };
    let bytes = reader.read(path, MOST_BYTES).map_err(fault)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(OwnAnswer { name, response: String::from_utf8_lossy(&bytes).into_owned() })
}

/// Returns the folder before the first part with a wildcard.
fn literal_folder(glob: &str) -> &str {
    let end = glob.find(['*', '?', '[', '{', '\\']).unwrap_or(glob.len());
    glob[..end].rsplit_once('/').map_or("", |(folder, _)| folder)
}
