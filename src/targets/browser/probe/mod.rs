//! Evidence from the page: JavaScript that compares it with what it was when a prompt was sent.
//!
//! `mark` remembers the page with the prompt typed, `look` returns what is new since. A page that was loaded again has lost
//! what was remembered; [`Baseline`] restores it.
//!
#![doc = include_str!("signs.md")]

use serde::Deserialize;
use serde_json::{Value, json};

use super::requests::Background;
use super::turn::{Input, Observation, TurnAnswer};
use crate::config::BrowserTarget;
use crate::targets::plain::{beginning, plain};

const SOURCES: [&str; 9] = [
    include_str!("walk.js"),
    include_str!("words.js"),
    include_str!("echo.js"),
    include_str!("place.js"),
    include_str!("busy.js"),
    include_str!("input.js"),
    include_str!("controls.js"),
    include_str!("markdown.js"),
    include_str!("look.js"),
];

/// How many code points of the page's text a message quotes. One line of a terminal.
const QUOTED: usize = 80;

/// The scripts for one prompt.
#[derive(Clone, Debug)]
pub(super) struct Probe {
    options: Value,
}

/// What the scripts remember of a page, in a form that only they read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Baseline(Value);

/// What marking a page returned.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Marked {
    /// Whether the chat input holds the prompt.
    pub(super) holds: bool,
    /// The beginning of its text.
    value: String,
    pub(super) baseline: Baseline,
    /// When the page was loaded, in milliseconds since 1970.
    #[serde(default)]
    loaded: f64,
    /// The requests of the page that ended, by address; `None` if the page does not remember them all.
    #[serde(default)]
    ended: Option<Vec<(String, usize)>>,
}

/// The new parts of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Looked {
    /// Whether the page was loaded again and lost what was remembered; then nothing else is known.
    pub(super) lost: bool,
    holds: String,
    echoed: bool,
    message: bool,
    occupied: bool,
    /// What the send button looks like.
    pub(super) composer: String,
    /// The lines of the answer.
    reply: Vec<String>,
    /// The answer as Markdown.
    pub(super) markdown: String,
    certain: bool,
    open: bool,
    announcement: bool,
    watched: String,
    busy: Vec<String>,
    /// The first line that is new beside the conversation.
    pub(super) beside: Option<String>,
    /// The requests that ended since, by address.
    pub(super) completed: Vec<(String, usize)>,
}

/// The button that sends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(super) struct Button {
    /// The name, if there is one such button.
    pub(super) name: Option<String>,
    /// Whether the script clicked it, because something covers it.
    pub(super) clicked: bool,
    pub(super) x: i64,
    pub(super) y: i64,
}

impl Probe {
    pub(super) fn new(config: &BrowserTarget, prompt: &str) -> Self {
        let options = json!({
            "prompt": prompt,
            "busy": config.busy,
            "busySelector": config.busy_selector,
            "settleSelector": config.settle_selector,
            "ignoreSelector": config.ignore_selector,
        });
        Self { options }
    }

    /// Calls one of the functions of the scripts: `rememberIdle` remembers what the send button of each field looks like while nothing is
    /// typed, `mark` the page; `look` returns what is new; `selectInput` selects the text in the chat input, and `sendButtonOf` finds the
    /// button that sends.
    pub(super) fn call(&self, function: &str) -> String {
        script(&format!("{function}({})", self.options))
    }

    /// Gives a page that was loaded again what was remembered, and looks at it.
    pub(super) fn restore(&self, baseline: &Baseline) -> String {
        script(&format!("(mark({}, {}), look({}))", self.options, baseline.0, self.options))
    }
}

impl Marked {
    /// The text of the chat input, as a message shows it.
    pub(super) fn quoted_value(&self) -> String {
        beginning(&self.value, QUOTED)
    }

    /// The requests in `listed`, agent-browser's list, that this page sent and that are open.
    pub(super) fn background(&self, listed: &Value) -> Background {
        self.ended.as_ref().map(|ended| Background::new(listed, ended, self.loaded)).unwrap_or_default()
    }
}

impl Looked {
    /// The observation, without time and tool calls, which a page does not know.
    pub(super) fn observation(&self) -> Observation {
        Observation {
            input: match self.holds.as_str() {
                "prompt" => Input::Holds,
                "changed" => Input::HoldsNewLine,
                _ => Input::Free,
            },
            is_echoed: self.echoed,
            is_message: self.message,
            is_occupied: self.occupied,
            answer: (!self.reply.is_empty()).then_some(TurnAnswer {
                is_certain: self.certain,
                is_open: self.open,
                is_announcement: self.announcement,
            }),
            watched: self.watched.clone(),
            busy: self.busy.iter().map(|sign| plain(sign).replace('\n', " ")).collect(),
            ..Observation::default()
        }
    }

    /// The line beside the conversation, as a message shows it.
    pub(super) fn quoted_beside(&self) -> Option<String> {
        self.beside.as_ref().map(|line| beginning(line, QUOTED))
    }
}

/// The value that a script returned: JSON in a string, because lone surrogates cannot be sent otherwise.
pub(super) fn read<T: for<'a> Deserialize<'a>>(answer: &Value) -> Option<T> {
    serde_json::from_str(answer.get("result")?.as_str()?).ok()
}

fn script(call: &str) -> String {
    let sources = SOURCES.concat();
    format!("(() => {{\n{sources}\nreturn JSON.stringify({call}).toWellFormed();\n}})()")
}
