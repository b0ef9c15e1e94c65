//! One browser, and how it is told what to do.

use std::io;
use std::time::Duration;

use serde_json::Value;

use super::error::BrowserError;
use super::home::Home;
use super::program::Program;
use crate::targets::plain::{beginning, plain};
use crate::targets::process::{Ending, exchange};
use crate::targets::{Cancel, Deadline, Stop, off_reactor};

/// How long closing may take.
const CLOSING: &str = "4s";

/// How long taking a picture may take.
const PICTURE: &str = "3s";

/// How long what is being closed may take until it has ended.
const ENDING: Duration = Duration::from_secs(2);

/// A browser of its own. It is started with the first call, and has ended when this is closed or dropped.
#[derive(Debug)]
pub(super) struct Browser {
    program: Program,
    home: Home,
    session: String,
}

/// Why a call came to nothing.
#[derive(Debug)]
pub(super) enum Fault {
    /// It was time to stop; the browser may still be occupied with it.
    Stopped(Stop),
    /// What was to be done cannot be done, and agent-browser says why.
    Refused(String),
    /// Neither.
    Broken(Box<BrowserError>),
}

impl Browser {
    /// A browser that is not started yet, and whose session has that name.
    ///
    /// # Errors
    /// Where it cannot have a folder.
    pub(super) fn new(program: &Program, session: String) -> Result<Self, Box<BrowserError>> {
        let home = Home::new().map_err(BrowserError::NoHome)?;
        Ok(Self { program: program.clone(), home, session })
    }

    /// Takes these steps, one after the other, and returns what each came to. `doing` says to people what that is for.
    ///
    /// What the steps say reaches agent-browser by its standard input: it takes a word of its command line for an option,
    /// whatever it stands for.
    pub(super) async fn call(&self, steps: &[&[&str]], deadline: &Deadline, doing: &str) -> Result<Vec<Value>, Fault> {
        let broken = |error| Fault::Broken(Box::new(error));
        let failed = |why: String| broken(BrowserError::Failed { doing: doing.to_owned(), why });
        let input = serde_json::to_vec(steps).expect("lists of strings always fit into JSON");
        let arguments = ["--session", &self.session, "--json", "batch", "--bail", "--omit-command"];
        let command = self.program.command(self.home.path(), self.home.temporary(), &arguments);
        let exchange = exchange(command, &input, deadline).await.map_err(|error| broken(self.not_started(error)))?;
        match exchange.ending {
            Ending::Stopped(stop) => return Err(Fault::Stopped(stop)),
            Ending::TooMuch => return Err(failed("the page's snapshot has more than 10 MiB".to_owned())),
            Ending::Lost(error) => return Err(failed(error.to_string())),
            // Its exit status says no more than its answer.
            Ending::Exited(_) => {}
        }
        let Ok(answer) = serde_json::from_slice::<Value>(&exchange.stdout) else {
            let said = [String::from_utf8_lossy(&exchange.stdout).into_owned(), exchange.stderr];
            let said = said.iter().find(|text| !text.trim().is_empty()).map_or_else(
                || "it said nothing".to_owned(),
                |text| format!("it said what is no JSON, beginning with {}", beginning(text, 200)),
            );
            return Err(failed(said));
        };
        let Value::Array(rows) = answer else {
            return Err(whole_failure(&answer).map_or_else(|| failed("its answer is no list".to_owned()), broken));
        };
        let mut results = Vec::with_capacity(rows.len());
        for mut row in rows {
            if row.get("success").and_then(Value::as_bool) != Some(true) {
                return Err(whole_failure(&row).map_or_else(|| Fault::Refused(said(&row)), broken));
            }
            results.push(row.get_mut("result").map(Value::take).unwrap_or_default());
        }
        if results.len() < steps.len() {
            return Err(failed(format!("it took {} of {} steps and does not say why", results.len(), steps.len())));
        }
        Ok(results)
    }

    /// What the page looks like, as PNG; `None` where it cannot be seen.
    pub(super) async fn picture(&self) -> Option<Vec<u8>> {
        let deadline = Deadline::start(PICTURE.parse().expect("it is a duration"), &Cancel::new());
        let path = self.home.temporary().join("picture.png");
        self.call(&[&["screenshot", path.to_str()?]], &deadline, "taking a picture").await.ok()?;
        off_reactor(move || std::fs::read(path)).await.ok()
    }

    /// Ends the browser and what drives it.
    pub(super) async fn close(self) {
        let deadline = Deadline::start(CLOSING.parse().expect("it is a duration"), &Cancel::new());
        let arguments = ["--session", &self.session, "--json", "close"];
        let command = self.program.command(self.home.path(), self.home.temporary(), &arguments);
        // Whatever does not close is killed.
        if exchange(command, b"", &deadline).await.is_ok() {
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

/// What is wrong where it is not the step's own fault.
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

/// The first line of what agent-browser says is wrong.
fn said(answer: &Value) -> String {
    let text = answer.get("error").and_then(Value::as_str).unwrap_or_default();
    let line = plain(text.trim()).lines().next().unwrap_or_default().trim_end().to_owned();
    if line.is_empty() { "it does not say why".to_owned() } else { line }
}
