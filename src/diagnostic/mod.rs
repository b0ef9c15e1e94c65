//! Findings and their fixes, as plain data with byte spans. Front ends decide how to show them.

mod finding;
mod wording;

pub(crate) use finding::{Cause, Fix, fitting_edits};
pub use finding::{Edit, Finding, Severity, safe_edits};
pub(crate) use wording::{alternatives, fenced, nearest, parts_of_message, quoted};
