use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Why a file could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Its folder could not be made.
    #[error("cannot make the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It could not be written, or not given its name.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// There already is a file with that name, and none was to be replaced.
    #[error("cannot write {}: there already is a file with that name", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
}

/// Writes `bytes` to the file at `path`, in place of one that may be there. Whoever reads the path sees the old contents
/// or the new ones, never a part; when this returns, the new ones survive a power failure. Folders that are missing are
/// made.
///
/// # Errors
/// Where a folder or the file cannot be written; what was at `path` is then as it was.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    place(draft(path, bytes, SHARED)?, path)
}

/// As [`replace`]; nobody but the user may read or write the file, nor look into a folder that had to be made for it.
///
/// # Errors
/// As [`replace`].
pub fn replace_private(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let folder = folder(path);
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    let made = builder.recursive(true).create(folder);
    made.map_err(|source| FileError::Folder { path: folder.to_owned(), source })?;
    place(draft(path, bytes, PRIVATE)?, path)
}

/// Gives a draft its lasting name.
fn place(draft: NamedTempFile, path: &Path) -> Result<(), FileError> {
    draft.persist(path).map_err(|error| FileError::Write { path: path.to_owned(), source: error.error })?;
    sync_folder(path)
}

/// Writes `bytes` to a new file at `path`; otherwise as [`replace`].
///
/// # Errors
/// As [`replace`], and where there already is something at `path`: two writers never overwrite each other.
pub fn create(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let draft = draft(path, bytes, SHARED)?;
    draft.persist_noclobber(path).map_err(|error| match error.error.kind() {
        io::ErrorKind::AlreadyExists => FileError::Exists { path: path.to_owned() },
        _ => FileError::Write { path: path.to_owned(), source: error.error },
    })?;
    sync_folder(path)
}

/// Writes `bytes` in the place of what is in the file at `path`, otherwise as [`replace`]. The file is one that is there:
/// it keeps its permissions and, as far as the system lets it, its owner, and a link goes on to point to it.
///
/// # Errors
/// As [`replace`], and where there is no file, it is none that can be replaced, or it is read-only.
pub fn rewrite(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let fault = |source| FileError::Write { path: path.to_owned(), source };
    let target = path.canonicalize().map_err(fault)?;
    let metadata = fs::metadata(&target).map_err(fault)?;
    if !metadata.is_file() {
        return Err(fault(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")));
    }
    if metadata.permissions().readonly() {
        return Err(fault(io::Error::new(io::ErrorKind::PermissionDenied, "it is read-only")));
    }
    let draft = draft(&target, bytes, SHARED)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        // Only the superuser may give files away; whoever else cannot keeps it.
        let _ = fchown(draft.as_file(), Some(metadata.uid()), Some(metadata.gid()));
    }
    draft.as_file().set_permissions(metadata.permissions()).map_err(fault)?;
    draft.persist(&target).map_err(|error| fault(error.error))?;
    sync_folder(&target)
}

/// The bytes in a file without a lasting name, in the folder of `path`, so that giving it the name is one step.
fn draft(path: &Path, bytes: &[u8], mode: u32) -> Result<NamedTempFile, FileError> {
    let folder = folder(path);
    fs::create_dir_all(folder).map_err(|source| FileError::Folder { path: folder.to_owned(), source })?;
    let write = || {
        let mut draft = builder(mode).tempfile_in(folder)?;
        draft.write_all(bytes)?;
        draft.as_file().sync_all()?;
        Ok(draft)
    };
    write().map_err(|source| FileError::Write { path: path.to_owned(), source })
}

/// The permissions that any new file of the user has, and those of a file that is nobody else's business.
const SHARED: u32 = 0o666;
const PRIVATE: u32 = 0o600;

/// Drafts are hidden, and have the permissions that the file will have.
fn builder(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".eval-ls-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(mode));
    }
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

/// Makes the new name last; on systems that cannot open folders they do so by themselves.
fn sync_folder(path: &Path) -> Result<(), FileError> {
    if cfg!(unix) {
        let sync = File::open(folder(path)).and_then(|folder| folder.sync_all());
        sync.map_err(|source| FileError::Write { path: path.to_owned(), source })?;
    }
    Ok(())
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_whole_files_and_leaves_nothing_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b/kept.json");
        replace(&path, b"one").unwrap();
        replace(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn creates_only_what_is_not_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new.json");
        create(&path, b"one").unwrap();
        let error = create(&path, b"two").unwrap_err();
        assert!(matches!(error, FileError::Exists { .. }), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_path() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        replace(&file, b"").unwrap();
        let error = replace(&file.join("below.json"), b"").unwrap_err();
        assert!(matches!(error, FileError::Folder { .. }), "{error}");
        assert!(error.to_string().contains(&file.display().to_string()), "{error}");
        let error = replace(folder.path(), b"").unwrap_err();
        assert!(error.to_string().contains(&folder.path().display().to_string()), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn rewrites_what_is_there_and_keeps_what_it_is() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "one").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", &link).unwrap();
        rewrite(&link, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

        fs::set_permissions(&file, fs::Permissions::from_mode(0o440)).unwrap();
        for (path, why) in [(&link, "it is read-only"), (&folder.path().to_owned(), "it is no regular file")] {
            let error = rewrite(path, b"three").unwrap_err().to_string();
            assert!(error.contains(&path.display().to_string()) && error.ends_with(why), "{error}");
        }
        assert!(rewrite(&folder.path().join("absent"), b"").is_err());
        assert_eq!(fs::read(&file).unwrap(), b"two");
    }

    #[cfg(unix)]
    #[test]
    fn files_have_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let (ours, plain) = (folder.path().join("ours"), folder.path().join("plain"));
        replace(&ours, b"").unwrap();
        fs::write(&plain, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&ours), mode(&plain));
    }
}
