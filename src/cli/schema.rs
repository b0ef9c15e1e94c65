//! `schema`: the bundled JSON Schemas.

use serde_json::Value;

use crate::schema::SchemaName;

use super::args::SchemaArgs;
use super::{Console, ExitStatus, columns};

/// Prints a schema, or a table of all schemas.
pub(super) fn schema(args: &SchemaArgs, console: &mut Console) -> ExitStatus {
    match args.name {
        Some(name) => console.out.write_text(name.text()),
        None => console.out.write_text(&columns(SchemaName::ALL.map(|name| [name.as_str().to_owned(), title(name)]))),
    }
    ExitStatus::Passed
}

/// Returns the title in the schema.
fn title(name: SchemaName) -> String {
    let schema: Value = serde_json::from_str(name.text()).expect("the bundled schemas are JSON");
    schema["title"].as_str().unwrap_or_default().to_owned()
}
