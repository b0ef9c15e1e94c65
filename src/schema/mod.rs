//! The bundled JSON Schemas of suites of each version, the configuration, transcripts and results; and the violations of
//! them in a suite.

pub(crate) mod bundled;
mod meant;
mod shape;
mod validate;

pub(crate) use bundled::SchemaName;
pub(crate) use shape::{Key, Shape, Type};
pub(crate) use validate::{Meant, Violation, ViolationKind, case_violations, frame_violations};
