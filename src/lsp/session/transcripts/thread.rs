use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::{io, thread};

use crate::lsp::client::settings::log;
use crate::lsp::session::shared::Shared;
use crate::lsp::session::state::State;

use super::ToRead;
use super::reader::{Seen, read};

/// Starts reading transcripts. The thread runs until the process ends.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn start(shared: Arc<Shared>) -> io::Result<()> {
    let run = move || {
        let mut seen = Seen::new();
        loop {
            let next = shared.wait(State::next_to_read);
            let uri = next.uri.clone();
            if catch_unwind(AssertUnwindSafe(|| read_next(&shared, next, &mut seen))).is_err() {
                log(&format!("internal error while reading the transcripts of `{}`", uri.as_str()));
            }
        }
    };
    thread::Builder::new().name("lsp-transcripts".to_owned()).spawn(run).map(drop)
}

fn read_next(shared: &Shared, next: ToRead, seen: &mut Seen) {
    let (uri, config) = (next.uri.clone(), Arc::clone(&next.config));
    let Some(document) = shared.read(|state| state.document(&uri)) else { return };
    let Some(files) = read(next, &document, seen) else { return };
    // Judge here, so that the diagnostics thread never blocks on verdicts.
    if let Some((document, answers)) = shared.read(|state| state.with_files(&uri, &files)) {
        document.verdicts(&answers).for_each(drop);
    }
    shared.change(|state| state.take_files(&uri, &config, files));
}
