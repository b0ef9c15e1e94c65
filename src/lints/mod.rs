//! The lints: the machinery is here, the [rules] are one file each, and the [facts] are shared by several rules.
//!
//! The input of a lint is a syntax error, an object, a schema violation, a case, or the whole suite. Findings in a case
//! have spans relative to the case, so they stay valid until the case changes.

mod engine;
mod facts;
mod page;
mod rules;

pub use engine::Workspace;
pub(crate) use engine::{CaseContext, MOST_FINDINGS, PromptWords, Report, SuiteCase, SuiteContext};
pub(crate) use engine::{case_findings, suite_findings};
pub use page::Lint;
use page::declare_lint;
pub(crate) use page::message_with_help;
pub(crate) use page::{Check, lint};
pub use rules::LINTS;
pub(crate) use rules::duplicate_case_id::DUPLICATE_CASE_ID;
pub(crate) use rules::invalid_json::not_utf8;
pub(crate) use rules::missing_key::MISSING_KEY;
pub(crate) use rules::weights_not_one::{SCALE_WEIGHTS, WEIGHTS_NOT_ONE};

#[cfg(test)]
mod tests;
