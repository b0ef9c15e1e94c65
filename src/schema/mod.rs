//! The bundled JSON Schemas: what an eval suite of each version, the configuration, a transcript and a result look
//! like, and where a suite departs from that.

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
