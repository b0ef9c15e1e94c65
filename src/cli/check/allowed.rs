//! Entries of `[[allow]]` that allow nothing.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::analysis::AllowedUse;
use crate::cli::input::{Workspaces, near};
use crate::config::{Allow, ConfigError};
use crate::diagnostic::{Finding, Severity, quoted};
use crate::text::Text;
use crate::workspace::absolute;

use super::Checked;

/// What the entries of each configuration did in the suites that were checked.
#[derive(Default)]
pub(super) struct AllowedEntries {
    by_config: HashMap<PathBuf, AllowedUse>,
}

impl AllowedEntries {
    /// Adds what the entries of a configuration did in one suite.
    pub(super) fn add(&mut self, config: &Path, uses: AllowedUse) {
        let all = self.by_config.entry(config.to_owned()).or_default();
        all.about.extend(uses.about);
        all.used.extend(uses.used);
    }

    /// A finding for each entry that allows nothing. An entry about no suite that was checked is only reported if `paths`
    /// include the whole workspace.
    pub(super) fn unused(&self, workspaces: &Workspaces, paths: &[PathBuf]) -> Vec<Checked> {
        let mut unused = Vec::new();
        for loaded in workspaces.files() {
            let Ok(loaded) = &**loaded else { continue };
            let Some(config) = loaded.config_path.as_deref().filter(|_| loaded.errors.is_empty()) else { continue };
            let is_whole = paths.iter().any(|path| loaded.root.starts_with(absolute(path)));
            let uses = self.by_config.get(config).cloned().unwrap_or_default();
            let idle = loaded
                .config
                .allowed
                .iter()
                .enumerate()
                .filter(|(index, _)| !uses.used.contains(index) && (is_whole || uses.about.contains(index)));
            let findings: Vec<_> = idle.map(|(index, entry)| finding(entry, uses.about.contains(&index))).collect();
            if !findings.is_empty() {
                unused.push(Checked { name: near(config), text: Text::new(&loaded.text), findings, fixed: false });
            }
        }
        unused
    }
}

fn finding(entry: &Allow, is_about_a_case: bool) -> Finding {
    let lint = quoted(&entry.lint);
    let message = match is_about_a_case {
        true => format!("this entry allows nothing: {lint} finds nothing there; remove the entry"),
        false => "no case of this workspace matches this entry; correct or remove it".to_owned(),
    };
    Finding::new(ConfigError::LINT, Severity::Warning, entry.span, message)
}
