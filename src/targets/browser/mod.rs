//! A live web app in a real browser, driven through the agent-browser program.
//!
//! Each job of a run has a separate browser ([`program`]), and each case opens the app again ([`chat`]). [`send`] types a
//! prompt into the chat input and sends it. It then looks at the page with the scripts of [`probe`] until [`turn`] decides
//! that the answer is complete. The lines that the app appended to its log meanwhile are the telemetry ([`telemetry`]).
//! `docs/web-app.md` describes this for users.

mod chat;
mod error;
mod home;
mod log;
mod page;
mod probe;
mod program;
mod requests;
mod send;
mod session;
mod steps;
mod telemetry;
#[cfg(all(test, target_os = "linux"))]
mod tests;
mod turn;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use async_trait::async_trait;
use program::Program;
use session::BrowserSession;
use steps::StepList;
use tokio::sync::Mutex;

use crate::config::{self, HumanDuration, PreconditionCheck};
use crate::targets::plain::Addresses;

use super::plain::{password, query_values, struck_out};
use super::target::Preconditions;
use super::{Context, Secrets, Session, Target, TargetError};
use crate::transcript::Origin;

pub(crate) use error::BrowserError;

/// A live web app.
pub(crate) struct BrowserTarget {
    app: Arc<App>,
    /// The browser that opened the app before the first case; the first job continues with it.
    first: Mutex<Option<BrowserSession>>,
}

/// What every session of the target has in common.
#[derive(Debug)]
struct App {
    target: String,
    config: config::BrowserTarget,
    addresses: Addresses,
    before: StepList,
    between: StepList,
    after: StepList,
    /// The preconditions that programs check.
    preconditions: Preconditions,
    /// The steps that check the others, each with the precondition's text.
    precondition_steps: Vec<(String, StepList)>,
    log: Option<PathBuf>,
    /// The beginning of the sessions' names.
    session: String,
    /// How long one answer may take before it settles, if that is limited.
    answer_within: Option<HumanDuration>,
    /// How long a page without a chat input must stay the same until the input is reported as missing.
    loading: Duration,
    /// Whether a prompt was sent with a button because Enter did not send it.
    button: AtomicBool,
    /// What send buttons looked like after an answer was complete.
    idle: std::sync::Mutex<BTreeSet<String>>,
    program: Program,
}

/// How long an app that shows nothing new may still be loading.
const LOADING: Duration = Duration::from_secs(5);

/// Options of a run beside the target's table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BrowserOptions {
    /// The name of the browser's session; a number follows in the names of further jobs.
    pub(crate) session: Option<String>,
    /// How long one answer may take before the page settles.
    pub(crate) answer_within: Option<HumanDuration>,
}

impl BrowserTarget {
    /// The target called `name`, which checks these preconditions before a case. `folder` is that of `eval-ls.toml`; the log's path is
    /// relative to it. Nothing starts yet.
    ///
    /// # Errors
    /// If a step cannot be taken on a page.
    pub(crate) fn new(
        name: &str,
        config: &config::BrowserTarget,
        checks: &BTreeMap<String, PreconditionCheck>,
        folder: &Path,
        options: &BrowserOptions,
    ) -> Result<Self, String> {
        let program = Program::new(folder, &|variable| std::env::var_os(variable), std::env::vars_os());
        let mut target = Self::with_program(name, config, folder, options, program)?;
        let app = Arc::get_mut(&mut target.app).expect("no session is open yet");
        app.preconditions = Preconditions::new(checks, folder);
        for (text, check) in checks {
            if let PreconditionCheck::Steps(steps) = check {
                app.precondition_steps.push((text.clone(), steps::checked("`steps`", steps)?));
            }
        }
        Ok(target)
    }

    fn with_program(
        name: &str,
        config: &config::BrowserTarget,
        folder: &Path,
        options: &BrowserOptions,
        program: Program,
    ) -> Result<Self, String> {
        let app = App {
            target: name.to_owned(),
            addresses: Addresses::of(config),
            before: steps::checked("`before`", &config.before)?,
            between: steps::checked("`between`", &config.between)?,
            after: steps::checked("`after`", &config.after)?,
            preconditions: Preconditions::default(),
            precondition_steps: Vec::new(),
            log: config.telemetry_log.as_ref().map(|log| folder.join(log)),
            session: options.session.clone().unwrap_or_else(|| format!("eval-ls-{}", std::process::id())),
            answer_within: options.answer_within,
            loading: LOADING,
            button: AtomicBool::new(false),
            idle: std::sync::Mutex::default(),
            program,
            config: config.clone(),
        };
        Ok(Self { app: Arc::new(app), first: Mutex::new(None) })
    }

    /// The addresses that the configuration names.
    fn addresses(&self) -> impl Iterator<Item = &String> {
        let config = &self.app.config;
        [&config.url].into_iter().chain(&config.space_url).chain(&config.allow)
    }

    fn passwords(&self) -> Vec<String> {
        self.addresses().filter_map(|address| password(address)).collect()
    }
}

/// The name of a password in place of its value.
const PASSWORD: &str = "the password of an address";

#[async_trait]
impl Target for BrowserTarget {
    fn name(&self) -> &str {
        &self.app.target
    }

    fn is_live(&self) -> bool {
        true
    }

    fn origin(&self) -> Origin {
        let config = &self.app.config;
        Origin {
            session: Some(self.app.session.clone()),
            telemetry_log_path: self.app.log.as_ref().map(|log| log.display().to_string()),
            app_url: Some(struck_out(&config.url)),
            space_url: config.space_url.as_deref().map(struck_out),
        }
    }

    fn secrets(&self) -> Secrets {
        Secrets::new(self.passwords().iter().map(|password| (PASSWORD, password.as_str())))
    }

    fn secrets_of_reasons(&self) -> Secrets {
        let passwords = self.passwords();
        let values: Vec<_> = self.addresses().flat_map(|address| query_values(address)).collect();
        let values = values.iter().map(|value| ("a part of an address", value.as_str()));
        Secrets::new(passwords.iter().map(|password| (PASSWORD, password.as_str())).chain(values))
    }

    /// One, if there is a log whose events do not name their case.
    fn most_jobs(&self) -> Option<(NonZeroUsize, &'static str)> {
        let why = "the events in `telemetry_log` do not name their case (with `telemetry_key` they can)";
        let is_shared = self.app.log.is_some() && self.app.config.telemetry_key.is_empty();
        is_shared.then_some((NonZeroUsize::MIN, why))
    }

    async fn set_up(&self, context: &Context) -> Result<(), TargetError> {
        home::sweep();
        let mut session = BrowserSession::new(Arc::clone(&self.app), 0)?;
        let looked = session.look(context).await;
        match looked {
            Ok(()) => *self.first.lock().await = Some(session),
            Err(_) => session.end().await,
        }
        Ok(looked?)
    }

    async fn session(&self, job: usize, _context: &Context) -> Result<Box<dyn Session>, TargetError> {
        let known = if job == 0 { self.first.lock().await.take() } else { None };
        let session = match known {
            Some(session) => session,
            None => BrowserSession::new(Arc::clone(&self.app), job)?,
        };
        Ok(Box::new(session))
    }

    async fn tear_down(&self) {
        if let Some(session) = self.first.lock().await.take() {
            session.end().await;
        }
    }
}
