use std::fs::{self, File};
use std::io;
use std::path::{Component, Path};

use super::atomic::{Access, FileError, create_folder, folder};

/// Creates a file that grows while others may read it, or empties an existing one. Missing folders are created. A link is
/// replaced and never followed, because a repository may bring it; only the links of the system to open files are followed.
///
/// # Errors
/// If a folder or the file cannot be created.
pub(crate) fn stream(path: &Path, access: Access) -> Result<File, FileError> {
    create_folder(folder(path))?;
    let opened = || {
        if !is_open_file(path) && path.is_symlink() {
            fs::remove_file(path)?;
        }
        open(path, access)
    };
    opened().map_err(|source| FileError::Write { path: path.to_owned(), source })
}

fn open(path: &Path, access: Access) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(access.mode());
        // It may be a link again by now.
        if !is_open_file(path) {
            options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
        }
    }
    let file = options.open(path)?;
    // An existing file has other permissions. A device or a pipe keeps its own.
    #[cfg(unix)]
    if access == Access::Private && file.metadata().is_ok_and(|metadata| metadata.is_file()) {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(fs::Permissions::from_mode(access.mode()))?;
    }
    #[cfg(not(unix))]
    let _ = access;
    Ok(file)
}

/// Whether `path` is a device, a pipe, or a name of the system for an open file such as `/dev/stdout`. Such a file is written and
/// never replaced.
pub(crate) fn is_stream(path: &Path) -> bool {
    let is_special = |metadata: fs::Metadata| !(metadata.is_file() || metadata.is_dir() || metadata.is_symlink());
    is_open_file(path) || fs::symlink_metadata(path).is_ok_and(is_special)
}

/// Whether `path` is a name of the system for an open file of a process.
fn is_open_file(path: &Path) -> bool {
    if !cfg!(unix) || path.components().any(|part| part == Component::ParentDir) {
        return false;
    }
    let is_of_process = path.starts_with("/proc") && path.parent().is_some_and(|folder| folder.ends_with("fd"));
    is_of_process || ["/dev/stdout", "/dev/stderr"].map(Path::new).contains(&path) || path.starts_with("/dev/fd")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_stream_replaces_a_link_and_leaves_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let (victim, path) = (folder.path().join("victim"), folder.path().join("events.jsonl"));
        fs::write(&victim, "kept").unwrap();
        for target in [victim.as_path(), Path::new("/dev/null"), Path::new("absent")] {
            symlink(target, &path).unwrap();
            stream(&path, Access::Shared).unwrap().write_all(b"event").unwrap();
            assert_eq!(fs::read_to_string(&victim).unwrap(), "kept");
            assert!(fs::symlink_metadata(&path).unwrap().is_file(), "{}", target.display());
            assert_eq!(fs::read_to_string(&path).unwrap(), "event");
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn devices_and_open_files_are_streams() {
        for path in ["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/63", "/proc/self/fd/1"] {
            assert!(is_stream(Path::new(path)), "{path}");
        }
        stream(Path::new("/dev/null"), Access::Private).unwrap().write_all(b"x").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        symlink("/dev/null", &link).unwrap();
        for path in
            [Path::new("/dev/shm/x"), Path::new("/dev/fd/../x"), folder.path(), &link, &folder.path().join("new")]
        {
            assert!(!is_stream(path), "{}", path.display());
        }
    }
}
