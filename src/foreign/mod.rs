//! Files that are not suites: whether a JSON file is one, which program's file it is otherwise, and what the keys of such files mean.

pub(crate) mod columns;
pub(crate) mod log;
pub(crate) mod program;
mod recognized;

pub(crate) use log::{Log, MOST_TRIED, START};
pub(crate) use program::Foreign;
pub(crate) use recognized::{Recognized, has_checks, is_written};
