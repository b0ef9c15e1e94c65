//! Findings and their fixes, as plain data with byte spans: what lints say, before anyone draws it.

mod finding;

pub use finding::{Edit, Finding, Fix, Related, Severity, Tag};
