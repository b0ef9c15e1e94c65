use std::io;
use std::path::PathBuf;

use super::log::LogError;
use super::page::NoInput;
use crate::config::HumanDuration;
use crate::targets::{Stop, plain};

/// Why a live web app gave no answer. The first line is complete; indented lines of the last snapshot follow. Nothing in it
/// needs to be escaped for a terminal.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BrowserError {
    /// The agent-browser program does not exist.
    #[error(
        "there is no program `{}`; install it with `npm install -g agent-browser`, or set AGENT_BROWSER to where it is",
        plain::path(.0)
    )]
    NotInstalled(PathBuf),
    /// The agent-browser program cannot be started.
    #[error("`{program}` cannot be started: {1}", program = plain::path(.0))]
    NotStarted(PathBuf, io::Error),
    /// agent-browser finds no browser.
    #[error(
        "agent-browser finds no Chromium; install one with `agent-browser install`, or set \
         AGENT_BROWSER_EXECUTABLE_PATH to where it is"
    )]
    NoChromium,
    /// The browser cannot be started.
    #[error("Chromium cannot be started: {0}")]
    ChromiumFailed(String),
    /// No private folder could be made.
    #[error("no folder can be made for the browser: {0}")]
    NoHome(io::Error),
    /// Nothing answers at the app's address, which comes first; then what the browser says.
    #[error("the app does not answer at `{0}` ({1}); is it running?")]
    Unreachable(String, String),
    /// The page went to an address that it may not visit.
    #[error("the page went to `{0}`, which is not an address of the app; if it is, add it to `allow` in eval-ls.toml")]
    Elsewhere(String),
    /// A step, "step 2 of `before`", goes to an address that the page may not visit.
    #[error("{0} would go to `{1}`, which is not an address of the app; if it is, add it to `allow` in eval-ls.toml")]
    StepElsewhere(String, String),
    /// The page is gone in the middle of a case.
    #[error("the page is gone: it crashed, or was closed")]
    Gone,
    /// A step failed: which one, its words, and what agent-browser says.
    #[error("{0} failed (`{1}`): {2}")]
    Step(String, String, String),
    /// The page has no chat input, or several. The second field is the reason to stop the search, if there was one.
    #[error("{}{}; name it in eval-ls.toml, as in `chat_input = {{ role = \"textbox\", name = \"…\" }}`",
        prefix(.1), plain::plain(&.0.to_string()))]
    NoInput(NoInput, Option<Stop>),
    /// The prompt could not be typed: what agent-browser says, and the reason to stop, if there was one.
    #[error("{stop}the prompt cannot be typed: {0}", stop = prefix(.1))]
    NotTyped(String, Option<Stop>),
    /// The steps that check a precondition, which is quoted, cannot be taken.
    #[error("the precondition {0} is not met: {1}")]
    Precondition(String, Box<BrowserError>),
    /// The answer was not complete in time: the limit, what the turn waited for, and what the page shows.
    #[error("{0}: {1}{2}")]
    NeverSettled(Limit, Unsettled, String),
    /// The time ended while agent-browser was at work.
    #[error("{0} while {1}")]
    Late(Stop, String),
    /// The telemetry cannot be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// A program failed: its name, what it was doing, and what it says.
    #[error("{0} failed while {1}: {2}")]
    Failed(&'static str, String, String),
    /// The run was cancelled.
    #[error(transparent)]
    Stopped(Stop),
}

/// The limits of the wait for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Limit {
    /// As long as the case may take.
    #[error(transparent)]
    Case(#[from] Stop),
    /// As long as one answer may take.
    #[error("no answer within {0}")]
    Answer(HumanDuration),
}

/// Why a page has not settled.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unsettled {
    /// The app did not take the prompt.
    #[error(
        "the prompt is still in the chat input: neither Enter nor a button beside the input sent it; name the button in \
         eval-ls.toml, as in `send = {{ role = \"button\", name = \"…\" }}`"
    )]
    StillInInput,
    /// The app did not take the prompt, although something new looked like it.
    #[error(
        "the prompt was not sent: it stayed in the chat input, and left the page when the input was cleared; name the button in eval-ls.toml, as in `send = {{ role = \"button\", name = \"…\" }}`"
    )]
    NotSent,
    /// Something shows that the assistant is at work.
    #[error("the assistant is still at work: {0}")]
    Busy(String),
    /// A tool was called and has not returned.
    #[error("the tool `{0}` was called, and its result is not in the telemetry log")]
    Tool(String),
    /// A request of the page is open.
    #[error("the page still waits for its request {0}")]
    Request(String),
    /// The answer changes again and again.
    #[error("the answer kept changing; exclude parts that change by themselves with `ignore_selector`")]
    Changing,
    /// The page shows the prompt and nothing else that is new.
    #[error("nothing but the prompt appeared")]
    OnlyPrompt,
    /// The prompt was sent, and nothing happened.
    #[error("nothing on the page has changed since the prompt was sent")]
    NoReaction,
}

impl BrowserError {
    /// The failure of agent-browser while it was doing that.
    pub(super) fn failed(doing: &str, why: impl Into<String>) -> Self {
        Self::Failed("agent-browser", doing.to_owned(), why.into())
    }

    /// Whether the browser may still be at work, or cannot take the next case.
    pub(super) fn leaves_browser_occupied(&self) -> bool {
        use BrowserError::{ChromiumFailed, Failed, Gone, Late, NeverSettled, Precondition, Stopped};
        match self {
            Precondition(_, fault) => fault.leaves_browser_occupied(),
            Late(..) | Failed(..) | Gone | Stopped(_) | NeverSettled(..) | ChromiumFailed(_) => true,
            _ => false,
        }
    }

    /// Whether the page may show what went wrong.
    pub(super) fn can_be_seen(&self) -> bool {
        use BrowserError::{Elsewhere, Log, NeverSettled, NoInput, NotTyped, Precondition, Step};
        matches!(
            self,
            NeverSettled(..) | NoInput(..) | NotTyped(..) | Step(..) | Precondition(..) | Elsewhere(_) | Log(_)
        )
    }

    /// Whether the run was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        match self {
            BrowserError::Precondition(_, fault) => fault.is_cancelled(),
            _ => matches!(self, BrowserError::Stopped(Stop::Cancelled)),
        }
    }
}

fn prefix(stop: &Option<Stop>) -> String {
    stop.map_or_else(String::new, |stop| format!("{stop}: "))
}
