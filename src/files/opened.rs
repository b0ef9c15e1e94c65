//! Which of some files any program opens. Linux reports it (inotify), without the program. Other systems report nothing.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Files that are watched.
#[derive(Debug, Default)]
pub(crate) struct OpenedFiles(Mutex<Log>);

#[derive(Debug, Default)]
struct Log {
    files: HashSet<PathBuf>,
    watch: Option<Watch>,
    /// The number of the last opening of each file that was opened.
    opened: HashMap<PathBuf, usize>,
    /// The number of openings.
    count: usize,
    /// How often this program is about to open a file by itself.
    own: HashMap<PathBuf, usize>,
}

impl OpenedFiles {
    /// Watches files. Nothing is seen of those that the system does not watch.
    pub(crate) fn watch(files: impl IntoIterator<Item = PathBuf>) -> OpenedFiles {
        let files: HashSet<PathBuf> = files.into_iter().collect();
        let folders: HashSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        let watch = if folders.is_empty() { None } else { Watch::of(&folders) };
        OpenedFiles(Mutex::new(Log { watch, files, ..Log::default() }))
    }

    /// Whether the system reports what is opened.
    pub(crate) fn are_seen(&self) -> bool {
        self.log(|log| log.watch.is_some())
    }

    /// The moment, for [`OpenedFiles::since`].
    pub(crate) fn now(&self) -> usize {
        self.log(|log| {
            log.read();
            log.count
        })
    }

    /// The files that were opened since that moment, each once.
    pub(crate) fn since(&self, moment: usize) -> Vec<PathBuf> {
        self.log(|log| {
            log.read();
            let later = log.opened.iter().filter(|(_, last)| **last > moment);
            let mut files: Vec<PathBuf> = later.map(|(file, _)| file.clone()).collect();
            files.sort();
            files
        })
    }

    /// No longer watches a file, for example because this program has written it.
    pub(crate) fn forget(&self, file: &Path) {
        self.log(|log| log.files.remove(file));
    }

    /// Notes that this program opens a file by itself, which does not count. The file must exist.
    pub(crate) fn expect(&self, file: &Path) {
        self.log(|log| {
            // The system reports equal openings in a row as one.
            log.read();
            if log.watch.is_some() && log.files.contains(file) {
                *log.own.entry(file.to_owned()).or_default() += 1;
            }
        });
    }

    fn log<T>(&self, work: impl FnOnce(&mut Log) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for OpenedFiles {
    /// The kernel takes some ten milliseconds to end a watch, for which nobody waits.
    fn drop(&mut self) {
        if let Some(watch) = self.log(|log| log.watch.take()) {
            let _ = thread::Builder::new().spawn(move || drop(watch));
        }
    }
}

impl Log {
    fn read(&mut self) {
        let Some(watch) = &self.watch else { return };
        for file in watch.opened() {
            if !self.files.contains(&file) {
                continue;
            }
            match self.own.get_mut(&file).filter(|own| **own > 0) {
                Some(own) => *own -= 1,
                None => {
                    self.count += 1;
                    self.opened.insert(file, self.count);
                }
            }
        }
    }
}

#[cfg(target_os = "linux")]
use linux::Watch;

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::{HashMap, HashSet};
    use std::ffi::{CStr, OsStr};
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt as _;
    use std::path::{Path, PathBuf};

    use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};

    /// A queue of the kernel for the folders of files.
    #[derive(Debug)]
    pub(super) struct Watch {
        queue: OwnedFd,
        /// The paths of each folder, by the number that the kernel gave it.
        folders: HashMap<i32, Vec<PathBuf>>,
    }

    impl Watch {
        /// Watches folders; `None` if the kernel gives no queue. A folder that cannot be watched is left out.
        pub(super) fn of(folders: &HashSet<&Path>) -> Option<Watch> {
            let queue = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            let number = |folder: &Path| {
                let named = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
                add_watch(&queue, named, WatchFlags::OPEN | WatchFlags::ONLYDIR).ok()
            };
            let mut numbers: HashMap<i32, Vec<PathBuf>> = HashMap::new();
            for folder in folders {
                if let Some(number) = number(folder) {
                    numbers.entry(number).or_default().push((*folder).to_owned());
                }
            }
            Some(Watch { queue, folders: numbers })
        }

        /// The files that were opened since the last call. If the queue was full, some are missing.
        pub(super) fn opened(&self) -> Vec<PathBuf> {
            let mut opened = Vec::new();
            let mut space = [MaybeUninit::uninit(); 8192];
            let mut reader = Reader::new(&self.queue, &mut space);
            // The queue does not block: at its end there is an error.
            while let Ok(event) = reader.next() {
                let name = event.file_name().filter(|_| !event.events().contains(ReadFlags::ISDIR));
                let folders = self.folders.get(&event.wd()).into_iter().flatten();
                let paths =
                    |name: &CStr| folders.map(|folder| folder.join(OsStr::from_bytes(name.to_bytes()))).collect();
                opened.extend(name.map_or_else(Vec::new, paths));
            }
            opened
        }
    }
}

/// What no other system tells.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
struct Watch;

#[cfg(not(target_os = "linux"))]
impl Watch {
    fn of(_: &HashSet<&Path>) -> Option<Watch> {
        None
    }

    fn opened(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_opened_are_seen_and_folders_are_not() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        ["a", "b", "c"].iter().for_each(|name| std::fs::write(file(name), "x").unwrap());
        let opened = OpenedFiles::watch([file("a"), file("b"), file("gone/d")]);
        assert!(opened.are_seen());
        std::fs::read(file("a")).unwrap();
        let now = opened.now();
        std::fs::read_dir(folder.path()).unwrap().for_each(drop);
        std::fs::read(file("c")).unwrap();
        assert_eq!(opened.since(now), [] as [PathBuf; 0]);
        std::fs::read(file("b")).unwrap();
        std::fs::read(file("b")).unwrap();
        assert_eq!(opened.since(now), [file("b")]);
        let now = opened.now();
        opened.expect(&file("a"));
        std::fs::read(file("a")).unwrap();
        assert_eq!(opened.since(now), [] as [PathBuf; 0]);
        std::fs::read(file("a")).unwrap();
        assert_eq!(opened.since(now), [file("a")]);
    }
}
