use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use super::answer::AnswerError;
use crate::diagnostic::quoted;
use crate::targets::standard_error::StandardError;
use crate::targets::{Stop, plain};

/// Why a program gave no answer. The first line stands alone; hints and lines of standard error follow. Nothing in it
/// needs to be escaped for a terminal, and no value of `pass_env` is in it.
#[derive(Debug)]
pub(crate) struct ProgramError {
    /// The target's name.
    pub(super) target: String,
    /// The program's name as the configuration has it, harmless to show.
    pub(super) program: String,
    /// What went wrong.
    pub(super) fault: Fault,
    /// The variables of `pass_env` that are not set.
    pub(super) unset: Vec<String>,
    /// The variables that standard error names and that are set, but not passed to the program.
    pub(super) withheld: Vec<String>,
    /// The end of standard error; `None` if the program did not run.
    pub(super) stderr: Option<StandardError>,
}

/// What went wrong with a program.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("is not on PATH; install it, or correct `command` in eval-ls.toml")]
    NotInPath,
    #[error("there is no file `{}`; correct `command` in eval-ls.toml", plain::path(.0))]
    NoFile(PathBuf),
    #[error("`{}` names an interpreter in its first line that does not exist", plain::path(.0))]
    NoInterpreter(PathBuf),
    #[error("the folder that it runs in, `{}`, does not exist", plain::path(.0))]
    NoFolder(PathBuf),
    #[error("the folder that it runs in, `{}`, is a link out of the folder of eval-ls.toml; correct `cwd`", plain::path(.0))]
    Outside(PathBuf),
    #[error("it is not executable; run `chmod +x` on it, or name its interpreter in `command`")]
    NotExecutable,
    #[error("it is a folder; name a program in `command`")]
    Folder,
    #[cfg(unix)]
    #[error(
        "it is not a program of this system; begin its first line with `#!` and its interpreter, or name that in `command`"
    )]
    NoFormat,
    #[error("it is not a program of Windows; name its interpreter in `command`")]
    NotOfWindows,
    #[error("it could not be started: {0}")]
    NotStarted(io::Error),
    /// The error that the program printed describes it.
    #[error("it failed")]
    Failed(ExitStatus),
    #[error("it printed more than 10 MiB to standard output")]
    TooMuch,
    #[error("{stop}{}", if *.answered { "; it printed its answer, but did not exit" } else { "" })]
    Stopped { stop: Stop, answered: bool },
    #[error("its exit status is unknown: {0}")]
    Lost(io::Error),
    #[error("{error}{}", begins_with(.beginning))]
    NoAnswer { error: AnswerError, beginning: Option<String> },
}

/// `ERROR_BAD_EXE_FORMAT` of Windows: the file is a script, for instance.
const BAD_EXE_FORMAT: i32 = 193;

impl Fault {
    /// Why a program could not be started, with the missing file, if it is known.
    pub(super) fn start(program: &Path, folder: &Path, error: io::Error) -> Self {
        if !folder.is_dir() {
            return Fault::NoFolder(folder.to_owned());
        }
        match error.kind() {
            io::ErrorKind::NotFound if !is_path(program) => Fault::NotInPath,
            io::ErrorKind::NotFound if program.exists() => Fault::NoInterpreter(program.to_owned()),
            io::ErrorKind::NotFound => Fault::NoFile(program.to_owned()),
            io::ErrorKind::PermissionDenied if program.is_dir() => Fault::Folder,
            io::ErrorKind::PermissionDenied => Fault::NotExecutable,
            #[cfg(unix)]
            _ if error.raw_os_error() == Some(rustix::io::Errno::NOEXEC.raw_os_error()) => Fault::NoFormat,
            _ if cfg!(windows) && error.raw_os_error() == Some(BAD_EXE_FORMAT) => Fault::NotOfWindows,
            _ => Fault::NotStarted(error),
        }
    }
}

/// Whether a program is named by its path, and not looked for in PATH.
pub(super) fn is_path(program: &Path) -> bool {
    program.components().count() > 1 || program.is_absolute() || program.as_os_str().to_string_lossy().contains('/')
}

impl ProgramError {
    /// Whether somebody wished it to stop.
    pub(crate) fn is_cancelled(&self) -> bool {
        matches!(self.fault, Fault::Stopped { stop: Stop::Cancelled, .. })
    }
}

impl fmt::Display for ProgramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_cancelled() {
            return self.fault.fmt(f);
        }
        match (&self.fault, &self.stderr) {
            // The printed error comes first.
            (Fault::Failed(status), Some(stderr)) => f.write_str(&stderr.failure(&self.program, *status))?,
            (fault @ Fault::Stopped { .. }, _) => fault.fmt(f)?,
            (Fault::NotInPath, _) if self.program.contains(char::is_whitespace) => {
                let words: Vec<String> = self.program.split_whitespace().map(|word| format!("{word:?}")).collect();
                let (program, words) = (quoted(&self.program), words.join(", "));
                write!(f, "{program} is not on PATH; `command` is a list of words: [{words}]")?;
            }
            (fault @ Fault::NotInPath, _) => write!(f, "`{}` {fault}", self.program)?,
            (fault, _) => write!(f, "`{}`: {fault}", self.program)?,
        }
        let failed = matches!(self.fault, Fault::Failed(_));
        let stderr = self.stderr.as_ref().filter(|stderr| !(failed && stderr.is_error_only()));
        if stderr.is_some_and(StandardError::is_empty) && !failed {
            f.write_str("; standard error is empty")?;
        }
        // Advice comes after the evidence, in separate lines.
        if matches!(self.fault, Fault::NoAnswer { .. }) {
            f.write_str("\nprint one object such as {\"response\": \"…\"}, and write logs to standard error")?;
        }
        if matches!(self.fault, Fault::Stopped { stop: Stop::TimedOut(_), .. }) {
            f.write_str("\nif it needs more time, raise `timeout` in eval-ls.toml, or `--timeout`")?;
        }
        let says_more = stderr.is_some_and(|lines| !lines.is_empty());
        let printed = stderr.map(|lines| lines.to_string().to_lowercase()).unwrap_or_default();
        // An error about something else is not explained by a variable that is not set.
        let is_about_keys = !says_more || KEYS.iter().any(|word| printed.contains(word));
        for name in self.unset.iter().filter(|name| is_about_keys || printed.contains(&name.to_lowercase())) {
            let name = quoted(name);
            write!(f, "\n{name}, which `pass_env` names, is not set; set it in the environment of eval-ls")?;
        }
        for name in &self.withheld {
            let (name, table) = (quoted(name), quoted(&format!("[targets.{}]", self.target)));
            write!(f, "\n{name} is set, but not passed to the program; add it to `pass_env` in {table}")?;
        }
        match stderr {
            Some(lines) if !lines.is_empty() => write!(f, "\n{lines}"),
            _ => Ok(()),
        }
    }
}

/// What errors about a missing key say.
const KEYS: [&str; 7] = ["key", "auth", "token", "credential", "401", "403", "environ"];

impl std::error::Error for ProgramError {}

fn begins_with(beginning: &Option<String>) -> String {
    beginning.as_ref().map_or_else(String::new, |text| format!("; it begins with {text}"))
}
