use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use hmac_sha256::Hash as Sha256;
use serde::Deserialize;

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::files::{Reader, without_dots};
use crate::text::{hex, percent_decoded, percent_encoded};

/// A kind of thing that is stored beside a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filed<'a> {
    /// What a target returned: a file for each case in this folder, which `[run] transcripts` names.
    Transcript(&'a str),
    /// The page of a case that did not pass: a file beside the transcript.
    Screenshot(&'a str),
    /// Answers that a case must pass or must fail: a folder for each case.
    Samples,
    /// How the cases did: a file for each target, with an entry for each case.
    Baseline,
}

impl<'a> Filed<'a> {
    /// All kinds.
    pub(crate) fn all(config: &'a Config) -> [Filed<'a>; 4] {
        let transcripts = &*config.run.transcripts;
        [Filed::Transcript(transcripts), Filed::Screenshot(transcripts), Filed::Samples, Filed::Baseline]
    }

    /// What one of them is called.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Filed::Transcript(_) => "transcript",
            Filed::Screenshot(_) => "screenshot",
            Filed::Samples => "folder of samples",
            Filed::Baseline => "baseline",
        }
    }

    /// What a file among them is.
    pub(crate) fn place(self) -> &'static str {
        match self {
            Filed::Transcript(_) | Filed::Screenshot(_) => "among the transcripts of a suite",
            Filed::Samples => "among the samples of a suite",
            Filed::Baseline => "a baseline",
        }
    }

    /// The folder with those of all suites in the folder of `suite`.
    pub(crate) fn shelf(self, suite: &Path) -> PathBuf {
        suite.parent().unwrap_or(Path::new("")).join(match self {
            Filed::Transcript(folder) | Filed::Screenshot(folder) => folder,
            Filed::Samples => "samples",
            Filed::Baseline => "baselines",
        })
    }

    /// The folder with those of `suite`. That of baselines has those of other suites, too.
    pub(crate) fn folder(self, suite: &Path) -> PathBuf {
        match self {
            Filed::Baseline => self.shelf(suite),
            _ => self.shelf(suite).join(suite_name(suite)),
        }
    }

    /// The place of that of a case of `suite`; of a baseline, that of a target.
    pub(crate) fn path(self, suite: &Path, name: &str) -> PathBuf {
        let file = file_name(name);
        self.folder(suite).join(match self {
            Filed::Transcript(_) => file,
            Filed::Screenshot(_) => key(name) + ".png",
            Filed::Samples => key(name),
            Filed::Baseline => format!("{}.{file}", suite_name(suite).to_string_lossy()),
        })
    }

    /// The suite, without `.json`, whose thing a file at `path` would be. The name of a baseline ends with its target.
    pub(crate) fn owner(self, path: &Path) -> Option<PathBuf> {
        let (folder, place) = match self {
            Filed::Transcript(folder) | Filed::Screenshot(folder) => (folder, path.parent()?),
            Filed::Samples => ("samples", path.parent()?.parent()?),
            Filed::Baseline => ("baselines", path),
        };
        let beside = place.parent().filter(|shelf| shelf.ends_with(folder))?;
        let beside = beside.ancestors().nth(Path::new(folder).components().count())?;
        let name = place.file_name()?.to_str()?;
        let name = if self == Filed::Baseline { name.strip_suffix(".json")?.rsplit_once('.')?.0 } else { name };
        Some(beside.join(name))
    }

    /// The [`key`] of the case whose thing has this name in its [`folder`](Self::folder).
    pub(crate) fn key_of(self, name: &str) -> Option<&str> {
        match self {
            Filed::Transcript(_) => name.strip_suffix(".json"),
            Filed::Screenshot(_) => name.strip_suffix(".png"),
            Filed::Samples => Some(name),
            Filed::Baseline => None,
        }
    }
}

/// The name under which the things of a case are stored.
pub(crate) fn key(id: &str) -> String {
    let mut name = file_name(id);
    name.truncate(name.len() - ".json".len());
    name
}

/// The id of the case whose things have this name; `None` if the name is cut, or is not one of a case.
pub(crate) fn id_of(name: &str) -> Option<String> {
    percent_decoded(name).filter(|id| key(id) == name)
}

/// The name under which the things of a suite are stored.
pub(crate) fn suite_name(suite: &Path) -> &OsStr {
    let is_json = suite.extension() == Some(OsStr::new("json"));
    let name = if is_json { suite.file_stem() } else { suite.file_name() };
    name.unwrap_or_default()
}

/// The longest file name on all common systems, in bytes.
const LONGEST_NAME: usize = 255;
const EXTENSION: &str = ".json";

/// The file name of the transcript of the case with that id: the percent-encoded id and `.json`. `[A-Za-z0-9_-]` and inner
/// dots are not encoded. The name has no path separators and at most 255 bytes: a longer one is cut, and ends with `%~` and
/// a hash of the whole id.
pub(crate) fn file_name(id: &str) -> String {
    let mut name = percent_encoded(id).replace('~', "%7E");
    if name.ends_with('.') {
        name.replace_range(name.len() - 1.., "%2E");
    }
    if name.starts_with('.') {
        name.replace_range(..1, "%2E");
    }
    if name.len() + EXTENSION.len() > LONGEST_NAME {
        let hash = hex(&Sha256::hash(id.as_bytes())[..16]);
        // An encoded id never contains `%~`, so no other id has this name. All characters are ASCII.
        name.truncate(LONGEST_NAME - EXTENSION.len() - "%~".len() - hash.len());
        name.push_str("%~");
        name.push_str(&hash);
    }
    name + EXTENSION
}

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
