use std::path::Path;

use crate::analysis::Document;
use crate::cli::Console;
use crate::cli::input::{Contents, Input, ReadError, Workspaces};
use crate::files::{self, FileError};
use crate::lints::not_utf8;
use crate::text::Text;
use crate::workspace::LoadedConfig;

use super::Checked;
use super::fix::fix;

/// Why a suite could not be checked.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Write(#[from] FileError),
}

/// What is found in a suite; where it is to be mended, what is found then. A file that was mended is written; of standard
/// input, the text is printed in any case.
///
/// # Errors
/// Where it cannot be read, or what was mended cannot be written.
pub(super) fn check(
    input: &Input,
    loaded: &LoadedConfig,
    workspaces: &mut Workspaces,
    mend: bool,
    console: &mut Console,
) -> Result<Checked, CheckError> {
    let name = input.name();
    let text = match input.read()? {
        Contents::Text(text) => text,
        Contents::NotUtf8 { bytes, offset } => {
            if mend && matches!(input, Input::Stdin(_)) {
                console.out.write_bytes(&bytes);
            }
            let text = Text::new(&String::from_utf8_lossy(&bytes));
            return Ok(Checked { name, text, findings: vec![not_utf8(offset)], mended: false });
        }
    };
    let mut document = Document::new(text, input.path().map(Path::to_owned));
    let lints = workspaces.lints_of(input, loaded);
    // A fault in the configuration could be in just what keeps a fix from being applied.
    let may_mend = mend && loaded.errors.is_empty();
    let mended = may_mend && fix(&mut document, &lints);
    let text = document.text().clone();
    match input {
        Input::File(path) if mended => files::rewrite(path, text.as_str().as_bytes())?,
        Input::Stdin(_) if mend => console.out.write_text(text.as_str()),
        Input::File(_) | Input::Stdin(_) => {}
    }
    Ok(Checked { name, text, findings: document.findings(&lints), mended })
}
