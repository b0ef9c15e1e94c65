//! Notices runs and transcripts that other programs write, for example `eval-ls run` in a terminal. Clients watch files, but some
//! miss files in folders that are new, and some do not watch at all.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::config::Config;
use crate::lsp::client::settings::log;
use crate::lsp::session::state::State;
use crate::lsp::session::suites;
use crate::lsp::session::suites::Stamp;
use crate::runs::Runs;
use crate::transcript::Store;
use crate::workspace::root_of;

use super::{ClientHandle, Push};

/// How often folders are compared. A person who comes from a terminal looks at the editor about as late.
const INTERVAL: Duration = Duration::from_secs(2);

/// The identities of folders, and of the last run in each.
type Seen = BTreeMap<PathBuf, (Option<Stamp>, Option<Stamp>)>;

pub(crate) fn start(client: ClientHandle) {
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
