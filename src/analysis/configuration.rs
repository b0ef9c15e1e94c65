//! The errors in `eval-ls.toml` while it is edited.

use super::lint_names;
use crate::config::{Config, ConfigError, MAX_CONFIG_BYTES};
use crate::diagnostic::{Finding, Severity};
use crate::text::{Span, Text};

/// The errors in the text of an `eval-ls.toml`, in its order.
pub(crate) fn configuration_findings(text: &Text) -> Vec<Finding> {
    if u64::try_from(text.as_str().len()).is_ok_and(|bytes| bytes > MAX_CONFIG_BYTES) {
        let message = format!("this file has more than {} KiB, so it is not read", MAX_CONFIG_BYTES >> 10);
        return vec![Finding::new(ConfigError::LINT, Severity::Error, Span::default(), message)];
    }
    let (_, errors) = Config::parse(text.as_str(), &lint_names());
    errors.iter().map(Finding::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_have_their_fixes() {
        let findings = configuration_findings(&Text::new("[run]\njob = 2\n"));
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].fixes[0].edits[0].text, "jobs");
    }

    #[test]
    fn a_huge_file_is_not_read() {
        let text = Text::from(format!("[run]\n{}", "#\n".repeat(200_000)));
        assert_eq!(configuration_findings(&text)[0].message, "this file has more than 256 KiB, so it is not read");
    }
}
