pub(super) mod arbitrary;
mod dialect;
mod errors;
mod evil;
mod oracle;
pub(super) mod plain;

use super::{Case, Pattern};

fn compile(source: &str, case: Case) -> Pattern {
    Pattern::compile(source, case).unwrap_or_else(|error| panic!("`{source}` compiles, but: {error}"))
}
