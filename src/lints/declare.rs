use crate::diagnostic::Severity;
use crate::schema::Violation;
use crate::syntax::{Mistake, Node};

use super::{CaseContext, Report, SuiteContext};

/// A fault that is looked for.
#[derive(Debug)]
pub struct Lint {
    /// Its name, which names the fault: `duplicate-case-id`.
    pub name: &'static str,
    /// How much it matters where the configuration does not say otherwise.
    pub level: Severity,
    /// Its page, in Markdown: a sentence, then why it matters, an example, and the fix.
    pub page: &'static str,
    /// What it looks at, and how.
    pub check: Check,
}

/// What a lint looks at. Spans count as those of what it is given.
#[derive(Clone, Copy, Debug)]
pub enum Check {
    /// Each slip that left text which is not JSON.
    Syntax(fn(&Mistake, &mut Report)),
    /// Each object of the document.
    Object(fn(Node<'_>, &mut Report)),
    /// Each departure from the newest schema.
    Shape(fn(&Violation, Node<'_>, &mut Report)),
    /// Each case, on its own.
    Case(fn(&CaseContext<'_>, &mut Report)),
    /// The suite as a whole, its cases included.
    Suite(fn(&SuiteContext<'_>, &mut Report)),
}

/// Declares a lint. Its documentation comment is its page, which `explain`, hover and the documentation show; every
/// example in it is run as a test.
macro_rules! declare_lint {
    ($(#[doc = $line:literal])+ pub $constant:ident = $name:literal, $level:ident, $check:expr;) => {
        $(#[doc = $line])+
        pub(crate) static $constant: $crate::lints::Lint = $crate::lints::Lint {
            name: $name,
            level: $crate::diagnostic::Severity::$level,
            page: concat!($($line, "\n"),+),
            check: $check,
        };
    };
}

pub(super) use declare_lint;
