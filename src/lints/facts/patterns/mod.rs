//! The patterns of a case and the facts about them, for the lints on patterns.

mod always;
mod facts;
mod literal;
mod never;
mod redundant;

pub(crate) use always::Always;
pub(crate) use facts::{CasePattern, Facts, patterns_of};
pub(crate) use never::Cause;
