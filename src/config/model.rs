use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::diagnostic::Severity;
use crate::text::Span;

use super::{CaseGlob, ChallengeConfig, FileSet, HumanDuration, Pattern, TargetConfig};

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
    /// What is personal data beside what is found anyway: `patterns` of `[redact]`. Each compiles.
    pub(crate) redacted: Vec<String>,
    /// How often cases run, in the order of the file: `[[policy]]`. The first entry for a case counts.
    pub(crate) policies: Vec<RepeatPolicy>,
}

/// How many cases may run at the same time: each may be a program, or a paid call.
pub(crate) const MOST_JOBS: usize = 64;

/// `[run]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
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
    #[serde(skip)]
    pub(crate) results_span: Option<Span>,
    /// Where transcripts are stored, relative to the suite's folder.
    pub(crate) transcripts: String,
    /// Which runs stay when a run has ended.
    #[serde(deserialize_with = "super::error::parsed")]
    pub(crate) keep: Keep,
    /// What a stale transcript means for a run.
    pub(crate) stale: Stale,
    /// What a flaky case means for a run.
    pub(crate) flaky: Flaky,
}

/// `[scoring]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Scoring {
    /// Whether the prompt's own text in a response counts as evidence. Without a value, it does in the answer of a program, and does not
    /// on a page.
    pub(crate) prompt_counts: Option<bool>,
    /// In which forms an answer is searched.
    pub(crate) reading: Reading,
}

/// In which forms phrases, numbers and patterns look at an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Reading {
    /// As it is written.
    #[default]
    Written,
    /// Also as a person reads it: without marks of Markdown, with plain quotes, dashes and spaces, and with wrapped lines joined.
    Plain,
}

/// What one sentence of `expected.ui` means: the response must meet every condition here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct UiHint {
    /// The place of the sentence in the file, with quotes.
    #[serde(skip)]
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
    /// The level here.
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
            redacted: Vec::new(),
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

    /// Returns the time limit of a case with `target`: its own timeout, else that of `[run]`.
    pub(crate) fn timeout(&self, target: &TargetConfig) -> HumanDuration {
        target.timeout.unwrap_or(self.run.timeout)
    }

    /// Whether the target with this name receives variables of the environment, whose values may be secret.
    pub(crate) fn passes_variables(&self, target: &str) -> bool {
        self.targets.get(target).is_some_and(TargetConfig::passes_variables)
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
            stale: Stale::default(),
            flaky: Flaky::default(),
        }
    }
}

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

/// Which kept runs stay: those among the last `runs`, and those that are at most `days` old. Without a limit, all stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Keep {
    /// How many of the last runs stay.
    pub(crate) runs: Option<NonZeroUsize>,
    /// For how many days a run stays.
    pub(crate) days: Option<u32>,
}

/// Why a text does not say which runs stay.
const NO_KEEP: &str = "expected a number of runs, a number of days, or both, such as `100 runs, 30 days`, or `all`";

impl Default for Keep {
    fn default() -> Self {
        Keep { runs: NonZeroUsize::new(100), days: Some(30) }
    }
}

impl FromStr for Keep {
    type Err = &'static str;

    /// Reads `100 runs, 30 days`, one of the two, or `all`.
    fn from_str(text: &str) -> Result<Keep, &'static str> {
        let mut keep = Keep { runs: None, days: None };
        if text.trim() == "all" {
            return Ok(keep);
        }
        for limit in text.split(',') {
            let (number, unit) = limit.trim().split_once(' ').ok_or(NO_KEEP)?;
            match unit.trim() {
                "run" | "runs" if keep.runs.is_none() => keep.runs = Some(number.parse().map_err(|_| NO_KEEP)?),
                "day" | "days" if keep.days.is_none() => keep.days = Some(number.parse().map_err(|_| NO_KEEP)?),
                _ => return Err(NO_KEEP),
            }
        }
        Ok(keep)
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [self.runs.map(|runs| format!("{runs} runs")), self.days.map(|days| format!("{days} days"))];
        let limits: Vec<_> = limits.into_iter().flatten().collect();
        f.write_str(if limits.is_empty() { "all" } else { "" })?;
        f.write_str(&limits.join(", "))
    }
}

/// What a stale transcript means for a run: one whose prompts are not those of its case any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stale {
    /// Reports mention it.
    #[default]
    Warn,
    /// The case counts as failed.
    Fail,
    /// Nobody mentions it.
    Ignore,
}

/// Steps on a page, each the arguments of one agent-browser call, never empty. If the first word is [`OPTIONAL`], the step
/// may fail.
pub(crate) type Steps = Vec<Vec<String>>;

/// The first word of a step that may fail.
pub(crate) const OPTIONAL: &str = "?";

/// An entry of `[[preconditions]]`: what one sentence in a case's `preconditions` means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Precondition {
    /// Where the sentence is in the file, quotes included.
    pub(crate) span: Span,
    /// How it is checked.
    pub(crate) check: PreconditionCheck,
}

/// How a precondition is checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PreconditionCheck {
    /// The precondition is met if every step succeeds on the app's page. Only a browser target can check this.
    Steps(Steps),
    /// The precondition is met if this program, run in the folder of `eval-ls.toml`, ends with exit status 0.
    Command(Vec<String>),
}

/// An entry of `[[policy]]`: how often cases of live targets run, and how often they must pass.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RepeatPolicy {
    /// The place of the entry in the file.
    pub(crate) span: Span,
    /// The ids of the cases; `None` for all cases of the categories.
    pub(crate) cases: Option<CaseGlob>,
    /// The categories; `None` for all.
    pub(crate) category: Option<CaseGlob>,
    /// The number of attempts, at least 1.
    pub(crate) repeat: usize,
    /// The number of attempts that must pass, from 1 to all of them.
    pub(crate) min_pass: usize,
}

/// What a flaky case means for a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Flaky {
    /// A flaky case fails unless enough attempts pass.
    #[default]
    Fail,
    /// A flaky case never fails.
    Pass,
}

impl super::Config {
    /// The first policy for a case.
    pub(crate) fn policy_of(&self, id: &str, category: &str) -> Option<&RepeatPolicy> {
        self.policies.iter().find(|policy| {
            policy.cases.as_ref().is_none_or(|glob| glob.matches(id))
                && policy.category.as_ref().is_none_or(|glob| glob.matches(category))
        })
    }
}

/// The level of a lint in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Level {
    /// The suite is not run.
    Error,
    /// The suite runs, but most likely does not mean what its author intended.
    Warning,
    /// Worth knowing; shown unobtrusively.
    Hint,
    /// Not reported.
    Off,
}

impl Level {
    /// Returns the severity of its findings; `None` if they are not reported.
    pub(crate) fn severity(self) -> Option<Severity> {
        match self {
            Level::Error => Some(Severity::Error),
            Level::Warning => Some(Severity::Warning),
            Level::Hint => Some(Severity::Hint),
            Level::Off => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        for (text, written) in [
            ("100 runs, 30 days", "100 runs, 30 days"),
            ("30 days,1 run", "1 runs, 30 days"),
            ("7 days", "7 days"),
            ("2  runs", "2 runs"),
            (" all ", "all"),
        ] {
            assert_eq!(text.parse::<Keep>().unwrap().to_string(), written);
        }
        for text in ["", "100", "0 runs", "1 runs, 2 runs", "1 year", "-1 days", "runs", "1 runs,", "all, 1 run"] {
            assert_eq!(text.parse::<Keep>(), Err(NO_KEEP), "{text}");
        }
        assert_eq!(Keep::default().to_string(), "100 runs, 30 days");
    }
}
