//! What is wrong in an `eval-ls.toml`, and the hash of a target that a person approves.

use hmac_sha256::Hash as Sha256;
use serde::Serialize;

use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::text::{Span, hex};

use super::{Config, TargetConfig};

/// An error in `eval-ls.toml`. The rest of the file still applies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", help.as_ref().map_or_else(String::new, |help| format!("; {help}")))]
pub(crate) struct ConfigError {
    /// The smallest text that caused it, in bytes of the file. If something is missing in a table, the name or header
    /// of the table.
    pub(crate) span: Span,
    /// The problem and the expected text: a lower-case fragment, plain text without control characters.
    pub(crate) message: String,
    /// The solution, if it is known: also a lower-case fragment.
    pub(crate) help: Option<String>,
    /// The edit that fixes it, if there is one.
    pub(crate) fix: Option<Box<Fix>>,
}

impl ConfigError {
    /// The name of these errors among the findings of lints.
    pub(crate) const LINT: &'static str = "invalid-config";

    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None, fix: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers to replace the text with `replacement`, the TOML for `name`.
    pub(super) fn did_you_mean(self, name: &str, replacement: impl Into<String>) -> Self {
        let edit = Edit::replace(self.span, replacement);
        let fix = Fix::new(format!("change it to `{name}`"), vec![edit]);
        Self { fix: Some(Box::new(fix)), ..self.help(format!("did you mean `{name}`?")) }
    }
}

impl From<&ConfigError> for Finding {
    fn from(error: &ConfigError) -> Self {
        let finding = Finding::new(ConfigError::LINT, Severity::Error, error.span, error.to_string());
        Finding { fixes: error.fix.as_deref().cloned().into_iter().collect(), ..finding }
    }
}

/// Commands, options and keys of earlier versions, each with what to do now.
const REMOVED: [(&str, &str); 10] = [
    ("--watch", "an editor judges at each change; or type `watchexec --watch evals -- eval-ls run`"),
    ("--changed", "name the cases with `--cases`, or ask those that did not pass again with `--failed`"),
    ("--confirm", "to run a case several times, write `attempts` in a `[[policy]]`, or type `--repeat N`"),
    (
        "quarantine",
        "write `expires` and `why` in an entry of `[[policy]]`, with the `min_pass` that is enough until then",
    ),
    (
        "--coverage",
        "`challenge` names the wrong answers that a case passes, and `propose` the checks that an answer proves",
    ),
    ("man", "type `eval-ls --help` or `eval-ls COMMAND --help`"),
    ("add-target", "type `eval-ls init KIND`"),
    ("rescore", "`eval-ls run --answers-of RUN` judges the answers of a kept run again"),
    ("history", "`eval-ls runs CASE` shows how a case ended, run by run"),
    ("answer_key", "put the answers out of the target's reach, see `docs/program.md#hide-the-answers`"),
];

/// The help for a command, an option or a key that this version does not know, if an earlier one had it.
pub(crate) fn removed(name: &str) -> Option<String> {
    let (_, instead) = REMOVED.iter().find(|(removed, _)| *removed == name)?;
    Some(format!("it was removed; {instead}"))
}

/// What a person approves before a target runs from an editor: the target's table, the folders into which its answers go, and how
/// much of it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Approvable {
    /// The target's table.
    pub(crate) table: TargetConfig,
    /// `results` of `[run]`.
    pub(crate) results: String,
    /// `transcripts` of `[run]`.
    pub(crate) transcripts: String,
    /// Not a part of [`fingerprint`](Self::fingerprint): less than what was approved needs no other approval.
    #[serde(skip)]
    pub(crate) load: Load,
}

/// How much of a target runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    /// How many cases run at the same time.
    pub(crate) jobs: usize,
    /// How often a case is asked at most.
    pub(crate) attempts: usize,
}

impl Load {
    /// One case after the other, each once.
    pub(crate) const LEAST: Load = Load { jobs: 1, attempts: 1 };

    /// Whether this is not more than `other`.
    pub(crate) fn is_within(self, other: Load) -> bool {
        self.jobs <= other.jobs && self.attempts <= other.attempts
    }
}

impl Config {
    /// What a person approves of a target with this table.
    pub(crate) fn approvable(&self, table: &TargetConfig) -> Approvable {
        let (results, transcripts) = (self.run.results.clone(), self.run.transcripts.clone());
        Approvable { table: table.clone(), results, transcripts, load: self.load() }
    }

    fn load(&self) -> Load {
        let repeats = self.policies.iter().map(|policy| policy.repeat).max().unwrap_or(1);
        Load { jobs: self.run.jobs.get(), attempts: repeats * (1 + self.run.retry_errors) }
    }
}

impl Approvable {
    /// The SHA-256 of the table and the folders, as 64 hexadecimal digits. It is the same in every process on every system.
    pub(crate) fn fingerprint(&self) -> String {
        let text = serde_json::to_string(self).expect("strings, numbers and lists of them always fit into JSON");
        hash("eval-ls/approval@1\n", &text)
    }

    /// The same of all of it: that of a run that was approved.
    pub(crate) fn run_fingerprint(&self) -> String {
        let Load { jobs, attempts } = self.load;
        hash("eval-ls/approved-run@1\n", &format!("{} {jobs} {attempts}", self.fingerprint()))
    }
}

pub(super) fn hash(kind: &str, text: &str) -> String {
    hex(&Sha256::hash(format!("{kind}{text}").as_bytes()))
}
