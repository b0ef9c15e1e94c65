//! Challenges: answers that ought to fail, and how a case judges them.
//!
//! A case that passes an answer like *silence* or *echo* proves nothing. Each [`Challenge`] is a pure function of a case
//! and, if there is one, its transcript. [`challenge_suite`] judges every challenge with the one verdict function and
//! reports two things: the challenges that the case passes although it ought to fail them, and for each check the
//! challenges that it notices. `expect` decides by the case's outcome which challenges ought to fail.

mod answers;
mod catalog;
mod cells;
mod control;
mod expect;
mod findings;
mod forbidden;
mod judge;
mod numbers;
mod propose;
mod remedies;
mod rewrites;
mod rewritten;
mod samples;
mod suite;
mod telemetry;

#[cfg(test)]
mod tests;

pub(crate) use answers::Surroundings;
pub(crate) use catalog::{Challenge, OwnAnswer};
pub(crate) use cells::{ChallengeSummary, kinds};
pub(crate) use control::Control;
pub(crate) use findings::{BRITTLE_CHECK, IDLE_CHECK, MET_BY_PROMPT, PASSED_CHALLENGE, SAME_AS_CONTROL, findings};
pub(crate) use judge::{Attempt, CaseChallenges, CheckChallenges, challenge};
pub(crate) use propose::{Beside, Proposal, propose};
pub(crate) use remedies::{Change, Remedy};
pub(crate) use samples::{FAILED_SAMPLE, PASSED_SAMPLE, Sample, sample_findings};
pub(crate) use suite::{
    Challenged, ControlAnswers, MOST_OTHER_ANSWERS, MOST_OTHER_BYTES, challenge_suite, names_off, others, surroundings,
};
