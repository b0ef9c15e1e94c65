//! Verdicts on the text as it stands now: each case's last answer, judged again whenever the case's text changes.
//!
//! [`Answers`] are what the cases of a suite were answered, read by whoever asks; [`Document::verdict`] judges with
//! `verdict::judge` alone. A verdict is kept with its case, for as long as text, answer and configuration stay the same, so
//! that a keystroke judges one case. A case that cannot be read keeps the verdict that it had, marked as outdated.
//!
//! [`Document::verdict`]: super::Document::verdict

mod answer;
mod answers;
mod carry;
mod case_verdict;
mod findings;
pub(super) mod labels;
pub(super) mod pages;
mod result_page;
mod summary;

pub use answer::{Answer, AnswerFile};
pub use answers::Answers;
pub use case_verdict::{CaseVerdict, JudgedCheck};
pub(super) use findings::findings;
pub use findings::{FoundPlace, VerdictFinding};
pub use pages::{case_page, check_page};
pub use result_page::{case_result, suite_result};
pub use summary::Summary;

#[cfg(test)]
mod tests;
