use std::fs::{File, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};
use std::{io, thread};

use super::atomic::{Access, folder, private_folder};
use super::{FileError, read};

/// How long another process may hold a lock. It does so for as long as it takes to write a small file, unless it was stopped.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a lock is tried. A person does not notice it.
const INTERVAL: Duration = Duration::from_millis(20);

/// Waits until no other process holds the lock of this name, at most 2 s, and takes it. It is free again when the file is dropped,
/// or the process ends. On a file system without locks, it is always free.
///
/// # Errors
/// If the file or its folder cannot be created, if there is something else at `path`, or if the lock does not become free.
pub(crate) fn lock(path: &Path) -> Result<File, FileError> {
    lock_within(path, PATIENCE)
}

fn lock_within(path: &Path, patience: Duration) -> Result<File, FileError> {
    private_folder(folder(path))?;
    let fault = |source| FileError::Write { path: path.to_owned(), source };
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // To open a pipe would block.
        options.mode(Access::Private.mode()).custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    let file = options.open(path).map_err(fault)?;
    file.metadata().and_then(|metadata| read::regular(&metadata)).map_err(fault)?;
    let start = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if start.elapsed() >= patience => {
                return Err(FileError::Locked { path: path.to_owned() });
            }
            Err(TryLockError::WouldBlock) => thread::sleep(INTERVAL),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_stays_held_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/a.lock");
        let held = lock(&path).unwrap();
        let error = lock_within(&path, Duration::ZERO).unwrap_err();
        assert!(matches!(error, FileError::Locked { .. }), "{error}");
        drop(held);
        lock_within(&path, Duration::ZERO).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_place_of_a_lock_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        assert!(matches!(lock(&path), Err(FileError::Write { .. })));
        // Also if somebody reads it.
        let _reader = File::options().read(true).write(true).open(&path).unwrap();
        assert!(matches!(lock(&path), Err(FileError::Write { .. })));
    }
}
