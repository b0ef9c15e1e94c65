//! A program that answers: one process a case, fed one line of JSON, of which one JSON object is read.
//!
//! The program is started from its argument vector, never by a shell, in the folder of `eval-ls.toml` or one below
//! it. `docs/program.md` is the protocol's page.

mod answer;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use answer::{AnswerError, Fault, ProgramAnswer, is_path};
use async_trait::async_trait;
use serde::Serialize;
use serde_json::{Value, json};
use time::format_description::well_known::Rfc3339;
use tokio::process::Command;

use crate::config::{self, PreconditionCheck};
use crate::processes::{self, ALWAYS, is_variable};
use crate::transcript::{Event, Excess, Transcript};
use crate::{clock, files};

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

    /// The target called `name`, with another environment.
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

    /// The target with the preconditions that it checks before a case, and the hash of the program's files, which its
    /// answers have.
    #[must_use]
    pub(crate) fn with(mut self, checks: &BTreeMap<String, PreconditionCheck>, hash: Option<String>) -> Self {
        let program = Arc::get_mut(&mut self.program).expect("no session is open yet");
        (program.preconditions, program.hash) = (Preconditions::new(checks, &program.root), hash);
        self
    }
}

#[async_trait]
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

    async fn session(&self, _job: usize, _context: &Context) -> Result<Box<dyn Session>, TargetError> {
        Ok(Box::new(Arc::clone(&self.program)))
    }
}

#[async_trait]
impl Session for Arc<Program> {
    async fn ask(&mut self, request: &Request, context: &Context) -> Result<Transcript, TargetError> {
        let program = Arc::clone(self);
        program.preconditions.run(request, context).await?;
        Ok(program.ask(request, context).await?)
    }
}

impl Program {
    async fn ask(self: Arc<Self>, request: &Request, context: &Context) -> Result<Transcript, Box<ProgramError>> {
        let (clock, recorded_at) = (Instant::now(), clock::now());
        if !files::is_inside(&self.folder, &self.root) {
            return Err(self.error(Fault::Outside(self.folder.clone()), None));
        }
        let exchange = exchange(None, self.command(), &line(request), &context.deadline).await;
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
            usage: answer.usage,
            extra: answer.extra,
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
                // A number may be a secret, too.
                let (mut usage, before) = ([json!(answer.usage)], json!(answer.usage));
                secrets.redact_values(&mut usage);
                answer.usage = answer.usage.filter(|_| usage == [before]);
                let mut extra = [Value::Object(std::mem::take(&mut answer.extra))];
                secrets.redact_values(&mut extra);
                if let [Value::Object(redacted)] = extra {
                    answer.extra = redacted;
                }
                Ok(answer)
            }
            Err(mut error) => {
                if let AnswerError::MisspeltKey { key, .. } | AnswerError::Excess(Excess::RepeatedKey(key)) = &mut error
                {
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

/// The ends of the names of variables that hold keys.
const ENDS_OF_KEYS: [&str; 4] = ["KEY", "TOKEN", "SECRET", "PASSWORD"];

/// The shortest key that is looked for if the program was not passed it. Shorter ones may be ordinary words.
const SHORTEST_KEY: usize = 8;

/// The variables of a program, and the values that must not be seen.
#[derive(Debug)]
struct Environment {
    variables: BTreeMap<OsString, OsString>,
    /// The values that the program was passed.
    secrets: Secrets,
    /// The values of `secrets`, and the keys that the program was not passed: it may find them in another process of
    /// the user, such as the shell.
    hidden: Secrets,
    /// The variables of `pass_env` that are not set.
    missing: Vec<String>,
    /// The names of the variables that are set, but not passed.
    withheld: BTreeSet<String>,
}

impl Environment {
    /// Of all variables, those that `target` may have. What `env` sets wins.
    fn of(target: &config::CommandTarget, all: &[(OsString, OsString)]) -> Self {
        let is_named = |known: &OsString, name: &str| known.to_str().is_some_and(|known| is_variable(known, name));
        let lookup = |name: &str| all.iter().find(|(known, _)| is_named(known, name)).map(|(_, value)| value.clone());
        let passed: Vec<_> = target.pass_env.iter().map(|name| (name, lookup(name))).collect();
        let missing = |(name, value): &(&String, Option<OsString>)| {
            (value.is_none() && !target.env.contains_key(*name)).then(|| (*name).clone())
        };
        let secrets: Vec<_> = passed
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.as_ref()?.to_string_lossy())))
            .collect();
        let is_passed = |name: &str| secrets.iter().any(|(passed, _)| is_variable(name, passed));
        let keys: Vec<_> = all
            .iter()
            .filter_map(|(name, value)| Some((name.to_str()?, value.to_string_lossy())))
            .filter(|(name, value)| is_key(name) && !is_passed(name) && value.trim().chars().count() >= SHORTEST_KEY)
            .collect();
        let always = ALWAYS.iter().filter_map(|name| Some(((*name).into(), lookup(name)?)));
        let given = target.env.iter().map(|(name, value)| (name.into(), value.into()));
        let variables: BTreeMap<OsString, OsString> = always
            .chain(passed.iter().filter_map(|(name, value)| Some((name.into(), value.clone()?))))
            .chain(given)
            .collect();
        let names = all.iter().filter_map(|(name, _)| name.to_str());
        let is_withheld = |name: &&str| !variables.keys().any(|known| is_named(known, name));
        Self {
            missing: passed.iter().filter_map(missing).collect(),
            hidden: Secrets::new(secrets.iter().chain(&keys).map(|(name, value)| (*name, value.as_ref()))),
            secrets: Secrets::new(secrets.iter().map(|(name, value)| (*name, value.as_ref()))),
            withheld: names.filter(is_withheld).map(str::to_owned).collect(),
            variables,
        }
    }

    /// The value of a variable of the program.
    fn get(&self, name: &str) -> Option<OsString> {
        let found =
            self.variables.iter().find(|(known, _)| known.to_str().is_some_and(|known| is_variable(known, name)));
        found.map(|(_, value)| value.clone())
    }

    /// The variables in `names` that are set, but not passed.
    fn withheld<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let names: BTreeSet<&str> = names.filter(|name| self.withheld.contains(*name)).collect();
        names.into_iter().map(str::to_owned).collect()
    }
}

fn is_key(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ENDS_OF_KEYS.iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn only_what_is_named_reaches_a_program() {
        let outside =
            [("PATH", "/bin"), ("HOME", "/home/me"), ("KEY", "sk-canary"), ("OTHER", "1"), ("MODE", "outside")];
        let outside = outside.map(|(name, value)| (name.into(), value.into()));
        let target = config::CommandTarget {
            command: vec!["agent".to_owned()],
            cwd: None,
            env: [("MODE".to_owned(), "eval".to_owned())].into(),
            pass_env: ["KEY", "MODE", "UNSET"].map(String::from).to_vec(),
        };
        let environment = Environment::of(&target, &outside);
        let variables: Vec<_> = environment
            .variables
            .iter()
            .map(|(name, value)| (name.to_str().unwrap(), value.to_str().unwrap()))
            .collect();
        assert_eq!(variables, [("HOME", "/home/me"), ("KEY", "sk-canary"), ("MODE", "eval"), ("PATH", "/bin")]);
        assert_eq!(environment.missing, ["UNSET"]);
        assert_eq!(environment.withheld(["OTHER", "KEY", "UNSET", "OTHER"].into_iter()), ["OTHER"]);
        assert_eq!(environment.secrets.redact("sk-canary outside".to_owned()), "[redacted KEY] [redacted MODE]");
    }

    #[test]
    fn keys_that_are_not_passed_are_hidden_too() {
        let outside = [
            ("KEY", "sk-canary"),
            ("GITHUB_TOKEN", "ghp-canary"),
            ("aws_secret", "aws-canary"),
            ("PGPASSWORD", "postgre"),
            ("USER", "somebody"),
        ];
        let outside = outside.map(|(name, value)| (name.into(), value.into()));
        let target = config::CommandTarget {
            command: vec!["agent".to_owned()],
            cwd: None,
            env: BTreeMap::new(),
            pass_env: vec!["KEY".to_owned()],
        };
        let environment = Environment::of(&target, &outside);
        let text = "sk-canary ghp-canary aws-canary postgre somebody";
        let shown = "[redacted KEY] [redacted GITHUB_TOKEN] [redacted aws_secret] postgre somebody";
        assert_eq!(environment.hidden.redact(text.to_owned()), shown);
        assert!(
            Environment::of(&config::CommandTarget { pass_env: Vec::new(), ..target }, &outside).secrets.is_empty()
        );
    }
}
