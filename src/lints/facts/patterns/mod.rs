//! The patterns of a case and the facts about them, for the lints on patterns.

mod facts;
mod hostile;
mod list;
mod literal;

pub(crate) use facts::Facts;
pub(crate) use list::{CasePattern, PatternField, patterns_of};
