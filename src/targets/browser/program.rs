//! The agent-browser program: where it is, and what of the environment it is given.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use tokio::process::Command;

/// How long the program that agent-browser leaves running waits for a word before it ends by itself, in milliseconds:
/// what remains of a run that was killed is gone after that.
const IDLE: &str = "60000";

/// What the program is given of the environment, beside its own variables.
const PASSED: [&str; 19] = [
    "PATH",
    "HOME",
    "USER",
    "LANG",
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

/// Its own variables begin with this.
const OWN: &str = "AGENT_BROWSER_";

/// Those of its own variables that would mix its sessions with others', or change what it answers.
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
}

impl Program {
    /// The program that `AGENT_BROWSER` names, else the one in the folders of `PATH`. Paths in the variables that it
    /// is given count from `folder`.
    pub(super) fn new(
        folder: &Path,
        lookup: &dyn Fn(&str) -> Option<OsString>,
        all: impl Iterator<Item = (OsString, OsString)>,
    ) -> Self {
        let path = lookup("AGENT_BROWSER").filter(|path| !path.is_empty()).map(PathBuf::from);
        let path = match path {
            // It counts from where this program was started, as paths in the environment do.
            Some(path) if path.components().count() > 1 => std::path::absolute(&path).unwrap_or(path),
            Some(name) => name,
            None => PathBuf::from("agent-browser"),
        };
        let mut environment: BTreeMap<_, _> = all.filter(|(name, _)| is_passed(name)).collect();
        for (_, value) in environment.iter_mut().filter(|(name, _)| PATHS.iter().any(|path| name == path)) {
            // A program's name, or a profile's, is none of a file that is there.
            let path = folder.join(&*value);
            if path.exists() {
                *value = std::path::absolute(&path).unwrap_or(path).into();
            }
        }
        environment.entry("AGENT_BROWSER_IDLE_TIMEOUT_MS".into()).or_insert_with(|| IDLE.into());
        // It would look up on the internet whether the browser is outdated.
        environment.insert("AGENT_BROWSER_NO_VERSION_CHECK".into(), "1".into());
        Self { path, environment }
    }

    /// Where it is, or its name where it is looked for.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A call of it whose sessions are known in the folder `home` alone.
    pub(super) fn command(&self, home: &Path, temporary: &Path, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        command.args(arguments).env_clear().envs(&self.environment);
        command.env("AGENT_BROWSER_SOCKET_DIR", home).env("TMPDIR", temporary);
        // Where it runs it looks for a configuration of its own, which is not to come with the suites: nobody was asked.
        if home.is_dir() {
            command.current_dir(home);
        }
        command
    }
}

/// Those of its own variables that may name a file.
const PATHS: [&str; 3] = ["AGENT_BROWSER_STATE", "AGENT_BROWSER_EXECUTABLE_PATH", "AGENT_BROWSER_PROFILE"];

fn is_passed(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return false };
    PASSED.contains(&name) || name.strip_prefix(OWN).is_some_and(|own| !WITHHELD.contains(&own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_mix_sessions_or_is_none_of_its_business_stays_out() {
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
    fn without_a_word_it_is_looked_for() {
        for named in [None, Some("")] {
            let program = Program::new(Path::new("/"), &|_| named.map(Into::into), std::iter::empty());
            assert_eq!(program.path(), Path::new("agent-browser"));
        }
    }
}
