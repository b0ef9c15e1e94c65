//! What is stored beside a suite, under its name and the ids of its cases: the one list of it. A rename moves what is in the list, and
//! a finding names what belongs to no case or to no suite.
//!
//! No link is followed, and no text of a file becomes a path: an id is encoded, and other paths are those of a listed folder.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

use hmac_sha256::Hash as Sha256;
use serde::Deserialize;

use crate::config::Config;
use crate::diagnostic::{Finding, Severity, nearest, quoted};
use crate::files::{Reader, without_dots};
use crate::suite::{Case, List, Suite};
use crate::syntax::parse;
use crate::text::{Span, counted, hex, percent_decoded, percent_encoded};

/// A kind of thing that is stored beside a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filed<'a> {
    /// What a target returned: a file for each case in this folder, which `[run] transcripts` names.
    Transcript(&'a str),
    /// The page of a case that did not pass: a file beside the transcript.
    Screenshot(&'a str),
    /// Answers that a case must pass or must fail: a folder for each case.
    Samples,
}

impl<'a> Filed<'a> {
    /// All kinds.
    pub(crate) fn all(config: &'a Config) -> [Filed<'a>; 3] {
        let transcripts = &*config.run.transcripts;
        [Filed::Transcript(transcripts), Filed::Screenshot(transcripts), Filed::Samples]
    }

    /// What one of them is called.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Filed::Transcript(_) => "transcript",
            Filed::Screenshot(_) => "screenshot",
            Filed::Samples => "folder of samples",
        }
    }

    /// What a file among them is.
    pub(crate) fn place(self) -> &'static str {
        match self {
            Filed::Transcript(_) | Filed::Screenshot(_) => "among the transcripts of a suite",
            Filed::Samples => "among the samples of a suite",
        }
    }

    /// The folder with those of all suites in the folder of `suite`.
    pub(crate) fn shelf(self, suite: &Path) -> PathBuf {
        suite.parent().unwrap_or(Path::new("")).join(match self {
            Filed::Transcript(folder) | Filed::Screenshot(folder) => folder,
            Filed::Samples => "samples",
        })
    }

    /// The folder with those of `suite`.
    pub(crate) fn folder(self, suite: &Path) -> PathBuf {
        self.shelf(suite).join(suite_name(suite))
    }

    /// The place of that of a case of `suite`.
    pub(crate) fn path(self, suite: &Path, id: &str) -> PathBuf {
        self.folder(suite).join(match self {
            Filed::Transcript(_) => file_name(id),
            Filed::Screenshot(_) => key(id) + ".png",
            Filed::Samples => key(id),
        })
    }

    /// The suite, without `.json`, whose thing a file at `path` would be.
    pub(crate) fn owner(self, path: &Path) -> Option<PathBuf> {
        let (folder, place) = match self {
            Filed::Transcript(folder) | Filed::Screenshot(folder) => (folder, path.parent()?),
            Filed::Samples => ("samples", path.parent()?.parent()?),
        };
        let beside = place.parent().filter(|shelf| shelf.ends_with(folder))?;
        let beside = beside.ancestors().nth(Path::new(folder).components().count())?;
        Some(beside.join(place.file_name()?))
    }

    /// The [`key`] of the case whose thing has this name in its [`folder`](Self::folder).
    pub(crate) fn key_of(self, name: &str) -> Option<&str> {
        match self {
            Filed::Transcript(_) => name.strip_suffix(".json"),
            Filed::Screenshot(_) => name.strip_suffix(".png"),
            Filed::Samples => Some(name),
        }
    }
}

/// The name under which the things of a case are stored.
pub(crate) fn key(id: &str) -> String {
    file_name(id).strip_suffix(EXTENSION).unwrap_or_default().to_owned()
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
const MOST_BYTES: u64 = 16 << 20;

/// What is stored beside a suite, as it is on disk.
pub(crate) struct Shelves<'a> {
    suite: &'a Path,
    config: &'a Config,
    root: &'a Path,
    reader: Reader,
}

/// Something that is stored, and its place under another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Move {
    /// What it is called.
    noun: &'static str,
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

impl<'a> Shelves<'a> {
    /// The shelves of the suite at an absolute path in the workspace at `root`.
    pub(crate) fn of(suite: &'a Path, config: &'a Config, root: &'a Path) -> Shelves<'a> {
        Shelves { suite, config, root, reader: Reader::within(root, MOST_BYTES) }
    }

    /// What is stored for the case `old`, with its place if it were that of the case `new`.
    pub(crate) fn moves(&self, old: &str, new: &str) -> Vec<Move> {
        let moves = Filed::all(self.config).into_iter().map(|kind| {
            let [from, to] = [old, new].map(|id| kind.path(self.suite, id));
            Move { noun: kind.noun(), from, to, member: ("case", old.to_owned(), new.to_owned()) }
        });
        moves.filter(|it| self.has(&it.from) && self.reader.admits(&it.to)).collect()
    }

    /// The text of a file of at most `most` bytes.
    fn text(&self, path: &Path, most: u64) -> Option<String> {
        String::from_utf8(self.reader.read(path, most).ok()?).ok()
    }

    /// The suite in a file.
    fn saved(&self, path: &Path) -> Option<Suite> {
        let text = self.text(path, MOST_BYTES)?;
        Some(Suite::lower(parse(&text).tree.root(&text)?))
    }

    /// The entries of a folder that are not links, by name. None if the folder is a link, or leads out.
    fn listed(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = self.has(folder).then(|| fs::read_dir(folder)).into_iter().flatten().flatten().take(MOST_ENTRIES);
        let own = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_symlink()));
        own.map(|entry| entry.path()).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Whether something exists, and neither it nor its folder is a link.
    fn has(&self, path: &Path) -> bool {
        let is_plain = |path: &Path| path.symlink_metadata().is_ok_and(|it| !it.is_symlink());
        is_plain(path) && path.parent().is_some_and(is_plain) && self.reader.admits(path)
    }
}

/// What is stored beside a suite, with its places beside the suite `to` of the same folder.
fn moves_of_suite(from: &Shelves<'_>, to: &Path) -> Vec<Move> {
    let file = |suite: &Path| suite.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let of_kind = |kind: Filed<'_>| {
        let noun = match kind {
            // It is in the folder of the transcripts.
            Filed::Screenshot(_) => return None,
            Filed::Transcript(_) => "folder of transcripts",
            Filed::Samples => kind.noun(),
        };
        let [at, to_place] = [from.suite, to].map(|suite| without_dots(&kind.folder(suite)));
        let member = ("suite", file(from.suite), file(to));
        let is_there = at != to_place && from.has(&at) && from.reader.admits(&to_place);
        is_there.then_some(Move { noun, from: at, to: to_place, member })
    };
    Filed::all(from.config).into_iter().filter_map(of_kind).collect()
}

/// The most strays that are reported one by one, and the most things of a suite that are looked at.
const MOST: usize = 20;

/// The largest answer whose prompt is read, in bytes: many may be stored.
const MOST_ANSWER: u64 = 1 << 20;

/// What is stored beside the suite at `path`, which is absolute, for cases that it does not have, and for suites that do not exist. A
/// suite that does not exist is reported in the suite to which its things could belong, else in the first suite of the folder.
pub(crate) fn strays(path: &Path, suite: &Suite, config: &Config, root: &Path) -> Vec<Stray> {
    let shelves = Shelves::of(path, config, root);
    let mut strays = of_cases(&shelves, suite);
    strays.extend(of_suites(&shelves, suite));
    strays
}

/// For each case of the saved suite at `path` without an answer, by its id: the message about an answer to its prompts that is stored
/// under another id.
pub(crate) fn misfiled(path: &Path, config: &Config) -> HashMap<String, String> {
    let path = &std::path::absolute(path).unwrap_or_default();
    let shelves = Shelves::of(path, config, path.parent().unwrap_or(path));
    let suite = shelves.saved(path).unwrap_or_default();
    let reason = |stray: Stray| {
        let Some(Home::SamePrompt(id)) = &stray.home else { return None };
        Some((id.clone(), format!("no stored answer; {}", stray.finding(&suite).message)))
    };
    of_cases(&shelves, &suite).into_iter().filter_map(reason).collect()
}

/// What is stored under the name of a case: files and folders.
type Stored<'a> = Vec<(Filed<'a>, PathBuf)>;

fn of_cases(shelves: &Shelves<'_>, suite: &Suite) -> Vec<Stray> {
    let path = shelves.suite;
    let ids: HashMap<String, &str> = cases(suite).map(|(id, _)| (key(id), id)).collect();
    let mut lost = BTreeMap::<String, Stored<'_>>::new();
    for kind in Filed::all(shelves.config) {
        for file in shelves.listed(&kind.folder(path)) {
            let Some(name) = file.file_name().and_then(|name| kind.key_of(name.to_str()?)) else { continue };
            let is_whole = if kind == Filed::Samples { !shelves.listed(&file).is_empty() } else { file.is_file() };
            // A file system may ignore upper and lower case.
            let is_same = |(key, id): (&String, &&str)| key.eq_ignore_ascii_case(name) && kind.path(path, id).exists();
            if is_whole && !ids.contains_key(name) && !ids.iter().any(is_same) {
                lost.entry(name.to_owned()).or_default().push((kind, file));
            }
        }
    }
    let left_out = lost.len().saturating_sub(MOST);
    let of_case = |(name, stored): (String, Stored<'_>)| {
        let answer = stored.iter().find_map(|(kind, file)| match kind {
            Filed::Samples => shelves.listed(file).iter().find_map(|sample| Answer::read(shelves, sample)),
            _ => Answer::read(shelves, file),
        });
        let of_answer = || Some(answer.as_ref()?.case.clone()).filter(|id| key(id) == name);
        let id = of_answer().or_else(|| id_of(&name)).unwrap_or(name);
        let is_free = |kind: Filed<'_>, id: &str| kind.path(path, id).symlink_metadata().is_err();
        let mut free = cases(suite).filter(|(id, _)| stored.iter().all(|(kind, _)| is_free(*kind, id)));
        let same = free.clone().find(|(_, case)| answer.as_ref().is_some_and(|answer| answer.is_to(case)));
        let near = || nearest(&id, free.by_ref().map(|(id, _)| id)).map(|id| Home::NearId(id.to_owned()));
        let home = same.map(|(id, _)| Home::SamePrompt(id.to_owned())).or_else(near);
        let shown = shown(shelves, stored.iter().map(|(_, file)| &**file));
        let mut stray = Stray { shown, name: id, is_of_suite: false, home, moves: Vec::new() };
        if let Some(home) = stray.case() {
            let member = ("case", stray.name.clone(), home.to_owned());
            let to = |(kind, from): (Filed<'_>, PathBuf)| {
                let to = kind.path(path, home);
                Move { noun: kind.noun(), from, to, member: member.clone() }
            };
            stray.moves = stored.into_iter().map(to).collect();
        }
        stray
    };
    let mut strays: Vec<_> = lost.into_iter().take(MOST).map(of_case).collect();
    if let Some(last) = strays.last_mut().filter(|_| left_out > 0) {
        last.shown.push(counted(left_out, "other id"));
    }
    strays
}

fn of_suites(shelves: &Shelves<'_>, suite: &Suite) -> Vec<Stray> {
    let Some(folder) = shelves.suite.parent() else { return Vec::new() };
    let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let files: BTreeSet<_> = files.filter(|path| !path.is_dir()).collect();
    // A suite that is not there is not saved yet, or in a page, which has no other suites either.
    if !files.contains(shelves.suite) {
        return Vec::new();
    }
    let mut lost = BTreeSet::new();
    for kind in Filed::all(shelves.config) {
        // A folder elsewhere also has those of suites in other folders.
        let is_beside = |folder: &str| Path::new(folder).components().all(|part| matches!(part, Component::Normal(_)));
        if !matches!(kind, Filed::Transcript(folder) | Filed::Screenshot(folder) if !is_beside(folder)) {
            let entries = shelves.listed(&kind.shelf(shelves.suite));
            lost.extend(entries.iter().filter_map(|entry| Some(entry.file_name()?.to_owned())));
        }
    }
    let names: HashSet<_> = files.iter().map(|file| suite_name(file)).collect();
    lost.retain(|name| !names.contains(&**name));
    let lost = lost.into_iter().filter_map(|name| of_suite(shelves, suite, &files, &name.to_string_lossy()));
    lost.take(MOST).collect()
}

/// The things of the suite `name`, which does not exist, if it is reported in this suite.
fn of_suite<'s>(shelves: &Shelves<'_>, suite: &Suite, siblings: &'s BTreeSet<PathBuf>, name: &str) -> Option<Stray> {
    let path = shelves.suite.with_file_name(format!("{name}.json"));
    let from = Shelves::of(&path, shelves.config, shelves.root);
    let keys = keys_of(&from);
    if keys.is_empty() {
        return None;
    }
    let moves = |to: &Path| moves_of_suite(&from, to);
    let is_free = |path: &Path| moves(path).iter().all(|it| it.taken().is_none());
    let shared = |suite: &Suite| cases(suite).filter(|(id, _)| keys.contains(&key(id))).count();
    // The number of shared cases of a suite; `None` for another file.
    let of_file = |path: &'s PathBuf| {
        let other = if path == shelves.suite { None } else { shelves.saved(path) };
        let suite = if path == shelves.suite { Some(suite) } else { other.as_ref() };
        let count = suite.filter(|suite| cases(suite).next().is_some()).map(shared)?;
        Some((count * usize::from(is_free(path)), path))
    };
    // Of equal ones, the first.
    let (count, reporter) = siblings.iter().rev().filter_map(of_file).max_by_key(|(count, _)| *count)?;
    let moves = if reporter == shelves.suite { moves(reporter) } else { return None };
    let shown = shown(shelves, moves.iter().map(|it| &*it.from));
    let home = (count > 0).then_some(Home::Suite);
    let moves = if count > 0 { moves } else { Vec::new() };
    Some(Stray { name: name.to_owned(), is_of_suite: true, home, moves, shown })
}

/// The keys of some cases of a suite for which something is stored. Other programs may have folders of the same names.
fn keys_of(shelves: &Shelves<'_>) -> HashSet<String> {
    let mut keys = HashSet::new();
    for kind in Filed::all(shelves.config) {
        let is_sample = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with("pass-") || name.starts_with("fail-")
        };
        let key = |path: PathBuf| {
            let key = kind.key_of(path.file_name()?.to_str()?)?.to_owned();
            let is_stored = match kind {
                Filed::Samples => shelves.listed(&path).iter().any(is_sample),
                _ => Answer::read(shelves, &path).is_some(),
            };
            is_stored.then_some(key)
        };
        keys.extend(shelves.listed(&kind.folder(shelves.suite)).into_iter().take(MOST).filter_map(key));
    }
    keys
}

fn cases(suite: &Suite) -> impl Iterator<Item = (&str, &Case)> + Clone {
    suite.cases.iter().filter_map(|placed| Some((&*placed.case.id.as_ref()?.value, &*placed.case)))
}

/// Places as people see them, from the folder of the suite.
fn shown<'a>(shelves: &Shelves<'_>, stored: impl Iterator<Item = &'a Path>) -> Vec<String> {
    let folder = shelves.suite.parent().unwrap_or(Path::new(""));
    stored.map(|path| quoted(&path.strip_prefix(folder).unwrap_or(path).display().to_string())).collect()
}

/// A stored answer, as far as it shows its case.
#[derive(Deserialize)]
struct Answer {
    case: String,
    prompt: Option<String>,
    setup_prompts: Option<Vec<String>>,
}

impl Answer {
    fn read(shelves: &Shelves<'_>, path: &Path) -> Option<Answer> {
        let text = shelves.text(path, MOST_ANSWER).filter(|_| path.extension().is_some_and(|end| end == "json"))?;
        serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()
    }

    /// Whether it has the prompts of the case.
    fn is_to(&self, case: &Case) -> bool {
        let recorded = self.setup_prompts.iter().flatten().chain(&self.prompt).filter(|prompt| !prompt.is_empty());
        let setup = case.setup_prompts.iter().flat_map(List::entries).map(|prompt| &prompt.value);
        let prompts = setup.chain(case.prompt.as_ref().map(|prompt| &prompt.value));
        self.prompt.is_some() && prompts.filter(|prompt| !prompt.is_empty()).eq(recorded)
    }
}

/// The name of the finding about what is stored for a case or a suite that does not exist.
const STRAY: &str = "stored-without-case";

/// What is stored beside a suite for a case that it does not have, or for a suite that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stray {
    /// The id of the case, or the name of the suite.
    pub(crate) name: String,
    /// Whether the name is that of a suite.
    pub(crate) is_of_suite: bool,
    /// Where it could belong; `None` if nothing is like it.
    pub(crate) home: Option<Home>,
    /// What is stored. The places are those after a move to `home`.
    pub(crate) moves: Vec<Move>,
    /// What is stored, as people see it.
    pub(crate) shown: Vec<String>,
}

/// Where a stray could belong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Home {
    /// To the case with that id, whose prompt is the one that is stored.
    SamePrompt(String),
    /// To the case with that id, which is much like the one that is stored.
    NearId(String),
    /// To the suite beside it, which has cases of these ids.
    Suite,
}

impl Stray {
    /// The id of the case to which it could belong.
    pub(crate) fn case(&self) -> Option<&str> {
        match &self.home {
            Some(Home::SamePrompt(id) | Home::NearId(id)) => Some(id),
            Some(Home::Suite) | None => None,
        }
    }

    /// The finding in the suite: at the case to which it could belong, else at the start.
    pub(crate) fn finding(&self, suite: &Suite) -> Finding {
        let (name, shown) = (quoted(&self.name), self.shown.join(", "));
        let (what, has) = if self.is_of_suite { ("suite", "name") } else { ("case", "id") };
        let (case, there) = (self.case().map(quoted).unwrap_or_default(), "move it there, or delete it");
        let remedy = match &self.home {
            Some(Home::SamePrompt(_)) => format!("the case {case} has the prompt of that answer: {there}"),
            Some(Home::NearId(_)) => format!("the nearest id is {case}: {there}"),
            Some(Home::Suite) => "this suite has cases of the same ids: move it here, or delete it".to_owned(),
            None => format!("give a {what} this {has}, or delete it"),
        };
        let message = format!("no {what} has the {has} {name}, for which {shown} is stored; {remedy}");
        let mut placed = suite.cases.iter().filter_map(|placed| Some((placed, placed.case.id.as_ref()?)));
        let home = placed.find(|(_, id)| self.case() == Some(&id.value)).map(|(placed, id)| placed.absolute(id.span));
        Finding::new(STRAY, Severity::Warning, home.unwrap_or(Span::empty(0)), message)
    }
}
