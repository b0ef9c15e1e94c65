//! Files of other programs that a command line names.

use std::ffi::OsStr;
use std::path::Path;

use crate::import::{Syntax, recognized};
use crate::wording::shell_word;

use super::{Contents, Input};

/// How a file is written, by its name, or by its text.
pub(crate) fn syntax_of(file: &Path, text: &str) -> Syntax {
    Syntax::of(&file.extension().map(OsStr::to_string_lossy).unwrap_or_default(), text)
}

/// What a named file is that is not a suite, and whether `import` reads it: `it is an eval set of Google ADK; …`. `None` if
/// nothing shows it.
pub(super) fn what_it_is(file: &Path) -> Option<String> {
    let Ok(Contents::Text(text)) = Input::File(file.to_owned()).read() else { return None };
    let foreign = recognized(text.as_str(), syntax_of(file, text.as_str()))?;
    let import = format!("eval-ls import {}", shell_word(&file.display().to_string()));
    Some(format!("it is {}", foreign.with_remedy(&import)))
}
