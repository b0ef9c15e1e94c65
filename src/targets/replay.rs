use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::{Context, Request, Secrets, Session, Target, TargetError};
use crate::config::Config;
use crate::transcript::{Store, Transcript};

/// Answers with the stored transcripts. It starts nothing and writes nothing.
#[derive(Debug)]
pub(crate) struct ReplayTarget {
    name: String,
    config: Arc<Config>,
}

impl ReplayTarget {
    /// The target called `name`, with the transcripts in the folders that `config` names.
    pub(crate) fn new(name: &str, config: Arc<Config>) -> Self {
        Self { name: name.to_owned(), config }
    }
}

impl Target for ReplayTarget {
    fn name(&self) -> &str {
        &self.name
    }

    fn is_live(&self) -> bool {
        false
    }

    fn secrets(&self) -> Secrets {
        Secrets::default()
    }

    fn transcript(&self, suite: &Path, case: &str) -> Option<PathBuf> {
        Some(Store::new(suite, &self.config).path(case))
    }

    fn session<'a>(
        &'a self,
        _job: usize,
        _context: &'a Context,
    ) -> BoxFuture<'a, Result<Box<dyn Session>, TargetError>> {
        let session: Box<dyn Session> = Box::new(Replay { config: Arc::clone(&self.config) });
        async { Ok(session) }.boxed()
    }
}

struct Replay {
    config: Arc<Config>,
}

impl Session for Replay {
    fn ask<'a>(
        &'a mut self,
        request: &'a Request,
        _context: &'a Context,
    ) -> BoxFuture<'a, Result<Transcript, TargetError>> {
        let transcript = read(&Store::new(&request.suite, &self.config), &request.case);
        async { transcript }.boxed()
    }
}

fn read(store: &Store, case: &str) -> Result<Transcript, TargetError> {
    let path = store.path(case);
    // Opening a pipe would wait for a writer.
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return Err(TargetError::NoFile(path));
    }
    store.read(case)?.ok_or(TargetError::NoTranscript)
}
