use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use super::{
    Allow, ChallengeConfig, FileSet, Flaky, HumanDuration, Keep, Level, Precondition, RepeatPolicy, Stale, TargetConfig,
};
use crate::text::Span;

/// The content of `eval-ls.toml`, with a default for each missing key. Spans are bytes of that file.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Which files are suites.
    pub(crate) files: FileSet,
    /// How suites are run unless the command line overrides it.
    pub(crate) run: Run,
    /// The targets by name; `replay` is always among them. A target with an error is omitted as a whole, because it
    /// would not do what the author wrote.
    pub(crate) targets: BTreeMap<String, TargetConfig>,
    /// How answers are judged.
    pub(crate) scoring: Scoring,
    /// What the sentences in a case's `preconditions` mean. An entry with an error is omitted.
    pub(crate) preconditions: BTreeMap<String, Precondition>,
    /// The UI hints by their sentence. A hint with an error is omitted, because it would decide cases differently.
    pub(crate) ui_hints: BTreeMap<String, UiHint>,
    /// The phrases for `required_sources`, by the exact name of the source.
    pub(crate) sources: BTreeMap<String, Source>,
    /// The lints whose level is set here, by name.
    pub(crate) lints: BTreeMap<String, LintLevel>,
    /// Which answers ought to fail, and which cases may pass them.
    pub(crate) challenge: ChallengeConfig,
    /// The findings that `[[allow]]` leaves out, in the order of the file.
    pub(crate) allowed: Vec<Allow>,
    /// Tools that exist although no transcript shows them: `known` of `[tools]`.
    pub(crate) known_tools: BTreeSet<String>,
    /// How often cases run, in the order of the file: `[[policy]]`. The first entry for a case counts.
    pub(crate) policies: Vec<RepeatPolicy>,
}

/// How many cases may run at the same time: each may be a program, or a paid call.
pub(crate) const MOST_JOBS: usize = 64;

/// `[run]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    /// The default target of a run.
    pub(crate) target: String,
    /// How many cases run at the same time.
    pub(crate) jobs: NonZeroUsize,
    /// The time limit of one case, including its setup prompts.
    pub(crate) timeout: HumanDuration,
    /// How often a case that ended in `ERROR` is retried. A verdict is never retried.
    pub(crate) retry_errors: usize,
    /// Where results and kept runs are written, relative to the workspace's root.
    pub(crate) results: String,
    /// The place of that value in the file, if it is there.
    pub(crate) results_span: Option<Span>,
    /// Where transcripts are stored, relative to the suite's folder.
    pub(crate) transcripts: String,
    /// Which runs stay when a run has ended.
    pub(crate) keep: Keep,
    /// Labels of every run, by name.
    pub(crate) labels: BTreeMap<String, String>,
    /// What a stale transcript means for a run.
    pub(crate) stale: Stale,
    /// What a flaky case means for a run.
    pub(crate) flaky: Flaky,
}

/// `[scoring]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scoring {
    /// Whether the prompt's own text in a response counts as evidence. Without a value, it does in the answer of a program, and does not
    /// on a page.
    pub(crate) prompt_counts: Option<bool>,
    /// In which forms an answer is searched.
    pub(crate) reading: Reading,
}

/// In which forms phrases, numbers and patterns look at an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As it is written.
    #[default]
    Written,
    /// Also as a person reads it: without marks of Markdown, with plain quotes, dashes and spaces, and with wrapped lines joined.
    Plain,
}

impl Reading {
    /// The words of `[scoring] reading`.
    pub(super) const WORDS: [(&'static str, Reading); 2] = [("written", Reading::Written), ("plain", Reading::Plain)];
}

/// What one sentence of `expected.ui` means: the response must meet every condition here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UiHint {
    /// The place of the sentence in the file, with quotes.
    pub(crate) span: Span,
    /// Phrases that must all be in the response.
    pub(crate) all: Vec<String>,
    /// Phrases of which at least [`at_least`](Self::at_least) must be in the response; no condition if it is empty.
    pub(crate) any: Vec<String>,
    /// How many of [`any`](Self::any), from 1 up to all of them.
    pub(crate) at_least: usize,
    /// Groups of phrases: at least one phrase of each group must be in the response.
    pub(crate) all_of: Vec<Vec<String>>,
    /// Patterns that must all match.
    pub(crate) matches: Vec<String>,
    /// Phrases that must not be in the response.
    pub(crate) none: Vec<String>,
}

/// An entry of `[sources]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    /// The place of its name in the file.
    pub(crate) span: Span,
    /// The phrases of which one must be in the response; never empty.
    pub(crate) patterns: Vec<String>,
}

/// An entry of `[lints]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LintLevel {
    /// The place of the lint's name in the file.
    pub(crate) span: Span,
    /// Its level here.
    pub(crate) level: Level,
}

/// The name of the target that always exists and is the default of a run.
pub(crate) const REPLAY: &str = "replay";

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
            allowed: Vec::new(),
            known_tools: BTreeSet::new(),
            policies: Vec::new(),
        }
    }
}

impl Config {
    /// The targets that answer: that of a run, or all live ones if a run replays.
    pub(crate) fn answering(&self) -> Vec<&TargetConfig> {
        let is_live = |target: &&TargetConfig| target.is_live();
        match self.targets.get(&self.run.target).filter(is_live) {
            Some(target) => vec![target],
            None => self.targets.values().filter(is_live).collect(),
        }
    }

    /// Whether all answers are pages.
    pub(crate) fn has_only_pages(&self) -> bool {
        let targets = self.answering();
        !targets.is_empty() && targets.iter().all(|target| target.shows_prompt())
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
            results_span: None,
            transcripts: "transcripts".to_owned(),
            keep: Keep::default(),
            labels: BTreeMap::new(),
            stale: Stale::default(),
            flaky: Flaky::default(),
        }
    }
}

impl Config {
    /// Returns the time limit of a case with `target`: its own timeout, else that of `[run]`.
    pub(crate) fn timeout(&self, target: &TargetConfig) -> HumanDuration {
        target.timeout.unwrap_or(self.run.timeout)
    }

    /// Whether the target with this name receives variables of the environment, whose values may be secret.
    pub(crate) fn passes_variables(&self, target: &str) -> bool {
        self.targets.get(target).is_some_and(TargetConfig::passes_variables)
    }
}
