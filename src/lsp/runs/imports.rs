//! The import of a log: a child process, as for a run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::files;
use crate::processes::this_program;
use crate::text::Text;

/// What an import did.
pub(crate) struct Imported {
    /// What the program printed.
    pub(crate) printed: String,
    /// The suite that it wrote or kept.
    pub(crate) suite: PathBuf,
}

/// Makes a suite of the log at `path`, with proved checks. `open` is its text in the editor; `redacts` is whether personal data is replaced.
///
/// # Errors
/// Why there is no suite, as the program reports it.
pub(crate) fn import(path: &Path, open: Option<Text>, redacts: bool) -> Result<Imported, String> {
    let (folder, name) = (path.parent().unwrap_or(path), path.file_name().unwrap_or_default());
    let mut command = Command::new(this_program());
    command.args(["import", "--propose"]).args(redacts.then_some("--redact")).arg("--").arg(name);
    command.current_dir(folder).env("NO_COLOR", "1").stdin(Stdio::null());
    let output = command.output().map_err(|error| format!("eval-ls could not be started: {error}"))?;
    let [printed, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let names =
        printed.lines().filter_map(|line| line.strip_prefix("wrote  ").or_else(|| line.strip_prefix("kept   ")));
    let suite = names.map(str::trim).find(|name| name.ends_with(".evals.json")).map(|name| folder.join(name));
    let suite = suite.ok_or_else(|| format!("{errors}{printed}").trim().to_owned())?;
    let is_saved = open
        .is_none_or(|open| files::read(path, open.len() as u64).is_ok_and(|bytes| bytes == open.as_str().as_bytes()));
    let unsaved = if is_saved { "" } else { "The log has changes that are not saved. They are not in the suite.\n\n" };
    Ok(Imported { printed: format!("{unsaved}{printed}{errors}"), suite })
}
