//! The patterns of a case, and what is known of each: what the lints on patterns share.

mod facts;
mod hostile;
mod lines;
mod list;

pub(crate) use facts::Facts;
pub(crate) use list::{CasePattern, PatternField, patterns_of};
