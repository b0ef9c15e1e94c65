//! One child process from start to end.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{ChildStderr, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;

use crate::config::CONFIG_FILE;
use crate::events::Event;
use crate::lsp::client::settings::log;
use crate::lsp::session::state::Control;
use crate::processes::{Group, this_program};

use super::PlannedSuite;

/// The limit of a line of the child, in bytes: an answer has at most 10 MiB, and grows when it is written as JSON.
const LONGEST_LINE: u64 = 128 << 20;

/// How much of its standard error is stored, in bytes. A stack trace fits.
const LAST_WORDS: usize = 8 << 10;

/// The end of a child.
pub(crate) struct Ended {
    /// Whether it was stopped.
    pub(crate) was_stopped: bool,
    /// Why it did not complete its work, if so: a lower-case fragment.
    pub(crate) reason: String,
}

/// Runs these cases of the suite in a child (`cases` are their numbers in the run, `text` a suite of them), and passes
/// on each event. Returns when the child has exited.
pub(crate) fn run(
    suite: &PlannedSuite,
    text: &str,
    cases: &[usize],
    control: &Arc<Control>,
    mut on_event: impl FnMut(Event),
) -> Ended {
    let failed = |reason: String| Ended { was_stopped: false, reason };
    let mut command = command(suite);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return failed(format!("eval-ls could not be started: {error}")),
    };
    control.begin(Group::of(&child), cases);
    let last_words = child.stderr.take().map(|stderr| thread::spawn(move || tail(stderr)));
    if let Some(mut stdin) = child.stdin.take() {
        // A child that does not read reports the reason itself.
        let _ = stdin.write_all(text.as_bytes());
    }
    if let Some(stdout) = child.stdout.take() {
        read_events(stdout, &mut on_event);
    }
    let status = child.wait();
    let was_stopped = control.end();
    let last_words = last_words.and_then(|thread| thread.join().ok()).unwrap_or_default();
    Ended { was_stopped, reason: reason(status, &last_words) }
}

fn command(suite: &PlannedSuite) -> Command {
    let mut command = Command::new(this_program());
    command.args(["run", "-", "--format=jsonl", "--answers", "--keep-only", "--no-check"]);
    // The folder may be a link, which may lead somewhere else by now.
    let folder = suite.allowed.as_deref().unwrap_or_else(|| suite.folder());
    let path = suite.path.strip_prefix(suite.folder()).map_or_else(|_| suite.path.clone(), |below| folder.join(below));
    command.arg(option("--stdin-filename", &path));
    command.arg(format!("--target={}", suite.target));
    command.arg(format!("--approved={}", suite.approvable().run_fingerprint()));
    command.arg(format!("--ends-with={}", std::process::id()));
    if suite.config_path.is_some() {
        command.arg(option("--config", &folder.join(CONFIG_FILE)));
    }
    if suite.is_part() {
        command.arg("--part");
    }
    command.current_dir(folder).env("NO_COLOR", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Group::lead(&mut command);
    command
}

fn option(name: &str, path: &Path) -> OsString {
    let mut option = OsString::from(name);
    option.push("=");
    option.push(path);
    option
}

/// Reads events to the end of the output. Lines that are not events are logged.
fn read_events(stdout: impl Read, on_event: &mut impl FnMut(Event)) {
    let mut lines = BufReader::new(stdout);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut lines).take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) => match Event::from_line(&line) {
                Ok(event) => on_event(event),
                Err(error) => log(&format!("ignored invalid output from the run: {error}")),
            },
            Err(error) => return log(&format!("lost contact with the run: {error}")),
        }
    }
}

fn tail(mut stderr: ChildStderr) -> String {
    let mut kept: VecDeque<u8> = VecDeque::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        kept.extend(&buffer[..count]);
        kept.drain(..kept.len().saturating_sub(LAST_WORDS));
    }
    String::from_utf8_lossy(&Vec::from(kept)).into_owned()
}

/// Returns why a child did not finish cases: its last line if there is one, else its exit status.
fn reason(status: io::Result<ExitStatus>, last_words: &str) -> String {
    let last = last_words.lines().map(str::trim).rfind(|line| !line.is_empty());
    if let Some(last) = last {
        return last.strip_prefix("error: ").unwrap_or(last).to_owned();
    }
    match status {
        Ok(status) => format!("the run ended early: {status}"),
        Err(error) => format!("the run was lost: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_between_other_lines_are_read() {
        let mut messages = Vec::new();
        let output = "{\"event\":\"warning\",\"message\":\"a\"}\nnot json\n\n{\"event\":\"warning\",\"message\":\"b\"}";
        read_events(output.as_bytes(), &mut |event| {
            if let Event::Warning(warning) = event {
                messages.push(warning.message);
            }
        });
        assert_eq!(messages, ["a", "b"]);
    }

    #[test]
    fn the_reason_is_what_was_said_last() {
        let none = || Err(io::Error::other("no such child"));
        assert_eq!(
            reason(none(), "note: x\nerror: the target `a` does not exist\n\n"),
            "the target `a` does not exist"
        );
        assert_eq!(reason(none(), " \n"), "the run was lost: no such child");
    }
}
