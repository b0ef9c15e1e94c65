use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use crate::cli::input::near;
use crate::cli::run::batch::Batch;
use crate::config::CONFIG_FILE;
use crate::diagnostic::quoted;

/// The live targets that may start: those of the first round, because a person started that, and those that a person has
/// allowed since. A change of `eval-ls.toml`, such as the checkout of a branch, starts no other program.
#[derive(Debug, Default)]
pub(super) struct Started {
    known: HashSet<Identity>,
    /// Those that wait for a person, with their names.
    waiting: BTreeMap<Identity, String>,
    is_first_over: bool,
}

/// The folder of `eval-ls.toml`, and the hash of what a person approves.
type Identity = (PathBuf, String);

impl Started {
    /// Whether all targets of a round may start. The others wait from now on.
    pub(super) fn admits(&mut self, batches: &[Batch]) -> bool {
        self.waiting.clear();
        for batch in batches.iter().filter(|batch| batch.target.is_live()) {
            let identity = (batch.root.clone(), batch.hash.clone());
            if !self.is_first_over {
                self.known.insert(identity);
            } else if !self.known.contains(&identity) {
                let (target, config) = (quoted(batch.target.name()), near(&batch.root.join(CONFIG_FILE)));
                self.waiting.insert(identity, format!("the target {target} in {config}"));
            }
        }
        self.waiting.is_empty()
    }

    /// Ends the first round.
    pub(super) fn close(&mut self) {
        self.is_first_over = true;
    }

    /// The targets that wait, for people.
    pub(super) fn waiting(&self) -> Option<String> {
        let names: Vec<&str> = self.waiting.values().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(" and "))
    }

    /// Allows those that wait: a person has seen their names.
    pub(super) fn allow(&mut self) {
        self.known.extend(std::mem::take(&mut self.waiting).into_keys());
    }
}
