use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::{Accepted, Files, FromRuns, ToRead};
use crate::analysis::OwnAnswer;
use crate::config::Config;
use crate::lsp::session::shared::Shared;
use crate::lsp::session::state::State;
use crate::lsp::transport::log;
use crate::transcript::Store;
use crate::workspace::{Scope, own_answers};

/// Starts reading transcripts. The thread runs until the process ends.
///
/// # Errors
/// If the thread cannot be started.
pub(in crate::lsp) fn start(shared: Arc<Shared>) -> io::Result<()> {
    let run = move || {
        loop {
            let next = shared.wait(State::next_to_read);
            let uri = next.uri.clone();
            if catch_unwind(AssertUnwindSafe(|| read(&shared, next))).is_err() {
                log(&format!("internal error while reading the transcripts of `{}`", uri.as_str()));
            }
        }
    };
    thread::Builder::new().name("lsp-transcripts".to_owned()).spawn(run).map(drop)
}

fn read(shared: &Shared, next: ToRead) {
    let ToRead { uri, path, config, known } = next;
    let files = read_all(&path, &config, &known);
    // Judge here, so that the diagnostics thread never blocks on verdicts.
    if let Some((document, answers)) = shared.read(|state| state.with_files(&uri, &files)) {
        document.verdicts(&answers).for_each(drop);
    }
    shared.change(|state| state.take_files(&uri, &config, files));
}

/// The transcripts of the suite at `path`, what kept runs say about its cases, its baselines, and the answers that
/// `[challenge]` lists. What is unchanged is taken from `known`.
pub(in crate::lsp) fn read_all(path: &Path, config: &Config, known: &Files) -> Files {
    let files = Files::read(&Store::new(path, config), Scope::of_file(path).folder(), known);
    let files = files.with_own(own(path, config)).with_runs(FromRuns::read(path, config, known.runs()));
    files.with_accepted(Accepted::read(path, config, known.accepted()))
}

/// The answers that `[challenge]` lists for the suite at `path`. None if one of them cannot be read.
fn own(path: &Path, config: &Config) -> Vec<OwnAnswer> {
    let patterns = &config.challenge.answers;
    if patterns.is_empty() {
        return Vec::new();
    }
    let scope = Scope::of_file(path);
    own_answers(scope.folder(), patterns).unwrap_or_else(|fault| {
        log(&format!("the answers of [challenge] are ignored: {fault}"));
        Vec::new()
    })
}
