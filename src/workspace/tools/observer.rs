use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::config::Config;
use crate::transcript::Store;

use super::bounds::{ALL_BYTES, FILE_BYTES, FILES};
use super::counts::count_all;
use super::{Place, ToolCounts, Tools, find, read};

/// Looks at a place's files, and remembers what was in them.
#[derive(Debug)]
pub struct Observer {
    place: Place,
    known: HashMap<PathBuf, Known>,
}

/// What a file said when it was read last.
#[derive(Clone, Debug)]
struct Known {
    stamp: Stamp,
    tools: Arc<ToolCounts>,
}

/// By what a file is told from what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    modified: Option<SystemTime>,
    len: u64,
}

#[derive(Clone, Copy)]
enum Kind {
    Suite,
    Transcript,
    Log,
}

impl Observer {
    /// One that has not looked yet.
    pub fn new(place: Place) -> Observer {
        Observer { place, known: HashMap::new() }
    }

    /// Where it looks.
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// Looks at the transcripts and telemetry logs, as `config`, which is that of the place, has them.
    pub fn tools_shown(&mut self, config: &Config) -> ToolCounts {
        self.look(config, false).shown
    }

    /// Looks at the suites too.
    pub fn tools(&mut self, config: &Config) -> Tools {
        self.look(config, true)
    }

    fn look(&mut self, config: &Config, and_at_suites: bool) -> Tools {
        let mut look = Look { before: &self.known, now: HashMap::new(), files: FILES, bytes: ALL_BYTES };
        let mut tools = Tools::default();
        let suites = find::suites(&self.place, &config.files);
        // What targets wrote comes before what people wrote, lest many suites leave nothing for it.
        for log in self.place.logs(config) {
            count_all(&mut tools.shown, &look.at(&log, Kind::Log));
        }
        for suite in &suites {
            for transcript in find::transcripts(Store::new(suite, config).folder(), look.files) {
                count_all(&mut tools.shown, &look.at(&transcript, Kind::Transcript));
            }
        }
        for suite in suites.iter().filter(|_| and_at_suites) {
            count_all(&mut tools.named, &look.at(suite, Kind::Suite));
        }
        self.known = look.now;
        tools
    }
}

/// One look, and how much more may be looked at.
struct Look<'a> {
    before: &'a HashMap<PathBuf, Known>,
    now: HashMap<PathBuf, Known>,
    files: usize,
    bytes: u64,
}

impl Look<'_> {
    /// What a file says; nothing where it cannot be read, or need not be any more.
    fn at(&mut self, path: &Path, kind: Kind) -> Arc<ToolCounts> {
        self.known(path, kind).map(|known| known.tools).unwrap_or_default()
    }

    fn known(&mut self, path: &Path, kind: Kind) -> Option<Known> {
        if self.files == 0 {
            return None;
        }
        // A pipe would be waited for, and a device has no end.
        let file = fs::metadata(path).ok().filter(Metadata::is_file)?;
        let read = file.len().min(FILE_BYTES);
        let is_too_large = file.len() > FILE_BYTES && !matches!(kind, Kind::Log);
        if is_too_large || self.bytes < read {
            return None;
        }
        self.files -= 1;
        self.bytes -= read;
        let stamp = Stamp { modified: file.modified().ok(), len: file.len() };
        let known = match self.before.get(path).filter(|known| known.stamp == stamp) {
            Some(known) => known.clone(),
            None => Known { tools: Arc::new(tools_in(path, kind)), stamp },
        };
        self.now.insert(path.to_owned(), known.clone());
        Some(known)
    }
}

fn tools_in(path: &Path, kind: Kind) -> ToolCounts {
    let bytes = match kind {
        Kind::Log => end_of(path),
        Kind::Suite | Kind::Transcript => start_of(path),
    };
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    match kind {
        Kind::Suite => read::suite(&text),
        Kind::Transcript => read::transcript(&text),
        Kind::Log => read::log(&text),
    }
}

fn start_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(FILE_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The last lines of a file.
fn end_of(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let skipped = file.metadata()?.len().saturating_sub(FILE_BYTES);
    file.seek(SeekFrom::Start(skipped))?;
    let mut bytes = Vec::new();
    file.take(FILE_BYTES).read_to_end(&mut bytes)?;
    if skipped > 0 {
        let whole_lines = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |newline| newline + 1);
        bytes.drain(..whole_lines);
    }
    Ok(bytes)
}
