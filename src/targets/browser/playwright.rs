//! Playwright's ARIA snapshot of a page.
//!
//! The `playwright-core` that the user has installed makes it, in a Node.js program that is connected to the browser which
//! agent-browser drives. `playwright.js` is that program. It ends with the browser.

use std::io;

use serde_json::{Value, json};

use crate::targets::Deadline;
use crate::targets::plain::plain;
use crate::targets::process::{Conversation, Silence};

use super::error::BrowserError;
use super::home::Home;
use super::program::{Fault, Program};

const SCRIPT: &str = include_str!("playwright.js");

/// What is read if there is no selector.
const PAGE: &str = "body, frameset";

/// A page, or a part of it, in the grammar of Playwright's ARIA snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Aria {
    /// YAML without a final line break.
    pub(super) text: String,
    /// The version of Playwright that made it.
    pub(super) playwright: String,
}

/// A Playwright that is connected to a browser.
#[derive(Debug)]
pub(super) struct Playwright {
    conversation: Conversation,
    address: String,
    version: String,
}

impl Playwright {
    /// Connects to the browser at that address.
    pub(super) async fn connect(
        program: &Program,
        home: &Home,
        address: String,
        deadline: &Deadline,
        doing: &str,
    ) -> Result<Self, Fault> {
        let command = program.node(home.path(), home.temporary(), SCRIPT, &address);
        let node = command.as_std().get_program().into();
        let mut conversation = Conversation::start(command).map_err(|error| {
            Fault::Broken(Box::new(match error.kind() {
                io::ErrorKind::NotFound => BrowserError::NoNode,
                _ => BrowserError::NotStarted { program: node, error },
            }))
        })?;
        let ready = heard(conversation.hear(deadline).await, doing)?;
        if let Some(folder) = ready.get("missing") {
            return Err(Fault::Broken(Box::new(BrowserError::NoPlaywright(folder.as_str().map(plain)))));
        }
        let version = text(&ready, "version", doing)?;
        Ok(Self { conversation, address, version })
    }

    /// Whether this is the address of its browser.
    pub(super) fn is_at(&self, address: &str) -> bool {
        self.address == address
    }

    /// What a tab shows, or the part of it that a CSS selector finds. Playwright must not be asked again after an error.
    pub(super) async fn snapshot(
        &mut self,
        tab: &str,
        selector: Option<&str>,
        deadline: &Deadline,
        doing: &str,
    ) -> Result<Aria, Fault> {
        let request = json!({ "tab": tab, "selector": selector.unwrap_or(PAGE) }).to_string();
        self.conversation.say(&request).await;
        let answer = heard(self.conversation.hear(deadline).await, doing)?;
        let text = text(&answer, "aria", doing)?.replace("\r\n", "\n");
        Ok(Aria { text, playwright: self.version.clone() })
    }
}

fn heard(line: Result<Vec<u8>, Silence>, doing: &str) -> Result<Value, Fault> {
    let line = line.map_err(|silence| match silence {
        Silence::Stopped(stop) => Fault::Stopped(stop),
        Silence::TooMuch => failed(doing, "the page's snapshot has more than 10 MiB"),
        Silence::Ended => failed(doing, "it ended without an answer"),
    })?;
    serde_json::from_slice(&line).map_err(|_| failed(doing, "its answer is not JSON"))
}

/// A text in an answer of the program, which else has the reason why it is not there.
fn text(answer: &Value, key: &str, doing: &str) -> Result<String, Fault> {
    let text = |key: &str| answer.get(key).and_then(Value::as_str);
    match text(key) {
        Some(found) => Ok(found.to_owned()),
        None => Err(failed(doing, text("error").unwrap_or("it gave no reason"))),
    }
}

fn failed(doing: &str, why: &str) -> Fault {
    Fault::Broken(Box::new(BrowserError::Playwright { doing: doing.to_owned(), why: plain(why) }))
}
