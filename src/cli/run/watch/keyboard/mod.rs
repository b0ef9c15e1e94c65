//! The keys of the terminal that is standard input.

#[cfg(not(unix))]
#[path = "other.rs"]
mod modes;
#[cfg(unix)]
#[path = "unix.rs"]
mod modes;

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, IsTerminal as _, Read as _, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::mpsc::UnboundedSender;

pub(in crate::cli::run) use modes::restore;

/// The keys, for people.
pub(super) const HELP: &str = "keys: f failed, a all, p filter, q quit, Enter again";

/// What a key asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// Run the cases that failed.
    Failed,
    /// Run all cases.
    All,
    /// Run the cases of the filter again.
    Again,
    /// Ask for a filter.
    Filter,
    /// End.
    Quit,
    /// The line that was asked for; `None` if it was not given.
    Line(Option<String>),
}

/// A terminal that gives keys. Its modes are restored when this value is dropped.
#[derive(Debug)]
pub(super) struct Keyboard {
    /// Lets the thread that reads go on with a line.
    ask: Sender<()>,
}

impl Keyboard {
    /// Reads keys and sends them; `None` if there is no terminal, or this process is in the background. Call it in a runtime.
    pub(super) fn open(keys: UnboundedSender<Key>) -> Option<Keyboard> {
        if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
            return None;
        }
        let (ask, asked) = channel();
        // First, so that it restores the modes whatever happens.
        let keyboard = Keyboard { ask };
        let input = modes::open()?;
        let read = move || read(BufReader::new(input), &keys, &asked);
        std::thread::Builder::new().name("keys".to_owned()).spawn(read).ok()?;
        Some(keyboard)
    }

    /// Asks a question, and lets the terminal edit the line of the answer, which arrives as [`Key::Line`].
    pub(super) fn ask(&self, question: &str) {
        modes::take_lines();
        let mut err = io::stderr();
        let _ = err.write_all(question.as_bytes()).and_then(|()| err.flush());
        let _ = self.ask.send(());
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        restore();
    }
}

/// Sends the keys until the terminal is closed, or nobody receives them. After [`Key::Filter`] it waits for `asked` and sends a line.
fn read(mut input: BufReader<File>, keys: &UnboundedSender<Key>, asked: &Receiver<()>) {
    let mut byte = [0];
    while input.read_exact(&mut byte).is_ok() {
        let key = match byte[0] {
            b'f' => Key::Failed,
            b'a' => Key::All,
            b'p' => Key::Filter,
            b'q' => Key::Quit,
            b'\n' | b'\r' => Key::Again,
            0x1b => {
                let length = sequence(input.buffer());
                input.consume(length);
                continue;
            }
            _ => continue,
        };
        let is_question = key == Key::Filter;
        if keys.send(key).is_err() {
            return;
        }
        if is_question {
            if asked.recv().is_err() {
                return;
            }
            let mut line = String::new();
            let is_given = input.read_line(&mut line).is_ok_and(|length| length > 0);
            modes::take_keys();
            if keys.send(Key::Line(is_given.then_some(line))).is_err() {
                return;
            }
        }
    }
}

/// The length of what follows Escape if an arrow or another key sends several bytes, which arrive at once.
fn sequence(rest: &[u8]) -> usize {
    match rest {
        [b'[' | b'O', rest @ ..] => {
            let last = rest.iter().position(|byte| (0x40..=0x7e).contains(byte));
            last.map_or(rest.len() + 1, |last| last + 2)
        }
        _ => rest.len().min(1),
    }
}
