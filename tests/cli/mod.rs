//! The command line from outside: runs the program in a temporary folder.

mod challenge;
pub(crate) mod check;
#[cfg(target_os = "linux")]
pub(crate) mod failing_writes;
mod fix;
mod formats;
mod hostile;
mod import;
pub(crate) mod others;
mod outputs;
mod propose;
pub(crate) mod status;
mod strays;

const CLEAN: &str = r#"{
  "version": "0.1.0",
  "cases": [
    { "id": "BOOK1", "category": "booking", "prompt": "Book a slot.", "expected": { "outcome": "tool_success", "tool_calls_any": ["book"] } }
  ]
}
"#;

/// A suite with an error that has a safe fix, an error with another place, and a warning.
const FAULTY: &str = r#"{
  "version": "0.2.0",
  "cases": [
    { "id": "BOOK1", "prompt": "Book – 😀.", "expected": { "must_say_any": ["tandem",] } },
    { "id": "BOOK1", "prompt": "Cancel.", "expected": { "must_say_anny": ["gone"], "must_say_any": ["gone"] } }
  ]
}
"#;
