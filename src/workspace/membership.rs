//! Which configuration applies to a file, whether the file is a suite, and the search for suites in a folder.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, DirEntry};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::config::{CONFIG_FILE, Config, Taken};
use crate::diagnostic::quoted;
use crate::filed::Filed;
use crate::files::{self, Reader, without_dots};
use crate::foreign::Recognized;
use crate::git;

use super::ConfigCache;
use super::results::is_result;

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
    /// The file is a suite.
    Suite,
    /// The path may be that of a suite, or of a file of another program. Its content decides; see [`Membership::decided`].
    ByContent,
    /// A command line names it, and its path is not that of a suite. JSON of another program is not one.
    Named,
    /// The path may be that of a suite, and its content is not. What it seems to be.
    OtherContent(String),
    /// The name is that of a result file.
    Results,
    /// The file is one that this program wrote, with this `format`.
    Written(String),
    /// No pattern of `include` matches it.
    NotIncluded,
    /// The pattern of `exclude` that matches the file.
    Excluded(String),
    /// The file is below this folder, which an outer configuration excludes.
    InExcludedFolder(PathBuf),
}

impl FileRules {
    /// The rules of the `eval-ls.toml` in `root`, or, without a `root`, the default rules.
    pub(crate) fn new(config: Arc<Config>, root: Option<PathBuf>) -> Self {
        FileRules { config, root }
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

    /// Whether the file is a suite, by a content that is recognized only if the path does not decide.
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

    /// Whether the file is a suite, by its content on disk if the path does not decide. A file that cannot be read
    /// counts as a suite, so that the failure is reported.
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
        Err(_) if by_path == Membership::Suite && !replaces_suites => Some("a suite by its name"),
        Ok(_) if by_path.on_disk(path) == Membership::Suite && !replaces_suites => Some("a suite"),
        _ => None,
    }
}

/// The suites below a folder, and what could not be read.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Absolute paths; those in nearer folders come first, and then by name.
    pub(crate) suites: Vec<PathBuf>,
    /// Files that may be suites by their names, and are not by their content.
    pub(crate) others: Vec<PathBuf>,
    /// Links to files that the reader may not read, which have the names of suites.
    pub(crate) linked_out: Vec<PathBuf>,
    /// Folders and files that could not be read, and why.
    pub(crate) faults: Vec<(PathBuf, io::Error)>,
}

/// A search for suites. It does not follow links to folders; `.gitignore` and leading dots do not matter.
pub(crate) struct Search<'a> {
    /// The folders that are opened in an editor or named on a command line; see [`membership()`].
    pub(crate) opened: &'a [PathBuf],
    /// The rules that apply in a folder.
    pub(crate) rules_in: &'a mut dyn FnMut(&Path) -> FileRules,
    /// Whether to enter a folder at all, beside what the rules say.
    pub(crate) enters: &'a dyn Fn(&Path) -> bool,
    /// Which files are read. Links to others are not followed.
    pub(crate) reader: &'a Reader,
    /// The number of entries of folders after which the search ends.
    pub(crate) max_entries: usize,
}

impl Search<'_> {
    /// The suites in `folder`, which is absolute, and in the folders below it.
    pub(crate) fn below(&mut self, folder: &Path) -> Found {
        let mut found = Found::default();
        let mut folders = VecDeque::from([folder.to_owned()]);
        while let Some(folder) = folders.pop_front() {
            let entries = match self.entries(&folder) {
                Ok(entries) => entries,
                Err(source) => {
                    found.faults.push((folder, source));
                    continue;
                }
            };
            for entry in entries {
                let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
                if kind.is_dir() {
                    if (self.enters)(&path) && is_entered(&path, self.opened, self.rules_in) {
                        folders.push_back(path);
                    }
                    continue;
                }
                let membership = membership(&path, self.opened, self.rules_in);
                if !membership.may_be_suite() {
                    continue;
                }
                match path.metadata() {
                    Ok(metadata) if metadata.is_dir() => {}
                    Ok(metadata) if !metadata.is_file() => {
                        found.faults.push((path, io::Error::other("it is not a file")));
                    }
                    Ok(_) if kind.is_symlink() && !self.reader.admits(&path) => found.linked_out.push(path),
                    Ok(_) if membership.on_disk(&path) == Membership::Suite => found.suites.push(path),
                    Ok(_) => found.others.push(path),
                    Err(source) => found.faults.push((path, source)),
                }
            }
        }
        found
    }

    /// The entries of a folder by name, as many as are left to look at.
    fn entries(&mut self, folder: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = fs::read_dir(folder)?.take(self.max_entries).collect::<io::Result<Vec<_>>>()?;
        self.max_entries -= entries.len();
        entries.sort_by_key(DirEntry::file_name);
        Ok(entries)
    }
}

/// The files that belong with a suite: other suites, the transcripts of all of them, and the targets' telemetry logs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// The files in the folder of an `eval-ls.toml` and below it, except below another `eval-ls.toml`.
    Configured(PathBuf),
    /// The files in the suite's folder, to which no `eval-ls.toml` applies.
    Unconfigured(PathBuf),
}

/// The folder out of which no link in `folder`, which is absolute, is followed: the root of the git repository, else that of the
/// workspace.
pub(crate) fn boundary_of(folder: &Path) -> PathBuf {
    git::root(folder).unwrap_or_else(|| Scope::of_folder(folder).folder().to_owned())
}

impl Scope {
    /// The scope of the files in `folder`, which is absolute. In a git repository, an `eval-ls.toml` above its root does not apply:
    /// it may be the work of anybody who can write there.
    pub(crate) fn of_folder(folder: &Path) -> Scope {
        // A folder, a pipe and a link that leads nowhere count: the file cannot be read, which is reported.
        let is_configured = |folder: &&Path| folder.join(CONFIG_FILE).symlink_metadata().is_ok();
        let repository = git::root(folder);
        let is_inside = |folder: &&Path| repository.as_ref().is_none_or(|root| folder.starts_with(root));
        match folder.ancestors().take_while(is_inside).find(is_configured) {
            Some(root) => Scope::Configured(root.to_owned()),
            None => Scope::Unconfigured(folder.to_owned()),
        }
    }

    /// The scope of a suite at an absolute path.
    pub(crate) fn of_file(path: &Path) -> Scope {
        Scope::of_folder(path.parent().unwrap_or(path))
    }

    /// The folder in which it starts.
    pub(crate) fn folder(&self) -> &Path {
        match self {
            Scope::Configured(folder) | Scope::Unconfigured(folder) => folder,
        }
    }

    /// The folder of `eval-ls.toml`, if there is one.
    pub(crate) fn root(&self) -> Option<&Path> {
        match self {
            Scope::Configured(root) => Some(root),
            Scope::Unconfigured(_) => None,
        }
    }

    /// The `eval-ls.toml`, if there is one.
    pub(crate) fn config_path(&self) -> Option<PathBuf> {
        self.root().map(|root| root.join(CONFIG_FILE))
    }
}

/// The path with the separator of this system. On Windows, command lines and URIs may have `/`, and joined paths then show both.
pub(crate) fn native(path: &Path) -> PathBuf {
    if cfg!(windows) { path.components().collect() } else { path.to_owned() }
}

/// The path from the file system's root. Links stay as they are, so that people see the names they gave, except if the
/// path contains `..`: the folder above a link is only known by following it. A path that cannot be resolved is returned
/// as it is.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if !absolute.components().any(|part| part == Component::ParentDir) {
        return absolute;
    }
    let resolved = files::resolved(&absolute).ok();
    // A file that is not saved yet: its folder exists.
    let beside = || Some(files::resolved(absolute.parent()?).ok()?.join(absolute.file_name()?));
    resolved.or_else(beside).unwrap_or(absolute)
}

/// Whether a link leads out of the workspace at `root` on the way from the folder `base` to `folder`, although the names of the
/// folders stay inside. Names are a choice of the user; a link may come with a repository. A `base` outside of `root` is
/// a separate workspace.
pub(crate) fn is_linked_out(folder: &Path, base: &Path, root: &Path) -> bool {
    let here = |path: &Path| files::resolved(if path.as_os_str().is_empty() { Path::new(".") } else { path });
    let (Ok(real), Ok(root)) = (here(base), here(root)) else { return false };
    let root = if real.starts_with(&root) { root } else { real.clone() };
    let named = without_dots(&real.join(folder.strip_prefix(base).unwrap_or(folder)));
    named.starts_with(&root) && !files::is_inside(&named, &root)
}

/// The largest suite that is read, in bytes.
pub(crate) const MAX_SUITE_BYTES: u64 = 64 << 20;

/// All bytes of a file that may be a suite.
///
/// # Errors
/// If it cannot be read, is not a file, or has more than 64 MiB.
pub(super) fn read_suite(path: &Path) -> io::Result<Vec<u8>> {
    files::read(path, MAX_SUITE_BYTES)
}

/// All bytes of a suite.
///
/// # Errors
/// If reading fails, or there are more than 64 MiB.
pub(crate) fn read_bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_SUITE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_SUITE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 64 MiB; split the suite"));
    }
    // The text stays in memory. Up to half of the reserved memory is free.
    bytes.shrink_to_fit();
    Ok(bytes)
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn only_links_lead_out() {
        let folder = tempfile::tempdir().unwrap();
        let (root, other) = (folder.path().join("root"), folder.path().join("other"));
        let evals = root.join("evals");
        fs::create_dir_all(&evals).unwrap();
        fs::create_dir_all(other.join("evals")).unwrap();
        symlink("../../other", evals.join("out")).unwrap();
        symlink("../evals", evals.join("in")).unwrap();
        symlink("absent", evals.join("dangling")).unwrap();
        symlink("../other/evals", root.join("theirs")).unwrap();
        for (name, expected) in [
            ("out", true),
            ("out/new", true),
            ("in/out/new", true),
            ("dangling", true),
            ("in/new", false),
            ("new/folder", false),
            ("../results", false),
            // These are named, so they are meant.
            ("../../other", false),
        ] {
            assert_eq!(is_linked_out(&evals.join(name), &evals, &root), expected, "{name}");
        }
        assert!(!is_linked_out(&other, &evals, &root));
        // A folder that was named although it is a link is meant, too.
        let theirs = root.join("theirs");
        assert!(!is_linked_out(&theirs.join("results"), &theirs, &root));
        symlink("../../root", other.join("evals/back")).unwrap();
        assert!(is_linked_out(&theirs.join("back"), &theirs, &root));
    }
}
