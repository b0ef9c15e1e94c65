//! The agent-browser program: its place, and its environment.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use tokio::process::Command;

use crate::processes;

/// How long the program that agent-browser leaves running waits for a command before it ends by itself, in milliseconds. If
/// a run was killed, its browser ends after that time.
const IDLE: &str = "60000";

/// The variables of the environment that the program receives, beside its own and those that every program receives.
const PASSED: [&str; 16] = [
    "USER",
    "LC_ALL",
    "TZ",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "XAUTHORITY",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "XDG_DATA_DIRS",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
];

/// The beginning of its variables' names.
const OWN: &str = "AGENT_BROWSER_";

/// Those of agent-browser's variables that would mix sessions, or change its answers.
const WITHHELD: [&str; 16] = [
    "SESSION",
    "SESSION_NAME",
    "NAMESPACE",
    "SOCKET_DIR",
    "RESTORE",
    "CDP",
    "AUTO_CONNECT",
    "PIN_TAB",
    "JSON",
    "DEBUG",
    "CONTENT_BOUNDARIES",
    "MAX_OUTPUT",
    "ACTION_POLICY",
    "CONFIRM_ACTIONS",
    "CONFIRM_INTERACTIVE",
    "DASHBOARD",
];

/// The agent-browser program.
#[derive(Clone, Debug)]
pub(super) struct Program {
    path: PathBuf,
    environment: BTreeMap<OsString, OsString>,
    node: PathBuf,
    /// The folder of the npm package playwright-core, if the user has named one.
    playwright: Option<PathBuf>,
}

impl Program {
    /// The program that `AGENT_BROWSER` names, else the one in the folders of `PATH`. Paths in its variables are relative to
    /// `folder`. `PLAYWRIGHT_CORE` names a package, which is never looked for beside the suites: its code was not part of the
    /// approval.
    pub(super) fn new(
        folder: &Path,
        lookup: &dyn Fn(&str) -> Option<OsString>,
        all: impl Iterator<Item = (OsString, OsString)>,
    ) -> Self {
        let named = |variable| lookup(variable).filter(|path| !path.is_empty()).map(PathBuf::from);
        // It is relative to the working directory, like other paths in the environment.
        let absolute = |path| std::path::absolute(&path).unwrap_or(path);
        let path = match named("AGENT_BROWSER") {
            Some(path) if path.components().count() > 1 => absolute(path),
            Some(name) => name,
            None => PathBuf::from("agent-browser"),
        };
        let path = processes::file_of(path, lookup);
        let mut environment: BTreeMap<_, _> = all.filter(|(name, _)| is_passed(name)).collect();
        for (_, value) in environment.iter_mut().filter(|(name, _)| PATHS.iter().any(|path| name == path)) {
            // The value may also be the name of a program or a profile.
            let path = folder.join(&*value);
            if path.exists() {
                *value = std::path::absolute(&path).unwrap_or(path).into();
            }
        }
        environment.entry("AGENT_BROWSER_IDLE_TIMEOUT_MS".into()).or_insert_with(|| IDLE.into());
        // Otherwise it looks for newer versions on the internet.
        environment.insert("AGENT_BROWSER_NO_VERSION_CHECK".into(), "1".into());
        let node = processes::file_of(PathBuf::from("node"), lookup);
        Self { path, environment, node, playwright: named("PLAYWRIGHT_CORE").map(absolute) }
    }

    /// Its path, or its name if it is searched in `PATH`.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A call of it whose sessions are known only in the folder `home`.
    pub(super) fn command(&self, home: &Path, temporary: &Path, arguments: &[&str]) -> Command {
        let mut command = self.in_home(&self.path, home);
        command.args(arguments).envs(&self.environment).env("TMPDIR", temporary);
        command
    }

    /// A script for Node.js, whose arguments are the package playwright-core, or nothing for the global one, and `argument`.
    pub(super) fn node(&self, home: &Path, temporary: &Path, script: &str, argument: &str) -> Command {
        let mut command = self.in_home(&self.node, home);
        let variables = self.environment.iter().filter(|(name, _)| is_always_passed(name));
        command.envs(variables).env("TMPDIR", temporary);
        command.arg("-e").arg(script).arg("--").arg(self.playwright.as_deref().unwrap_or(Path::new(""))).arg(argument);
        command
    }

    /// A program that belongs to the session in the folder `home`, still without variables.
    fn in_home(&self, program: &Path, home: &Path) -> Command {
        let mut command = Command::new(program);
        command.env_clear().env("AGENT_BROWSER_SOCKET_DIR", home);
        // Programs read configurations from their working directory. One beside the suites was not part of the approval.
        if home.is_dir() {
            command.current_dir(home);
        }
        command
    }
}

/// Those of its variables that may name a file.
const PATHS: [&str; 3] = ["AGENT_BROWSER_STATE", "AGENT_BROWSER_EXECUTABLE_PATH", "AGENT_BROWSER_PROFILE"];

fn is_passed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    let is_passed = PASSED.iter().any(|passed| processes::is_variable(name, passed));
    is_passed || is_always_passed(name.as_ref()) || name.strip_prefix(OWN).is_some_and(|own| !WITHHELD.contains(&own))
}

/// Whether every program receives the variable.
fn is_always_passed(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| processes::ALWAYS.iter().any(|passed| processes::is_variable(name, passed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_mix_sessions_and_keys_are_withheld() {
        let outside = [
            ("PATH", "/bin"),
            ("OPENAI_API_KEY", "sk-canary"),
            ("AGENT_BROWSER_SESSION", "mine"),
            ("AGENT_BROWSER_CDP", "9222"),
            ("AGENT_BROWSER_STATE", "login.json"),
            ("AGENT_BROWSER", "tools/agent-browser"),
        ];
        let lookup = |name: &str| outside.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).into());
        let all = outside.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        let folder = tempfile::tempdir().unwrap();
        let saved = folder.path().join("login.json");
        std::fs::write(&saved, "{}").unwrap();
        let program = Program::new(folder.path(), &lookup, all);
        assert_eq!(program.environment[OsStr::new("AGENT_BROWSER_STATE")], saved);
        let names: Vec<_> = program.environment.keys().map(|name| name.to_str().unwrap()).collect();
        let expected =
            ["AGENT_BROWSER_IDLE_TIMEOUT_MS", "AGENT_BROWSER_NO_VERSION_CHECK", "AGENT_BROWSER_STATE", "PATH"];
        assert_eq!(names, expected);
        assert!(program.path().is_absolute() && program.path().ends_with("tools/agent-browser"));
    }

    #[test]
    fn without_a_variable_it_is_searched_in_the_path() {
        for named in [None, Some("")] {
            let program = Program::new(Path::new("/"), &|_| named.map(Into::into), std::iter::empty());
            assert_eq!(program.path(), Path::new("agent-browser"));
        }
    }
}
