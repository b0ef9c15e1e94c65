use std::io::Write;
use std::path::{Path, PathBuf};

use time::format_description::well_known::Rfc3339;
use time::{OffsetDateTime, format_description};

use crate::files::{self, Access, Draft, FileError, Unnamed};
use crate::runner::RunResult;

use super::{RunDocument, markdown, write_document};

/// The files that hold a suite's results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The JSON.
    pub(crate) json: PathBuf,
    /// The Markdown.
    pub(crate) markdown: PathBuf,
}

impl Written {
    /// The names of the files.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        let names = [&self.json, &self.markdown].into_iter().filter_map(|path| path.file_name());
        names.map(|name| name.to_string_lossy().into_owned())
    }
}

/// Writes each suite's JSON and Markdown result into the folder of results, as
/// `minimum-eval-results-<YYYYMMDD-HHMMSS>.json` and `.md`, with the time in UTC. If the run has several suites, the suite's
/// name is appended. If the name is taken, a number is appended; nothing is overwritten. Suites without a started case are ignored.
///
/// # Errors
/// If a file cannot be written. Files that were written before stay.
pub(crate) fn write_results(run: &RunResult) -> Result<Vec<Written>, FileError> {
    let mut written = Vec::new();
    let Some(folder) = &run.results else { return Ok(written) };
    let with_cases = || run.suites.iter().filter(|suite| !suite.cases.is_empty());
    let several = with_cases().nth(1).is_some();
    for suite in with_cases() {
        let document = RunDocument::new(run, suite);
        let mut stem = stem(&run.started_at);
        if several {
            stem.push('-');
            stem.push_str(&suite_name(&suite.path));
        }
        written.push(write_pair(folder, &stem, &document, Access::private_if(run.has_secrets))?);
    }
    Ok(written)
}

/// The longest name of a suite in the name of a file, in bytes. A file name has at most 255.
const LONGEST_NAME: usize = 150;

/// The file name of a suite without `.json`, encoded as ASCII without path separators.
fn suite_name(suite: &Path) -> String {
    let file = suite.file_name().unwrap_or_default().to_string_lossy();
    let mut name = crate::transcript::file_name(file.strip_suffix(".json").unwrap_or(&file));
    name.truncate(name.len().saturating_sub(".json".len()).min(LONGEST_NAME));
    name
}

/// Writes both files under the first name that is free for the JSON file, which is named first.
fn write_pair(folder: &Path, stem: &str, document: &RunDocument, access: Access) -> Result<Written, FileError> {
    let page = || Unnamed::write(folder, access, |file| markdown(document, file));
    let json = || -> Result<Written, FileError> {
        let mut number = 1;
        loop {
            let name = if number == 1 { stem.to_owned() } else { format!("{stem}-{number}") };
            let paths =
                Written { json: folder.join(format!("{name}.json")), markdown: folder.join(format!("{name}.md")) };
            number += 1;
            if files::exists(&paths.json) || files::exists(&paths.markdown) {
                continue;
            }
            let json = |file: &mut Draft| {
                write_document(document, file)?;
                file.write_all(b"\n")
            };
            match files::create_with(&paths.json, access, json) {
                Err(FileError::Exists { .. }) => {}
                written => return written.map(|()| paths),
            }
        }
    };
    let (paths, page) = rayon::join(json, page);
    let paths = paths?;
    page?.create(&paths.markdown)?;
    Ok(paths)
}

fn stem(started_at: &str) -> String {
    let form = "[year][month][day]-[hour][minute][second]";
    let seconds = format_description::parse_borrowed::<2>(form).expect("the form is right");
    let time = OffsetDateTime::parse(started_at, &Rfc3339).ok().and_then(|time| time.format(&seconds).ok());
    format!("minimum-eval-results-{}", time.as_deref().unwrap_or("unknown-time"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_time_and_never_collide() {
        let folder = tempfile::tempdir().unwrap();
        let stem = stem("2026-11-21T09:08:07.5Z");
        assert_eq!(stem, "minimum-eval-results-20261121-090807");
        let document = |target: &str| RunDocument { target: target.to_owned(), ..RunDocument::default() };
        let write = |target: &str| write_pair(folder.path(), &stem, &document(target), Access::Shared).unwrap();
        let (first, second) = (write("one"), write("two"));
        assert_eq!(first.json.file_name().unwrap(), "minimum-eval-results-20261121-090807.json");
        assert_eq!(second.markdown.file_name().unwrap(), "minimum-eval-results-20261121-090807-2.md");
        for (written, target) in [(&first, "one"), (&second, "two")] {
            let json = std::fs::read_to_string(&written.json).unwrap();
            assert!(json.contains(&format!("\n  \"target\": \"{target}\",\n")) && json.ends_with("\n}\n"), "{json}");
            let markdown = std::fs::read_to_string(&written.markdown).unwrap();
            assert!(markdown.contains(&format!("\n- Target: {target}\n")), "{markdown}");
        }
    }
}
