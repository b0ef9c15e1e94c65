use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use url::Url;

use crate::text::Span;

use super::error::hash;
use super::{HumanDuration, PreconditionCheck, Steps};

/// One table of `[targets]`: a target and its settings.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct TargetConfig {
    /// The place of its name in the file; `None` for a target that is built in or comes from the command line.
    #[serde(skip)]
    pub(crate) span: Option<Span>,
    /// What it is.
    #[serde(flatten)]
    pub(crate) kind: TargetKind,
    /// The time limit of one case, if it differs from `run.timeout`.
    pub(crate) timeout: Option<HumanDuration>,
    /// The checks of `[[preconditions]]` that this target can make, by the precondition's text. They are part of the
    /// table because they start programs or act on pages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", skip_deserializing)]
    pub(crate) preconditions: BTreeMap<String, PreconditionCheck>,
}

/// What the rest of the program asks of a target.
impl TargetConfig {
    /// Whether it starts a program or opens an address: it is not `replay`.
    pub(crate) fn is_live(&self) -> bool {
        !matches!(self.kind, TargetKind::Replay)
    }

    /// The program, if it is one that the configuration names.
    pub(crate) fn command(&self) -> Option<&CommandTarget> {
        if let TargetKind::Command(command) = &self.kind { Some(command) } else { None }
    }

    /// The web app, if it is one.
    pub(crate) fn browser(&self) -> Option<&BrowserTarget> {
        if let TargetKind::Browser(browser) = &self.kind { Some(browser) } else { None }
    }

    /// Whether its answers may show the prompt, because they are pages.
    pub(crate) fn shows_prompt(&self) -> bool {
        self.command().is_none()
    }

    /// Whether it starts a program, itself or to check a precondition. The files of a program can change after it was approved.
    pub(crate) fn starts_programs(&self) -> bool {
        let mut checks = self.preconditions.values();
        self.command().is_some() || checks.any(|check| matches!(check, PreconditionCheck::Command(_)))
    }

    /// Whether it receives variables of the environment, whose values may be secret.
    pub(crate) fn passes_variables(&self) -> bool {
        self.command().is_some_and(|command| !command.pass_env.is_empty())
    }

    /// Whether it may leave screenshots beside the transcripts.
    pub(crate) fn takes_pictures(&self) -> bool {
        self.browser().is_some()
    }

    /// The log from which its telemetry is read, relative to the folder of `eval-ls.toml`.
    pub(crate) fn telemetry_log(&self) -> Option<&str> {
        self.browser()?.telemetry_log.as_deref()
    }

    /// The target that answers with stored transcripts.
    pub(crate) fn replay() -> Self {
        TargetKind::Replay.into()
    }

    /// Returns the SHA-256 of the table's content, as 64 hexadecimal digits. It changes if any field changes, including
    /// a default. It is the same in every process on every system, and does not depend on the target's name or the
    /// layout of the file.
    pub(crate) fn fingerprint(&self) -> String {
        let table = serde_json::to_string(self).expect("strings, numbers and lists of them always fit into JSON");
        hash("eval-ls/target@1\n", &table)
    }
}

/// The kinds of targets, by the word that `kind` holds.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum TargetKind {
    /// Stored transcripts; nothing is started.
    Replay,
    /// A program that answers.
    Command(CommandTarget),
    /// A live web app in a real browser.
    Browser(Box<BrowserTarget>),
}

/// A program that answers: one process for each case.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct CommandTarget {
    /// The program and its arguments; never empty, and never read by a shell.
    pub(crate) command: Vec<String>,
    /// The working directory, below the folder of `eval-ls.toml`; `None` for that folder itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cwd: Option<String>,
    /// Variables that are set for it.
    pub(crate) env: BTreeMap<String, String>,
    /// Variables of the environment that it receives besides those that every target receives.
    pub(crate) pass_env: Vec<String>,
}

/// A live web app, driven through the agent-browser program.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct BrowserTarget {
    /// The app's address, `http` or `https`.
    pub(crate) url: String,
    /// The address that is opened for the cases, if it is not the app's own.
    pub(crate) space_url: Option<String>,
    /// Where prompts are typed.
    #[serde(default)]
    pub(crate) chat_input: ChatInput,
    /// The button that sends prompts, if Enter does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) send: Option<SendButton>,
    /// The assistant is still working while one of these is on the page.
    #[serde(default)]
    pub(crate) busy: Vec<String>,
    /// The assistant is still working while this matches something on the page (CSS).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) busy_selector: Option<String>,
    /// The part of the page (CSS) in which answers appear.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) settle_selector: Option<String>,
    /// The parts of the page (CSS) that are not watched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ignore_selector: Option<String>,
    /// The assistant has finished when the page has not changed for this long.
    #[serde(default = "settle")]
    pub(crate) settle: HumanDuration,
    /// The file of JSON lines to which the app appends its events, relative to the folder of `eval-ls.toml`.
    pub(crate) telemetry_log: Option<String>,
    /// How the app receives the key of a case, which it writes into the lines of its log.
    #[serde(default, skip_serializing_if = "TelemetryKey::is_empty")]
    pub(crate) telemetry_key: TelemetryKey,
    /// Steps before the first prompt; they run once.
    #[serde(default)]
    pub(crate) before: Steps,
    /// Steps after the answer to each setup prompt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) between: Steps,
    /// Steps after the answer to the prompt was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) after: Steps,
    /// The source of the response.
    #[serde(default)]
    pub(crate) response: ResponseFrom,
    /// The part of the page that is the response (CSS), if it is not the whole page.
    pub(crate) response_selector: Option<String>,
    /// When a screenshot is stored.
    #[serde(default)]
    pub(crate) screenshots: Screenshots,
    /// Addresses besides [`url`](Self::url) and [`space_url`](Self::space_url) that the page may open.
    #[serde(default)]
    pub(crate) allow: Vec<String>,
}

/// The field of the page for prompts, as the accessibility snapshot names it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct ChatInput {
    /// The role; `textbox` by default.
    pub(crate) role: String,
    /// The accessible name; without a name, the first field of that role is used.
    pub(crate) name: Option<String>,
}

/// How an app receives the key of the current case: a text that no other case has. The lines of the log that contain it
/// belong to that case. If both fields are `None`, there is no key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct TelemetryKey {
    /// The header of each request of the page.
    pub(crate) header: Option<String>,
    /// The key in the page's local storage.
    pub(crate) storage: Option<String>,
}

/// The button that sends prompts, as the accessibility snapshot names it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct SendButton {
    /// The role; `button` by default.
    #[serde(default = "button")]
    pub(crate) role: String,
    /// The accessible name; without a name, it must be the only element of that role.
    pub(crate) name: Option<String>,
}

/// The source of a browser target's response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, Hash)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ResponseFrom {
    /// The page's accessibility snapshot, as agent-browser prints it.
    Snapshot,
    /// The page's text.
    Text,
    /// The text that is new since the prompt was sent, without the prompt, as Markdown.
    #[default]
    Reply,
}

impl ResponseFrom {
    /// All sources, each with its word in `eval-ls.toml` and transcripts.
    pub(crate) const WORDS: [(&str, ResponseFrom); 3] =
        [("snapshot", ResponseFrom::Snapshot), ("text", ResponseFrom::Text), ("reply", ResponseFrom::Reply)];

    /// Returns its word.
    pub(crate) fn word(self) -> &'static str {
        let found = Self::WORDS.into_iter().find(|(_, form)| *form == self);
        found.expect("each has a word").0
    }
}

/// When a browser target stores a screenshot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Screenshots {
    /// Never.
    #[default]
    Never,
    /// If the case failed.
    Failed,
}

/// Returns whether `text` is the address of a web page: `http://` or `https://`, a host, and no white space.
pub(crate) fn web_address(text: &str) -> Option<Url> {
    let is_plain = !text.contains(|c: char| c.is_whitespace() || c.is_control());
    // A name has no quotation marks, and the parser lets them through.
    let is_of_name = |c: char| c.is_alphanumeric() || "-._:[]%".contains(c);
    let has_host = |url: &Url| {
        matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| host.chars().all(is_of_name))
    };
    // The parser would read `http:x` and `http:///x` as `http://x`.
    let after_scheme = text.split_once("://").map(|(_, rest)| rest);
    let names_host = after_scheme.is_some_and(|rest| !rest.starts_with(['/', '\\']));
    Url::parse(text).ok().filter(|url| is_plain && names_host && has_host(url))
}

impl CommandTarget {
    /// The working directory; `root` is the folder of `eval-ls.toml`.
    pub(crate) fn folder(&self, root: &Path) -> PathBuf {
        self.cwd.as_ref().map_or_else(|| root.to_owned(), |cwd| root.join(cwd))
    }
}

impl From<TargetKind> for TargetConfig {
    fn from(kind: TargetKind) -> Self {
        Self { span: None, kind, timeout: None, preconditions: BTreeMap::new() }
    }
}

impl BrowserTarget {
    /// Creates the target for the app at `url`, with the default for every other field.
    pub(crate) fn new(url: impl Into<String>) -> Self {
        let url: String = url.into();
        serde_json::from_value(serde_json::json!({ "url": url })).expect("only the address is required")
    }
}

/// The default time without changes on the page. Streaming answers pause for up to two seconds.
fn settle() -> HumanDuration {
    HumanDuration::seconds(3)
}

fn button() -> String {
    "button".to_owned()
}

impl TelemetryKey {
    /// Returns whether the app receives no key.
    pub(crate) fn is_empty(&self) -> bool {
        self.header.is_none() && self.storage.is_none()
    }
}

impl Default for ChatInput {
    fn default() -> Self {
        Self { role: "textbox".to_owned(), name: None }
    }
}

/// An address without user, password, query and fragment, which may be secret.
pub(crate) fn plain_address(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return String::new() };
    // Both fail only for addresses that cannot have a user.
    let _ = (url.set_username(""), url.set_password(None));
    url.set_query(None);
    url.set_fragment(None);
    url.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_no_secrets() {
        for (address, plain) in [
            ("http://localhost:3000/a?token=x#y", "http://localhost:3000/a"),
            ("https://user:pass@app.example/", "https://app.example/"),
            ("not an address", ""),
        ] {
            assert_eq!(plain_address(address), plain);
        }
    }
}
