//! Findings and their fixes, as plain data with byte spans. Front ends decide how to show them.

mod finding;
mod safe_edits;
mod wording;

pub use finding::Edit;
pub(crate) use finding::{Cause, Fix, Tag};
pub use finding::{Finding, Severity};
pub use safe_edits::safe_edits;
pub(crate) use wording::{alternatives, fenced, nearest, parts_of_message, quoted};
