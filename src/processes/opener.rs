use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// The program of the system that shows a file in the program of its kind.
const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else if cfg!(windows) {
    "explorer"
} else {
    "xdg-open"
};

/// Shows the file at an absolute path in the program that the system uses for files of its kind. Does not wait for its end.
///
/// # Errors
/// If the program of the system cannot be started.
pub(crate) fn open_with_system(path: &Path) -> io::Result<()> {
    let mut command = Command::new(OPENER);
    // What it prints is about the desktop.
    command.arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = command.spawn().map(drop);
    started.map_err(|fault| io::Error::new(fault.kind(), format!("`{OPENER}` cannot be started: {fault}")))
}
