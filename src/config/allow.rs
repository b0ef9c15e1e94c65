use super::{CaseGlob, Pattern};
use crate::text::Span;

/// An entry of `[[allow]]`: findings of one lint that are left out.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Allow {
    /// The place of the entry in the file: its header.
    pub(crate) span: Span,
    /// The name of the lint.
    pub(crate) lint: String,
    /// The ids of the cases; `None` for all cases and what is around them.
    pub(crate) cases: Option<CaseGlob>,
    /// The suites, relative to the folder of `eval-ls.toml`; empty for all suites.
    pub(crate) files: Vec<Pattern>,
    /// The reason, for people.
    pub(crate) reason: String,
}

impl Eq for Allow {}

impl Allow {
    /// Whether the entry is about the suite at `path`, which is relative to the folder of `eval-ls.toml`, with `/` between
    /// its parts. `None` is a suite without a file.
    pub(crate) fn is_about_file(&self, path: Option<&str>) -> bool {
        self.files.is_empty() || path.is_some_and(|path| self.files.iter().any(|pattern| pattern.matches(path)))
    }

    /// Whether the entry is about the case with that id; `None` for what is in no case.
    pub(crate) fn is_about_case(&self, id: Option<&str>) -> bool {
        self.cases.as_ref().is_none_or(|cases| id.is_some_and(|id| cases.matches(id)))
    }
}
