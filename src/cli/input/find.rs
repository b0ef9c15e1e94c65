//! Files of other programs that a command line names.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::cli::{Console, ExitStatus};
use crate::config::{CONFIG_FILE, Pattern};
use crate::diagnostic::quoted;
use crate::files::{self, Reader};
use crate::import::{Syntax, recognized};
use crate::text::counted;
use crate::wording::shell_word;
use crate::workspace::{LoadedConfig, Membership, Search, absolute, boundary_of, membership, native};

use super::{Input, Workspaces, near};

/// The suites on a command line.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The suites, each once, in the order of the command line.
    pub(crate) inputs: Vec<Input>,
    /// Why some may be missing: lower-case fragments.
    pub(crate) faults: Vec<String>,
    /// The named folders without a suite.
    pub(crate) empty: Vec<PathBuf>,
    /// The files in folders that are not suites by their content.
    pub(crate) skipped: Vec<PathBuf>,
    /// The named files that are not suites by their content, and what they are.
    pub(crate) others: Vec<(PathBuf, Membership)>,
}

impl Found {
    /// Returns whether there are no suites and no errors. Files that are left out on purpose do not matter.
    pub(crate) fn is_empty(&self) -> bool {
        self.inputs.is_empty() && self.faults.is_empty()
    }

    /// Prints the errors, and returns the exit status for them.
    pub(crate) fn complain(&self, console: &mut Console) -> ExitStatus {
        for (path, membership) in &self.others {
            let what = membership.to_string();
            let what = what.strip_prefix("Not a suite: ").unwrap_or(&what).to_owned();
            let is_other = matches!(membership, Membership::OtherContent(_));
            let what = if is_other { what_it_is(path).unwrap_or(what) } else { what };
            console.tell(format_args!("skipped {}: {what}", quoted(&path.display().to_string())));
        }
        if !self.skipped.is_empty() {
            console.tell(skipped(&self.skipped));
        }
        for fault in &self.faults {
            console.complain(fault);
        }
        for folder in &self.empty {
            console.complain(no_suites(folder));
        }
        if self.faults.is_empty() && self.empty.is_empty() { ExitStatus::Passed } else { ExitStatus::Unusable }
    }
}

/// That a folder contains no suites, and what to do. Names files that `import` reads.
pub(crate) fn no_suites(folder: &Path) -> String {
    let name =
        if folder == Path::new(".") { "the current folder".to_owned() } else { format!("`{}`", folder.display()) };
    let remedy = match importable(folder)[..] {
        [] => "`eval-ls init` writes a first one".to_owned(),
        ref files => skipped(files),
    };
    format!("{name} contains no suites; {remedy}, and `[files]` in {CONFIG_FILE} defines which files are suites")
}

/// How many entries of folders are looked at for a hint. It takes as long as a command without one.
const MOST_ENTRIES: usize = 2_000;

/// The files below a folder that `import` reads. Hidden folders and packages are left out.
fn importable(folder: &Path) -> Vec<PathBuf> {
    let is_own = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || matches!(&*name, "node_modules" | "target"))
    };
    let files = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_own).take(MOST_ENTRIES).flatten();
    let is_importable = |path: &PathBuf| {
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let is_named = matches!(extension.as_str(), "json" | "jsonl" | "ndjson" | "yaml" | "yml" | "csv" | "tsv");
        let text = || String::from_utf8(Reader::within(folder, MOST_BYTES).read(path, MOST_BYTES).ok()?).ok();
        is_named
            && text().is_some_and(|text| {
                recognized(&text, syntax_of(path, &text)).is_some_and(|foreign| foreign.why_not().is_none())
            })
    };
    let files = files.filter(|entry| entry.file_type().is_file()).map(DirEntry::into_path);
    let files = files.map(|path| path.strip_prefix(".").map_or(path.clone(), Path::to_owned));
    files.filter(is_importable).collect()
}

/// The largest file that is read for a hint, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Returns the suites for the paths of a command line: each named file, the suites in each folder, and for `-` standard
/// input, which counts as the file `stdin_filename`. Loads their configurations.
pub(crate) fn find(paths: &[PathBuf], stdin_filename: Option<&Path>, workspaces: &mut Workspaces) -> Found {
    let mut found = Found::default();
    let mut known = HashSet::new();
    for path in paths.iter().map(|path| native(path)) {
        let path = &path;
        if path == OsStr::new("-") {
            let input = Input::Stdin(stdin_filename.map(Path::to_owned));
            workspaces.of_input(&input);
            if !found.inputs.contains(&input) {
                found.inputs.push(input);
            }
        } else if path.is_dir() {
            let below = suites_in(path, workspaces);
            if below.suites.is_empty() && below.faults.is_empty() {
                found.empty.push(path.clone());
            }
            found.faults.extend(below.faults);
            let mut is_new = |path: &PathBuf| known.insert(absolute(path));
            found.skipped.extend(below.skipped.into_iter().filter(&mut is_new));
            found.inputs.extend(below.suites.into_iter().filter(is_new).map(Input::File));
        } else {
            let input = Input::File(path.clone());
            workspaces.of_input(&input);
            // A named configuration is not a suite; it is checked because it was loaded.
            let is_config = path.file_name() == Some(OsStr::new(CONFIG_FILE)) && path.is_file();
            if is_config || !known.insert(absolute(path)) {
                continue;
            }
            if is_other_text(path) {
                let name = quoted(&path.display().to_string());
                let what = what_it_is(path).unwrap_or_else(|| "it is not JSON".to_owned());
                found.faults.push(format!("{name} is not a suite: {what}"));
                continue;
            }
            match named(path, workspaces) {
                Membership::Suite => found.inputs.push(input),
                other @ (Membership::Written(_) | Membership::OtherContent(_)) => {
                    found.others.push((path.clone(), other))
                }
                _ => {}
            }
        }
    }
    each_once(&mut found.inputs);
    found
}

/// Removes links to others of the inputs: a suite that two paths name is one suite.
fn each_once(inputs: &mut Vec<Input>) {
    let real = |input: &Input| if let Input::File(path) = input { files::resolved(path).ok() } else { None };
    let is_link = |input: &Input| input.path().is_some_and(Path::is_symlink);
    let own: HashSet<_> = inputs.iter().filter(|input| !is_link(input)).filter_map(real).collect();
    let mut known = HashSet::new();
    let mut is_new = |real: PathBuf, is_link: bool| !(is_link && own.contains(&real)) && known.insert(real);
    inputs.retain(|input| real(input).is_none_or(|real| is_new(real, is_link(input))));
}

/// Whether a named file has another extension than that of JSON, and its text does not begin as JSON does.
fn is_other_text(path: &Path) -> bool {
    if is_named_json(path) || !path.is_file() {
        return false;
    }
    let head = Reader::default().read_part(path, 0, 256).unwrap_or_default();
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&head).trim_ascii_start();
    !text.is_empty() && !text.starts_with(b"{") && !text.starts_with(b"[")
}

fn is_named_json(path: &Path) -> bool {
    path.extension().is_none_or(|end| end.eq_ignore_ascii_case("json") || end.eq_ignore_ascii_case("jsonc"))
}

/// What a named file is: a suite by a pattern of `[files]`, else by its content. `exclude` counts only if it is forced on named files.
fn named(path: &Path, workspaces: &mut Workspaces) -> Membership {
    let path = absolute(path);
    let by_path =
        membership(&path, &[absolute(Path::new("."))], &mut |folder| workspaces.configurations.rules_in(folder));
    let membership = if by_path.may_be_suite() || workspaces.forces_exclude { by_path } else { Membership::Named };
    let membership = if membership == Membership::ByContent { Membership::Named } else { membership };
    // Lines of JSON are not one JSON document.
    let is_list = membership == Membership::Named && !is_named_json(&path);
    match what_it_is(&path).filter(|_| is_list) {
        Some(what) => Membership::OtherContent(what),
        None => membership.on_disk(&path),
    }
}

/// The most files of a kind that are named in one line.
const MOST_NAMED: usize = 3;

/// How many files are skipped, and the first of them: `1 file skipped: evals/notes.json (a list of prompts; …)`.
fn skipped(files: &[PathBuf]) -> String {
    let named = files.iter().take(MOST_NAMED).map(|path| {
        let what = what_it_is(path).or_else(|| match Membership::ByContent.on_disk(path) {
            Membership::OtherContent(seems) => Some(format!("it is {seems}")),
            Membership::Written(format) => Some(format!("its `format` is {}", quoted(&format))),
            _ => None,
        });
        let what = what.unwrap_or_default();
        format!("{} ({})", quoted(&path.display().to_string()), what.strip_prefix("it is ").unwrap_or(&what))
    });
    let named = named.collect::<Vec<_>>().join(", ");
    let more = files.len().saturating_sub(MOST_NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{} skipped: {named}{more}", counted(files.len(), "file"))
}

/// What is below a folder, as seen from the place where the folder was named.
struct Below {
    /// Sorted by path.
    suites: Vec<PathBuf>,
    skipped: Vec<PathBuf>,
    faults: Vec<String>,
}

/// Returns the suites in a folder and below it.
fn suites_in(folder: &Path, workspaces: &mut Workspaces) -> Below {
    let root = absolute(folder);
    workspaces.configurations.of_folder(&root);
    // A link out of it may have come with the repository, and findings show lines of the file.
    let boundary = boundary_of(&root);
    let mut search = Search {
        opened: std::slice::from_ref(&root),
        rules_in: &mut |folder| workspaces.configurations.rules_in(folder),
        enters: &|_| true,
        reader: &Reader::within(&boundary, u64::MAX),
        max_entries: usize::MAX,
    };
    let found = search.below(&root);
    let as_named = |path: PathBuf| {
        let path = path.strip_prefix(&root).map(|below| folder.join(below)).unwrap_or(path);
        // `.` is the default and would only be noise.
        path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
    };
    let mut faults: Vec<_> = (found.faults.into_iter())
        .map(|(path, fault)| format!("cannot read {}: {fault}", quoted(&as_named(path).display().to_string())))
        .collect();
    faults.extend(unmatched(&root, &found.suites, workspaces));
    let mut suites: Vec<_> = found.suites.into_iter().map(as_named).collect();
    suites.sort();
    faults.extend(found.linked_out.into_iter().map(as_named).map(|path| {
        format!("`{}` is a link to a file outside of the workspace; to read that file, name it", path.display())
    }));
    Below { suites, skipped: found.others.into_iter().map(as_named).collect(), faults }
}

/// The patterns of `include` that match no suite, in each configuration whose folder was searched as a whole.
fn unmatched(searched: &Path, suites: &[PathBuf], workspaces: &Workspaces) -> Vec<String> {
    let loaded = workspaces.files().iter().filter_map(|file| file.as_ref().as_ref().ok());
    let whole = loaded.filter(|config| config.root.starts_with(searched));
    let of_config = |config: &LoadedConfig| {
        let below = suites.iter().filter_map(|suite| suite.strip_prefix(&config.root).ok());
        let below: Vec<String> = below.map(|path| path.to_string_lossy().replace(MAIN_SEPARATOR, "/")).collect();
        let name = config.config_path.as_deref().map(near).unwrap_or_default();
        let fault = |pattern: &Pattern| {
            let pattern = quoted(pattern.as_str());
            format!("{pattern} in `[files].include` of {} matches no suite; correct or remove it", quoted(&name))
        };
        config.config.files.unmatched(&below).map(fault).collect::<Vec<_>>()
    };
    whole.flat_map(of_config).collect()
}

/// How a file is written, by its name, or by its text.
pub(crate) fn syntax_of(file: &Path, text: &str) -> Syntax {
    Syntax::of(&file.extension().map(OsStr::to_string_lossy).unwrap_or_default(), text)
}

/// What a named file is that is not a suite, and whether `import` reads it: `it is an eval set of Google ADK; …`. `None` if
/// nothing shows it.
pub(super) fn what_it_is(file: &Path) -> Option<String> {
    let text = Input::File(file.to_owned()).text().ok()?;
    let foreign = recognized(text.as_str(), syntax_of(file, text.as_str()))?;
    let import = format!("eval-ls import {}", shell_word(&file.display().to_string()));
    Some(format!("it is {}", foreign.with_remedy(&import)))
}
