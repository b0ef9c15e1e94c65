use std::cell::Cell;
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

/// The workspace as the lints of one case see it. It notes what they read: while that is the same, so are their findings.
pub(crate) struct WorkspaceView<'a> {
    workspace: &'a Workspace,
    read: Cell<Parts>,
}

/// Parts of a workspace, a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts(u16);

const UI_HINTS: Parts = Parts(1);
const PRECONDITIONS: Parts = Parts(1 << 1);
const TOOLS: Parts = Parts(1 << 2);
const NAMED_TOOLS: Parts = Parts(1 << 3);
const KNOWN_TOOLS: Parts = Parts(1 << 4);
const NAMED_SOURCES: Parts = Parts(1 << 5);
const SOURCES: Parts = Parts(1 << 6);
const PROMPT_WORDS: Parts = Parts(1 << 7);
const READING: Parts = Parts(1 << 8);

impl Parts {
    /// Whether both have a part.
    pub(crate) fn overlap(self, other: Parts) -> bool {
        self.0 & other.0 != 0
    }
}

impl Workspace {
    /// The parts that differ, of those that the lints of a case read. Levels and allowed findings apply later.
    pub(crate) fn difference(&self, other: &Workspace) -> Parts {
        let differ = [
            (UI_HINTS, self.ui_hints != other.ui_hints),
            (PRECONDITIONS, self.preconditions != other.preconditions),
            (TOOLS, self.tools != other.tools),
            (NAMED_TOOLS, self.named_tools != other.named_tools),
            (KNOWN_TOOLS, self.known_tools != other.known_tools),
            (NAMED_SOURCES, self.named_sources != other.named_sources),
            (SOURCES, self.sources != other.sources),
            (PROMPT_WORDS, self.prompt_words != other.prompt_words),
            (READING, self.reading != other.reading),
        ];
        Parts(differ.into_iter().filter(|(_, differs)| *differs).fold(0, |parts, (part, _)| parts | part.0))
    }
}

impl<'a> WorkspaceView<'a> {
    pub(super) fn new(workspace: &'a Workspace) -> Self {
        WorkspaceView { workspace, read: Cell::default() }
    }

    /// The parts that were read so far.
    pub(super) fn read(&self) -> Parts {
        self.read.get()
    }

    pub(super) fn ui_hints(&self) -> &'a BTreeSet<String> {
        &self.noting(UI_HINTS).ui_hints
    }

    pub(super) fn preconditions(&self) -> &'a BTreeSet<String> {
        &self.noting(PRECONDITIONS).preconditions
    }

    pub(super) fn tools(&self) -> &'a BTreeMap<String, usize> {
        &self.noting(TOOLS).tools
    }

    pub(super) fn named_tools(&self) -> &'a BTreeMap<String, usize> {
        &self.noting(NAMED_TOOLS).named_tools
    }

    pub(super) fn known_tools(&self) -> &'a BTreeSet<String> {
        &self.noting(KNOWN_TOOLS).known_tools
    }

    pub(super) fn named_sources(&self) -> &'a BTreeMap<String, usize> {
        &self.noting(NAMED_SOURCES).named_sources
    }

    pub(super) fn sources(&self) -> &'a BTreeMap<String, Vec<String>> {
        &self.noting(SOURCES).sources
    }

    pub(super) fn prompt_words(&self) -> PromptWords {
        self.noting(PROMPT_WORDS).prompt_words
    }

    pub(super) fn reading(&self) -> Reading {
        self.noting(READING).reading
    }

    fn noting(&self, part: Parts) -> &'a Workspace {
        self.read.set(Parts(self.read.get().0 | part.0));
        self.workspace
    }
}
