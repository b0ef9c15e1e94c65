//! Preconditions of cases that programs check.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use tokio::process::Command;

use super::plain::StandardError;
use super::plain::plain;
use super::process::{Ending, exchange};
use super::{Context, Request, Stop};
use crate::config::PreconditionCheck;
use crate::diagnostic::quoted;
use crate::processes;

/// Why a precondition is not met.
#[derive(Debug, thiserror::Error)]
#[error("the precondition {} is not met: {fault}", quoted(.text))]
pub(crate) struct PreconditionError {
    /// The precondition, in the case's words.
    text: String,
    fault: Fault,
}

#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("`{program}` cannot be started: {why}")]
    Start { program: String, why: String },
    #[error("{0}")]
    Failed(String),
    #[error("`{program}`: {why}")]
    Lost { program: String, why: String },
    #[error("{stop} while `{program}` was checking it")]
    Stopped { program: String, stop: Stop },
}

/// The preconditions that a target can check.
#[derive(Clone, Debug, Default)]
pub(super) struct Preconditions {
    checks: BTreeMap<String, PreconditionCheck>,
    folder: PathBuf,
    environment: Vec<(OsString, OsString)>,
}

impl PreconditionError {
    /// Whether the run was cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        matches!(self.fault, Fault::Stopped { stop: Stop::Cancelled, .. })
    }
}

impl Preconditions {
    /// The preconditions of a target; `folder` is that of `eval-ls.toml`.
    pub(super) fn new(checks: &BTreeMap<String, PreconditionCheck>, folder: &Path) -> Self {
        let environment = processes::ALWAYS.iter().filter_map(|name| Some(((*name).into(), std::env::var_os(name)?)));
        Self { checks: checks.clone(), folder: folder.to_owned(), environment: environment.collect() }
    }

    /// Runs the programs that check the case's preconditions, one after the other.
    ///
    /// # Errors
    /// If one of them does not end with exit status 0.
    pub(super) async fn run(&self, request: &Request, context: &Context) -> Result<(), Box<PreconditionError>> {
        for text in &request.preconditions {
            if let Some(PreconditionCheck::Command(command)) = self.checks.get(text) {
                let met = self.run_one(command, context).await;
                met.map_err(|fault| Box::new(PreconditionError { text: text.clone(), fault }))?;
            }
        }
        Ok(())
    }

    async fn run_one(&self, command: &[String], context: &Context) -> Result<(), Fault> {
        let (program, arguments) = command.split_first().expect("a command names a program");
        let path = Path::new(program);
        // A path counts from the folder that the program runs in, on every system.
        let path = if path.components().count() > 1 { self.folder.join(path) } else { path.to_owned() };
        let path = processes::file_of(path, &|name| std::env::var_os(name));
        let shown = plain(program);
        let mut process = Command::new(&path);
        process.args(arguments).current_dir(&self.folder);
        process.env_clear().envs(self.environment.iter().map(|(name, value)| (name, value)));
        let exchanged = match exchange(process, b"", &context.deadline).await {
            Ok(exchanged) => exchanged,
            Err(error) => return Err(Fault::Start { program: shown, why: error.to_string() }),
        };
        let why = match exchanged.ending {
            Ending::Exited(status) if status.success() => return Ok(()),
            Ending::Exited(status) => {
                let stderr = StandardError::of(&exchanged.stderr);
                let failure = stderr.failure(&shown, status);
                let is_all = stderr.is_empty() || stderr.is_error_only();
                return Err(Fault::Failed(if is_all { failure } else { format!("{failure}\n{stderr}") }));
            }
            Ending::TooMuch => "it printed more than 10 MiB to standard output".to_owned(),
            Ending::Stopped(stop) => return Err(Fault::Stopped { program: shown, stop }),
            Ending::Lost(error) => format!("its exit status is unknown: {error}"),
        };
        Err(Fault::Lost { program: shown, why })
    }
}
