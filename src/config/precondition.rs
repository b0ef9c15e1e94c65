use serde::Serialize;

use crate::text::Span;

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
    /// It is met if every step succeeds on the app's page. Only a browser target can check this.
    Steps(Steps),
    /// It is met if this program, run in the folder of `eval-ls.toml`, ends with exit status 0.
    Command(Vec<String>),
}
