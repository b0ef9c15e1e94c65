use std::collections::BTreeMap;

use globset::{GlobBuilder, GlobMatcher};

use super::{Level, Pattern};

/// The built-in challenges that `[challenge]` may name, each with a description.
pub(crate) const CHALLENGES: [(&str, &str); 12] = [
    ("silence", "an empty answer"),
    ("echo", "only the prompts, as a page shows them"),
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

/// `[challenge]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ChallengeConfig {
    /// The files with answers that ought to fail, relative to the folder of `eval-ls.toml`.
    pub(crate) answers: Vec<Pattern>,
    /// The built-in challenges with another level than `error`, by name.
    pub(crate) levels: BTreeMap<String, Level>,
    /// The cases that may pass a challenge.
    pub(crate) exceptions: Vec<ChallengeException>,
}

/// An entry of `[[challenge.exceptions]]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChallengeException {
    /// The ids of the cases.
    pub(crate) cases: CaseGlob,
    /// The names of the challenges; a case may pass all of them if there is none.
    pub(crate) challenges: Vec<String>,
    /// The reason, for people.
    pub(crate) reason: String,
}

/// A glob for case ids: `*` and `?` match any characters, also `/`.
#[derive(Clone, Debug)]
pub(crate) struct CaseGlob {
    glob: String,
    matcher: GlobMatcher,
}

impl ChallengeConfig {
    /// Returns the level at which a passed challenge of that name is reported.
    pub(crate) fn level(&self, challenge: &str) -> Level {
        self.levels.get(challenge).copied().unwrap_or(Level::Error)
    }

    /// Returns the reason why the case may pass the challenge; `None` if it may not.
    pub(crate) fn exception(&self, case: &str, challenge: &str) -> Option<&ChallengeException> {
        let names = |exception: &&ChallengeException| {
            exception.challenges.is_empty() || exception.challenges.iter().any(|name| name == challenge)
        };
        self.exceptions.iter().filter(names).find(|exception| exception.cases.matches(case))
    }
}

/// How long a glob for ids may be, in bytes.
const MAX_LENGTH: usize = 500;

impl CaseGlob {
    /// Reads a glob.
    ///
    /// # Errors
    /// If it is empty, longer than 500 bytes or not a glob: the reason as a lower-case fragment.
    pub(crate) fn new(glob: &str) -> Result<CaseGlob, String> {
        if glob.is_empty() {
            return Err("an empty pattern matches no case".to_owned());
        }
        if glob.len() > MAX_LENGTH {
            return Err(format!("the pattern is longer than {MAX_LENGTH} bytes"));
        }
        let built = GlobBuilder::new(glob).literal_separator(false).build();
        let built = built.map_err(|error| error.kind().to_string())?;
        Ok(CaseGlob { glob: glob.to_owned(), matcher: built.compile_matcher() })
    }

    /// Returns whether it matches the id.
    pub(crate) fn matches(&self, id: &str) -> bool {
        self.matcher.is_match(id)
    }

    /// Returns whether it can match more than one id.
    pub(crate) fn is_pattern(&self) -> bool {
        self.glob.contains(['*', '?', '[', '{'])
    }

    /// Returns the glob as it is written.
    pub(crate) fn as_str(&self) -> &str {
        &self.glob
    }
}

impl PartialEq for CaseGlob {
    fn eq(&self, other: &CaseGlob) -> bool {
        self.glob == other.glob
    }
}
