//! The bundled JSON Schemas: what an eval suite of each version, the configuration, a transcript and a result look like.

pub mod bundled;

pub use bundled::{SchemaName, UnknownSchema};
