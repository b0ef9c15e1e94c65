//! What is stored beside a suite and belongs to no case or to no suite.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::config::Config;
use crate::diagnostic::{Finding, Severity, nearest, quoted};
use crate::suite::{Case, List, Suite};
use crate::syntax::parse;
use crate::text::{Span, counted};

use super::kind::MOST_BYTES;
use super::kind::{id_of, key};
use super::{Filed, Move, Shelves, moves_of_suite, suite_name};

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

/// What is stored under the name of a case: files and folders, and baselines with an entry for it.
type Stored<'a> = Vec<(Filed<'a>, PathBuf)>;

fn of_cases(shelves: &Shelves<'_>, suite: &Suite) -> Vec<Stray> {
    let path = shelves.suite;
    let ids: HashMap<String, &str> = cases(suite).map(|(id, _)| (key(id), id)).collect();
    let mut lost = BTreeMap::<String, (Option<String>, Stored<'_>)>::new();
    for kind in Filed::all(shelves.config) {
        for file in shelves.listed(&kind.folder(path)) {
            let Some(name) = file.file_name().and_then(|name| kind.key_of(name.to_str()?)) else { continue };
            let is_whole = if kind == Filed::Samples { !shelves.listed(&file).is_empty() } else { file.is_file() };
            // A file system may ignore upper and lower case.
            let is_same = |(key, id): (&String, &&str)| key.eq_ignore_ascii_case(name) && kind.path(path, id).exists();
            if is_whole && !ids.contains_key(name) && !ids.iter().any(is_same) {
                lost.entry(name.to_owned()).or_default().1.push((kind, file));
            }
        }
    }
    let baselines = shelves.baselines();
    for (file, baseline) in &baselines {
        for id in baseline.ids().filter(|id| !ids.contains_key(&key(id))) {
            let (known, stored) = lost.entry(key(id)).or_default();
            *known = Some(id.to_owned());
            stored.push((Filed::Baseline, file.clone()));
        }
    }
    let left_out = lost.len().saturating_sub(MOST);
    let is_free = |id: &str, (kind, file): &(Filed<'_>, PathBuf)| match kind {
        Filed::Baseline => !baselines[file].ids().any(|known| known == id),
        kind => kind.path(path, id).symlink_metadata().is_err(),
    };
    let of_case = |(name, (id, stored)): (String, (Option<String>, Stored<'_>))| {
        let answer = stored.iter().find_map(|(kind, file)| match kind {
            Filed::Samples => shelves.listed(file).iter().find_map(|sample| Answer::read(shelves, sample)),
            kind => Answer::read(shelves, file).filter(|_| *kind != Filed::Baseline),
        });
        let of_answer = || Some(answer.as_ref()?.case.clone()).filter(|id| key(id) == name);
        let id = id.or_else(of_answer).or_else(|| id_of(&name)).unwrap_or(name);
        let mut free = cases(suite).filter(|(id, _)| stored.iter().all(|it| is_free(id, it)));
        let same = free.clone().find(|(_, case)| answer.as_ref().is_some_and(|answer| answer.is_to(case)));
        let near = || nearest(&id, free.by_ref().map(|(id, _)| id)).map(|id| Home::NearId(id.to_owned()));
        let home = same.map(|(id, _)| Home::SamePrompt(id.to_owned())).or_else(near);
        let mut stray =
            Stray { shown: shown(shelves, stored.iter()), name: id, is_of_suite: false, home, moves: Vec::new() };
        if let Some(home) = stray.case() {
            let member = ("case", stray.name.clone(), home.to_owned());
            let to = |(kind, from): (Filed<'_>, PathBuf)| Move {
                noun: kind.noun(),
                from,
                to: kind.path(path, home),
                member: member.clone(),
            };
            stray.moves = stored.into_iter().filter(|(kind, _)| *kind != Filed::Baseline).map(to).collect();
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
            let owner = |entry: &PathBuf| match kind {
                Filed::Baseline => Some(suite_name(Path::new(&shelves.baseline(entry)?.suite)).to_owned()),
                _ => entry.file_name().map(ToOwned::to_owned),
            };
            lost.extend(shelves.listed(&kind.shelf(shelves.suite)).iter().filter_map(owner));
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
    let moves = |to: &Path| moves_of_suite(&from, &Shelves::of(to, shelves.config, shelves.root), (&path, to));
    let is_free = |path: &Path| moves(path).iter().all(|it| it.taken().is_none());
    let shared = |suite: &Suite| cases(suite).filter(|(id, _)| keys.contains(&key(id))).count();
    // The number of shared cases of a suite; `None` for another file.
    let of_file = |path: &'s PathBuf| {
        let text = shelves.text(path, MOST_BYTES).filter(|_| path != shelves.suite);
        let other = text.and_then(|text| Some(Suite::lower(parse(&text).tree.root(&text)?)));
        let suite = if path == shelves.suite { Some(suite) } else { other.as_ref() };
        let count = suite.filter(|suite| cases(suite).next().is_some()).map(shared)?;
        Some((count * usize::from(is_free(path)), path))
    };
    // Of equal ones, the first.
    let (count, reporter) = siblings.iter().rev().filter_map(of_file).max_by_key(|(count, _)| *count)?;
    let moves = if reporter == shelves.suite { moves(reporter) } else { return None };
    let stored: Stored<'_> = moves.iter().map(|it| (Filed::Samples, it.from.clone())).collect();
    let home = (count > 0).then_some(Home::Suite);
    let moves = if count > 0 { moves } else { Vec::new() };
    Some(Stray { name: name.to_owned(), is_of_suite: true, home, moves, shown: shown(shelves, stored.iter()) })
}

/// The keys of some cases of a suite for which something is stored. Other programs may have folders of the same names.
fn keys_of(shelves: &Shelves<'_>) -> HashSet<String> {
    let mut keys: HashSet<_> = shelves.baselines().values().flat_map(|it| it.ids()).map(key).collect();
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
fn shown<'a>(shelves: &Shelves<'_>, stored: impl Iterator<Item = &'a (Filed<'a>, PathBuf)>) -> Vec<String> {
    let folder = shelves.suite.parent().unwrap_or(Path::new(""));
    let shown = |(kind, path): &(Filed<'_>, PathBuf)| {
        let path = quoted(&path.strip_prefix(folder).unwrap_or(path).display().to_string());
        if *kind == Filed::Baseline { format!("an entry of {path}") } else { path }
    };
    stored.map(shown).collect()
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
    /// The same for people.
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
        let remedy = match &self.home {
            Some(Home::SamePrompt(id)) => {
                format!("the case {} has the prompt of that answer: move it there, or delete it", quoted(id))
            }
            Some(Home::NearId(id)) => format!("the nearest id is {}: move it there, or delete it", quoted(id)),
            Some(Home::Suite) => "this suite has cases of the same ids: move it here, or delete it".to_owned(),
            None => format!("give a {what} this {has}, or delete it"),
        };
        let message = format!("no {what} has the {has} {name}, for which {shown} is stored; {remedy}");
        let home = self.case().and_then(|home| {
            suite.cases.iter().find_map(|placed| {
                let id = placed.case.id.as_ref().filter(|id| id.value == home)?;
                Some(placed.absolute(id.span))
            })
        });
        Finding::new(STRAY, Severity::Warning, home.unwrap_or(Span::empty(0)), message)
    }
}
