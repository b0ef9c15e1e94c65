//! The agent-browser program: its place, its environment, and one browser with the commands that it receives.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use tokio::process::Command;

use crate::targets::plain::{beginning, plain};
use crate::targets::process::{Ending, exchange};
use crate::targets::{Cancel, Deadline, Stop, off_reactor};
use crate::{files, processes};

use super::error::BrowserError;
use super::home::Home;

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

/// The variables of agent-browser that would mix sessions, or change its answers.
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
    /// The program that `AGENT_BROWSER` names, else the one in the folders of `PATH`. Paths in its variables are relative to
    /// `folder`.
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
        Self { path, environment }
    }

    /// The path, or its name if it is searched in `PATH`.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A call of it whose sessions are known only in the folder `home`.
    pub(super) fn command(&self, home: &Path, temporary: &Path, arguments: &[&str]) -> Command {
        let mut command = self.in_home(&self.path, home);
        command.args(arguments).envs(&self.environment).env("TMPDIR", temporary);
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

/// The variables of agent-browser that may name a file.
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

/// How long closing may take.
const CLOSING: &str = "4s";

/// The largest picture, in bytes.
const MOST_OF_PICTURE: u64 = 64 << 20;

/// How long taking a picture may take.
const PICTURE: &str = "3s";

/// How long the processes of a closed browser may take to end.
const ENDING: Duration = Duration::from_secs(2);

/// A separate browser. It starts with the first call, and has ended when this is closed or dropped.
#[derive(Debug)]
pub(super) struct Browser {
    program: Program,
    home: Home,
    session: String,
}

/// Why a call failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// The call had to stop; the browser may still be at work.
    Stopped(Stop),
    /// A step cannot be taken; the reason of agent-browser.
    Refused(String),
    /// Something else failed.
    Broken(Box<BrowserError>),
}

impl Browser {
    /// A browser with that session name. It does not start yet.
    ///
    /// # Errors
    /// If no folder can be made for it.
    pub(super) fn new(program: &Program, session: String) -> Result<Self, Box<BrowserError>> {
        let home = Home::new().map_err(BrowserError::NoHome)?;
        Ok(Self { program: program.clone(), home, session })
    }

    /// Takes these steps in order, and returns the result of each. `doing` names the purpose in messages.
    ///
    /// agent-browser receives the steps by standard input. On its command line, it would take some words for options.
    pub(super) async fn call(&self, steps: &[&[&str]], deadline: &Deadline, doing: &str) -> Result<Vec<Value>, Fault> {
        let broken = |error| Fault::Broken(Box::new(error));
        let failed = |why: String| broken(BrowserError::failed(doing, why));
        let input = serde_json::to_vec(steps).expect("lists of strings always fit into JSON");
        let arguments = ["--session", &self.session, "--json", "batch", "--bail", "--omit-command"];
        let command = self.program.command(self.home.path(), self.home.temporary(), &arguments);
        let exchange = exchange(Some(self.home.session()), command, &input, deadline).await;
        let exchange = exchange.map_err(|error| broken(self.unfinished(error)))?;
        match exchange.ending {
            Ending::Stopped(stop) => return Err(Fault::Stopped(stop)),
            Ending::TooMuch => return Err(failed("the page's snapshot has more than 10 MiB".to_owned())),
            Ending::Lost(error) => return Err(failed(error.to_string())),
            // Its answer has all that its exit status has.
            Ending::Exited(_) => {}
        }
        let Ok(answer) = serde_json::from_slice::<Value>(&exchange.stdout) else {
            let said = [String::from_utf8_lossy(&exchange.stdout).into_owned(), exchange.stderr];
            let said = said.iter().find(|text| !text.trim().is_empty()).map_or_else(
                || "it printed nothing".to_owned(),
                |text| format!("its output is not JSON and begins with {}", beginning(text, 200)),
            );
            return Err(failed(said));
        };
        let Value::Array(rows) = answer else {
            let why = || match answer.get("error") {
                Some(_) => said(&answer),
                None => "its answer is not a list".to_owned(),
            };
            return Err(whole_failure(&answer).map_or_else(|| failed(why()), broken));
        };
        let mut results = Vec::with_capacity(rows.len());
        for mut row in rows {
            if row.get("success").and_then(Value::as_bool) != Some(true) {
                return Err(whole_failure(&row).map_or_else(|| Fault::Refused(said(&row)), broken));
            }
            results.push(row.get_mut("result").map(Value::take).unwrap_or_default());
        }
        if results.len() < steps.len() {
            return Err(failed(format!("it took {} of {} steps and gave no reason", results.len(), steps.len())));
        }
        Ok(results)
    }

    /// A picture of the page as PNG; `None` if it cannot be taken.
    pub(super) async fn picture(&self) -> Option<Vec<u8>> {
        let deadline = Deadline::start(PICTURE.parse().expect("it is a duration"), &Cancel::new());
        let path = self.home.temporary().join("picture.png");
        self.call(&[&["screenshot", path.to_str()?]], &deadline, "taking a picture").await.ok()?;
        off_reactor(move || files::read(&path, MOST_OF_PICTURE)).await.ok()
    }

    /// Ends the browser and the program that drives it.
    pub(super) async fn close(self) {
        let deadline = Deadline::start(CLOSING.parse().expect("it is a duration"), &Cancel::new());
        let arguments = ["--session", &self.session, "--json", "close"];
        let command = self.program.command(self.home.path(), self.home.temporary(), &arguments);
        // What does not close is killed.
        if exchange(Some(self.home.session()), command, b"", &deadline).await.is_ok() {
            self.home.ended_within(ENDING).await;
        }
    }

    fn unfinished(&self, error: io::Error) -> BrowserError {
        let program = self.program.path().to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => BrowserError::NotInstalled(program),
            _ => BrowserError::NotStarted(program, error),
        }
    }
}

/// What is wrong if the step itself is not at fault.
fn whole_failure(answer: &Value) -> Option<BrowserError> {
    let why = said(answer);
    if answer.get("code").and_then(Value::as_str).is_some_and(|code| matches!(code, "page_wedged" | "tab_gone")) {
        Some(BrowserError::Gone)
    } else if why.contains("Chrome not found") {
        Some(BrowserError::NoChromium)
    } else if ["Failed to launch Chrome", "Chrome exited early", "Auto-launch failed"]
        .iter()
        .any(|said| why.contains(said))
    {
        Some(BrowserError::ChromiumFailed(why))
    } else {
        None
    }
}

/// The first line of agent-browser's error.
fn said(answer: &Value) -> String {
    let text = answer.get("error").and_then(Value::as_str).unwrap_or_default();
    let line = plain(text.trim()).lines().next().unwrap_or_default().trim_end().to_owned();
    if line.is_empty() { "it gave no reason".to_owned() } else { line }
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
