//! One browser, and the commands that it receives.

use std::io;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Mutex;

use super::error::BrowserError;
use super::home::Home;
use super::playwright::{Aria, Playwright};
use super::program::Program;
use crate::files;
use crate::targets::plain::{beginning, plain};
use crate::targets::process::{Ending, exchange_in};
use crate::targets::{Cancel, Deadline, Stop, off_reactor};

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
    /// It starts when it is needed.
    playwright: Mutex<Option<Playwright>>,
}

/// Why a call failed.
#[derive(Debug)]
pub(super) enum Fault {
    /// It was time to stop; the browser may still be at work.
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
        Ok(Self { program: program.clone(), home, session, playwright: Mutex::default() })
    }

    /// Takes these steps in order, and returns the result of each. `doing` names the purpose in messages.
    ///
    /// agent-browser receives the steps by standard input. On its command line, it would take some words for options.
    pub(super) async fn call(&self, steps: &[&[&str]], deadline: &Deadline, doing: &str) -> Result<Vec<Value>, Fault> {
        let broken = |error| Fault::Broken(Box::new(error));
        let failed = |why: String| broken(BrowserError::Failed { doing: doing.to_owned(), why });
        let input = serde_json::to_vec(steps).expect("lists of strings always fit into JSON");
        let arguments = ["--session", &self.session, "--json", "batch", "--bail", "--omit-command"];
        let command = self.program.command(self.home.path(), self.home.temporary(), &arguments);
        let exchange = exchange_in(Some(self.home.session()), command, &input, deadline).await;
        let exchange = exchange.map_err(|error| broken(self.not_started(error)))?;
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

    /// Playwright's ARIA snapshot of the active tab, or of the part of it that a CSS selector finds.
    pub(super) async fn aria(&self, selector: Option<&str>, deadline: &Deadline, doing: &str) -> Result<Aria, Fault> {
        let tab = self.connect_playwright(deadline, doing).await?;
        // After an error, and if this future is dropped, it is gone, and the next call starts another one.
        let mut playwright = self.playwright.lock().await.take().expect("it has just been connected");
        let aria = playwright.snapshot(&tab, selector, deadline, doing).await?;
        *self.playwright.lock().await = Some(playwright);
        Ok(aria)
    }

    /// Connects Playwright to the browser unless it is. Returns the active tab.
    pub(super) async fn connect_playwright(&self, deadline: &Deadline, doing: &str) -> Result<String, Fault> {
        let found = self.call(&[&["get", "cdp-url"], &["tab", "list"]], deadline, doing).await?;
        let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
        let address = text(found[0].get("cdpUrl"));
        let tabs = found[1].get("tabs").and_then(Value::as_array);
        let is_active = |tab: &&Value| tab.get("active").and_then(Value::as_bool) == Some(true);
        let active = tabs.into_iter().flatten().find(is_active);
        let mut playwright = self.playwright.lock().await;
        // agent-browser starts another browser after a crash.
        if !playwright.as_ref().is_some_and(|playwright| playwright.is_at(&address)) {
            *playwright = Some(Playwright::connect(&self.program, &self.home, address, deadline, doing).await?);
        }
        Ok(text(active.and_then(|tab| tab.get("targetId"))))
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
        drop(self.playwright);
        // What does not close is killed.
        if exchange_in(Some(self.home.session()), command, b"", &deadline).await.is_ok() {
            self.home.ended_within(ENDING).await;
        }
    }

    fn not_started(&self, error: io::Error) -> BrowserError {
        let program = self.program.path().to_owned();
        match error.kind() {
            io::ErrorKind::NotFound => BrowserError::NotInstalled(program),
            _ => BrowserError::NotStarted { program, error },
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
