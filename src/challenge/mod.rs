//! Challenges: answers that ought to fail, and how a case judges them.
//!
//! A case that passes an answer like *silence* or *echo* proves nothing. Each [`Challenge`] is a pure function of a case
//! and, if there is one, its transcript. [`challenge_suite`] judges every challenge with the one verdict function and
//! reports two things: the challenges that the case passes although it ought to fail them, and for each check the
//! challenges that it notices. `expect` decides by the case's outcome which challenges ought to fail.

mod answers;
mod catalog;
mod findings;
mod judge;
mod propose;
mod rewrites;
mod suite;

#[cfg(test)]
mod tests;

pub(crate) use answers::Surroundings;
pub(crate) use catalog::Challenge;
pub(crate) use findings::{Change, Remedy, findings};
pub(crate) use judge::{Attempt, CaseChallenges, CheckChallenges, challenge};
pub(crate) use propose::{Beside, Proposal, propose, propose_all};
pub(crate) use suite::{
    ChallengeSummary, Challenged, MOST_OTHER_ANSWERS, MOST_OTHER_BYTES, challenge_suite, others, surroundings,
};
pub(crate) use suite::{Sample, sample_findings};
