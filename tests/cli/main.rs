//! The command line from outside: runs the program in a temporary folder.

mod support;

mod challenge;
mod check;
mod fix;
mod formats;
#[cfg(target_os = "linux")]
mod full_disk;
mod hostile;
mod others;
mod status;
