//! Notices what changes on disk: runs and transcripts that other programs write, for example `eval-ls run` in a terminal, and the tools that the
//! files of a workspace show. Clients watch files, but some miss files in folders that are new, and some do not watch at all.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{io, thread};

use crate::config::Config;
use crate::lsp::client::settings::log;
use crate::lsp::session::state::State;
use crate::lsp::session::suites::{self, Stamp};
use crate::runs::Runs;
use crate::transcript::Store;
use crate::workspace::root_of;
use crate::workspace::tools::Observers;

use super::{ClientHandle, Push};

/// How often folders are compared. A person who comes from a terminal looks at the editor about as late.
const INTERVAL: Duration = Duration::from_secs(2);

/// The identities of folders, and of the last run in each.
type Seen = BTreeMap<PathBuf, (Option<Stamp>, Option<Stamp>)>;

/// Starts to look for runs and transcripts.
pub(crate) fn look_for_runs(client: ClientHandle) {
    tokio::spawn(async move {
        let mut seen = Seen::new();
        loop {
            tokio::time::sleep(INTERVAL).await;
            let (suites, folders) = client.shared().read(State::places_of_answers);
            let Ok(now) = tokio::task::spawn_blocking(move || look(&suites, &folders)).await else {
                log("internal error while looking for new runs");
                continue;
            };
            let exists = |(folder, stamps): &(&PathBuf, &(Option<Stamp>, Option<Stamp>))| {
                stamps.0.is_some() || seen.contains_key(*folder)
            };
            if now.iter().filter(exists).any(|(folder, stamps)| seen.get(folder) != Some(stamps)) {
                client.shared().change(State::look_again);
                client.push(Push::RunsChanged);
            }
            seen = now;
        }
    });
}

fn look(suites: &[(PathBuf, Arc<Config>)], folders: &[(PathBuf, Arc<Config>)]) -> Seen {
    let stores = suites.iter().map(|(path, config)| suites::store(path, config));
    let transcripts = stores.filter(Store::is_inside).map(|store| {
        let folder = store.folder();
        (folder.to_owned(), (Stamp::of_file(folder), None))
    });
    let runs =
        folders.iter().map(|(folder, config)| suites::kept_runs(&root_of(folder), config)).filter(Runs::is_inside);
    let runs = runs.map(|runs| {
        let last = runs.last_record().as_deref().and_then(Stamp::of_file);
        (runs.path().to_owned(), (Stamp::of_file(runs.path()), last))
    });
    transcripts.chain(runs).collect()
}

/// The pause after a look. Several files that change together are one look.
const PAUSE: Duration = Duration::from_millis(200);

/// Looks for the tools of each workspace in the files around open suites, in one thread, so that requests never wait for the disk.
/// Requests to look again that arrive during a look or shortly after it lead to one more look. If the tools of an open suite change, the client asks for its
/// diagnostics again.
///
/// # Errors
/// If the thread cannot be started.
pub(crate) fn look_for_tools(client: ClientHandle) -> io::Result<()> {
    let look = move || {
        let mut observers = Observers::default();
        loop {
            let scopes = client.shared().wait(State::scopes_to_read);
            observers.keep(scopes.iter().map(|(scope, _)| scope));
            for (scope, config) in scopes {
                let look = AssertUnwindSafe(|| observers.of(&scope).tools(&config));
                let Ok(tools) = catch_unwind(look) else { continue };
                if !client.shared().change(|state| state.set_tools(&scope, tools)).is_empty() {
                    client.push(Push::RefreshDiagnostics);
                }
            }
            thread::sleep(PAUSE);
        }
    };
    thread::Builder::new().name("lsp-observer".to_owned()).spawn(look).map(drop)
}
