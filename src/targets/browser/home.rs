//! The private folder of a browser, and the processes that belong to it.
//!
//! agent-browser leaves a program running that drives the browser, and finds it again through files in a folder. Each
//! session has its own folder, so other sessions are not touched. All processes of the session have the folder's path in
//! their environment, so they can be found.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;
use tokio::time::{Instant, sleep};

use crate::processes::Session;
#[cfg(unix)]
use crate::processes::Watched;

/// The beginning of a folder's name; the number of the process that made it follows.
const PREFIX: &str = "eval-ls-browser-";

/// How often to look whether processes are gone. A person does not notice it.
const INTERVAL: Duration = Duration::from_millis(20);

/// A browser's folder. When it is dropped, its processes are killed and it is removed.
#[derive(Debug)]
pub(super) struct Home {
    session: Session,
    /// The file must be closed before the folder is removed.
    #[cfg(windows)]
    _owned: windows::Owned,
    folder: TempDir,
    temporary: PathBuf,
    #[cfg(unix)]
    _watched: Watched,
}

impl Home {
    /// A new folder that other users may not read.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(super) fn new() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(&format!("{PREFIX}{}-", std::process::id())).tempdir()?;
        let temporary = folder.path().join("tmp");
        std::fs::create_dir(&temporary)?;
        Ok(Self {
            session: Session::new(),
            #[cfg(windows)]
            _owned: windows::Owned::new(folder.path())?,
            #[cfg(unix)]
            _watched: Watched::marked(&processes::mark(folder.path())),
            folder,
            temporary,
        })
    }

    /// The folder for agent-browser's files about its sessions.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder for temporary files of agent-browser and the browser.
    pub(super) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// The programs that agent-browser leaves running.
    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// Waits until all processes have ended, or the limit is reached.
    pub(super) async fn ended_within(&self, limit: Duration) {
        let end = Instant::now() + limit;
        while self.is_running() && Instant::now() < end {
            sleep(INTERVAL).await;
        }
    }

    fn is_running(&self) -> bool {
        #[cfg(unix)]
        return !processes::of(self.path()).is_empty();
        #[cfg(windows)]
        self.session.is_running()
    }
}

#[cfg(unix)]
impl Drop for Home {
    fn drop(&mut self) {
        processes::kill(self.path());
    }
}

/// Removes the folders and processes of runs that were killed.
pub(super) fn sweep() {
    let Ok(entries) = std::fs::read_dir(std::env::temp_dir()) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).and_then(|rest| rest.split('-').next());
        let Some(owner) = owner.and_then(|owner| owner.parse::<i32>().ok()) else { continue };
        if !is_owned(&entry.path(), owner) && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            #[cfg(unix)]
            processes::kill(&entry.path());
            // Another user's folder stays: it cannot be removed.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether the process that made the folder still runs.
#[cfg(unix)]
fn is_owned(_folder: &Path, owner: i32) -> bool {
    crate::processes::exists(owner.into())
}

/// Whether the process that made the folder still runs.
#[cfg(windows)]
fn is_owned(folder: &Path, _owner: i32) -> bool {
    windows::is_owned(folder)
}

/// There are jobs for processes, and a file shows whether a folder is in use.
#[cfg(windows)]
mod windows {
    use std::fs::File;
    use std::io;
    use std::path::Path;

    const FILE: &str = "owner.lock";

    /// A lock that the system releases when this process ends.
    #[derive(Debug)]
    pub(super) struct Owned(#[expect(dead_code, reason = "holds the lock")] File);

    impl Owned {
        pub(super) fn new(folder: &Path) -> io::Result<Self> {
            let file = File::create(folder.join(FILE))?;
            file.lock()?;
            Ok(Owned(file))
        }
    }

    /// A folder without the file is being made.
    pub(super) fn is_owned(folder: &Path) -> bool {
        match File::open(folder.join(FILE)) {
            Ok(file) => file.try_lock().is_err(),
            Err(_) => true,
        }
    }
}

#[cfg(unix)]
mod processes {
    use std::path::Path;
    use std::time::Duration;

    use rustix::process::{Pid, Signal, kill_process};

    use crate::processes::Mark;

    /// How often killing is tried: a process that is being started while others are killed is found the next time.
    const TRIES: usize = 25;

    /// Without their environment only the program that drives the browser is found, which ends the browser when it ends.
    const SIGNAL: Signal = if cfg!(target_os = "linux") { Signal::KILL } else { Signal::TERM };

    /// The mark of all processes of a session.
    pub(super) fn mark(home: &Path) -> Mark {
        Mark::new("AGENT_BROWSER_SOCKET_DIR", home.as_os_str())
    }

    pub(super) fn kill(home: &Path) {
        for _ in 0..TRIES {
            let found = of(home);
            if found.is_empty() {
                return;
            }
            for process in found {
                // One that is gone needs no signal.
                let _ = kill_process(process, SIGNAL);
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[cfg(target_os = "linux")]
    pub(super) fn of(home: &Path) -> Vec<Pid> {
        crate::processes::marked(&[mark(home)])
    }

    /// The environment of processes cannot be read. The program that drives the browser has written its number into a file.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn of(home: &Path) -> Vec<Pid> {
        let files = std::fs::read_dir(home).into_iter().flatten().flatten().map(|entry| entry.path());
        let numbers = files.filter(|path| path.extension().is_some_and(|extension| extension == "pid"));
        let processes = numbers.filter_map(|path| std::fs::read_to_string(path).ok()?.trim().parse::<i32>().ok());
        processes.filter(|process| crate::processes::exists((*process).into())).filter_map(Pid::from_raw).collect()
    }
}
