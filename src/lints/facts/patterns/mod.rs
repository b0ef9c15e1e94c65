//! The patterns of a case and the facts about them, for the lints on patterns.

mod ambiguity;
mod facts;
mod hostile;
mod lines;
mod list;
mod literal;
mod long;

pub(crate) use facts::Facts;
pub(crate) use list::{CasePattern, PatternField, patterns_of};
