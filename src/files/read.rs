//! The one way to read a file: regular and of limited size, or a stream that a person names.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};

use super::atomic::{Access, FileError, create_folder, folder};
use super::{Folder, is_inside};

/// The most memory that is reserved before a file is read, in bytes. The system may report any length.
const FIRST: u64 = 1 << 20;

/// How files are read: up to a size, and perhaps only those in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reader {
    /// The folder that files must not lead out of, also through links.
    root: Option<PathBuf>,
    most: u64,
}

impl Default for Reader {
    /// Reads files anywhere; each call has its own limit.
    fn default() -> Reader {
        Reader { root: None, most: u64::MAX }
    }
}

impl Reader {
    /// Reads files of at most `most` bytes, and only those below `root` when links are followed. Files of other people are read
    /// so.
    pub(crate) fn within(root: &Path, most: u64) -> Reader {
        Reader { root: Some(root.to_owned()), most }
    }

    /// Whether the file or folder at `path` is one that this may read, or may create there. It need not exist.
    pub(crate) fn admits(&self, path: &Path) -> bool {
        self.root.as_deref().is_none_or(|root| is_inside(path, root))
    }

    /// Opens a folder, in which no link is followed.
    ///
    /// # Errors
    /// If it cannot be opened, is not a folder, or is not in the folder of this reader.
    pub(crate) fn folder(&self, path: &Path) -> io::Result<Folder> {
        if self.admits(path) { Folder::open(path, self.most) } else { Err(outside()) }
    }

    /// Opens a regular file: opening or reading a pipe could block, and a device has no end.
    ///
    /// # Errors
    /// If it cannot be opened, is not a regular file, or is not in the folder of this reader.
    pub(crate) fn open(&self, path: &Path) -> io::Result<File> {
        // Opening a device can already have an effect.
        regular(&fs::metadata(path)?)?;
        if !self.admits(path) {
            return Err(outside());
        }
        let mut options = File::options();
        options.read(true);
        // It may be something else by now.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NONBLOCK.union(rustix::fs::OFlags::NOCTTY).bits() as i32,
        );
        let file = options.open(path)?;
        regular(&file.metadata()?)?;
        Ok(file)
    }

    /// Reads a file of at most `most` bytes.
    ///
    /// # Errors
    /// As those of [`open`](Self::open), and if it cannot be read or is larger.
    pub(crate) fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        whole(self.open(path)?, most.min(self.most))
    }

    /// Reads up to `length` bytes of a file, from the byte at `start`.
    ///
    /// # Errors
    /// As those of [`open`](Self::open), and if it cannot be read or `length` is over the limit.
    pub(crate) fn read_part(&self, path: &Path, start: u64, length: u64) -> io::Result<Vec<u8>> {
        if length > self.most {
            return Err(too_large(self.most));
        }
        part(self.open(path)?, start, length)
    }
}

/// The bytes of a file of at most `most` bytes.
pub(super) fn whole(file: File, most: u64) -> io::Result<Vec<u8>> {
    let length = file.metadata()?.len();
    // With a byte to spare, one call reads all of it.
    let mut bytes = Vec::with_capacity(length.min(FIRST) as usize + 1);
    if length <= most {
        // The file may grow while it is read.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    if length.max(bytes.len() as u64) > most { Err(too_large(most)) } else { Ok(bytes) }
}

/// Up to `length` bytes of a file, from the byte at `start`.
pub(super) fn part(mut file: File, start: u64, length: u64) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads a file of at most `most` bytes, anywhere.
///
/// # Errors
/// As those of [`Reader::read`].
pub(crate) fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    Reader::default().read(path, most)
}

pub(super) fn regular(metadata: &fs::Metadata) -> io::Result<()> {
    match metadata.is_file() {
        true => Ok(()),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")),
    }
}

fn outside() -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, "it is outside of the workspace")
}

/// The error for a file of more than `most` bytes.
pub(super) fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("larger than {}", size(most)))
}

fn size(bytes: u64) -> String {
    if bytes < 1 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) }
}

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
    use super::*;
    use std::io::Write as _;
    use std::os::unix::fs::symlink;

    #[test]
    fn larger_files_and_files_without_an_end_are_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![b'x'; 2048]).unwrap();
        assert_eq!(read(&path, 2048).unwrap().len(), 2048);
        assert_eq!(read(&path, 1024).unwrap_err().to_string(), "larger than 1 KiB");
        let small = Reader { root: None, most: 1024 };
        assert_eq!(small.read(&path, 2048).unwrap_err().to_string(), "larger than 1 KiB");
        assert_eq!(small.read_part(&path, 2000, 1024).unwrap().len(), 48);
        assert_eq!(small.read_part(&path, 0, 1025).unwrap_err().to_string(), "larger than 1 KiB");
        // A sparse file costs nothing on disk, and must cost nothing here.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path, 2 << 20).unwrap_err().to_string(), "larger than 2 MiB");
        assert_eq!(read(folder.path(), 1).unwrap_err().to_string(), "not a regular file");
        assert_eq!(read(&folder.path().join("absent"), 1).unwrap_err().kind(), io::ErrorKind::NotFound);
        #[cfg(target_os = "linux")]
        assert_eq!(read(Path::new("/dev/zero"), 1).unwrap_err().to_string(), "not a regular file");
    }

    #[cfg(unix)]
    #[test]
    fn a_reader_of_a_folder_does_not_follow_links_out_of_it() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(folder.path().join("secret"), "x").unwrap();
        fs::write(root.join("own"), "x").unwrap();
        symlink("../secret", root.join("out")).unwrap();
        symlink("own", root.join("in")).unwrap();
        let reader = Reader::within(&root, 10);
        assert!(reader.read(&root.join("own"), 10).is_ok() && reader.read(&root.join("in"), 10).is_ok());
        for path in [root.join("out"), root.join("../secret")] {
            assert_eq!(reader.read(&path, 10).unwrap_err().to_string(), "it is outside of the workspace", "{path:?}");
        }
        assert!(reader.admits(&root.join("new/file")) && !reader.admits(&root.join("../new")));
    }

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
