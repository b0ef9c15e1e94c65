use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::challenge::OwnAnswer;
use crate::config::{CONFIG_FILE, Pattern};
use crate::files::Reader;

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

/// The most files of `[challenge]`: each is judged with each case.
const MOST_FILES: usize = 200;
/// The largest of them in bytes: an answer is text.
const MOST_BYTES: u64 = 1 << 20;

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
            let answer = answer(&reader, &path)?;
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
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
        let name = parts.join("/");
        pattern.matches(&name).then(|| (name, entry.into_path()))
    })
}

fn answer(reader: &Reader, path: &Path) -> Result<OwnAnswer, AnswersError> {
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
