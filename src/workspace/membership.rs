use std::ffi::OsStr;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::config::{CONFIG_FILE, Config, Taken};
use crate::diagnostic::quoted;
use crate::filed::Filed;
use crate::files::Reader;
use crate::foreign::Recognized;

use super::path::read_suite;
use super::results::is_result;
use super::{ConfigCache, Scope, absolute};

/// How many of the `eval-ls.toml` above the nearest one may exclude a file. Each is read before the file can be opened.
const MOST_OUTER: usize = 3;

/// The `[files]` that apply in a folder.
#[derive(Clone, Debug)]
pub(crate) struct FileRules {
    config: Arc<Config>,
    /// The folder of `eval-ls.toml`; `None` if no such file applies.
    root: Option<PathBuf>,
}

/// Whether a file is a suite, and if not, why not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Membership {
    /// It is a suite.
    Suite,
    /// Its path may be that of a suite, or of a file of another program. Its content decides; see [`Membership::decided`].
    ByContent,
    /// A command line names it, and its path is not that of a suite. JSON of another program is not one.
    Named,
    /// Its path may be that of a suite, and its content is not. What it seems to be.
    OtherContent(String),
    /// Its name is that of a result file.
    Results,
    /// It is a file that this program wrote, with this `format`.
    Written(String),
    /// No pattern of `include` matches it.
    NotIncluded,
    /// This pattern of `exclude` matches it.
    Excluded(String),
    /// It is below this folder, which an outer configuration excludes.
    InExcludedFolder(PathBuf),
}

impl FileRules {
    /// The rules of the `eval-ls.toml` in `root`, or, without a `root`, the default rules.
    pub(crate) fn new(config: Arc<Config>, root: Option<PathBuf>) -> Self {
        FileRules { config, root }
    }

    /// Whether they also decide about files that a command line names.
    pub(crate) fn forces_exclude(&self) -> bool {
        self.config.files.force_exclude()
    }

    /// Whether the file at `path` is a suite, as far as these rules decide.
    fn of_file(&self, path: &Path, opened: &[PathBuf]) -> Membership {
        let base = self.base(path, opened);
        let relative = relative(path, base);
        match self.config.files.takes(&relative) {
            Taken::Yes => Membership::Suite,
            Taken::ByContent => Membership::ByContent,
            Taken::Excluded(pattern) => Membership::Excluded(pattern.to_owned()),
            Taken::NotIncluded if self.root.is_none() => self.of_file_with_name(base, &relative),
            Taken::NotIncluded => Membership::NotIncluded,
        }
    }

    /// Without an `eval-ls.toml` nothing states where the workspace starts, so a folder `evals` makes suites of its files
    /// also if it is the folder that is opened or named.
    fn of_file_with_name(&self, base: &Path, relative: &str) -> Membership {
        let name = base.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        match self.config.files.takes(&format!("{name}/{relative}")) {
            Taken::Yes => Membership::Suite,
            Taken::ByContent => Membership::ByContent,
            // The name of the folder that is opened excludes nothing.
            Taken::Excluded(_) | Taken::NotIncluded => Membership::NotIncluded,
        }
    }

    /// Whether no file below the folder at `path` is a suite.
    fn excludes_folder(&self, path: &Path, opened: &[PathBuf]) -> bool {
        self.config.files.excludes_folder(&relative(path, self.base(path, opened)))
    }

    /// The folder from which the patterns count.
    fn base<'a>(&'a self, path: &'a Path, opened: &'a [PathBuf]) -> &'a Path {
        let opened = || innermost(path, opened).map(PathBuf::as_path);
        self.root.as_deref().or_else(opened).or_else(|| path.parent()).unwrap_or(path)
    }
}

impl Membership {
    /// Whether the path does not decide that it is not a suite.
    pub(crate) fn may_be_suite(&self) -> bool {
        matches!(self, Membership::Suite | Membership::ByContent | Membership::Named)
    }

    /// Whether it is a suite, by this content of the file if the path does not decide.
    pub(crate) fn decided(self, text: &str) -> Membership {
        self.decided_by(|| Recognized::of(text))
    }

    /// The same for a content that is recognized only if the path does not decide.
    pub(crate) fn decided_by(self, recognized: impl FnOnce() -> Recognized) -> Membership {
        if !matches!(self, Membership::ByContent | Membership::Named) {
            return self;
        }
        match recognized() {
            Recognized::Written(format) => Membership::Written(format),
            Recognized::Other(seems) => Membership::OtherContent(seems),
            Recognized::NotJson if self == Membership::ByContent => Membership::OtherContent("not JSON".to_owned()),
            Recognized::Suite | Recognized::NotJson => Membership::Suite,
        }
    }

    /// The same with the content on disk. A file that cannot be read counts as a suite, so
    /// that the failure is reported.
    pub(crate) fn on_disk(self, path: &Path) -> Membership {
        if !matches!(self, Membership::ByContent | Membership::Named) {
            return self;
        }
        match read_suite(path) {
            Ok(bytes) => self.decided(&String::from_utf8_lossy(&bytes)),
            Err(_) => Membership::Suite,
        }
    }
}

/// Whether the file at `path` is a suite, as far as its path shows.
///
/// The nearest `eval-ls.toml` decides, and its patterns count from its folder. Without one the default patterns apply, and
/// count from the innermost of the `opened` folders that holds the file, or from the file's own folder. A file in a
/// folder that a search from the opened folder does not enter is not a suite, whatever an `eval-ls.toml` in there states.
/// All paths are absolute; `rules_in` returns the rules that apply in a folder.
pub(crate) fn membership(path: &Path, opened: &[PathBuf], rules_in: &mut dyn FnMut(&Path) -> FileRules) -> Membership {
    // `--results` may put them anywhere, and the end of the name may be that of their suite.
    if is_result(path) {
        return Membership::Results;
    }
    let rules = rules_in(path.parent().unwrap_or(path));
    let membership = rules.of_file(path, opened);
    if !membership.may_be_suite() {
        return membership;
    }
    let Some(start) = innermost(path, opened) else { return membership };
    let mut inner = rules.root;
    for _ in 0..MOST_OUTER {
        let Some(folder) = inner.filter(|folder| folder != start && folder.starts_with(start)) else { break };
        let outer = rules_in(folder.parent().unwrap_or(&folder));
        if outer.excludes_folder(&folder, opened) {
            return Membership::InExcludedFolder(folder);
        }
        inner = outer.root;
    }
    membership
}

/// The scopes whose rules decide about the files in `folder`, the nearest first, each with the folder that it was searched from.
pub(crate) fn deciding_scopes(folder: &Path, opened: &[PathBuf]) -> Vec<(PathBuf, Scope)> {
    let of_folder = |folder: &Path| (folder.to_owned(), Scope::of_folder(folder));
    let mut scopes = vec![of_folder(folder)];
    let Some(start) = innermost(folder, opened) else { return scopes };
    while scopes.len() <= MOST_OUTER
        && let Some(root) = scopes.last().and_then(|(_, scope)| scope.root())
        && root != start
        && root.starts_with(start)
    {
        scopes.push(of_folder(root.parent().unwrap_or(root)));
    }
    scopes
}

/// Whether a search for suites enters the folder at `path`, which is below an opened folder.
pub(super) fn is_entered(path: &Path, opened: &[PathBuf], rules_in: &mut dyn FnMut(&Path) -> FileRules) -> bool {
    !rules_in(path.parent().unwrap_or(path)).excludes_folder(path, opened)
}

/// The innermost of the folders that holds `path`.
pub(crate) fn innermost<'a>(path: &Path, folders: &'a [PathBuf]) -> Option<&'a PathBuf> {
    folders.iter().filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.as_os_str().len())
}

/// `path` from `base`, its parts separated by `/`.
fn relative(path: &Path, base: &Path) -> String {
    let parts = path.strip_prefix(base).unwrap_or(path).components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

impl fmt::Display for Membership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Membership::Suite => f.write_str("A suite: `[files].include` matches"),
            Membership::ByContent | Membership::Named => {
                f.write_str("A suite if it has `cases` and a `version` of the format, or a check under `expected`")
            }
            Membership::OtherContent(seems) => write!(f, "Not a suite: it is {seems}"),
            Membership::Results => f.write_str("Not a suite: its name is that of a result file"),
            Membership::Written(format) => write!(f, "Not a suite: its `format` is {}", quoted(format)),
            Membership::NotIncluded => f.write_str("Not a suite: no `[files].include` pattern matches"),
            Membership::Excluded(pattern) => {
                write!(f, "Not a suite: the `[files].exclude` pattern {} matches", quoted(pattern))
            }
            Membership::InExcludedFolder(folder) => {
                let folder = quoted(&folder.display().to_string());
                write!(f, "Not a suite: an outer configuration excludes the folder {folder}")
            }
        }
    }
}

/// The bytes of a file that are looked at.
const HEAD: u64 = 64 * 1024;

/// How deep the files of a kept run are below its folder.
const DEPTH: usize = 3;

/// What this program reads the file at an absolute path as. A suite does not count if it is replaced by suites.
pub(crate) fn read_as(path: &Path, configurations: &mut ConfigCache, replaces_suites: bool) -> Option<&'static str> {
    if path.file_name()? == CONFIG_FILE {
        return Some("a configuration");
    }
    if path.ancestors().skip(1).take(DEPTH).any(|folder| folder.join("run.json").is_file()) {
        return Some("a part of a kept run");
    }
    let loaded = configurations.of_folder(path.parent()?);
    let config = loaded.as_ref().as_ref().map_or_else(|_| Arc::default(), |loaded| Arc::clone(&loaded.config));
    // The suite need not have an extension.
    let is_suite = |suite: &Path| suite.is_file() || suite.with_added_extension("json").is_file();
    if let Some(kind) = Filed::all(&config).into_iter().find(|kind| kind.owner(path).is_some_and(|it| is_suite(&it))) {
        return Some(kind.place());
    }
    let by_path = membership(path, &[absolute(Path::new("."))], &mut |folder| configurations.rules_in(folder));
    let head = Reader::default().read_part(path, 0, HEAD);
    match head.map(|head| Recognized::of(&String::from_utf8_lossy(&head))) {
        Ok(Recognized::Written(format)) if format.starts_with("eval-ls/transcript@") => Some("a transcript"),
        Ok(Recognized::Written(format)) if format.starts_with("eval-ls/baseline@") => Some("a baseline"),
        Err(_) if by_path == Membership::Suite && !replaces_suites => Some("a suite by its name"),
        Ok(_) if by_path.on_disk(path) == Membership::Suite && !replaces_suites => Some("a suite"),
        _ => None,
    }
}
