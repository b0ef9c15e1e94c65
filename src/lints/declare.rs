use crate::diagnostic::Severity;
use crate::lints::{CaseContext, LINTS, Report, SuiteContext};
use crate::schema::Violation;
use crate::syntax::{Mistake, Node};

/// A lint: what it checks, and its page.
#[derive(Debug)]
pub struct Lint {
    /// Its name, which names the problem: `duplicate-case-id`.
    pub name: &'static str,
    /// Its level if the configuration does not set one.
    pub level: Severity,
    /// Its page in Markdown: a sentence, then the consequences, an example, and the fix.
    pub page: &'static str,
    /// Its input and its function.
    pub(crate) check: Check,
}

/// The input of a lint. Spans in findings count like those of the input.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// Each syntax error.
    Syntax(fn(&Mistake, &mut Report)),
    /// Each object of the document.
    Object(fn(Node<'_>, &mut Report)),
    /// Each violation of the newest schema.
    Shape(fn(&Violation, Node<'_>, &mut Report)),
    /// Each case separately.
    Case(fn(&CaseContext<'_>, &mut Report)),
    /// The suite as a whole, with its cases.
    Suite(fn(&SuiteContext<'_>, &mut Report)),
}

/// Declares a lint. Its doc comment is its page, which `explain`, hover and the documentation show. Every example on it
/// runs as a test.
macro_rules! declare_lint {
    ($(#[doc = $line:literal])+ $vis:vis $constant:ident = $name:literal, $level:ident, $check:expr;) => {
        $(#[doc = $line])+
        // The words after `json` set up an example; rustdoc does not know them.
        #[allow(rustdoc::invalid_codeblock_attributes)]
        $vis static $constant: $crate::lints::Lint = $crate::lints::Lint {
            name: $name,
            level: $crate::diagnostic::Severity::$level,
            page: concat!($($line, "\n"),+),
            check: $check,
        };
    };
}

pub(super) use declare_lint;

/// Returns the lint with that name.
pub(crate) fn lint(name: &str) -> Option<&'static Lint> {
    LINTS.iter().copied().find(|lint| lint.name == name)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::schema::SchemaName;

    #[test]
    fn the_configurations_schema_lists_the_same_lints_at_the_same_levels() {
        let schema: Value = serde_json::from_str(SchemaName::Config.text()).unwrap();
        let listed = schema["properties"]["lints"]["properties"].as_object().unwrap();
        let listed: Vec<_> = listed.iter().map(|(name, level)| (name.as_str(), level["default"].as_str())).collect();
        let registered: Vec<_> = LINTS.iter().map(|lint| (lint.name, Some(lint.level.as_str()))).collect();
        assert_eq!(registered, listed);
    }

    #[test]
    fn every_lint_is_found_by_its_name() {
        for known in LINTS {
            assert!(lint(known.name).is_some_and(|found| std::ptr::eq(found, *known)), "{}", known.name);
        }
        assert!(lint("unique-case-id").is_none());
    }
}
