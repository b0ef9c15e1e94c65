use std::fmt;

use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::text::Span;

/// One thing that is wrong in `eval-ls.toml`. All else in the file still holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The smallest text at fault, in bytes of the file; the table's name or header where something is missing in it.
    pub span: Span,
    /// What is wrong and what was expected: a lower-case fragment, plain text, free of control characters.
    pub message: String,
    /// What to do about it, where that is known: a lower-case fragment likewise.
    pub help: Option<String>,
    /// The edit that does it, where there is one.
    pub fix: Option<Fix>,
}

impl ConfigError {
    /// The name under which these errors are shown among the findings of lints.
    pub const LINT: &'static str = "invalid-config";

    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None, fix: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers to put `replacement`, TOML for `name`, in the place of the text at fault.
    pub(super) fn did_you_mean(self, name: &str, replacement: impl Into<String>) -> Self {
        let edit = Edit::replace(self.span, replacement);
        let fix = Fix::new(format!("change it to `{name}`"), vec![edit]);
        Self { fix: Some(fix), ..self.help(format!("did you mean `{name}`?")) }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.help.iter().try_for_each(|help| write!(f, "; {help}"))
    }
}

impl std::error::Error for ConfigError {}

impl From<&ConfigError> for Finding {
    fn from(error: &ConfigError) -> Self {
        let finding = Finding::new(ConfigError::LINT, Severity::Error, error.span, error.to_string());
        Finding { fixes: error.fix.iter().cloned().collect(), ..finding }
    }
}
