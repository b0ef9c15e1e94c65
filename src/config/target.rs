use std::collections::BTreeMap;

use serde::Serialize;
use sha2::{Digest, Sha256};
use url::Url;

use super::{HumanDuration, PreconditionCheck, Steps};
use crate::text::Span;

/// One table of `[targets]`: who answers a case's prompts, and how it is reached.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TargetConfig {
    /// Where its name stands in the file; none for what is built in or came from the command line.
    #[serde(skip)]
    pub span: Option<Span>,
    /// What it is.
    #[serde(flatten)]
    pub kind: TargetKind,
    /// How long one case may take, where that differs from `run.timeout`.
    pub timeout: Option<HumanDuration>,
    /// The checks of `[[preconditions]]` that this target can make, by the precondition's text. They are part of the
    /// table because they start programs or act on pages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub preconditions: BTreeMap<String, PreconditionCheck>,
}

/// The kinds of targets, by the word that `kind` holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum TargetKind {
    /// Transcripts that were kept: nothing is started.
    Replay,
    /// A program that answers.
    Command(CommandTarget),
    /// A live web app in a real browser.
    Browser(Box<BrowserTarget>),
}

/// A program that answers: one process a case, started in the folder of `eval-ls.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CommandTarget {
    /// The program and its arguments, never empty, never read by a shell.
    pub command: Vec<String>,
    /// Variables that are set for it.
    pub env: BTreeMap<String, String>,
    /// Variables of the environment that it is given beside those that every target gets.
    pub pass_env: Vec<String>,
}

/// A live web app, driven through the agent-browser program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BrowserTarget {
    /// The app's address, `http` or `https`.
    pub url: String,
    /// The address that is opened for the cases, where that is not the app's own.
    pub space_url: Option<String>,
    /// Where prompts are typed.
    pub chat_input: ChatInput,
    /// The button that sends prompts, if Enter does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub send: Option<SendButton>,
    /// The assistant is still working while one of these is on the page.
    pub busy: Vec<String>,
    /// The assistant is still working while this finds something on the page (CSS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub busy_selector: Option<String>,
    /// The part of the page (CSS) in which answers appear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settle_selector: Option<String>,
    /// The parts of the page (CSS) that are not watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ignore_selector: Option<String>,
    /// The assistant has settled when the page stayed the same for this long.
    pub settle: HumanDuration,
    /// The file of JSON lines to which the app appends its events, relative to the folder of `eval-ls.toml`.
    pub telemetry_log: Option<String>,
    /// What the app is given so that it can mark the lines of its log with the case that they belong to.
    #[serde(skip_serializing_if = "TelemetryKey::is_empty")]
    pub telemetry_key: TelemetryKey,
    /// Steps taken once before the first prompt.
    pub before: Steps,
    /// Steps taken after the answer to each setup prompt.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub between: Steps,
    /// Steps taken after the answer to the prompt was read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Steps,
    /// What the response is made of.
    pub response: ResponseFrom,
    /// The part of the page that is the response (CSS), where that is not all of it.
    pub response_selector: Option<String>,
    /// When a picture of the page is kept.
    pub screenshots: Screenshots,
    /// Addresses beside [`url`](Self::url) and [`space_url`](Self::space_url) that the page may go to.
    pub allow: Vec<String>,
}

/// The field of the page into which prompts are typed, as the accessibility snapshot names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChatInput {
    /// Its role, `textbox` where none is given.
    pub role: String,
    /// Its accessible name; without one the first field of that role is taken.
    pub name: Option<String>,
}

/// Where an app finds the key of the case that it is asked: a text that no other case has. The log's lines that contain it
/// belong to that case. None is given if both are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TelemetryKey {
    /// The header that each request of the page carries.
    pub header: Option<String>,
    /// The key under which the page's local storage has it.
    pub storage: Option<String>,
}

/// The button that sends prompts, as the accessibility snapshot names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SendButton {
    /// Its role, `button` if none is given.
    pub role: String,
    /// Its accessible name; without one it must be the only one of that role.
    pub name: Option<String>,
}

/// What a browser target's response is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ResponseFrom {
    /// The page's accessibility snapshot, as agent-browser prints it.
    #[default]
    Snapshot,
    /// The page in the grammar of Playwright's ARIA snapshot.
    Aria,
    /// The page's text.
    Text,
    /// The text that is new since the prompt was sent, without the prompt.
    Reply,
}

impl ResponseFrom {
    /// Each with the word that `eval-ls.toml` and transcripts have for it.
    pub const WORDS: [(&str, ResponseFrom); 4] = [
        ("snapshot", ResponseFrom::Snapshot),
        ("aria", ResponseFrom::Aria),
        ("text", ResponseFrom::Text),
        ("reply", ResponseFrom::Reply),
    ];

    /// Its word.
    pub fn word(self) -> &'static str {
        let found = Self::WORDS.into_iter().find(|(_, form)| *form == self);
        found.expect("each has a word").0
    }
}

/// When a browser target keeps a picture of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Screenshots {
    /// Never.
    #[default]
    Never,
    /// Where the case failed.
    Failed,
}

/// The address of a web page: `http://` or `https://`, a host, and no white space.
pub fn web_address(text: &str) -> Option<Url> {
    let is_plain = !text.contains(|c: char| c.is_whitespace() || c.is_control());
    let has_host = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    // The parser would read `http:x` and `http:///x` as `http://x`.
    let after_scheme = text.split_once("://").map(|(_, rest)| rest);
    let names_host = after_scheme.is_some_and(|rest| !rest.starts_with(['/', '\\']));
    Url::parse(text).ok().filter(|url| is_plain && names_host && has_host(url))
}

impl TargetConfig {
    /// The target that answers with the transcripts that were kept.
    pub fn replay() -> Self {
        TargetKind::Replay.into()
    }

    /// The SHA-256 of what the table says, as 64 hexadecimal digits. It changes when any field changes, a default
    /// included, and is the same in every process on every system; neither the target's name nor the layout of the file
    /// matters.
    pub fn fingerprint(&self) -> String {
        let table = serde_json::to_string(self).expect("strings, numbers and lists of them always fit into JSON");
        let mut hash = Sha256::new_with_prefix("eval-ls/target@1\n");
        hash.update(table);
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl From<TargetKind> for TargetConfig {
    fn from(kind: TargetKind) -> Self {
        Self { span: None, kind, timeout: None, preconditions: BTreeMap::new() }
    }
}

impl BrowserTarget {
    /// How long the page must stay the same where the file does not say.
    pub const SETTLE: HumanDuration = HumanDuration::seconds(3);

    /// The app at `url`, with the default for everything else.
    pub fn new(url: impl Into<String>) -> Self {
        Self {
            url: url.into(),
            space_url: None,
            chat_input: ChatInput::default(),
            send: None,
            busy: Vec::new(),
            busy_selector: None,
            settle_selector: None,
            ignore_selector: None,
            settle: Self::SETTLE,
            telemetry_log: None,
            telemetry_key: TelemetryKey::default(),
            before: Vec::new(),
            between: Vec::new(),
            after: Vec::new(),
            response: ResponseFrom::default(),
            response_selector: None,
            screenshots: Screenshots::default(),
            allow: Vec::new(),
        }
    }
}

impl TelemetryKey {
    /// Whether the app is given none.
    pub fn is_empty(&self) -> bool {
        self.header.is_none() && self.storage.is_none()
    }
}

impl Default for ChatInput {
    fn default() -> Self {
        Self { role: "textbox".to_owned(), name: None }
    }
}
