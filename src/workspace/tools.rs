//! The tools that the files around a suite show.
//!
//! An [`Observer`] reads the files of a [`Scope`], each again only if it has changed. Files are hostile: the
//! bytes and the number of files are bounded, and nearer files are read first.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use memchr::memmem;
use rayon::prelude::*;
use serde_json::Value;

use crate::config::{CONFIG_FILE, Config, TargetConfig};
use crate::files::Reader;
use crate::suite::{Case, List, Suite, TelemetryEntry};
use crate::syntax::{Node, parse};
use crate::transcript::{Event, Store};
use crate::workspace::{FileRules, Scope, Search};

/// The tools in a transcript.
pub(super) fn transcript(text: &str) -> ToolCounts {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let parsed = parse(text);
    let events = parsed.tree.root(text).and_then(|root| root.get("telemetry"));
    let mut counts = ToolCounts::new();
    for event in events.into_iter().flat_map(Node::elements) {
        let text = |key: &str| event.get(key)?.as_str();
        if let Some(source) = text("source") {
            count_event(&mut counts, &source, text("event").as_deref());
        }
    }
    at_least_once(counts)
}

/// The tools in a telemetry log; each of its lines is an event.
pub(super) fn log(text: &str) -> ToolCounts {
    let mut counts = ToolCounts::new();
    let tool = memmem::Finder::new("tool.");
    // Most lines of a log are about something else and need not be parsed.
    for line in text.lines().filter(|line| tool.find(line.as_bytes()).is_some()) {
        let event = Event::from_line(line);
        let text = |key: &str| event.object()?.get(key).and_then(Value::as_str);
        if let Some(source) = text("source") {
            count_event(&mut counts, source, text("event"));
        }
    }
    at_least_once(counts)
}

/// The tools that a suite names.
pub(super) fn suite(text: &str) -> ToolCounts {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut tools = ToolCounts::new();
    let parsed = parse(text);
    for names in parsed.tree.root(text).into_iter().flat_map(Suite::case_nodes).map(Case::lower_names) {
        let texts = |list| entries(list).into_iter().flatten();
        texts(&names.telemetry).filter_map(tool_of).for_each(|tool| count(&mut tools, tool, 1));
        let called = texts(&names.tool_calls_any).chain(texts(&names.tool_calls_none));
        called.for_each(|tool| count(&mut tools, tool, 1));
    }
    tools
}

fn entries(list: &Option<List>) -> Option<impl Iterator<Item = &str>> {
    Some(list.as_ref()?.value.iter().map(|entry| entry.value.as_str()))
}

/// The tool that an entry of `telemetry` names.
fn tool_of(entry: &str) -> Option<&str> {
    match TelemetryEntry::parse(entry) {
        TelemetryEntry::Start { tool } | TelemetryEntry::Result { tool, .. } => Some(tool),
        TelemetryEntry::MissingField { .. } | TelemetryEntry::Literal(_) => None,
    }
}

fn count_event(counts: &mut ToolCounts, source: &str, event: Option<&str>) {
    if let Some(tool) = source.strip_prefix("tool.") {
        count(counts, tool, usize::from(event == Some("start")));
    }
}

fn at_least_once(mut counts: ToolCounts) -> ToolCounts {
    counts.values_mut().for_each(|times| *times = (*times).max(1));
    counts
}

/// Reads the files of a scope, and remembers their tools.
#[derive(Debug)]
pub(crate) struct Observer {
    scope: Scope,
    known: HashMap<PathBuf, Known>,
}

/// The observers of several scopes.
#[derive(Debug, Default)]
pub(crate) struct Observers(Vec<Observer>);

impl Observers {
    /// The observer of a scope.
    pub(crate) fn of(&mut self, scope: &Scope) -> &mut Observer {
        let known = self.0.iter().position(|observer| observer.scope == *scope);
        let place = known.unwrap_or_else(|| {
            self.0.push(Observer::new(scope.clone()));
            self.0.len() - 1
        });
        &mut self.0[place]
    }

    /// Forgets the other scopes.
    pub(crate) fn keep<'s>(&mut self, scopes: impl Iterator<Item = &'s Scope> + Clone) {
        self.0.retain(|observer| scopes.clone().any(|scope| *scope == observer.scope));
    }
}

/// The tools of a file when it was last read.
#[derive(Clone, Debug)]
struct Known {
    stamp: Stamp,
    is_suite: bool,
    tools: Arc<ToolCounts>,
}

/// Shows whether a file has changed.
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
    /// An observer that has read nothing yet.
    pub(crate) fn new(scope: Scope) -> Observer {
        Observer { scope, known: HashMap::new() }
    }

    /// The tools in transcripts, telemetry logs and suites; `config` applies to the scope.
    pub(crate) fn tools(&mut self, config: &Arc<Config>) -> Tools {
        let reader = Reader::within(self.scope.folder(), FILE_BYTES);
        let mut look = Look { wanted: Vec::new(), files: FILES, bytes: ALL_BYTES, reader: &reader };
        let suites = suites(&self.scope, config);
        // Files of targets come before files of people, so that many suites do not exhaust the limits for them.
        let logs = telemetry_logs(&self.scope, config).into_iter().filter(|log| reader.admits(log));
        logs.for_each(|log| look.add(log, Kind::Log));
        for suite in &suites {
            let transcripts = transcripts(Store::new(suite, config).folder(), &reader, look.files);
            transcripts.into_iter().for_each(|transcript| look.add(transcript, Kind::Transcript));
        }
        suites.into_iter().for_each(|suite| look.add(suite, Kind::Suite));

        let read = |file: WantedFile| (file.path.clone(), self.read(&reader, &file));
        let files: Vec<_> = look.wanted.into_par_iter().map(read).collect();
        let mut tools = Tools::default();
        for (_, known) in &files {
            let counts = if known.is_suite { &mut tools.named } else { &mut tools.shown };
            count_all(counts, &known.tools);
        }
        self.known = files.into_iter().collect();
        tools
    }

    /// The tools in a file, if it has not changed since it was read, or else as they are now.
    fn read(&self, reader: &Reader, file: &WantedFile) -> Known {
        if let Some(known) = self.known.get(&file.path).filter(|known| known.stamp == file.stamp) {
            return known.clone();
        }
        let tools = Arc::new(tools_in(reader, &file.path, file.kind));
        let is_suite = matches!(file.kind, Kind::Suite);
        Known { stamp: file.stamp.clone(), is_suite, tools }
    }
}

/// The files to read, and what is left of the limits.
struct Look<'a> {
    wanted: Vec<WantedFile>,
    files: usize,
    bytes: u64,
    reader: &'a Reader,
}

struct WantedFile {
    path: PathBuf,
    kind: Kind,
    stamp: Stamp,
}

impl Look<'_> {
    /// Adds a file, unless it cannot be read or a limit is reached.
    fn add(&mut self, path: PathBuf, kind: Kind) {
        if self.files == 0 {
            return;
        }
        // The folder of the file is in the scope. Only a link leads out.
        if fs::symlink_metadata(&path).is_ok_and(|file| file.is_symlink()) && !self.reader.admits(&path) {
            return;
        }
        // Reading a pipe would block, and a device has no end.
        let Some(file) = fs::metadata(&path).ok().filter(Metadata::is_file) else { return };
        let read = file.len().min(FILE_BYTES);
        let is_too_large = file.len() > FILE_BYTES && !matches!(kind, Kind::Log);
        if is_too_large || self.bytes < read {
            return;
        }
        self.files -= 1;
        self.bytes -= read;
        let stamp = Stamp { modified: file.modified().ok(), len: file.len() };
        self.wanted.push(WantedFile { path, kind, stamp });
    }
}

/// The telemetry logs of the targets, each once.
fn telemetry_logs(scope: &Scope, config: &Config) -> Vec<PathBuf> {
    let logs = config.targets.values().filter_map(TargetConfig::telemetry_log);
    let mut logs: Vec<_> = logs.map(|log| scope.folder().join(log)).collect();
    logs.sort();
    logs.dedup();
    logs
}

fn tools_in(reader: &Reader, path: &Path, kind: Kind) -> ToolCounts {
    let bytes = match kind {
        Kind::Log => end_of(reader, path),
        Kind::Suite | Kind::Transcript => reader.read_part(path, 0, FILE_BYTES),
    };
    let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    match kind {
        Kind::Suite => suite(&text),
        Kind::Transcript => transcript(&text),
        Kind::Log => log(&text),
    }
}

/// The last lines of a file.
fn end_of(reader: &Reader, path: &Path) -> io::Result<Vec<u8>> {
    let skipped = fs::metadata(path)?.len().saturating_sub(FILE_BYTES);
    let mut bytes = reader.read_part(path, skipped, FILE_BYTES)?;
    if skipped > 0 {
        let whole_lines = bytes.iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |newline| newline + 1);
        bytes.drain(..whole_lines);
    }
    Ok(bytes)
}

/// Entries of folders in the search for suites. A large repository without its dependencies has fewer.
pub(super) const ENTRIES: usize = 20_000;
/// Files that are read.
pub(super) const FILES: usize = 5_000;
/// Bytes of all files together.
pub(super) const ALL_BYTES: u64 = 128 << 20;
/// Bytes of one file. The end of a longer telemetry log is read; other files that are longer are ignored.
pub(super) const FILE_BYTES: u64 = 4 << 20;
/// Different tools.
pub(super) const TOOLS: usize = 2_000;
/// Bytes of a tool's name. Model providers allow 64 or 128 characters.
pub(super) const NAME_BYTES: usize = 128;

/// Names of tools, and how often each occurs.
pub(crate) type ToolCounts = BTreeMap<String, usize>;

/// The tools of a scope.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tools {
    /// The tools in its transcripts and telemetry logs, and how often each was called. A tool with results alone
    /// counts as called once.
    pub(crate) shown: ToolCounts,
    /// The tools that its suites name, and how often. They need not exist.
    pub(crate) named: ToolCounts,
}

/// Counts a tool `times` more. Ignores empty and overlong names, and new names beyond the limit.
pub(super) fn count(counts: &mut ToolCounts, tool: &str, times: usize) {
    if tool.is_empty() || tool.len() > NAME_BYTES {
        return;
    }
    if let Some(known) = counts.get_mut(tool) {
        *known = known.saturating_add(times);
    } else if counts.len() < TOOLS {
        counts.insert(tool.to_owned(), times);
    }
}

/// Counts all of `others`.
pub(super) fn count_all(counts: &mut ToolCounts, others: &ToolCounts) {
    for (tool, times) in others {
        count(counts, tool, *times);
    }
}

/// The suites of a scope, those in nearer folders first, and then by name. Folders that cannot be read are ignored.
pub(super) fn suites(scope: &Scope, config: &Arc<Config>) -> Vec<PathBuf> {
    let folder = scope.folder().to_owned();
    let rules = FileRules::new(Arc::clone(config), scope.root().map(Path::to_owned));
    let is_in_scope = |folder: &Path| scope.root().is_some() && !folder.join(CONFIG_FILE).is_file();
    let mut search = Search {
        opened: std::slice::from_ref(&folder),
        rules_in: &mut |_| rules.clone(),
        enters: &is_in_scope,
        reader: &Reader::within(&folder, u64::MAX),
        max_entries: ENTRIES,
    };
    search.below(&folder).suites
}

/// The transcripts in a folder of them, by name. None if the folder is not one of the reader.
pub(super) fn transcripts(folder: &Path, reader: &Reader, at_most: usize) -> Vec<PathBuf> {
    if !reader.admits(folder) {
        return Vec::new();
    }
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.flatten().take(at_most).map(|entry| entry.path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json")).collect();
    paths.sort();
    paths
}

#[cfg(test)]
mod tests;
