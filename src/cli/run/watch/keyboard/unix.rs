use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::sync::Mutex;

use rustix::process::getpgrp;
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr};
use tokio::signal::unix::{SignalKind, signal};

/// The modes that the terminal had, while they are changed.
static ORIGINAL: Mutex<Option<Termios>> = Mutex::new(None);

/// Lets the terminal give keys. Returns it; `None` if this process is in the background.
pub(super) fn open() -> Option<File> {
    let stdin = io::stdin();
    if tcgetpgrp(&stdin).ok()? != getpgrp() {
        return None;
    }
    let input = stdin.as_fd().try_clone_to_owned().ok()?;
    *ORIGINAL.lock().ok()? = Some(tcgetattr(&stdin).ok()?);
    take_keys();
    tokio::spawn(take_keys_again());
    Some(File::from(input))
}

/// Gives keys one by one, without showing them. Ctrl-C and Ctrl-Z stay what they are.
pub(super) fn take_keys() {
    set(|original| {
        let mut modes = original.clone();
        modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
        modes.special_codes[SpecialCodeIndex::VMIN] = 1;
        modes.special_codes[SpecialCodeIndex::VTIME] = 0;
        // Ctrl-\ would end the process before it restores the terminal.
        modes.special_codes[SpecialCodeIndex::VQUIT] = 0;
        modes
    });
}

/// Gives lines, which the terminal shows and edits.
pub(super) fn take_lines() {
    set(Termios::clone);
}

/// Restores the modes of the terminal if they are changed.
pub(in crate::cli::run) fn restore() {
    set(Termios::clone);
    if let Ok(mut original) = ORIGINAL.lock() {
        *original = None;
    }
}

/// A shell sets the modes of the terminal when it continues a process that was stopped.
async fn take_keys_again() {
    let Ok(mut continued) = signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw())) else { return };
    while continued.recv().await.is_some() {
        take_keys();
    }
}

/// Sets the modes of the terminal to some that are made from the original ones. Does nothing if they are restored.
fn set(modes: impl Fn(&Termios) -> Termios) {
    if let Ok(original) = ORIGINAL.lock()
        && let Some(original) = &*original
    {
        // A terminal that is gone has no modes.
        let _ = tcsetattr(io::stdin().as_fd(), OptionalActions::Now, &modes(original));
    }
}
