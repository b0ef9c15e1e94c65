//! A program that answers: one process a case, fed one line of JSON, of which one JSON object is read.
//!
//! The program is started from its argument vector, never by a shell, in the folder of `eval-ls.toml` or one below
//! it. `docs/program.md` is the protocol's page.

mod answer;
mod environment;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Instant;

use answer::{Fault, is_path};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;
use time::format_description::well_known::Rfc3339;
use tokio::process::Command;

use crate::config::{self, PreconditionCheck};
use crate::transcript::{Event, Transcript};
use crate::{clock, files, processes};

use self::answer::{AnswerError, ProgramAnswer};
use self::environment::Environment;
use super::plain::{StandardError, beginning, plain};
use super::process::{Ending, Exchange, exchange};
use super::target::Preconditions;
use super::{Context, Request, Secrets, Session, Target, TargetError, off_reactor};

pub(crate) use answer::ProgramError;

/// The name of the request's format. Every request has it.
pub(crate) const REQUEST_FORMAT: &str = "eval-ls/request@1";

/// How many code points of an invalid answer a reason quotes.
const QUOTED_OUTPUT: usize = 80;

/// A program that answers.
#[derive(Debug)]
pub(crate) struct CommandTarget {
    program: Arc<Program>,
}

/// What every process of the target has in common.
#[derive(Debug)]
struct Program {
    target: String,
    /// What the configuration calls it, harmless to show.
    shown: String,
    path: PathBuf,
    arguments: Vec<String>,
    /// The folder of `eval-ls.toml`.
    root: PathBuf,
    /// The working directory.
    folder: PathBuf,
    environment: Environment,
    preconditions: Preconditions,
    /// The hash of its files.
    hash: Option<String>,
}

#[derive(Serialize)]
struct Line<'a> {
    format: &'a str,
    case: &'a str,
    setup_prompts: &'a [String],
    prompt: &'a str,
}

impl CommandTarget {
    /// The target called `name` in the `eval-ls.toml` of the folder `root`, with what it may have of this process's environment.
    pub(crate) fn new(name: &str, target: &config::CommandTarget, root: &Path) -> Self {
        Self::with_environment(name, target, root, &std::env::vars_os().collect::<Vec<_>>())
    }

    /// The same with another environment.
    pub(crate) fn with_environment(
        name: &str,
        target: &config::CommandTarget,
        root: &Path,
        variables: &[(OsString, OsString)],
    ) -> Self {
        let (program, arguments) = target.command.split_first().expect("a command names a program");
        let environment = Environment::of(target, variables);
        let folder = target.folder(root);
        let path = Path::new(program);
        // Where it is a path, it counts from the folder that the program runs in, on every system.
        let path = if is_path(path) { folder.join(path) } else { path.to_owned() };
        let path = processes::file_of(path, &|name| environment.get(name));
        let shown = plain(&environment.hidden.redact(program.clone()));
        let program = Program {
            target: name.to_owned(),
            shown,
            path,
            arguments: arguments.to_vec(),
            root: root.to_owned(),
            folder,
            environment,
            preconditions: Preconditions::default(),
            hash: None,
        };
        Self { program: Arc::new(program) }
    }

    /// The same with the preconditions that it checks before a case.
    #[must_use]
    pub(crate) fn with_preconditions(mut self, checks: &BTreeMap<String, PreconditionCheck>) -> Self {
        let program = Arc::get_mut(&mut self.program).expect("no session is open yet");
        program.preconditions = Preconditions::new(checks, &program.root);
        self
    }

    /// The same with the hash of the program's files, which its answers have.
    #[must_use]
    pub(crate) fn with_program_hash(mut self, hash: Option<String>) -> Self {
        Arc::get_mut(&mut self.program).expect("no session is open yet").hash = hash;
        self
    }

    /// Runs the program without input and waits for its end. Returns whether its exit status is 0.
    pub(crate) fn succeeds(&self) -> bool {
        let mut command = self.program.command().into_std();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        files::is_inside(&self.program.folder, &self.program.root)
            && command.status().is_ok_and(|status| status.success())
    }
}

impl Target for CommandTarget {
    fn name(&self) -> &str {
        &self.program.target
    }

    fn program_hash(&self) -> Option<&str> {
        self.program.hash.as_deref()
    }

    fn is_live(&self) -> bool {
        true
    }

    fn secrets(&self) -> Secrets {
        self.program.environment.secrets.clone()
    }

    fn secrets_of_reasons(&self) -> Secrets {
        self.program.environment.hidden.clone()
    }

    fn session<'a>(
        &'a self,
        _job: usize,
        _context: &'a Context,
    ) -> BoxFuture<'a, Result<Box<dyn Session>, TargetError>> {
        let session: Box<dyn Session> = Box::new(Arc::clone(&self.program));
        async { Ok(session) }.boxed()
    }
}

impl Session for Arc<Program> {
    fn ask<'a>(
        &'a mut self,
        request: &'a Request,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Transcript, TargetError>> {
        let program = Arc::clone(self);
        async move {
            program.preconditions.run(request, context).await?;
            Ok(program.ask(request, context).await?)
        }
        .boxed()
    }
}

impl Program {
    async fn ask(self: Arc<Self>, request: &Request, context: &Context) -> Result<Transcript, Box<ProgramError>> {
        let (clock, recorded_at) = (Instant::now(), clock::now());
        if !files::is_inside(&self.folder, &self.root) {
            return Err(self.error(Fault::Outside(self.folder.clone()), None));
        }
        let exchange = exchange(self.command(), &line(request), &context.deadline).await;
        let duration = clock.elapsed();
        let exchange = exchange.map_err(|error| self.error(Fault::start(&self.path, &self.folder, error), None))?;
        // Ten megabytes take a while to read, and others wait for this thread.
        let program = Arc::clone(&self);
        let answer = off_reactor(move || program.answer(exchange)).await?;
        Ok(Transcript {
            case: request.case.clone(),
            target: Some(self.target.clone()),
            recorded_at: recorded_at.replace_nanosecond(0).ok().and_then(|at| at.format(&Rfc3339).ok()),
            prompt: Some(request.prompt.clone()),
            setup_prompts: Some(request.setup_prompts.clone()),
            duration_ms: Some(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)),
            response: answer.response,
            pages: None,
            telemetry: answer.telemetry,
            program: self.hash.clone(),
            last_record: None,
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).current_dir(&self.folder);
        command.env_clear().envs(&self.environment.variables);
        command
    }

    fn answer(&self, exchange: Exchange) -> Result<ProgramAnswer, Box<ProgramError>> {
        let Exchange { ending, stdout, stderr } = exchange;
        let fault = match ending {
            Ending::Exited(status) if status.success() => match self.read(&stdout) {
                Ok(answer) => return Ok(answer),
                Err(fault) => fault,
            },
            Ending::Exited(status) => Fault::Failed(status),
            Ending::TooMuch => Fault::TooMuch,
            Ending::Stopped(stop) => Fault::Stopped { stop, answered: ProgramAnswer::parse(&stdout).is_ok() },
            Ending::Lost(error) => Fault::Lost(error),
        };
        Err(self.error(fault, Some(stderr)))
    }

    fn read(&self, stdout: &[u8]) -> Result<ProgramAnswer, Fault> {
        let secrets = &self.environment.hidden;
        match ProgramAnswer::parse(stdout) {
            Ok(mut answer) => {
                answer.response = secrets.redact(answer.response);
                redact_events(secrets, &mut answer.telemetry);
                Ok(answer)
            }
            Err(mut error) => {
                if let AnswerError::UnknownKey { key } = &mut error {
                    *key = secrets.redact(std::mem::take(key));
                }
                let shown = secrets.redact(String::from_utf8_lossy(stdout).into_owned());
                let beginning = (!shown.trim().is_empty()).then(|| beginning(&shown, QUOTED_OUTPUT));
                Err(Fault::NoAnswer { error, beginning })
            }
        }
    }

    fn error(&self, fault: Fault, stderr: Option<String>) -> Box<ProgramError> {
        let environment = &self.environment;
        let stderr = stderr.map(|text| StandardError::of(&environment.hidden.redact(text)));
        Box::new(ProgramError {
            target: self.target.clone(),
            program: self.shown.clone(),
            fault,
            unset: environment.missing.clone(),
            withheld: stderr.as_ref().map(|stderr| environment.withheld(stderr.variables())).unwrap_or_default(),
            stderr,
        })
    }
}

/// Removes the secrets from all events, also those that are cut into pieces.
fn redact_events(secrets: &Secrets, events: &mut [Event]) {
    let before: Vec<Value> = events.iter().map(Event::to_value).collect();
    let mut values = before.clone();
    secrets.redact_values(&mut values);
    for (event, (before, value)) in events.iter_mut().zip(before.into_iter().zip(values)) {
        let written = event.as_written().map(|text| (text.to_owned(), secrets.redact(text.to_owned())));
        match written {
            _ if before != value => *event = Event::from_value(value),
            // A number that is a secret as it is written.
            Some((text, redacted)) if text != redacted => *event = Event::from_line(&redacted),
            _ => {}
        }
    }
}

fn line(request: &Request) -> Vec<u8> {
    let Request { case, setup_prompts, prompt, .. } = request;
    let line = Line { format: REQUEST_FORMAT, case, setup_prompts, prompt };
    let mut line = serde_json::to_vec(&line).expect("strings and lists of them always fit into JSON");
    line.push(b'\n');
    line
}
