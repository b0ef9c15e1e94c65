use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::config::{Allow, Reading};
use crate::diagnostic::Severity;

/// What the lints know about the workspace of a suite.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// The levels of lints from the configuration; `None` turns a lint off.
    pub(crate) levels: BTreeMap<String, Option<Severity>>,
    /// The UI hints from the configuration.
    pub ui_hints: BTreeSet<String>,
    /// The preconditions from the configuration.
    pub(crate) preconditions: BTreeSet<String>,
    /// The tools in the workspace's transcripts and telemetry logs, with their counts; empty if there are none.
    pub tools: BTreeMap<String, usize>,
    /// The tools that the suites on disk name, with their counts. They may not exist.
    pub(crate) named_tools: BTreeMap<String, usize>,
    /// The tools that the configuration calls known.
    pub(crate) known_tools: BTreeSet<String>,
    /// The sources that its suites require, as they are on disk, and how often.
    pub(crate) named_sources: BTreeMap<String, usize>,
    /// The phrases of the sources that the configuration defines.
    pub(crate) sources: BTreeMap<String, Vec<String>>,
    /// Whether the prompt's own words can pass a check.
    pub(crate) prompt_words: PromptWords,
    /// In which forms answers are searched.
    pub(crate) reading: Reading,
    /// The folder of the configuration's file, if there is one. Absolute.
    pub(crate) root: Option<PathBuf>,
    /// The findings that the configuration allows.
    pub(crate) allowed: Vec<Allow>,
}

/// Whether the prompt's own words can pass a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum PromptWords {
    /// They count on a page that shows the prompt beside the answer.
    Shown,
    /// An answer can repeat them.
    #[default]
    Repeated,
    /// They are not evidence.
    Ignored,
}
