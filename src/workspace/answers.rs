use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::challenge::OwnAnswer;
use crate::config::Pattern;

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
    /// A pattern matches no file.
    #[error("no file matches `{0}`, which `answers` in [challenge] lists")]
    NoMatch(String),
}

const MOST_FILES: usize = 200;
const MOST_BYTES: u64 = 1 << 20;

/// Returns the answers in the files that the patterns match below `root`, sorted by path. Each has the name of its
/// file. Invalid UTF-8 is read as U+FFFD.
///
/// # Errors
/// If a file cannot be read, is larger than 1 MiB, there are more than 200, or a pattern matches none.
pub(crate) fn own_answers(root: &Path, patterns: &[Pattern]) -> Result<Vec<OwnAnswer>, AnswersError> {
    let mut answers = Vec::new();
    for pattern in patterns {
        let before = answers.len();
        let files = WalkDir::new(root.join(literal_folder(pattern.as_str()))).sort_by_file_name();
        for entry in files.into_iter().flatten() {
            let path = entry.path();
            let below = path.strip_prefix(root).unwrap_or(path);
            let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy()).collect();
            if entry.file_type().is_file() && pattern.matches(&parts.join("/")) {
                answers.push(answer(path)?);
            }
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

fn answer(path: &Path) -> Result<OwnAnswer, AnswersError> {
    let fault = |source| AnswersError::Read { path: path.to_owned(), source };
    if std::fs::metadata(path).map_err(fault)?.len() > MOST_BYTES {
        return Err(AnswersError::TooLarge(path.to_owned()));
    }
    let bytes = std::fs::read(path).map_err(fault)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(OwnAnswer { name, response: String::from_utf8_lossy(&bytes).into_owned() })
}

/// Returns the folder before the first part with a wildcard.
fn literal_folder(glob: &str) -> &str {
    let end = glob.find(['*', '?', '[', '{', '\\']).unwrap_or(glob.len());
    glob[..end].rsplit_once('/').map_or("", |(folder, _)| folder)
}
