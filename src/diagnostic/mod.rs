//! Findings and their fixes, as plain data with byte spans. Front ends decide how to show them.

mod finding;
mod safe_edits;
mod wording;

pub use finding::{Edit, Finding, Fix, Related, Severity, Tag};
pub use safe_edits::safe_edits;
pub use wording::{alternatives, nearest, quoted};
