//! The bundled JSON Schemas of suites of each version, the configuration, transcripts and results; and the violations of
//! them in a suite.

pub mod bundled;
mod index;
mod meant;
mod misfits;
mod shape;
mod validate;
mod violation;

pub use bundled::{SchemaName, UnknownSchema};
pub use misfits::misfits;
pub use shape::{Key, Shape, Type};
pub use validate::{case_violations, frame_violations};
pub use violation::{Meant, Violation, ViolationKind};
