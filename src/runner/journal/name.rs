//! The names of journals and of leftovers.

use std::path::Path;

use time::OffsetDateTime;
use time::macros::format_description;

use crate::transcript;

const PREFIX: &str = ".journal-";
const EXTENSION: &str = ".jsonl";

/// The longest part of a suite's encoded name in the name of its journal, in bytes. A file name has at most 255.
const LONGEST_NAME: usize = 150;

/// Names for the journal of a run of `suite` that started at `at`. The iterator is infinite.
pub(super) fn candidates(suite: &Path, at: OffsetDateTime) -> impl Iterator<Item = String> {
    let (name, stamp) = (name(suite), stamp(at));
    (1_u64..).map(move |attempt| format!("{PREFIX}{name}.{stamp}-{attempt}{EXTENSION}"))
}

/// The time in the name of a journal; `None` if `file` is not a journal of `suite`.
pub(super) fn stamp_in<'a>(file: &'a str, suite: &Path) -> Option<&'a str> {
    let rest = file.strip_prefix(PREFIX)?.strip_prefix(&name(suite))?.strip_prefix('.')?.strip_suffix(EXTENSION)?;
    let (stamp, attempt) = rest.rsplit_once('-')?;
    let (date, time) = stamp.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    [date, time, attempt].into_iter().all(is_number).then_some(stamp)
}

/// Visible names for a leftover with this time in its name. The iterator is infinite.
pub(super) fn interrupted(stamp: &str) -> impl Iterator<Item = String> {
    (1_u64..).map(move |attempt| {
        let number = if attempt == 1 { String::new() } else { format!("-{attempt}") };
        format!("minimum-eval-results-{stamp}{number}.interrupted{EXTENSION}")
    })
}

/// The suite's file name without `.json`, encoded as ASCII without path separators.
fn name(suite: &Path) -> String {
    let file = suite.file_name().unwrap_or_default().to_string_lossy();
    let mut name = transcript::file_name(file.strip_suffix(".json").unwrap_or(&file));
    name.truncate(name.len().saturating_sub(".json".len()).min(LONGEST_NAME));
    name
}

fn stamp(at: OffsetDateTime) -> String {
    at.format(format_description!("[year][month][day]-[hour][minute][second]")).expect("every time has these parts")
}
