//! Which challenges ought to fail, by the case's outcome. What cannot be decided is left out, never guessed.

use std::fmt;

use crate::checks::{Needs, expectations};
use crate::suite::{Case, Outcome};

/// An answer that ought to fail. The names are used in `eval-ls.toml` and in reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Challenge {
    /// An empty response and no telemetry.
    Silence,
    /// The setup prompts and the prompt, a line each, as a page shows them; no telemetry.
    Echo,
    /// [`Challenge::Echo`], then "Sorry, something went wrong."
    Apology,
    /// A refusal full of everyday words that contain short source phrases.
    Refusal,
    /// The page before the prompt was sent, as a browser target stored it.
    PageBefore,
    /// The transcript of the case with this id, whose prompt differs.
    OtherAnswer(String),
    /// Every word of the prompt and the names of the sources, without a sentence.
    KeywordSoup,
    /// The transcript with every number changed.
    Stale,
    /// The transcript with every tool renamed.
    RenamedTool,
    /// The transcript with every tool result failed.
    FailedTool,
    /// The transcript with every tool result a success.
    SucceededTool,
    /// The transcript without its telemetry.
    NoTool,
    /// The transcript with its tools and another response: `nothing`, `done`, or that of the case with this id.
    OtherWords(String),
    /// [`Challenge::Echo`], then everything that the case forbids.
    Forbidden,
}

impl Challenge {
    /// The name that `[challenge]` in `eval-ls.toml` uses, one of [`CHALLENGES`](crate::config::CHALLENGES).
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Challenge::Silence => "silence",
            Challenge::Echo => "echo",
            Challenge::Apology => "apology",
            Challenge::Refusal => "refusal",
            Challenge::PageBefore => "page-before",
            Challenge::OtherAnswer(_) => "other-answer",
            Challenge::KeywordSoup => "keyword-soup",
            Challenge::Stale => "stale",
            Challenge::RenamedTool => "wrong-tool:renamed",
            Challenge::FailedTool => "wrong-tool:failed",
            Challenge::SucceededTool => "wrong-tool:succeeded",
            Challenge::NoTool => "wrong-tool:none",
            Challenge::OtherWords(_) => "other-words",
            Challenge::Forbidden => "forbidden",
        }
    }
}

/// The name in reports: `echo`, or `other-answer:SYN2`.
impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Challenge::OtherAnswer(case) => write!(f, "other-answer:{case}"),
            Challenge::OtherWords(words) => write!(f, "other-words:{words}"),
            other => f.write_str(other.kind()),
        }
    }
}

/// What a case asks for, as far as it decides which answers ought to fail.
pub(super) struct Demands {
    outcome: Outcome,
    /// Something must be said, shown or logged: silence is wrong.
    content: bool,
    /// The answer must name certain tools in its telemetry.
    named_tool: bool,
    /// A tool must have started, succeeded or failed.
    any_tool: bool,
    /// A tool must have succeeded.
    success: bool,
    /// A number must have a certain value, or an age a limit.
    number: bool,
}

impl Demands {
    pub(super) fn of(case: &Case) -> Demands {
        let expectations = expectations(case);
        let any = |wanted: fn(Needs) -> bool| expectations.iter().any(|asked| wanted(asked.rule.needs()));
        let outcome = expectations.iter().find_map(|asked| asked.rule.outcome()).unwrap_or(Outcome::ResponseOnly);
        let named_tool = any(|needs| needs.tool);
        let by_outcome = matches!(outcome, Outcome::ToolSuccess | Outcome::ToolStarted | Outcome::GracefulError);
        Demands {
            outcome,
            content: any(|needs| needs.content),
            named_tool,
            any_tool: named_tool || by_outcome,
            success: any(|needs| needs.success),
            number: any(|needs| needs.number),
        }
    }

    /// Why the case ought to fail the challenge; `None` if that cannot be decided.
    pub(super) fn reason(&self, challenge: &Challenge) -> Option<&'static str> {
        match challenge {
            Challenge::Silence | Challenge::Echo | Challenge::PageBefore | Challenge::KeywordSoup => self.no_answer(),
            // An apology or a refusal may be exactly how a block is worded.
            Challenge::Apology | Challenge::Refusal if self.outcome == Outcome::GracefulBlock => None,
            Challenge::Apology | Challenge::Refusal => self.no_answer(),
            Challenge::OtherAnswer(_) => self.no_answer().map(|_| "the answer belongs to another prompt"),
            Challenge::Stale => {
                self.number.then_some("the case asks for certain numbers, and the answer has other ones")
            }
            Challenge::RenamedTool => {
                self.named_tool.then_some("the case names tools, and only other tools were called")
            }
            Challenge::FailedTool => self.success.then_some("the case asks for a success, and every result failed"),
            Challenge::SucceededTool => (self.outcome == Outcome::GracefulError)
                .then_some("the case asks for a failure, and every result succeeded"),
            Challenge::OtherWords(_) => self.no_answer().map(|_| "the tools are right, and the words are not"),
            Challenge::NoTool => self.any_tool.then_some("the case asks for a tool, and none was called"),
            Challenge::Forbidden => Some("the answer does everything that the case forbids"),
        }
    }

    /// Why an answer without content is wrong.
    fn no_answer(&self) -> Option<&'static str> {
        match self.outcome {
            Outcome::ToolSuccess | Outcome::ToolStarted => Some("a tool must be called, and none was"),
            Outcome::GracefulError => Some("a tool must have failed, and none was called"),
            Outcome::NeedsInput => Some("the assistant must ask for input, and the answer does not ask"),
            // A block may be silent, and a case that only forbids may accept silence.
            Outcome::GracefulBlock | Outcome::ResponseOnly => {
                self.content.then_some("the case asks for content, and the answer has none")
            }
        }
    }
}
