//! The findings in files, one file for each format. `check` and `challenge` share them; `cli` draws findings for a terminal.

mod concise;
mod github;
mod json;
mod sarif;
mod uri;

pub(crate) use concise::concise;
pub(crate) use github::github;
pub(crate) use json::json;
pub(crate) use sarif::sarif;

use crate::diagnostic::Finding;
use crate::text::Text;

/// A file and its findings.
#[derive(Debug)]
pub(crate) struct Checked {
    /// The file, as reports name it.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: Text,
    /// Its findings; their spans are places in the text.
    pub(crate) findings: Vec<Finding>,
    /// Whether fixes were applied.
    pub(crate) fixed: bool,
}

/// All findings, each with its file.
fn each(all: &[Checked]) -> impl Iterator<Item = (&Checked, &Finding)> {
    all.iter().flat_map(|checked| checked.findings.iter().map(move |finding| (checked, finding)))
}
