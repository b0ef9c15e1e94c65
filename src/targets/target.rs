use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;

use super::{Deadline, TargetError};
use crate::transcript::Transcript;

/// Something that answers the prompts of cases.
///
/// A run calls [`set_up`](Self::set_up) once, then opens one [`Session`] for each of its jobs, and each session is asked one
/// case after the other. At the end all sessions are closed and [`tear_down`](Self::tear_down) is called, also where the
/// run was cancelled and where `set_up` failed.
///
/// Everything that takes a [`Context`] watches its deadline and comes back soon after it is reached, leaving nothing
/// behind that still runs. A future that is dropped half-way leaves nothing behind either.
pub(crate) trait Target: Send + Sync {
    /// The name under which the configuration knows it.
    fn name(&self) -> &str;

    /// Whether asking costs time or money: what comes of it is then kept safe while the run goes on, and can be recorded.
    fn is_live(&self) -> bool;

    /// What a run's result says about where the answers came from.
    fn origin(&self) -> Origin {
        Origin::default()
    }

    /// How many cases it can be asked at a time, and why no more; `None` where there is no limit.
    fn most_jobs(&self) -> Option<(NonZeroUsize, &'static str)> {
        None
    }

    /// What must happen once before the first case.
    ///
    /// # Errors
    /// Where no case can be asked; the reason then is that of every case.
    fn set_up<'a>(&'a self, _context: &'a Context) -> BoxFuture<'a, Result<(), TargetError>> {
        async { Ok(()) }.boxed()
    }

    /// Opens the session of a job, `0` being the first.
    ///
    /// # Errors
    /// Where it cannot be opened; the reason is that of the case for which it was to be, and the next one tries again.
    fn session<'a>(&'a self, job: usize, context: &'a Context) -> BoxFuture<'a, Result<Box<dyn Session>, TargetError>>;

    /// What must happen once after the last case.
    fn tear_down(&self) -> BoxFuture<'_, ()> {
        async {}.boxed()
    }
}

/// What answers the cases of one job, one after the other.
pub(crate) trait Session: Send {
    /// Sends a case's prompts and waits for the answer. The transcript is as it may be kept: nothing secret is in it.
    ///
    /// # Errors
    /// Where there is no answer. The session must be able to take the next case all the same.
    fn ask<'a>(
        &'a mut self,
        request: &'a Request,
        context: &'a Context,
    ) -> BoxFuture<'a, Result<Transcript, TargetError>>;

    /// Does what the configuration asks for at the end of a case, whatever came of it.
    ///
    /// # Errors
    /// If that cannot be done. It changes no verdict.
    fn finish<'a>(&'a mut self, _context: &'a Context) -> BoxFuture<'a, Result<(), TargetError>> {
        async { Ok(()) }.boxed()
    }

    /// Whether pictures are to be taken of what cases that did not pass have come to.
    fn takes_pictures(&self) -> bool {
        false
    }

    /// A picture (PNG) of what the last case has come to; `None` where there is nothing to see.
    fn picture(&mut self) -> BoxFuture<'_, Option<Vec<u8>>> {
        async { None }.boxed()
    }

    /// Ends what the session holds open.
    fn close(self: Box<Self>) -> BoxFuture<'static, ()> {
        async {}.boxed()
    }
}

/// What a target is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    /// The suite's path.
    pub(crate) suite: PathBuf,
    /// The case's id.
    pub(crate) case: String,
    /// What must be so before the first prompt is sent, in the case's words.
    pub(crate) preconditions: Vec<String>,
    /// The prompts that are sent before, none of them empty.
    pub(crate) setup_prompts: Vec<String>,
    /// The prompt whose answer counts.
    pub(crate) prompt: String,
}

/// What goes with a request.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    /// When to stop.
    pub(crate) deadline: Deadline,
    /// Where to say how far it is.
    pub(crate) progress: Progress,
}

/// Takes messages such as `setup 1 of 3` while a case is asked.
#[derive(Clone)]
pub(crate) struct Progress {
    tell: Arc<dyn Fn(String) + Send + Sync>,
    warn: Arc<dyn Fn(String) + Send + Sync>,
}

/// Where a run's answers came from, as its result says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The name of the browser's session.
    pub(crate) session: Option<String>,
    /// The log that telemetry was read from.
    pub(crate) telemetry_log_path: Option<String>,
    /// The address of the app.
    pub(crate) app_url: Option<String>,
    /// The address that was opened for the cases.
    pub(crate) space_url: Option<String>,
}

impl Progress {
    /// Hands every message to `take`.
    pub(crate) fn new(take: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self { tell: Arc::new(take), warn: Arc::new(|_| ()) }
    }

    /// Hands what went wrong without an effect on the verdict to `take`.
    pub(crate) fn warning(self, take: impl Fn(String) + Send + Sync + 'static) -> Self {
        Self { warn: Arc::new(take), ..self }
    }

    /// Lets every message go.
    pub(crate) fn ignored() -> Self {
        Self::new(|_| ())
    }

    /// Says how far it is: a lower-case fragment.
    pub(crate) fn tell(&self, message: impl Into<String>) {
        (self.tell)(message.into());
    }

    /// Reports what went wrong without an effect on the verdict: a lower-case sentence.
    pub(crate) fn warn(&self, message: impl Into<String>) {
        (self.warn)(message.into());
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
