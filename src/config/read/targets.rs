use std::collections::BTreeMap;

use serde::Deserialize;
use toml::de::DeTable;

use crate::config::model::REPLAY;
use crate::config::{Config, ConfigError, Precondition, PreconditionCheck, TargetConfig, TargetKind, toml_string};
use crate::diagnostic::{nearest, quoted};

use super::check::{Errors, Keys};
use super::keys::TARGETS;

/// The most targets of a configuration. A person selects one by name.
const MOST_TARGETS: usize = 200;

/// Reads `[targets]` without the targets that have an error, and checks that the target of `[run]` exists.
pub(super) fn read(root: &DeTable<'_>, config: &mut Config, errors: &mut Errors) {
    let targets = root.get("targets").and_then(|value| errors.as_table("targets", value));
    let mut names = vec![REPLAY];
    for (number, (key, value)) in targets.into_iter().flatten().enumerate() {
        let name: &str = key.get_ref();
        names.push(name);
        if number >= MOST_TARGETS {
            let message = format!("more than {MOST_TARGETS} targets; the rest is ignored");
            errors.report(ConfigError::new(key.span().into(), message));
            break;
        }
        let target = errors.sound(|errors| {
            let table = errors.as_table(name, value)?;
            let word = table.get("kind").and_then(|kind| kind.get_ref().as_str());
            let known = TARGETS.iter().find(|(kind, _)| Some(*kind) == word);
            if known.is_some_and(|(kind, _)| name == REPLAY && *kind != REPLAY) {
                let message = "the target `replay` is built in and can only be of the kind `replay`";
                errors.report(ConfigError::new(key.span().into(), message).help("give this one another name"));
            }
            // Without a kind, a key of any kind may be right.
            let all = TARGETS.iter().flat_map(|(_, keys)| keys.groups).copied().collect::<Vec<_>>();
            let keys = known.map_or(Keys { groups: &all, required: &["kind"], rules: &[] }, |(_, keys)| *keys);
            let place = quoted(&format!("[targets.{name}]")).to_string();
            let json = errors.table(&place, value.span().into(), table, keys);
            TargetConfig::deserialize(json).ok()
        });
        if let Some(mut target) = target {
            target.span = Some(key.span().into());
            target.preconditions = checkable(&target.kind, &config.preconditions);
            config.targets.insert(name.to_owned(), target);
        }
    }
    let run = root.get("run").and_then(|run| run.get_ref().as_table());
    let Some(wanted) = run.and_then(|run| run.get("target")) else { return };
    if let Some(name) = wanted.get_ref().as_str().filter(|name| !name.is_empty() && !names.contains(name)) {
        let error = ConfigError::new(wanted.span().into(), format!("the target {} does not exist", quoted(name)));
        errors.report_absent(match nearest(name, names) {
            Some(meant) => error.did_you_mean(meant, toml_string(meant)),
            None => error.help(format!("define it under {}", quoted(&format!("[targets.{name}]")))),
        });
    }
}

/// Returns the checks that a target of that kind can make.
fn checkable(kind: &TargetKind, preconditions: &BTreeMap<String, Precondition>) -> BTreeMap<String, PreconditionCheck> {
    let can_be_made = |check: &PreconditionCheck| match kind {
        TargetKind::Replay => false,
        TargetKind::Command(_) => matches!(check, PreconditionCheck::Command(_)),
        TargetKind::Browser(_) => true,
    };
    let checks = preconditions.iter().filter(|(_, precondition)| can_be_made(&precondition.check));
    checks.map(|(text, precondition)| (text.clone(), precondition.check.clone())).collect()
}
