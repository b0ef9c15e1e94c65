//! The lints: machinery here, the [rules](rules) one file each, the [facts](facts) that several of them share.
//!
//! A lint looks at one thing: a syntax error, an object, a departure from the schema, a case, or the whole suite.
//! What it learns of a case it says in spans of that case, so that the answer can be kept until the case changes.

mod context;
mod declare;
mod engine;
mod facts;
mod page;
mod registry;
mod rules;

pub use context::{CaseContext, Report, SuiteCase, SuiteContext, Workspace};
pub use declare::{Check, Lint};
pub use engine::{case_findings, suite_findings};
pub use page::Example;
pub use registry::lint;
pub use rules::LINTS;
pub use rules::invalid_json::not_utf8;

pub(crate) use rules::weights_not_one::{SCALE_WEIGHTS, WEIGHTS_NOT_ONE};

#[cfg(test)]
mod testing;
