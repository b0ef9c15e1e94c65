//! Entries of `eval-ls.toml` that name no case, those of `[[policy]]` that have expired, and those of `[[allow]]` that allow nothing.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::analysis::AllowedUse;
use crate::cli::input::{Workspaces, near};
use crate::clock;
use crate::config::{Allow, CaseGlob, Config, ConfigError};
use crate::diagnostic::{Finding, Severity, quoted};
use crate::text::{Span, Text};
use crate::workspace::absolute;

use super::Checked;

/// What the suites that were checked have of what the entries of each configuration name.
#[derive(Default)]
pub(super) struct Entries {
    by_config: HashMap<PathBuf, OfConfig>,
}

#[derive(Default)]
struct OfConfig {
    allowed: AllowedUse,
    ids: BTreeSet<String>,
    categories: BTreeSet<String>,
}

impl Entries {
    /// Adds what one suite has: what the entries of `[[allow]]` did in it, and the id and category of each case.
    pub(super) fn add(&mut self, config: &Path, uses: Option<AllowedUse>, cases: Vec<(String, String)>) {
        let all = self.by_config.entry(config.to_owned()).or_default();
        if let Some(uses) = uses {
            all.allowed.about.extend(uses.about);
            all.allowed.used.extend(uses.used);
        }
        for (id, category) in cases {
            all.ids.insert(id);
            all.categories.insert(category);
        }
    }

    /// A finding for each entry that allows nothing, has expired, or names no case. An entry about no suite that was checked is only reported if
    /// `paths` include the whole workspace.
    pub(super) fn unused(&self, workspaces: &Workspaces, paths: &[PathBuf]) -> Vec<Checked> {
        let mut unused = Vec::new();
        let none = OfConfig::default();
        for loaded in workspaces.files() {
            let Ok(loaded) = &**loaded else { continue };
            let Some(path) = loaded.config_path.as_deref().filter(|_| loaded.errors.is_empty()) else { continue };
            let is_whole = paths.iter().any(|path| loaded.root.starts_with(absolute(path)));
            let of_config = self.by_config.get(path).unwrap_or(&none);
            let uses = &of_config.allowed;
            let allowed = loaded.config.allowed.iter().enumerate();
            let idle =
                allowed.filter(|(index, _)| !uses.used.contains(index) && (is_whole || uses.about.contains(index)));
            let mut findings: Vec<_> =
                idle.map(|(index, entry)| allows_nothing(entry, uses.about.contains(&index))).collect();
            findings.extend(expired(&loaded.config));
            if is_whole && !of_config.ids.is_empty() {
                findings.extend(of_config.without_a_case(&loaded.config));
            }
            if !findings.is_empty() {
                findings.sort_by_key(|finding| finding.span.start);
                unused.push(Checked { name: near(path), text: Text::new(&loaded.text), findings, fixed: false });
            }
        }
        unused
    }
}

impl OfConfig {
    /// A finding for each entry that no case matches.
    fn without_a_case<'a>(&'a self, config: &'a Config) -> impl Iterator<Item = Finding> + 'a {
        let has = |glob: &CaseGlob, names: &BTreeSet<String>| names.iter().any(|name| glob.matches(name));
        let policies = config.policies.iter().filter_map(move |policy| {
            let cases = policy.cases.as_ref().filter(|glob| !has(glob, &self.ids)).map(|glob| ("cases", glob));
            let missing = || policy.category.as_ref().filter(|glob| !has(glob, &self.categories));
            let (key, glob) = cases.or_else(|| missing().map(|glob| ("category", glob)))?;
            Some(names_none("[[policy]]", key, glob, policy.span))
        });
        let exceptions = config.challenge.exceptions.iter().filter(move |entry| !has(&entry.cases, &self.ids));
        let exceptions =
            exceptions.map(|entry| names_none("[[challenge.exceptions]]", "cases", &entry.cases, entry.span));
        policies.chain(exceptions)
    }
}

fn expired(config: &Config) -> impl Iterator<Item = Finding> + '_ {
    let today = clock::now().date();
    let warning = |span, message| Finding::new(ConfigError::LINT, Severity::Warning, span, message);
    config.policies.iter().filter_map(move |policy| Some(warning(policy.span, policy.expired(today)?)))
}

fn names_none(table: &str, key: &str, glob: &CaseGlob, span: Span) -> Finding {
    let message = format!(
        "no case of this workspace has the {} {}, which this entry of `{table}` names; correct or remove it",
        if key == "cases" { "id" } else { key },
        quoted(glob.as_str())
    );
    Finding::new(ConfigError::LINT, Severity::Warning, span, message)
}

fn allows_nothing(entry: &Allow, is_about_a_case: bool) -> Finding {
    let lint = quoted(&entry.lint);
    let message = match is_about_a_case {
        true => format!("this entry allows nothing: {lint} finds nothing there; remove the entry"),
        false => "no case of this workspace matches this entry; correct or remove it".to_owned(),
    };
    Finding::new(ConfigError::LINT, Severity::Warning, entry.span, message)
}
