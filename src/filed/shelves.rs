use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::files::{Reader, without_dots};

use super::{Filed, suite_name};

/// The most entries of a folder that are looked at.
const MOST_ENTRIES: usize = 20_000;

/// The largest file that is read, in bytes.
pub(super) const MOST_BYTES: u64 = 16 << 20;

/// What is stored beside a suite, as it is on disk.
pub(crate) struct Shelves<'a> {
    pub(super) suite: &'a Path,
    pub(super) config: &'a Config,
    pub(super) root: &'a Path,
    reader: Reader,
}

/// Something that is stored, and its place under another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// What it is called.
    pub(super) noun: &'static str,
    /// The file or folder.
    pub(crate) from: PathBuf,
    /// The other place.
    pub(crate) to: PathBuf,
    /// The key of its text with the old name, that name, and the new one.
    pub(crate) member: (&'static str, String, String),
}

impl Move {
    /// What to do without a program that moves it.
    pub(crate) fn by_hand(&self) -> String {
        let is_beside = self.from.parent() == self.to.parent();
        let name = |path: &Path| path.file_name().filter(|_| is_beside).map_or(path, Path::new).display().to_string();
        let (noun, from, to) = (self.noun, quoted(&name(&self.from)), quoted(&name(&self.to)));
        format!("the {noun} {from} keeps its name, because this editor does not rename files; rename it to {to}")
    }

    /// Why it stays, if something else has the place.
    pub(crate) fn taken(&self) -> Option<String> {
        self.to.symlink_metadata().ok()?;
        let [from, to] = [&self.from, &self.to].map(|path| quoted(&path.display().to_string()));
        Some(format!("the {} {from} stays, because {to} exists", self.noun))
    }
}

/// A baseline, as far as it names a suite and cases.
#[derive(Debug, Deserialize)]
pub(crate) struct Named {
    /// The file of the suite.
    pub(super) suite: String,
    cases: Vec<NamedCase>,
}

#[derive(Debug, Deserialize)]
struct NamedCase {
    id: String,
}

impl Named {
    /// The ids of the cases.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.cases.iter().map(|case| &*case.id)
    }
}

impl<'a> Shelves<'a> {
    /// Those of the suite at an absolute path in the workspace at `root`.
    pub(crate) fn of(suite: &'a Path, config: &'a Config, root: &'a Path) -> Shelves<'a> {
        Shelves { suite, config, root, reader: Reader::within(root, MOST_BYTES) }
    }

    /// What is stored for the case `old`, except for entries of baselines, with its place if it were that of the case `new`.
    pub(crate) fn moves(&self, old: &str, new: &str) -> Vec<Move> {
        let kinds = Filed::all(self.config).into_iter().filter(|kind| *kind != Filed::Baseline);
        let moves = kinds.map(|kind| {
            let [from, to] = [old, new].map(|id| kind.path(self.suite, id));
            Move { noun: kind.noun(), from, to, member: ("case", old.to_owned(), new.to_owned()) }
        });
        moves.filter(|it| self.has(&it.from) && self.reader.admits(&it.to)).collect()
    }

    /// The baselines of the suite, by their files.
    pub(crate) fn baselines(&self) -> BTreeMap<PathBuf, Named> {
        let name = self.suite.file_name().unwrap_or_default();
        let files = self.listed(&Filed::Baseline.folder(self.suite)).into_iter();
        let read = files.filter_map(|file| Some((self.baseline(&file)?, file)));
        read.filter(|(it, _)| *name == *it.suite).map(|(it, file)| (file, it)).collect()
    }

    /// The baseline in a file, if its name is the one that a baseline of its suite has.
    pub(super) fn baseline(&self, file: &Path) -> Option<Named> {
        let name = file.file_name()?.to_str()?.strip_suffix(".json")?;
        let named: Named = serde_json::from_str(&self.text(file, MOST_BYTES)?).ok()?;
        let start = format!("{}.", suite_name(Path::new(&named.suite)).to_string_lossy());
        name.starts_with(&start).then_some(named)
    }

    /// The text of a file of at most `most` bytes.
    pub(super) fn text(&self, path: &Path, most: u64) -> Option<String> {
        String::from_utf8(self.reader.read(path, most).ok()?).ok()
    }

    /// The entries of a folder that are not links, by name. None if the folder is a link, or leads out.
    pub(super) fn listed(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = self.has(folder).then(|| fs::read_dir(folder)).into_iter().flatten().flatten();
        let own = entries.take(MOST_ENTRIES).flatten();
        let own = own.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
        let mut paths: Vec<_> = own.map(|entry| entry.path()).collect();
        paths.sort();
        paths
    }

    /// Whether something exists, and neither it nor its folder is a link.
    fn has(&self, path: &Path) -> bool {
        let is_plain = |path: &Path| path.symlink_metadata().is_ok_and(|it| !it.is_symlink());
        is_plain(path) && path.parent().is_some_and(is_plain) && self.reader.admits(path)
    }
}

/// What is stored beside a suite, with its places when the suite has moved. What moves along with a folder is not in the list.
/// `moved` is the file or folder that is renamed, before and after.
pub(crate) fn moves_of_suite(from: &Shelves<'_>, to: &Shelves<'_>, moved: (&Path, &Path)) -> Vec<Move> {
    let along = |path: &Path| path.strip_prefix(moved.0).map_or_else(|_| path.to_owned(), |below| moved.1.join(below));
    let [old, new] = [from, to].map(|it| suite_name(it.suite).to_string_lossy());
    let file = |it: &Shelves<'_>| it.suite.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut moves = Vec::new();
    for (kind, then) in Filed::all(from.config).into_iter().zip(Filed::all(to.config)) {
        let folder = then.folder(to.suite);
        let (noun, places) = match kind {
            // It is in the folder of the transcripts.
            Filed::Screenshot(_) => continue,
            Filed::Transcript(_) => ("folder of transcripts", vec![(kind.folder(from.suite), folder)]),
            Filed::Samples => (kind.noun(), vec![(kind.folder(from.suite), folder)]),
            Filed::Baseline => {
                let renamed = |file: PathBuf| {
                    let rest = file.file_name().and_then(OsStr::to_str)?.strip_prefix(&*old)?.to_owned();
                    Some((file, folder.join(format!("{new}{rest}"))))
                };
                (kind.noun(), from.baselines().into_keys().filter_map(renamed).collect())
            }
        };
        let member = ("suite", file(from), file(to));
        moves.extend(places.into_iter().map(|(from, to)| Move { noun, from, to, member: member.clone() }));
    }
    for it in &mut moves {
        (it.from, it.to) = (without_dots(&it.from), without_dots(&it.to));
    }
    moves.retain(|it| along(&it.from) != it.to && from.has(&it.from) && to.reader.admits(&it.to));
    moves
}
