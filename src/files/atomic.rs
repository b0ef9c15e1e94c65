use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use rayon::prelude::*;
use tempfile::{Builder, NamedTempFile};

use super::read;

/// The reason why a file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The folder could not be created.
    #[error("cannot create the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file could not be written or renamed.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// Another process has the lock for a long time.
    #[error("cannot lock {}: another program has held the lock for 2 s", path.display())]
    Locked {
        /// The file.
        path: PathBuf,
    },
    /// A file with that name exists, and must not be replaced.
    #[error("cannot write {}: the file already exists", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
}

/// Who may read and write a new file, as far as the system knows such permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everyone that the umask allows.
    Shared,
    /// Only the user.
    Private,
}

impl Access {
    /// Private if `is_private`.
    pub(crate) fn private_if(is_private: bool) -> Access {
        if is_private { Access::Private } else { Access::Shared }
    }

    /// The access to the file or folder at `path`. A path that cannot be looked at counts as shared.
    pub(crate) fn of(path: &Path) -> Access {
        #[cfg(unix)]
        let is_private = |metadata: fs::Metadata| std::os::unix::fs::MetadataExt::mode(&metadata) & 0o077 == 0;
        #[cfg(not(unix))]
        let is_private = |_: fs::Metadata| false;
        Access::private_if(fs::metadata(path).is_ok_and(is_private))
    }

    /// The permissions of a file on Unix, before the umask applies.
    pub(super) fn mode(self) -> u32 {
        match self {
            Access::Shared => 0o666,
            Access::Private => 0o600,
        }
    }
}

/// A file that is being written. It has no final name yet.
pub(crate) type Draft = BufWriter<NamedTempFile>;

/// Writes `bytes` to the file at `path` and replaces an existing file. Readers see the old contents or the new contents,
/// never a part. After this returns, the new contents survive a power failure. Missing folders are created.
///
/// # Errors
/// If a folder or the file cannot be written. The file at `path` is then unchanged.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    replace_with(path, Access::Shared, |file| file.write_all(bytes))
}

/// Like [`replace`] for each of several files in one folder, on all cores. Their names are flushed at once.
///
/// # Errors
/// The same as [`replace`]. Some of the other files are then written.
pub(crate) fn replace_all(files: impl ParallelIterator<Item = (PathBuf, String)>) -> Result<(), FileError> {
    let written = files.map(|(path, text)| {
        name(draft(&path, Access::Shared, |file| file.write_all(text.as_bytes()))?, &path)?;
        Ok(path)
    });
    written.try_reduce_with(|path, _| Ok(path)).transpose()?.map_or(Ok(()), |path| sync_folder(&path))
}

/// Like [`replace`], with this access and the contents that `write` writes.
///
/// # Errors
/// The same as [`replace`], and if `write` fails.
pub(crate) fn replace_with(
    path: &Path,
    access: Access,
    write: impl FnOnce(&mut Draft) -> io::Result<()>,
) -> Result<(), FileError> {
    place(draft(path, access, write)?, path)
}

/// Like [`replace`], but only the user may read or write the file. The same applies to folders that this creates.
///
/// # Errors
/// The same as [`replace`].
pub(crate) fn replace_private(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    private_folder(folder(path))?;
    place(draft(path, Access::Private, |file| file.write_all(bytes))?, path)
}

/// Like [`create`], with this access and the contents that `write` writes.
///
/// # Errors
/// The same as [`create`], and if `write` fails.
pub(crate) fn create_with(
    path: &Path,
    access: Access,
    write: impl FnOnce(&mut Draft) -> io::Result<()>,
) -> Result<(), FileError> {
    place_new(draft(path, access, write)?, path)
}

pub(super) fn private_folder(folder: &Path) -> Result<(), FileError> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let made = builder.recursive(true).create(folder);
    made.map_err(|source| FileError::Folder { path: folder.to_owned(), source })
}

/// Renames a draft to its final name.
fn place(draft: NamedTempFile, path: &Path) -> Result<(), FileError> {
    name(draft, path)?;
    sync_folder(path)
}

fn name(draft: NamedTempFile, path: &Path) -> Result<(), FileError> {
    draft.persist(path).map_err(|error| FileError::Write { path: path.to_owned(), source: error.error })?;
    Ok(())
}

/// Returns whether there is a file or folder at `path`. A path that cannot be looked at counts as free.
pub(crate) fn exists(path: &Path) -> bool {
    path.exists()
}

/// Like [`replace`], but only for a new file: it never overwrites, even if two writers run at once.
///
/// # Errors
/// The same as [`replace`], and [`FileError::Exists`] if there is something at `path`.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    create_with(path, Access::Shared, |file| file.write_all(bytes))
}

/// Renames a draft to its final name, which nothing may have.
fn place_new(draft: NamedTempFile, path: &Path) -> Result<(), FileError> {
    draft.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => FileError::Exists { path: path.to_owned() },
        _ => FileError::Write { path: path.to_owned(), source: error.error },
    })?;
    sync_folder(path)
}

/// Like [`replace`], but for an existing file: it keeps its permissions and, if the system allows it, its owner and extended
/// attributes. If `path` is a link, the file that it points to is replaced, and the link stays.
///
/// # Errors
/// The same as [`replace`], and if the file does not exist, is not a regular file, is read-only, or has several names (hard
/// links), because only one of them would have the new contents.
pub(crate) fn rewrite(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let fault = |source| FileError::Write { path: path.to_owned(), source };
    let target = path.canonicalize().map_err(fault)?;
    let metadata = fs::metadata(&target).map_err(fault)?;
    if !metadata.is_file() {
        return Err(fault(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")));
    }
    if metadata.permissions().readonly() {
        return Err(fault(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only")));
    }
    #[cfg(unix)]
    if std::os::unix::fs::MetadataExt::nlink(&metadata) > 1 {
        let reason =
            "the file has several names (hard links), and a new file would have only this one; fix a copy of it";
        return Err(fault(io::Error::new(io::ErrorKind::InvalidInput, reason)));
    }
    let draft = draft(&target, Access::Shared, |file| file.write_all(bytes))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        #[cfg(any(target_os = "linux", target_os = "macos"))]
        super::attributes::copy_attributes(&File::open(&target).map_err(fault)?, draft.as_file());
        // Only the superuser may change the owner. For other users the file gets a new owner, which is not an error.
        let _ = fchown(draft.as_file(), Some(metadata.uid()), Some(metadata.gid()));
    }
    draft.as_file().set_permissions(metadata.permissions()).map_err(fault)?;
    draft.persist(&target).map_err(|error| fault(error.error))?;
    sync_folder(&target)
}

/// Writes a temporary file in the folder of `path`, so that one rename completes the write.
fn draft(
    path: &Path,
    access: Access,
    write: impl FnOnce(&mut Draft) -> io::Result<()>,
) -> Result<NamedTempFile, FileError> {
    let folder = folder(path);
    create_folder(folder)?;
    let written = || {
        let draft = builder(access).tempfile_in(folder)?;
        let mut file = Draft::new(draft);
        write(&mut file)?;
        let draft = file.into_inner().map_err(IntoInnerError::into_error)?;
        draft.as_file().sync_all()?;
        Ok(draft)
    };
    written().map_err(|source| FileError::Write { path: path.to_owned(), source })
}

/// Drafts are hidden files with the permissions of the final file.
fn builder(access: Access) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(DRAFT).suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(access.mode()));
    }
    #[cfg(not(unix))]
    let _ = access;
    builder
}

/// Creates a folder and those above it. After this returns, they survive a power failure.
///
/// # Errors
/// If a folder cannot be created.
pub(crate) fn create_folder(folder: &Path) -> Result<(), FileError> {
    let missing: Vec<_> = folder.ancestors().take_while(|folder| is_missing(folder)).collect();
    fs::create_dir_all(folder).map_err(|source| FileError::Folder { path: folder.to_owned(), source })?;
    missing.into_iter().try_for_each(sync_folder)
}

fn is_missing(folder: &Path) -> bool {
    !folder.as_os_str().is_empty() && !folder.exists()
}

/// The start of the names of drafts.
const DRAFT: &str = ".eval-ls-";
/// A draft that is older belongs to a writer that was killed: drafts are written in one go.
const OLDEST_DRAFT: Duration = Duration::from_secs(10 * 60);

/// Removes the drafts in `folder` whose writers were killed: those that are older than ten minutes at `now`. A draft that
/// cannot be removed stays.
pub(crate) fn remove_drafts(folder: &Path, now: SystemTime) {
    let is_draft = |name: &str| name.starts_with(DRAFT) && name.ends_with(".tmp");
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let changed = entry.metadata().and_then(|metadata| metadata.modified());
        let is_old = changed.is_ok_and(|at| now.duration_since(at).is_ok_and(|age| age > OLDEST_DRAFT));
        if is_old && entry.file_name().to_str().is_some_and(is_draft) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes the name of the file or folder at `path` durable, after it was created or renamed. Systems that cannot open
/// folders do not need this.
///
/// # Errors
/// If the folder that it is in cannot be flushed.
pub(crate) fn sync_folder(path: &Path) -> Result<(), FileError> {
    if cfg!(unix) {
        let sync = File::open(folder(path)).and_then(|folder| folder.sync_all());
        sync.map_err(|source| FileError::Write { path: path.to_owned(), source })?;
    }
    Ok(())
}

pub(super) fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests;

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
mod lock_tests {
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
