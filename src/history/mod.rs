//! How each case ended in the kept runs of one target: since when, how often, how stable.
//!
//! [`History::of`] turns runs into one [`CaseHistory`] for each case. Pure: the runs are read elsewhere. `docs/history.md`
//! documents it.

mod model;
#[cfg(test)]
mod tests;

pub(crate) use model::{CaseHistory, History, Point, Share};
