//! Programs that tests write and start.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes a program. Another process writes it: a process that another test starts meanwhile would inherit the open file of this one, and
/// the system starts no program that is open for writing (`ETXTBSY`).
pub(super) fn write_program(path: &Path, text: &str) {
    let mut writer = Command::new("sh");
    writer.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(path).stdin(Stdio::piped());
    let mut writer = writer.spawn().unwrap();
    writer.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    assert!(writer.wait().unwrap().success());
}
