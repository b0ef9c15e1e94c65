//! What a run says about preconditions that nobody checks.

use std::collections::BTreeSet;

use crate::config::Config;
use crate::diagnostic::quoted;
use crate::suite::List;
use crate::targets::Target;

use super::Plan;

/// The notices for a run of `plan` with a target: one about the preconditions that nobody defined, and one about those that
/// this target cannot check. None if the target is not live: what was recorded is judged as it is.
pub(super) fn notices(plan: &Plan, target: &dyn Target, config: &Config) -> Vec<String> {
    if !target.is_live() {
        return Vec::new();
    }
    let texts = plan.cases.iter().flat_map(|case| case.placed.case.preconditions.iter().flat_map(List::entries));
    let texts: BTreeSet<&str> = texts.map(|text| text.value.as_str()).collect();
    let checked = config.targets.get(target.name()).map(|target| &target.preconditions);
    let (defined, undefined): (Vec<&str>, Vec<&str>) =
        texts.into_iter().partition(|text| config.preconditions.contains_key(*text));
    let unchecked: Vec<&str> =
        defined.into_iter().filter(|text| checked.is_none_or(|checked| !checked.contains_key(*text))).collect();
    let mut notices = Vec::new();
    if let Some((first, others)) = undefined.split_first() {
        let help = "define what it means under `[[preconditions]]` in eval-ls.toml";
        notices.push(format!("nothing checks the precondition {}{}; {help}", quoted(first), more(others)));
    }
    if let Some((first, others)) = unchecked.split_first() {
        let (first, target) = (quoted(first), quoted(target.name()));
        notices.push(format!(
            "the target {target} cannot take the steps of the precondition {first}{}; give it a `command`",
            more(others)
        ));
    }
    notices
}

fn more(others: &[&str]) -> String {
    match others.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    }
}
