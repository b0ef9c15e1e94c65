//! The command line from outside: runs the program in a temporary folder.

pub(crate) mod support;

mod challenge;
mod check;
#[cfg(target_os = "linux")]
pub(crate) mod failing_writes;
mod fix;
mod formats;
mod hostile;
mod import;
mod others;
mod outputs;
mod propose;
mod status;
mod strays;
