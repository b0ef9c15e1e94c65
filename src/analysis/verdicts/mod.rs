//! Verdicts on the current text: the last answer of each case, judged again if the case's text changes.
//!
//! [`Answers`] are the answers of a suite's cases; the caller reads them. [`Document::verdict`] judges only with
//! `verdict::judge`. A verdict is cached with its case until the text, the answer or the configuration changes, so a
//! keystroke judges one case. A case that cannot be parsed keeps its last verdict, marked as outdated.
//!
//! [`Document::verdict`]: super::Document::verdict

mod answers;
pub(super) mod findings;
mod judged_case;
pub(super) mod pages;
#[cfg(test)]
mod tests;

pub use answers::{Answer, Answers};
pub(crate) use answers::{Around, RunFailure, Samples};
pub(crate) use findings::{VerdictCounts, VerdictFinding};
pub(super) use findings::{findings, of_file};
pub(crate) use judged_case::{JudgedCase, JudgedCheck};
pub(crate) use pages::{case_page, case_result, suite_result};
