use std::fmt;

/// An answer that ought to fail. The names are used in `eval-ls.toml` and in reports.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Challenge {
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
pub struct OwnAnswer {
    /// Its name: that of its file without the extension.
    pub name: String,
    /// The response.
    pub response: String,
}

impl Challenge {
    /// The names that `[challenge]` in `eval-ls.toml` accepts for built-in challenges, with one line for help texts.
    pub const NAMES: [(&'static str, &'static str); 12] = [
        ("silence", "an empty answer"),
        ("echo", "the prompts alone, as a page shows them"),
        ("apology", "the prompts and \"Sorry, something went wrong.\""),
        ("refusal", "a refusal in everyday words"),
        ("page-before", "the page before the prompt was sent"),
        ("other-answer", "the transcript of another case"),
        ("keyword-soup", "the words of the prompt and the names of the sources"),
        ("stale", "the transcript with every number changed"),
        ("wrong-tool:renamed", "the transcript with every tool renamed"),
        ("wrong-tool:failed", "the transcript with every tool result failed"),
        ("wrong-tool:none", "the transcript without its telemetry"),
        ("forbidden", "everything that the case forbids"),
    ];

    /// The name without the part that says which case's answer it is.
    pub fn kind(&self) -> &str {
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
