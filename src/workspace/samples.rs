use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::challenge::Sample;
use crate::filed::Filed;
use crate::files::Reader;
use crate::suite::Case;
use crate::transcript::Transcript;

/// The most samples of a case: each is judged at every check of the suite.
const MOST_FILES: usize = 200;

/// The largest sample in bytes: an answer is text.
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
