use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use super::{ChallengeConfig, FileSet, HumanDuration, Level, Precondition, TargetConfig};
use crate::text::Span;

/// All that `eval-ls.toml` says, with a default for what it leaves out. Spans are bytes of that file.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which files are suites.
    pub files: FileSet,
    /// How suites are run where the command line says nothing else.
    pub run: Run,
    /// The targets by name; `replay` is always among them. One that has an error is left out as a whole, because it
    /// would do something else than was written.
    pub targets: BTreeMap<String, TargetConfig>,
    /// How answers are judged.
    pub scoring: Scoring,
    /// What the sentences in a case's `preconditions` mean. One that has an error is left out.
    pub preconditions: BTreeMap<String, Precondition>,
    /// The UI hints by their sentence. One that has an error is left out likewise: it would decide cases otherwise.
    pub ui_hints: BTreeMap<String, UiHint>,
    /// The phrases for `required_sources`, by the source's name as it is written.
    pub sources: BTreeMap<String, Source>,
    /// The lints that have another level here, by name.
    pub lints: BTreeMap<String, LintLevel>,
    /// Which answers ought to fail, and which cases may pass them.
    pub challenge: ChallengeConfig,
}

/// `[run]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The target of a run that names none.
    pub target: String,
    /// How many cases run at a time.
    pub jobs: NonZeroUsize,
    /// How long one case may take, setup prompts included.
    pub timeout: HumanDuration,
    /// How often a case that ended in `ERROR` is asked again. A verdict is never asked again.
    pub retry_errors: usize,
    /// Where results are written, relative to the suite's folder.
    pub results: String,
    /// Where transcripts are kept, relative to the suite's folder.
    pub transcripts: String,
}

/// `[scoring]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// Whether the prompt's own text, as it is in the response, counts as evidence.
    pub prompt_counts: bool,
}

/// What one sentence of `expected.ui` means: everything here must hold of the response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UiHint {
    /// Where the sentence stands in the file, quotes included.
    pub span: Span,
    /// Phrases that must all be said.
    pub all: Vec<String>,
    /// Phrases of which at least [`at_least`](Self::at_least) must be said; asks for nothing where it is empty.
    pub any: Vec<String>,
    /// How many of [`any`](Self::any), from 1 up to all of them.
    pub at_least: usize,
    /// Groups of phrases: of each group at least one must be said.
    pub all_of: Vec<Vec<String>>,
    /// Patterns that must all match.
    pub matches: Vec<String>,
    /// Phrases of which none may be said.
    pub none: Vec<String>,
}

/// An entry of `[sources]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Where its name stands in the file.
    pub span: Span,
    /// The phrases of which one must be said, never empty.
    pub patterns: Vec<String>,
}

/// An entry of `[lints]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LintLevel {
    /// Where the lint's name stands in the file.
    pub span: Span,
    /// The level that it has here.
    pub level: Level,
}

/// The name of the target that is always there, and that a run uses where nothing names another.
pub const REPLAY: &str = "replay";

impl Default for Config {
    fn default() -> Self {
        Self {
            files: FileSet::default(),
            run: Run::default(),
            targets: BTreeMap::from([(REPLAY.to_owned(), TargetConfig::replay())]),
            scoring: Scoring::default(),
            preconditions: BTreeMap::new(),
            ui_hints: BTreeMap::new(),
            sources: BTreeMap::new(),
            lints: BTreeMap::new(),
            challenge: ChallengeConfig::default(),
        }
    }
}

impl Default for Scoring {
    fn default() -> Self {
        Self { prompt_counts: true }
    }
}

impl Default for Run {
    fn default() -> Self {
        Self {
            target: REPLAY.to_owned(),
            jobs: NonZeroUsize::MIN,
            timeout: HumanDuration::seconds(60),
            retry_errors: 0,
            results: "results".to_owned(),
            transcripts: "transcripts".to_owned(),
        }
    }
}

impl Config {
    /// How long a case may take with `target`: its own timeout, else that of `[run]`.
    pub fn timeout(&self, target: &TargetConfig) -> HumanDuration {
        target.timeout.unwrap_or(self.run.timeout)
    }
}
