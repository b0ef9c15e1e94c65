use crate::diagnostic::Severity;

/// The level of a lint in the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// All levels, the most severe first.
    pub(crate) const ALL: [Level; 4] = [Level::Error, Level::Warning, Level::Hint, Level::Off];

    /// Returns the word for it in `eval-ls.toml`.
    pub(crate) fn as_str(self) -> &'static str {
        self.severity().map_or("off", Severity::as_str)
    }

    /// Returns the level with that word.
    pub(crate) fn from_name(word: &str) -> Option<Level> {
        Self::ALL.into_iter().find(|level| level.as_str() == word)
    }

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
