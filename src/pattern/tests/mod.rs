pub(super) mod arbitrary;
mod dialect;
mod errors;
mod evil;
mod oracle;

use std::time::Duration;

use super::{Budget, Case, Limits, Pattern};

/// The steps of a verdict without a limit of time, so that a slow machine changes nothing.
fn untimed() -> Budget {
    Budget::new(Limits { line_time: Duration::MAX, case_time: Duration::MAX, ..Limits::VERDICT })
}

fn compile(source: &str, case: Case) -> Pattern {
    Pattern::compile(source, case).unwrap_or_else(|error| panic!("`{source}` compiles, but: {error}"))
}
