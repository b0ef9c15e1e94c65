use std::path::PathBuf;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::cli::Console;
use crate::cli::args::RunArgs;
use crate::targets::Cancel;
use crate::text::counted;

use super::files::Files;
use super::keyboard::{self, Key, Keyboard};
use super::session::Session;

/// The shortest pause between two looks at the files. A change counts when two looks find the same files, because editors write a file
/// in several steps; so it is reported after at most three pauses, before a person waits.
const PAUSE: Duration = Duration::from_millis(100);
/// How many times as long as a look the pause after it is: many files take at most a tenth of the time of one core.
const PAUSES_PER_LOOK: u32 = 9;

/// What ends the waiting.
#[derive(Debug)]
pub(super) enum Ask {
    /// Files with these names changed.
    Changed(String),
    /// A key.
    Key(Key),
    /// A request to end the program.
    Interrupted,
}

/// Waits for files and keys.
pub(super) struct Waker {
    args: RunArgs,
    paths: Vec<PathBuf>,
    /// The files as they were when they were last reported.
    files: Files,
    /// The files as the last look found them.
    found: Files,
    pause: Duration,
    keys: UnboundedReceiver<Key>,
    keyboard: Option<Keyboard>,
    /// Keeps the channel of the keys open without a keyboard.
    _sender: UnboundedSender<Key>,
    interrupted: Cancel,
}

impl Waker {
    /// Watches the files that decide the results, and the terminal's keys if there is a terminal.
    pub(super) fn new(args: &RunArgs, paths: &[PathBuf], interrupted: &Cancel) -> Waker {
        let (sender, keys) = unbounded_channel();
        let files = Files::look(args, paths);
        Waker {
            args: args.clone(),
            paths: paths.to_vec(),
            found: files.clone(),
            files,
            pause: PAUSE,
            keys,
            keyboard: Keyboard::open(sender.clone()),
            _sender: sender,
            interrupted: interrupted.clone(),
        }
    }

    /// Takes the files as they are now for reported.
    pub(super) fn forget_changes(&mut self) {
        self.files = Files::look(&self.args, &self.paths);
        self.found = self.files.clone();
    }

    /// Looks at the files. Returns the names of those that changed since they were last reported, if they rest.
    fn look(&mut self) -> Option<String> {
        let start = Instant::now();
        let found = Files::look(&self.args, &self.paths);
        self.pause = PAUSE.max(start.elapsed() * PAUSES_PER_LOOK);
        let before = std::mem::replace(&mut self.found, found);
        let is_at_rest = self.found.changed_since(&before).is_none();
        let changed = self.found.changed_since(&self.files).filter(|_| is_at_rest)?;
        self.files = self.found.clone();
        Some(changed)
    }

    /// Shows what is watched, how the cases ended, and which keys there are.
    pub(super) fn tell_state(&self, session: &Session, filter: Option<&str>, console: &mut Console) {
        let (files, (failed, all)) = (counted(self.files.count(), "file"), session.counts());
        console.tell(format_args!("watching {files}; {failed} of {} failed", counted(all, "case")));
        if let Some(filter) = filter {
            console.tell(format_args!("filter: {filter}"));
        }
        if self.keyboard.is_some() {
            console.tell(keyboard::HELP);
        }
    }

    /// Whether a person can press keys.
    pub(super) fn has_keys(&self) -> bool {
        self.keyboard.is_some()
    }

    /// Forgets the keys that were pressed before now.
    pub(super) fn forget_keys(&mut self) {
        while self.keys.try_recv().is_ok() {}
    }

    /// Waits until something is asked.
    pub(super) async fn next(&mut self) -> Ask {
        loop {
            tokio::select! {
                biased;
                () = self.interrupted.cancelled() => return Ask::Interrupted,
                Some(key) = self.keys.recv() => return Ask::Key(key),
                () = tokio::time::sleep(self.pause) => {}
            }
            if let Some(names) = tokio::task::block_in_place(|| self.look()) {
                return Ask::Changed(names);
            }
        }
    }

    /// Waits until something is asked, and stops the cases then, or until they have ended.
    pub(super) async fn until(mut self, ended: Cancel, cases: Cancel) -> (Waker, Option<Ask>) {
        let asked = tokio::select! {
            biased;
            () = ended.cancelled() => None,
            ask = self.next() => Some(ask),
        };
        if asked.is_some() {
            cases.cancel();
        }
        (self, asked)
    }

    /// Asks for a line.
    pub(super) async fn line(&mut self, question: &str) -> Ask {
        if let Some(keyboard) = &self.keyboard {
            keyboard.ask(question);
        }
        tokio::select! {
            biased;
            () = self.interrupted.cancelled() => Ask::Interrupted,
            Some(key) = self.keys.recv() => Ask::Key(key),
        }
    }
}
