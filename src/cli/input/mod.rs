//! The suites that a command uses, their content, and the configuration that applies to each. A suite with errors is not judged.
//! Folders of transcripts that several suites share, and those outside of the workspace, are reported.

mod find;

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use crate::analysis::{Document, lint_names, workspace_of};
use crate::cli::draw::Painter;
use crate::cli::output::STDIN;
use crate::cli::{Console, ExitStatus, OrRefuse as _, Refusal};
use crate::config::CONFIG_FILE;
use crate::diagnostic::{Finding, Severity, quoted};
use crate::events::{SuiteError, SuiteNotRun};
use crate::files;
use crate::lints::{self, Workspace, message_with_help, not_utf8};
use crate::runner::SuiteInput;
use crate::text::{Span, Text, counted};
use crate::transcript::Store;
use crate::workspace::tools::{Observer, Tools};
use crate::workspace::{ConfigCache, Loaded, LoadedConfig, Scope, absolute, boundary_of, read_bounded, without_dots};

pub(crate) use find::{find, no_suites, syntax_of};

/// Returns the path relative to the current folder if it is below it.
pub(crate) fn near(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.as_deref().and_then(|here| path.strip_prefix(here).ok());
    below.unwrap_or(path).display().to_string()
}

/// The workspaces of a command's suites.
#[derive(Debug)]
pub(crate) struct Workspaces {
    configurations: ConfigCache,
    /// Whether `[files]` also decides about files that the command line names.
    forces_exclude: bool,
    /// The context for the lints, with the tools that the files of the scope show.
    lints: HashMap<Scope, Arc<lints::Workspace>>,
}

impl Workspaces {
    pub(crate) fn new() -> Workspaces {
        let configurations = ConfigCache::new(lint_names()).finding_roots(true);
        Workspaces { configurations, forces_exclude: false, lints: HashMap::new() }
    }

    /// The workspaces for a command that neither reads nor writes results.
    pub(crate) fn without_results(self) -> Workspaces {
        Workspaces { configurations: self.configurations.finding_roots(false), ..self }
    }

    /// The workspaces in which `[files]` also decides about files that the command line names, if `forces_exclude`.
    pub(crate) fn forcing_exclude(self, forces_exclude: bool) -> Workspaces {
        Workspaces { forces_exclude, ..self }
    }

    /// Returns the configuration of a suite. Standard input without a file name counts as a file in the current folder.
    pub(crate) fn of_input(&mut self, input: &Input) -> Loaded {
        let path = absolute(input.path().unwrap_or(Path::new("-")));
        self.configurations.of_folder(path.parent().unwrap_or(&path))
    }

    /// The configuration that applies to a file or a folder.
    ///
    /// # Errors
    /// If it cannot be loaded: a lower-case fragment.
    pub(crate) fn of_place(&mut self, place: &Path) -> Result<LoadedConfig, String> {
        let path = absolute(place);
        let folder = if path.is_dir() { &path } else { path.parent().unwrap_or(&path) };
        match &*self.configurations.of_folder(folder) {
            Ok(loaded) => Ok(loaded.clone()),
            Err(fault) => Err(fault.to_string()),
        }
    }

    /// Returns the context for the lints of a suite with the configuration `loaded`.
    pub(crate) fn lints_of(&mut self, input: &Input, loaded: &LoadedConfig) -> Arc<lints::Workspace> {
        let path = absolute(input.path().unwrap_or(Path::new("-")));
        let scope = Scope::of_folder(path.parent().unwrap_or(&path));
        let lints = self.lints.entry(scope).or_insert_with_key(|scope| {
            let Tools { shown, named } = Observer::new(scope.clone()).tools(&loaded.config);
            Arc::new(lints::Workspace {
                tools: shown,
                named_tools: named,
                root: loaded.config_path.as_ref().map(|_| loaded.root.clone()),
                ..workspace_of(&loaded.config)
            })
        });
        Arc::clone(lints)
    }

    /// The configuration that a suite obeys, which is `given` if there is one, and the context for its lints.
    pub(crate) fn obeyed(
        &mut self,
        input: &Input,
        given: Option<&LoadedConfig>,
    ) -> Result<(LoadedConfig, Arc<lints::Workspace>), Refusal> {
        if let Some(given) = given {
            return Ok((given.clone(), Arc::new(workspace_of(&given.config))));
        }
        match &*self.of_input(input) {
            Ok(loaded) => Ok((loaded.clone(), self.lints_of(input, loaded))),
            Err(fault) => Err(Refusal::new(ExitStatus::Misused, fault)),
        }
    }

    /// Returns the loaded configuration files, in the order of loading.
    pub(crate) fn files(&self) -> &[Loaded] {
        self.configurations.files()
    }
}

/// The configuration in a file that the command line names; else the one that applies to a file or a folder.
pub(crate) fn config_of(given: Option<&Path>, place: &Path) -> Result<LoadedConfig, Refusal> {
    match given {
        Some(path) => LoadedConfig::read(path, &lint_names()).or_misused(),
        None => Workspaces::new().of_place(place).or_misused(),
    }
}

/// Refuses a configuration with errors: a target or a hint that was left out for a fault would decide something other than what was
/// written.
pub(crate) fn refuse_faulty(loaded: &LoadedConfig) -> Result<(), Refusal> {
    if loaded.errors.is_empty() {
        return Ok(());
    }
    let name = loaded.config_path.as_deref().unwrap_or(Path::new(CONFIG_FILE)).display();
    Err(Refusal::new(ExitStatus::Misused, format_args!("`{name}` has errors; `eval-ls check` shows them")))
}

/// The paths of a command line, else the current folder.
pub(crate) fn or_here(paths: &[PathBuf]) -> &[PathBuf] {
    static HERE: LazyLock<[PathBuf; 1]> = LazyLock::new(|| [PathBuf::from(".")]);
    if paths.is_empty() { &*HERE } else { paths }
}

/// A suite that a command reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// A file, by the name that was given or found.
    File(PathBuf),
    /// Standard input, and the file name that was given for it.
    Stdin(Option<PathBuf>),
}

/// The content of a suite's file.
#[derive(Debug)]
pub(crate) enum Contents {
    /// Text.
    Text(Text),
    /// Bytes that are not UTF-8.
    NotUtf8 {
        /// All of them.
        bytes: Vec<u8>,
        /// The first byte, from 0, that is not part of a character.
        offset: usize,
    },
}

impl Input {
    /// Returns the name that a command prints.
    pub(crate) fn name(&self) -> String {
        match self {
            Input::File(path) | Input::Stdin(Some(path)) => path.display().to_string(),
            Input::Stdin(None) => STDIN.to_owned(),
        }
    }

    /// Returns the path of the file, or the one that was given for standard input.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Input::File(path) => Some(path),
            Input::Stdin(path) => path.as_deref(),
        }
    }

    /// Reads its text.
    ///
    /// # Errors
    /// If it cannot be read, or is not UTF-8: a lower-case fragment.
    pub(crate) fn text(&self) -> Result<Text, String> {
        match self.read()? {
            Contents::Text(text) => Ok(text),
            Contents::NotUtf8 { offset, .. } => Err(format!("`{}`: invalid UTF-8 at byte {offset}", self.name())),
        }
    }

    /// Reads it.
    ///
    /// # Errors
    /// If it cannot be read, or is larger than 64 MiB.
    pub(crate) fn read(&self) -> Result<Contents, String> {
        let bytes = match self {
            // A person may name a pipe, for instance that of a shell's process substitution.
            Input::File(path) => File::open(path).and_then(read_bounded),
            Input::Stdin(_) => read_bounded(io::stdin().lock()),
        };
        let bytes = bytes.map_err(|source| format!("cannot read `{}`: {source}", self.name()))?;
        Ok(match String::from_utf8(bytes) {
            Ok(text) => Contents::Text(Text::from(text)),
            Err(error) => Contents::NotUtf8 { offset: error.utf8_error().valid_up_to(), bytes: error.into_bytes() },
        })
    }
}

/// Writes a changed suite. `named` are the files and folders on the command line.
///
/// # Errors
/// If it cannot be written, or a link leads out: of the folder that was named, or, if the file itself was named, of its repository or
/// workspace. A program may name files that no person has typed.
pub(crate) fn write_back(path: &Path, named: &[PathBuf], text: &str) -> Result<(), String> {
    let stays = |path: &Path| {
        let folder = absolute(path).parent().map(boundary_of);
        !path.is_symlink() || folder.is_some_and(|folder| files::is_inside(path, &folder))
    };
    if named.iter().any(|named| if named == path { stays(path) } else { files::is_inside(path, named) }) {
        return files::rewrite(path, text.as_bytes()).map_err(|fault| fault.to_string());
    }
    Err(format!("`{}` is a link that leads out; to change that file, name it", path.display()))
}

/// A suite that can be judged, with its warnings.
pub(crate) struct ReadSuite {
    /// The suite.
    pub(crate) suite: SuiteInput,
    /// The lint and the place of each warning.
    pub(crate) warnings: Vec<Warning>,
}

/// A warning: its lint and its place.
pub(crate) type Warning = (&'static str, Span);

/// What is done with a suite that has errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum WithErrors {
    /// The cases with errors end in ERROR. It is not run if an error is in no case. The message names `--no-check`.
    NotAsked,
    /// The suite is used if it is JSON: by `run --no-check`, and by `propose`, which is for cases without checks.
    Used,
    /// The suite is not challenged.
    NotChallenged,
}

/// The suite, if it can be judged.
///
/// # Errors
/// Why it cannot. It is also printed, with what to do.
pub(crate) fn read_suite(
    input: &Input,
    lints: &Arc<Workspace>,
    with_errors: WithErrors,
    console: &mut Console,
) -> Result<ReadSuite, SuiteNotRun> {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let (text, read) = match input.read() {
        Ok(Contents::Text(text)) => {
            let read = Document::new(text.clone(), input.path().map(Path::to_owned));
            for finding in read.placed_findings(lints) {
                match finding.severity {
                    Severity::Error => errors.extend(read.whole(&finding, lints)),
                    Severity::Warning => warnings.push((finding.lint(), finding.span())),
                    Severity::Hint => {}
                }
            }
            errors.sort_by_key(|finding| (finding.span, finding.lint));
            (text, Some(read))
        }
        Ok(Contents::NotUtf8 { bytes, offset }) => {
            errors.push(not_utf8(offset));
            (Text::new(&String::from_utf8_lossy(&bytes)), None)
        }
        Err(fault) => {
            console.complain(&fault);
            return Err(SuiteNotRun { suite: input.name(), reason: fault, errors: Vec::new() });
        }
    };
    let is_json = read.as_ref().is_some_and(Document::is_well_formed);
    let (faults, is_elsewhere) = match &read {
        Some(document) if with_errors == WithErrors::NotAsked && is_json && !errors.is_empty() => {
            document.faults(lints, false)
        }
        _ => (BTreeMap::new(), false),
    };
    let ignores_errors = is_json && with_errors == WithErrors::Used;
    if !ignores_errors {
        show(&input.name(), &text, &errors, console);
    }
    let are_in_cases = !faults.is_empty() && !is_elsewhere;
    if let Some(document) = read.filter(|_| errors.is_empty() || ignores_errors || are_in_cases) {
        if !faults.is_empty() {
            let of = counted(document.suite().cases.len(), "case");
            console.complain(format_args!(
                "`{}`: {} of {of} end in ERROR and are not run, because they have errors: fix them, or run them with `--no-check`",
                input.name(),
                faults.len()
            ));
        }
        let path = input.path().unwrap_or(Path::new("stdin.json")).to_owned();
        let (suite, misfiled) = (document.into_suite(), OnceLock::new());
        return Ok(ReadSuite { suite: SuiteInput { path, text, suite, faults, misfiled }, warnings });
    }
    let (done, advice) = match with_errors {
        WithErrors::NotAsked if is_json => ("run", "fix them, or run it anyway with `--no-check`"),
        WithErrors::NotAsked => ("run", "fix them"),
        WithErrors::Used => ("used", "fix them"),
        WithErrors::NotChallenged => ("challenged", "fix them"),
    };
    console.complain(format_args!("`{}` is not {done}, because it has errors: {advice}", input.name()));
    let reason = errors.first().map_or_else(String::new, |error| format!("{}: {}", error.lint, error.message));
    let errors = errors.iter().map(|error| SuiteError {
        lint: error.lint.to_owned(),
        message: message_with_help(error, &text),
        range: text.line_range(error.span),
    });
    Err(SuiteNotRun { suite: input.name(), reason, errors: errors.collect() })
}

/// Prints the first findings in a file.
pub(crate) fn show(name: &str, text: &Text, findings: &[Finding], console: &mut Console) {
    let painter = Painter::new(console.err.has_color());
    for finding in findings.iter().take(20) {
        console.err.write_line(&painter.paint(name, text, finding));
    }
    if findings.len() > 20 {
        console.tell(format_args!("{} more in `{name}`; `eval-ls check` shows them all", findings.len() - 20));
    }
}

/// The suite whose transcripts are in each folder.
#[derive(Default)]
pub(crate) struct SharedFolders {
    suites: HashMap<PathBuf, String>,
}

impl SharedFolders {
    /// Adds a suite. Returns a message if its transcripts are outside of the workspace, and one if an earlier suite has its
    /// transcripts in the same folder, because a case of one then has the answer of the case of the other with the same id.
    pub(crate) fn add(&mut self, input: &Input, loaded: &LoadedConfig) -> Vec<String> {
        let Input::File(path) = input else { return Vec::new() };
        let store = Store::new(&absolute(path), &loaded.config).within(&loaded.root, u64::MAX);
        let folder = without_dots(store.folder());
        let mut messages = Vec::new();
        if !store.is_inside() {
            let folder = quoted(&folder.display().to_string());
            messages.push(format!(
                "the transcripts of this suite are outside of the workspace, in {folder}, so editors neither read nor write them; set \
                 `[run] transcripts` to a folder below that of {CONFIG_FILE}"
            ));
        }
        match self.suites.get(&folder) {
            Some(other) => messages.push(format!(
                "the transcripts of this suite and of {} are in one folder; rename one of the suites, or change `[run] transcripts`",
                quoted(other)
            )),
            None => _ = self.suites.insert(folder, input.name()),
        }
        messages
    }
}
