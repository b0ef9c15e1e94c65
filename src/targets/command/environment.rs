//! What of the environment reaches a program.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;

use crate::config::CommandTarget;
use crate::processes::{ALWAYS, is_variable};
use crate::targets::Secrets;

/// The ends of the names of variables that hold keys.
const ENDS_OF_KEYS: [&str; 4] = ["KEY", "TOKEN", "SECRET", "PASSWORD"];

/// The shortest key that is looked for if the program was not passed it. Shorter ones may be ordinary words.
const SHORTEST_KEY: usize = 8;

/// The variables of a program, and the values that must not be seen.
#[derive(Debug)]
pub(super) struct Environment {
    pub(super) variables: BTreeMap<OsString, OsString>,
    /// The values that the program was passed.
    pub(super) secrets: Secrets,
    /// The same, and the keys that it was not passed: it may find them in another process of the user, such as the shell.
    pub(super) hidden: Secrets,
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
        let secrets: Vec<_> = passed
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.as_ref()?.to_string_lossy())))
            .collect();
        let is_passed = |name: &str| secrets.iter().any(|(passed, _)| is_variable(name, passed));
        let keys: Vec<_> = all
            .iter()
            .filter_map(|(name, value)| Some((name.to_str()?, value.to_string_lossy())))
            .filter(|(name, value)| is_key(name) && !is_passed(name) && value.trim().chars().count() >= SHORTEST_KEY)
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
            hidden: Secrets::new(secrets.iter().chain(&keys).map(|(name, value)| (*name, value.as_ref()))),
            secrets: Secrets::new(secrets.iter().map(|(name, value)| (*name, value.as_ref()))),
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

fn is_key(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ENDS_OF_KEYS.iter().any(|end| name.ends_with(end))
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

    #[test]
    fn keys_that_are_not_passed_are_hidden_too() {
        let outside = [
            ("KEY", "sk-canary"),
            ("GITHUB_TOKEN", "ghp-canary"),
            ("aws_secret", "aws-canary"),
            ("PGPASSWORD", "postgre"),
            ("USER", "somebody"),
        ];
        let outside = outside.map(|(name, value)| (name.into(), value.into()));
        let target = CommandTarget {
            command: vec!["agent".to_owned()],
            cwd: None,
            env: BTreeMap::new(),
            pass_env: vec!["KEY".to_owned()],
        };
        let environment = Environment::of(&target, &outside);
        let text = "sk-canary ghp-canary aws-canary postgre somebody";
        let shown = "[redacted KEY] [redacted GITHUB_TOKEN] [redacted aws_secret] postgre somebody";
        assert_eq!(environment.hidden.redact(text.to_owned()), shown);
        assert!(Environment::of(&CommandTarget { pass_env: Vec::new(), ..target }, &outside).secrets.is_empty());
    }
}
