use std::path::PathBuf;
use std::time::Duration;

use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::cli::Console;
use crate::cli::args::RunArgs;
use crate::targets::Cancel;
use crate::text::counted;

use super::files::Files;
use super::keyboard::{self, Key, Keyboard};
use super::session::Session;

/// How long files must stay the same before they count as changed: editors write a file in several steps.
const REST: Duration = Duration::from_millis(100);
/// How often the files are looked at if the system cannot watch them.
const POLL: Duration = Duration::from_secs(1);

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
    files: Files,
    watcher: Option<RecommendedWatcher>,
    /// Why the system cannot watch files, until it is shown.
    fault: Option<String>,
    events: UnboundedReceiver<()>,
    keys: UnboundedReceiver<Key>,
    keyboard: Option<Keyboard>,
    /// Keeps the channel of the keys open without a keyboard.
    _sender: UnboundedSender<Key>,
    interrupted: Cancel,
}

impl Waker {
    /// Watches the files that decide the results, and the terminal's keys if there is a terminal.
    ///
    /// # Errors
    /// If the system has no way to watch files: a lower-case fragment.
    pub(super) fn new(args: &RunArgs, paths: &[PathBuf], interrupted: &Cancel) -> Result<Waker, String> {
        let (sender, events) = unbounded_channel();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            if !matches!(event, Ok(notify::Event { kind: EventKind::Access(_), .. })) {
                let _ = sender.send(());
            }
        });
        let watcher = watcher.map_err(|fault| format!("cannot watch files: {fault}"))?;
        let (sender, keys) = unbounded_channel();
        let mut waker = Waker {
            args: args.clone(),
            paths: paths.to_vec(),
            files: Files::default(),
            watcher: Some(watcher),
            fault: None,
            events,
            keys,
            keyboard: Keyboard::open(sender.clone()),
            _sender: sender,
            interrupted: interrupted.clone(),
        };
        waker.look();
        Ok(waker)
    }

    /// Looks at the files, and watches their folders from now on. Returns the names of those that changed since the last look.
    pub(super) fn look(&mut self) -> Option<String> {
        let files = Files::look(&self.args, &self.paths);
        if let Some(watcher) = &mut self.watcher {
            // Again, because a folder may have been replaced. Watching a folder twice has no further effect.
            let mut folders = files.folders.iter();
            if let Err(fault) = folders.try_for_each(|folder| watcher.watch(folder, RecursiveMode::NonRecursive)) {
                self.fault = Some(fault.to_string());
                self.watcher = None;
            }
        }
        let changed = files.changed_since(&self.files);
        self.files = files;
        changed
    }

    /// Shows what is watched, how the cases ended, and which keys there are.
    pub(super) fn tell_state(&mut self, session: &Session, filter: Option<&str>, console: &mut Console) {
        if let Some(fault) = self.fault.take() {
            console.tell(format_args!("warning: {fault}; the files are looked at every second instead"));
        }
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
                () = woken(&mut self.events, self.watcher.is_some()) => {}
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

/// Completes when files may have changed, and no event has come for [`REST`].
async fn woken(events: &mut UnboundedReceiver<()>, is_watching: bool) {
    if !is_watching {
        return tokio::time::sleep(POLL).await;
    }
    // The watcher holds the sender.
    events.recv().await;
    while tokio::time::timeout(REST, events.recv()).await.is_ok_and(|event| event.is_some()) {}
}
