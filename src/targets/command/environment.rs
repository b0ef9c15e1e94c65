//! What of the environment reaches a program.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use crate::config::CommandTarget;
use crate::processes::{ALWAYS, is_variable};
use crate::targets::Secrets;

/// The variables of a program, and those of their values that must not be seen.
#[derive(Debug)]
pub(super) struct Environment {
    pub(super) variables: BTreeMap<OsString, OsString>,
    pub(super) secrets: Secrets,
    /// The variables of `pass_env` that are not set.
    pub(super) missing: Vec<String>,
    /// The names of the variables that are set, but not passed.
    withheld: BTreeSet<String>,
}

impl Environment {
    /// Of all variables, those that `target` may have. What `env` sets wins.
    pub(super) fn of(target: &CommandTarget, all: &[(OsString, OsString)]) -> Self {
        let is_named = |known: &OsString, name: &str| known.to_str().is_some_and(|known| is_variable(known, name));
        let lookup = |name: &str| all.iter().find(|(known, _)| is_named(known, name)).map(|(_, value)| value.clone());
        let passed: Vec<_> = target.pass_env.iter().map(|name| (name, lookup(name))).collect();
        let missing = |(name, value): &(&String, Option<OsString>)| {
            (value.is_none() && !target.env.contains_key(*name)).then(|| (*name).clone())
        };
        let hidden: Vec<_> = passed
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.as_ref()?.to_string_lossy())))
            .collect();
        let always = ALWAYS.iter().filter_map(|name| Some(((*name).into(), lookup(name)?)));
        let given = target.env.iter().map(|(name, value)| (name.into(), value.into()));
        let variables: BTreeMap<OsString, OsString> = always
            .chain(passed.iter().filter_map(|(name, value)| Some((name.into(), value.clone()?))))
            .chain(given)
            .collect();
        let names = all.iter().filter_map(|(name, _)| name.to_str());
        let is_withheld = |name: &&str| !variables.keys().any(|known| is_named(known, name));
        Self {
            missing: passed.iter().filter_map(missing).collect(),
            secrets: Secrets::new(hidden.iter().map(|(name, value)| (*name, value.as_ref()))),
            withheld: names.filter(is_withheld).map(str::to_owned).collect(),
            variables,
        }
    }

    /// The value of a variable of the program.
    pub(super) fn get(&self, name: &str) -> Option<OsString> {
        let found =
            self.variables.iter().find(|(known, _)| known.to_str().is_some_and(|known| is_variable(known, name)));
        found.map(|(_, value)| value.clone())
    }

    /// Those of `names` that are set, but not passed.
    pub(super) fn withheld<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let names: BTreeSet<&str> = names.filter(|name| self.withheld.contains(*name)).collect();
        names.into_iter().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_named_reaches_a_program() {
        let outside =
            [("PATH", "/bin"), ("HOME", "/home/me"), ("KEY", "sk-canary"), ("OTHER", "1"), ("MODE", "outside")];
        let outside = outside.map(|(name, value)| (name.into(), value.into()));
        let target = CommandTarget {
            command: vec!["agent".to_owned()],
            cwd: None,
            env: [("MODE".to_owned(), "eval".to_owned())].into(),
            pass_env: ["KEY", "MODE", "UNSET"].map(String::from).to_vec(),
        };
        let environment = Environment::of(&target, &outside);
        let variables: Vec<_> = environment
            .variables
            .iter()
            .map(|(name, value)| (name.to_str().unwrap(), value.to_str().unwrap()))
            .collect();
        assert_eq!(variables, [("HOME", "/home/me"), ("KEY", "sk-canary"), ("MODE", "eval"), ("PATH", "/bin")]);
        assert_eq!(environment.missing, ["UNSET"]);
        assert_eq!(environment.withheld(["OTHER", "KEY", "UNSET", "OTHER"].into_iter()), ["OTHER"]);
        assert_eq!(environment.secrets.redact("sk-canary outside".to_owned()), "[redacted KEY] [redacted MODE]");
    }
}
