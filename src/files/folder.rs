//! An open folder, in which no link is followed, and whether a path stays below another when links are followed.

use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

#[cfg(unix)]
use rustix::fs::{AtFlags, FileType, Mode, OFlags, openat, renameat, statat, unlinkat};

use super::read::{self, too_large};

/// A folder that is open. A file in it is named by one part of a path, and links are not followed, so no name leads out.
///
/// On Windows, links are looked for before a file is opened, not while it is opened.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    /// The largest file that is read, in bytes.
    most: u64,
    #[cfg(unix)]
    handle: std::os::fd::OwnedFd,
}

impl Folder {
    /// Opens the folder at `path`, which may be a link. Files of at most `most` bytes are read.
    ///
    /// # Errors
    /// If it cannot be opened or is not a folder.
    pub(crate) fn open(path: &Path, most: u64) -> io::Result<Folder> {
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        #[cfg(unix)]
        let handle = rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        #[cfg(not(unix))]
        if !path.metadata()?.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        Ok(Folder {
            path: path.to_owned(),
            most,
            #[cfg(unix)]
            handle,
        })
    }

    /// Opens the folder `name` in this folder.
    ///
    /// # Errors
    /// If it cannot be opened, or is a link or a file.
    pub(crate) fn enter(&self, name: &str) -> io::Result<Folder> {
        let path = self.entry(name)?;
        match self.kind(name)? {
            Kind::Folder => {}
            Kind::Link => return Err(link()),
            Kind::File | Kind::Other => return Err(io::ErrorKind::NotADirectory.into()),
        }
        #[cfg(unix)]
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(Folder {
            path,
            most: self.most,
            #[cfg(unix)]
            handle: openat(&self.handle, name, flags, Mode::empty())?,
        })
    }

    /// Opens the regular file `name` for reading.
    ///
    /// # Errors
    /// If it cannot be opened, or is a link or not a regular file.
    pub(crate) fn file(&self, name: &str) -> io::Result<File> {
        self.opened(name, false)
    }

    /// Opens the regular file `name` for reading, and for writing at its end.
    ///
    /// # Errors
    /// If it cannot be opened, is a link or not a regular file, or has several names (hard links).
    pub(crate) fn file_to_extend(&self, name: &str) -> io::Result<File> {
        let file = self.opened(name, true)?;
        #[cfg(unix)]
        if std::os::unix::fs::MetadataExt::nlink(&file.metadata()?) > 1 {
            return Err(refused("it has several names (hard links), so writing would change another file"));
        }
        Ok(file)
    }

    /// Reads the regular file `name`.
    ///
    /// # Errors
    /// If it cannot be read, is larger than `most` bytes or the limit of this folder, or is a link or not a regular file.
    pub(crate) fn read(&self, name: &str, most: u64) -> io::Result<Vec<u8>> {
        read::whole(self.file(name)?, most.min(self.most))
    }

    /// Reads up to `length` bytes of the regular file `name`, from the byte at `start`.
    ///
    /// # Errors
    /// As those of [`read`](Self::read), of which `length` is the size.
    pub(crate) fn read_part(&self, name: &str, start: u64, length: u64) -> io::Result<Vec<u8>> {
        if length > self.most {
            return Err(too_large(self.most));
        }
        read::part(self.file(name)?, start, length)
    }

    /// The length of the regular file `name`, in bytes, and when it was changed.
    ///
    /// # Errors
    /// If it does not exist, or is a link.
    pub(crate) fn metadata(&self, name: &str) -> io::Result<fs::Metadata> {
        self.file(name)?.metadata()
    }

    /// Renames an entry of this folder. A file with the new name is replaced.
    ///
    /// # Errors
    /// If it cannot be renamed.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (old, new) = (self.entry(from)?, self.entry(to)?);
        #[cfg(unix)]
        {
            let _ = (old, new);
            Ok(renameat(&self.handle, from, &self.handle, to)?)
        }
        #[cfg(not(unix))]
        fs::rename(old, new)
    }

    /// Removes an entry of this folder: a file, a link itself, or a folder with all that is in it.
    ///
    /// # Errors
    /// If something cannot be removed.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        let path = self.entry(name)?;
        #[cfg(unix)]
        {
            let _ = path;
            remove_at(&self.handle, name)
        }
        #[cfg(not(unix))]
        match self.kind(name)? {
            Kind::Folder => fs::remove_dir_all(path),
            Kind::Link | Kind::File | Kind::Other => fs::remove_file(path),
        }
    }

    /// The path of an entry, for messages.
    fn entry(&self, name: &str) -> io::Result<PathBuf> {
        let mut parts = Path::new(name).components();
        match (parts.next(), parts.next()) {
            (Some(std::path::Component::Normal(part)), None) if part == name => Ok(self.path.join(name)),
            _ => Err(refused("it is not the name of a file")),
        }
    }

    fn opened(&self, name: &str, extends: bool) -> io::Result<File> {
        let path = self.entry(name)?;
        // Opening a device can already have an effect, and opening a pipe could block.
        match self.kind(name)? {
            Kind::File => {}
            Kind::Link => return Err(link()),
            Kind::Folder | Kind::Other => return Err(not_regular()),
        }
        #[cfg(unix)]
        {
            let _ = path;
            let flags = if extends { OFlags::RDWR | OFlags::APPEND } else { OFlags::RDONLY };
            let flags = flags | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
            let file = File::from(openat(&self.handle, name, flags, Mode::empty())?);
            // It may be something else by now.
            if file.metadata()?.is_file() { Ok(file) } else { Err(not_regular()) }
        }
        #[cfg(not(unix))]
        File::options().read(true).append(extends).open(path)
    }

    fn kind(&self, name: &str) -> io::Result<Kind> {
        #[cfg(unix)]
        {
            let stat = statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW)?;
            Ok(match FileType::from_raw_mode(stat.st_mode) {
                FileType::RegularFile => Kind::File,
                FileType::Directory => Kind::Folder,
                FileType::Symlink => Kind::Link,
                _ => Kind::Other,
            })
        }
        #[cfg(not(unix))]
        {
            let kind = fs::symlink_metadata(self.path.join(name))?.file_type();
            Ok(match kind {
                kind if kind.is_symlink() => Kind::Link,
                kind if kind.is_dir() => Kind::Folder,
                kind if kind.is_file() => Kind::File,
                _ => Kind::Other,
            })
        }
    }
}

/// What an entry is.
enum Kind {
    File,
    Folder,
    Link,
    /// A device, a pipe or a socket.
    Other,
}

/// How many folders may be inside of each other if a folder is removed. A run has two, and each is an open file.
#[cfg(unix)]
const DEEPEST: usize = 64;

/// Removes an entry of an open folder, without following links.
#[cfg(unix)]
fn remove_at(folder: &impl std::os::fd::AsFd, name: &str) -> io::Result<()> {
    use std::os::unix::ffi::OsStrExt as _;

    fn remove(folder: std::os::fd::BorrowedFd<'_>, name: &std::ffi::OsStr, depth: usize) -> io::Result<()> {
        let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::Directory {
            return Ok(unlinkat(folder, name, AtFlags::empty())?);
        }
        if depth == DEEPEST {
            return Err(refused("its folders are nested too deeply; remove it by hand"));
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let inner = openat(folder, name, flags, Mode::empty())?;
        // The names are collected first: removing while reading may skip some.
        let names: Vec<_> = rustix::fs::Dir::read_from(&inner)?
            .map(|entry| entry.map(|entry| std::ffi::OsStr::from_bytes(entry.file_name().to_bytes()).to_owned()))
            .collect::<Result<_, _>>()?;
        for name in names.iter().filter(|name| *name != "." && *name != "..") {
            remove(std::os::fd::AsFd::as_fd(&inner), name, depth + 1)?;
        }
        Ok(unlinkat(folder, name, AtFlags::REMOVEDIR)?)
    }

    remove(folder.as_fd(), name.as_ref(), 0)
}

fn refused(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, reason)
}

fn link() -> io::Error {
    refused("it is a link, and links are not followed here")
}

fn not_regular() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")
}

/// Whether `path` is below `root` when links are followed. Parts that do not exist yet are below the part that does. A path
/// that goes up from such a part does not count.
pub(crate) fn is_inside(path: &Path, root: &Path) -> bool {
    real(root).is_some_and(|root| real(path).is_some_and(|path| path.starts_with(root)))
}

/// The path without links; `None` if it goes up from a part that does not exist.
pub(crate) fn real(path: &Path) -> Option<PathBuf> {
    let existing = path.ancestors().find(|part| part.as_os_str().is_empty() || part.symlink_metadata().is_ok())?;
    let rest = path.strip_prefix(existing).ok()?;
    let goes_up = rest.components().any(|part| part == Component::ParentDir);
    let existing = if existing.as_os_str().is_empty() { Path::new(".") } else { existing };
    // A link that leads nowhere exists, and may lead anywhere later.
    let real = resolved(existing).ok().filter(|_| !goes_up)?;
    Some(if rest.as_os_str().is_empty() { real } else { real.join(rest) })
}

/// The path of a file below a folder, with `/` between the parts; `None` if it is not below it. Links are not followed.
pub(crate) fn below(path: &Path, folder: &Path) -> Option<String> {
    let parts = path.strip_prefix(folder).ok()?.components();
    Some(parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/"))
}

/// The path without `.` and `..`. As in every URI, `..` goes to the folder that the text names, whatever is on disk.
pub(crate) fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            part => plain.push(part),
        }
    }
    plain
}

/// The absolute path of something that exists, without links. In a browser there are no links, and nothing that resolves them.
///
/// # Errors
/// If it does not exist, or cannot be looked at.
pub(crate) fn resolved(path: &Path) -> io::Result<PathBuf> {
    if !cfg!(target_os = "wasi") {
        return path.canonicalize();
    }
    path.symlink_metadata()?;
    let mut real = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::Normal(name) => real.push(name),
            Component::ParentDir => drop(real.pop()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    Ok(real)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    fn open(path: &Path) -> Folder {
        Folder::open(path, 10).unwrap()
    }

    #[test]
    fn no_name_and_no_link_leads_out_of_an_open_folder() {
        let outer = tempfile::tempdir().unwrap();
        let inner = outer.path().join("inner");
        fs::create_dir_all(inner.join("below")).unwrap();
        fs::write(outer.path().join("secret"), "x").unwrap();
        fs::write(inner.join("own"), "own").unwrap();
        symlink("../secret", inner.join("out")).unwrap();
        symlink("own", inner.join("in")).unwrap();
        symlink("below", inner.join("folder")).unwrap();
        let folder = open(&inner);
        assert_eq!(folder.read("own", 10).unwrap(), b"own");
        assert_eq!(folder.read_part("own", 1, 9).unwrap(), b"wn");
        assert!(folder.enter("below").is_ok());
        for name in ["../secret", "/etc/passwd", ".", "..", "", "below/..", "own/"] {
            let message = "it is not the name of a file";
            assert_eq!(folder.file(name).unwrap_err().to_string(), message, "{name}");
            assert_eq!(folder.remove(name).unwrap_err().to_string(), message, "{name}");
            assert_eq!(folder.rename("own", name).unwrap_err().to_string(), message, "{name}");
        }
        for name in ["out", "in"] {
            let message = "it is a link, and links are not followed here";
            assert_eq!(folder.file(name).unwrap_err().to_string(), message);
            assert_eq!(folder.file_to_extend(name).unwrap_err().to_string(), message);
        }
        assert_eq!(folder.enter("folder").unwrap_err().to_string(), "it is a link, and links are not followed here");
        assert_eq!(folder.file("below").unwrap_err().to_string(), "not a regular file");
    }

    #[test]
    fn a_file_with_several_names_is_not_extended() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("one"), "x").unwrap();
        fs::hard_link(folder.path().join("one"), folder.path().join("other")).unwrap();
        let error = open(folder.path()).file_to_extend("one").unwrap_err();
        assert!(error.to_string().starts_with("it has several names"), "{error}");
    }

    #[test]
    fn removing_a_folder_leaves_what_its_links_point_at() {
        let outer = tempfile::tempdir().unwrap();
        fs::create_dir_all(outer.path().join("runs/old/deep")).unwrap();
        fs::create_dir(outer.path().join("work")).unwrap();
        fs::write(outer.path().join("work/mine"), "x").unwrap();
        fs::write(outer.path().join("runs/old/deep/file"), "x").unwrap();
        symlink("../../../work", outer.path().join("runs/old/deep/link")).unwrap();
        symlink("../work", outer.path().join("runs/direct")).unwrap();
        let runs = open(&outer.path().join("runs"));
        runs.remove("old").unwrap();
        runs.remove("direct").unwrap();
        assert_eq!(fs::read_dir(outer.path().join("runs")).unwrap().count(), 0);
        assert!(outer.path().join("work/mine").exists());
    }

    #[test]
    fn a_folder_that_is_nested_too_deeply_is_not_removed() {
        let outer = tempfile::tempdir().unwrap();
        let deep: PathBuf = (0..=DEEPEST).map(|_| "d").collect();
        fs::create_dir_all(outer.path().join(deep)).unwrap();
        let error = open(outer.path()).remove("d").unwrap_err();
        assert!(error.to_string().starts_with("its folders are nested too deeply"), "{error}");
    }

    #[test]
    fn a_larger_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        File::create(folder.path().join("sparse")).unwrap().set_len(1 << 40).unwrap();
        let error = open(folder.path()).read("sparse", u64::MAX).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(open(folder.path()).read_part("sparse", 0, 11).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn paths_that_lead_out_are_not_inside() {
        let folder = tempfile::tempdir().unwrap();
        let (root, other) = (folder.path().join("root"), folder.path().join("other"));
        for path in [&root.join("evals"), &other] {
            fs::create_dir_all(path).unwrap();
        }
        symlink(&other, root.join("out")).unwrap();
        symlink(root.join("evals"), root.join("in")).unwrap();
        symlink(other.join("absent"), root.join("dangling")).unwrap();
        for (path, expected) in [
            ("evals/transcripts/a", true),
            ("evals/../transcripts", true),
            ("in/transcripts", true),
            ("new/folder", true),
            ("../other", false),
            ("evals/../../other/new", false),
            ("new/../../other", false),
            ("out", false),
            ("out/new", false),
            ("dangling", false),
            ("dangling/new", false),
            ("/etc", false),
        ] {
            assert_eq!(is_inside(&root.join(path), &root), expected, "{path}");
        }
        assert!(is_inside(&root.join("new/file"), &root.join("new")));
        assert!(!is_inside(&root.join("other/file"), &root.join("new")));
        assert!(is_inside(Path::new("absent/file"), Path::new(".")) && !is_inside(Path::new(".."), Path::new(".")));
    }
}
