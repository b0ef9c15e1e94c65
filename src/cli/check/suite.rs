use std::path::{Path, PathBuf};

use crate::analysis::Document;
use crate::cli::Console;
use crate::cli::input::{Contents, Input, ReadError, Workspaces};
use crate::files::{self, FileError};
use crate::lints::not_utf8;
use crate::text::Text;
use crate::workspace::{LoadedConfig, is_inside};

use super::Checked;
use super::allowed::AllowedEntries;
use super::fix::fix;

/// Why a suite could not be checked.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] FileError),
    #[error("`{0}` is a link to a file outside of the folder that was named; to fix that file, name it")]
    Outside(String),
}

/// Which suites are fixed.
pub(super) struct Fixing<'a> {
    /// Whether fixes are applied at all.
    pub(super) is_on: bool,
    /// The files and folders on the command line. A file that was found in a folder is fixed only if it is in one of them
    /// when links are followed.
    pub(super) paths: &'a [PathBuf],
}

impl Fixing<'_> {
    fn write(&self, path: &Path, text: &Text) -> Result<(), CheckError> {
        if self.paths.iter().any(|named| named == path || is_inside(path, named)) {
            return Ok(files::rewrite(path, text.as_str().as_bytes())?);
        }
        Err(CheckError::Outside(path.display().to_string()))
    }
}

/// Returns the findings in a suite, and why the fixed file could not be written. With fixes, returns the findings that are
/// left, and writes the fixed file. For standard input, the text is printed even if nothing was fixed.
///
/// # Errors
/// If the suite cannot be read.
pub(super) fn check(
    input: &Input,
    loaded: &LoadedConfig,
    workspaces: &mut Workspaces,
    allowed: &mut AllowedEntries,
    fixing: &Fixing<'_>,
    console: &mut Console,
) -> Result<(Checked, Option<CheckError>), CheckError> {
    let apply_fixes = fixing.is_on;
    let name = input.name();
    let text = match input.read()? {
        Contents::Text(text) => text,
        Contents::NotUtf8 { bytes, offset } => {
            if apply_fixes && matches!(input, Input::Stdin(_)) {
                console.out.write_bytes(&bytes);
            }
            let text = Text::new(&String::from_utf8_lossy(&bytes));
            return Ok((Checked { name, text, findings: vec![not_utf8(offset)], fixed: false }, None));
        }
    };
    let mut document = Document::new(text, input.path().map(Path::to_owned));
    let lints = workspaces.lints_of(input, loaded);
    // An error in the configuration could be in the setting that disables a fix.
    let may_fix = apply_fixes && loaded.errors.is_empty();
    let before = may_fix.then(|| document.clone());
    let mut fixed = may_fix && fix(&mut document, &lints);
    if let Some(config) = loaded.config_path.as_deref().filter(|_| !lints.allowed.is_empty()) {
        allowed.add(config, document.allowed_use(&lints));
    }
    let mut fault = None;
    match input {
        Input::File(path) if fixed => fault = fixing.write(path, document.text()).err(),
        Input::Stdin(_) if apply_fixes => console.out.write_text(document.text().as_str()),
        Input::File(_) | Input::Stdin(_) => {}
    }
    if let (Some(before), true) = (before, fault.is_some()) {
        (document, fixed) = (before, false);
    }
    let text = document.text().clone();
    Ok((Checked { name, text, findings: document.findings(&lints), fixed }, fault))
}
