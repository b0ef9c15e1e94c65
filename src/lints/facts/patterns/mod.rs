//! The patterns of a case and the facts about them, for the lints on patterns.

mod facts;
mod literal;
mod never;

pub(crate) use facts::{CasePattern, Facts, patterns_of};
pub(crate) use never::Always;
pub(crate) use never::Cause;
