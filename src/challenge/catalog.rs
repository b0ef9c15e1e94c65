use std::fmt;

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
    /// The transcript without its telemetry.
    NoTool,
    /// [`Challenge::Echo`], then everything that the case forbids.
    Forbidden,
    /// The answer of this name that `[challenge]` in `eval-ls.toml` lists.
    Own(String),
}

/// An answer of the workspace's own that ought to fail in every case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnAnswer {
    /// Its name: that of its file without the extension.
    pub(crate) name: String,
    /// The response.
    pub(crate) response: String,
}

impl Challenge {
    /// The name that `[challenge]` in `eval-ls.toml` uses, one of [`CHALLENGES`](crate::config::CHALLENGES) or that of an
    /// answer of the workspace's own.
    pub(crate) fn kind(&self) -> &str {
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
            Challenge::NoTool => "wrong-tool:none",
            Challenge::Forbidden => "forbidden",
            Challenge::Own(name) => name,
        }
    }
}

/// The name in reports: `echo`, or `other-answer:SYN2`.
impl fmt::Display for Challenge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Challenge::OtherAnswer(case) => write!(f, "other-answer:{case}"),
            other => f.write_str(other.kind()),
        }
    }
}
