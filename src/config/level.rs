use crate::diagnostic::Severity;

/// What the configuration makes of a lint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// The suite is not run.
    Error,
    /// The suite runs, but most likely does not mean what it says.
    Warning,
    /// Worth knowing; shown quietly.
    Hint,
    /// Not reported.
    Off,
}

impl Level {
    /// All of them, the gravest first.
    pub const ALL: [Level; 4] = [Level::Error, Level::Warning, Level::Hint, Level::Off];

    /// The word for it in `eval-ls.toml`.
    pub fn as_str(self) -> &'static str {
        self.severity().map_or("off", Severity::as_str)
    }

    /// The level that a word names.
    pub fn from_name(word: &str) -> Option<Level> {
        Self::ALL.into_iter().find(|level| level.as_str() == word)
    }

    /// The severity with which findings are reported; `None` where they are not.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Level::Error => Some(Severity::Error),
            Level::Warning => Some(Severity::Warning),
            Level::Hint => Some(Severity::Hint),
            Level::Off => None,
        }
    }
}
