use std::path::Path;

use crate::analysis::Document;
use crate::cli::Console;
use crate::cli::input::{Contents, Input, ReadError, Workspaces};
use crate::files::{self, FileError};
use crate::lints::not_utf8;
use crate::text::Text;
use crate::workspace::LoadedConfig;

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
}

/// Returns the findings in a suite. With fixes, returns the findings that are left, and writes the fixed file. For
/// standard input, the text is printed even if nothing was fixed.
///
/// # Errors
/// If the suite cannot be read, or the fixed text cannot be written.
pub(super) fn check(
    input: &Input,
    loaded: &LoadedConfig,
    workspaces: &mut Workspaces,
    allowed: &mut AllowedEntries,
    apply_fixes: bool,
    console: &mut Console,
) -> Result<Checked, CheckError> {
    let name = input.name();
    let text = match input.read()? {
        Contents::Text(text) => text,
        Contents::NotUtf8 { bytes, offset } => {
            if apply_fixes && matches!(input, Input::Stdin(_)) {
                console.out.write_bytes(&bytes);
            }
            let text = Text::new(&String::from_utf8_lossy(&bytes));
            return Ok(Checked { name, text, findings: vec![not_utf8(offset)], fixed: false });
        }
    };
    let mut document = Document::new(text, input.path().map(Path::to_owned));
    let lints = workspaces.lints_of(input, loaded);
    // An error in the configuration could be in the setting that disables a fix.
    let may_fix = apply_fixes && loaded.errors.is_empty();
    let fixed = may_fix && fix(&mut document, &lints);
    if let Some(config) = loaded.config_path.as_deref().filter(|_| !lints.allowed.is_empty()) {
        allowed.add(config, document.allowed_use(&lints));
    }
    let text = document.text().clone();
    match input {
        Input::File(path) if fixed => files::rewrite(path, text.as_str().as_bytes())?,
        Input::Stdin(_) if apply_fixes => console.out.write_text(text.as_str()),
        Input::File(_) | Input::Stdin(_) => {}
    }
    Ok(Checked { name, text, findings: document.findings(&lints), fixed })
}
