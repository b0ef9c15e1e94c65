//! A page in a browser: opening it, taking steps on it, reading what one turn did to it, and the response that the turn gives: in the form
//! that the configuration wants, beside every other form.

use std::time::Duration;

use serde_json::Value;
use tokio::time::sleep;

use crate::diagnostic::quoted;
use crate::targets::browser::App;
use crate::targets::browser::program::{Browser, Fault};
use crate::targets::browser::steps::{self, Key, Step, StepList};
use crate::targets::plain::{plain, struck_out};
use crate::targets::{Context, Stop};
use crate::transcript::{Forms, NotKept, Pages, Part};

use super::error::BrowserError;
use super::page::Page;

/// How much of the last snapshot an error shows: the number of lines, and of code points in each.
const QUOTED_LINES: usize = 25;
/// The most code points of the page in a message: two lines of a terminal.
const QUOTED_CODE_POINTS: usize = 160;

pub(super) type ChatResult<T> = Result<T, Box<BrowserError>>;

/// The page of one case.
pub(super) struct Chat<'a> {
    pub(super) app: &'a App,
    pub(super) browser: &'a Browser,
    pub(super) context: &'a Context,
    /// The key that marks the telemetry of the case; `None` if the app has none.
    pub(super) key: Option<&'a Key>,
}

impl Chat<'_> {
    /// Opens the app.
    pub(super) async fn open(&self) -> ChatResult<()> {
        let config = &self.app.config;
        let address = config.space_url.as_ref().unwrap_or(&config.url);
        let doing = format!("opening `{}`", plain(&struck_out(address)));
        let key = self.key.as_ref().map(|key| key.steps(&config.telemetry_key));
        let key = key.unwrap_or_default();
        let (before, after) = (words(&key.before_page), words(&key.on_page));
        let (open, look): ([&str; 2], [&str; 2]) = (["open", address], ["get", "url"]);
        let mut steps: Vec<&[&str]> = Vec::new();
        steps.extend(before.iter().map(Vec::as_slice));
        steps.push(&open);
        steps.extend(after.iter().map(Vec::as_slice));
        steps.push(&look);
        let opened = match self.browser.call(&steps, &self.context.deadline, &doing).await {
            Err(Fault::Refused(why)) => return Err(Box::new(unreachable(address, &why))),
            opened => self.made_of(opened, &doing)?,
        };
        self.check(opened.last())
    }

    async fn look(&self) -> ChatResult<Page> {
        let doing = "looking at the page";
        let looked = self.browser.call(&[&["snapshot"]], &self.context.deadline, doing).await;
        self.page(self.made_of(looked, doing)?.first())
    }

    /// The page as it is now in its forms, and agent-browser's list of its requests.
    pub(super) async fn capture(&self) -> ChatResult<(Capture, Value)> {
        let doing = "looking at the page";
        let script = shown_script(None);
        let steps: [&[&str]; 3] = [&["snapshot"], &["eval", &script], &["network", "requests"]];
        let mut read = match self.browser.call(&steps, &self.context.deadline, doing).await {
            // A page that is just being replaced cannot be examined by a script.
            Err(Fault::Refused(_)) => {
                return Ok((Capture { snapshot: self.look().await?, ..Capture::default() }, Value::Null));
            }
            read => self.made_of(read, doing)?,
        };
        let snapshot = self.page(read.first())?;
        let text = read.get(1).and_then(shown_text);
        Ok((Capture { snapshot, text }, read.pop().unwrap_or_default()))
    }

    /// The page that a snapshot shows, if the app may be there.
    fn page(&self, snapshot: Option<&Value>) -> ChatResult<Page> {
        let nothing = || BrowserError::failed("looking at the page", "there is no snapshot");
        let page = snapshot.and_then(Page::read).ok_or_else(nothing)?;
        self.check_address(&page.address)?;
        Ok(page)
    }

    /// Waits for that long. Returns the reason if it is time to stop.
    pub(super) async fn pause(&self, time: Duration) -> Option<Stop> {
        tokio::select! {
            biased;
            stop = self.context.deadline.reached() => Some(stop),
            () = sleep(time) => None,
        }
    }

    pub(super) fn busy(&self, page: &Page) -> Option<&str> {
        page.shows(&self.app.config.busy)
    }

    pub(super) fn settle(&self) -> Duration {
        self.app.config.settle.get()
    }

    pub(super) fn check(&self, at: Option<&Value>) -> ChatResult<()> {
        self.check_address(at.and_then(|at| at.get("url")?.as_str()).unwrap_or_default())
    }

    pub(super) fn check_address(&self, address: &str) -> ChatResult<()> {
        match address {
            // If a page crashed, agent-browser continues with an empty one.
            "about:blank" | "" => Err(Box::new(BrowserError::Gone)),
            _ if self.app.addresses.allow(address) => Ok(()),
            _ => Err(Box::new(BrowserError::Elsewhere(plain(address)))),
        }
    }

    pub(super) fn made_of<T>(&self, outcome: Result<T, Fault>, doing: &str) -> ChatResult<T> {
        outcome.map_err(|fault| match fault {
            Fault::Stopped(Stop::Cancelled) => Box::new(BrowserError::Stopped(Stop::Cancelled)),
            Fault::Stopped(stop) => Box::new(BrowserError::Late(stop, doing.to_owned())),
            Fault::Refused(why) => Box::new(BrowserError::failed(doing, why)),
            Fault::Broken(error) => error,
        })
    }

    /// Takes the steps of a list in order. An optional step may fail, but it may not lead to another address.
    ///
    /// # Errors
    /// If a required step cannot be taken.
    pub(super) async fn take(&self, list: &StepList) -> ChatResult<()> {
        for (index, step) in list.steps.iter().enumerate() {
            self.take_one(list, index + 1, step).await?;
        }
        Ok(())
    }

    /// Takes the steps that show whether a precondition is met.
    ///
    /// # Errors
    /// If one of them cannot be taken.
    pub(super) async fn check_precondition(&self, text: &str, list: &StepList) -> ChatResult<()> {
        let not_met = |fault: Box<BrowserError>| Box::new(BrowserError::Precondition(quoted(text), fault));
        self.take(list).await.map_err(not_met)
    }

    async fn take_one(&self, list: &StepList, number: usize, step: &Step) -> ChatResult<()> {
        let place = format!("step {number} of {}", list.name);
        if let Some(address) = steps::address(&step.words).filter(|address| !self.app.addresses.allow(address)) {
            return Err(Box::new(BrowserError::StepElsewhere(place, plain(address))));
        }
        let words: Vec<&str> = step.words.iter().map(String::as_str).collect();
        let doing = format!("taking {place}");
        let taken = match self.browser.call(&[&words, &["get", "url"]], &self.context.deadline, &doing).await {
            Err(Fault::Refused(_)) if step.is_optional => {
                self.browser.call(&[&["get", "url"]], &self.context.deadline, &doing).await
            }
            Err(Fault::Refused(why)) => {
                return Err(Box::new(BrowserError::Step(place, plain(&step.words.join(" ")), why)));
            }
            taken => taken,
        };
        self.check(self.made_of(taken, &doing)?.last())
    }
}

/// Why an address could not be opened.
fn unreachable(address: &str, why: &str) -> BrowserError {
    let why = why.strip_prefix("Navigation failed: ").unwrap_or(why);
    let why = match why.strip_prefix("net::ERR_") {
        Some(code) => code.to_ascii_lowercase().replace('_', " "),
        None => why.to_owned(),
    };
    BrowserError::Unreachable(plain(&struck_out(address)), why)
}

pub(super) fn last_lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.len().saturating_sub(QUOTED_LINES);
    let cut = |line: &&str| match line.char_indices().nth(QUOTED_CODE_POINTS) {
        Some((cut, _)) => format!("{}…", plain(&line[..cut])),
        None => plain(line),
    };
    lines[first..].iter().map(cut).collect()
}

/// Steps in the form that agent-browser takes.
fn words(steps: &[Vec<String>]) -> Vec<Vec<&str>> {
    steps.iter().map(|step| step.iter().map(String::as_str).collect()).collect()
}

const PAGE: &str = include_str!("shown.js");

/// JavaScript whose value is the text that the page shows, or the part of it that a CSS selector finds; `null` if there is no such
/// part.
pub(super) fn shown_script(selector: Option<&str>) -> String {
    format!("(() => {{\n{PAGE}return shown({});\n}})()", Value::from(selector))
}

/// The text in the result of the script.
pub(super) fn shown_text(result: &Value) -> Option<String> {
    Some(result.get("result")?.as_str()?.replace("\r\n", "\n"))
}

impl Chat<'_> {
    /// The response of a turn, and all that was seen of it.
    pub(super) async fn response(&self, observed: Observed) -> ChatResult<(String, Pages)> {
        let config = &self.app.config;
        let part = match &config.response_selector {
            Some(selector) => Some(self.part(selector, &observed.reply).await?),
            None => None,
        };
        let mut pages = Pages {
            form: config.response,
            of_part: part.is_some(),
            before: forms(observed.before),
            after: forms(observed.after),
            reply: Some(observed.reply),
            part,
        };
        let nothing = |error: NotKept| BrowserError::failed("reading the response", error.to_string());
        let response =
            pages.response(config.response, config.response_selector.as_deref()).map_err(nothing)?.to_owned();
        pages = pages.bounded();
        Ok((response, pages))
    }

    /// The part of the page that a CSS selector finds.
    async fn part(&self, selector: &str, reply: &str) -> ChatResult<Part> {
        let doing = "reading the response";
        let script = shown_script(Some(selector));
        let steps: [&[&str]; 3] = [&["snapshot", "-s", selector], &["eval", &script], &["get", "url"]];
        let read = self.made_of(self.browser.call(&steps, &self.context.deadline, doing).await, doing)?;
        self.check(read.last())?;
        let snapshot = read.first().and_then(Page::read).map(|page| page.text);
        let text = read.get(1).and_then(shown_text);
        let reply = text.as_ref().map(|text| lines_within(reply, text));
        Ok(Part { selector: selector.to_owned(), after: Forms { snapshot, text }, reply })
    }
}

fn forms(capture: Capture) -> Forms {
    Forms { snapshot: Some(capture.snapshot.text), text: capture.text }
}

/// The lines of a reply, which is Markdown, that a part of the page shows.
fn lines_within(reply: &str, part: &str) -> String {
    // The marks of Markdown are not on the page, and the markers of lists are not in its text.
    let is_number = |word: &str| word.len() < 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let marked = |line: &str| {
        line.trim_start().split_once(". ").filter(|(number, _)| is_number(number)).map(|(_, rest)| rest.to_owned())
    };
    let words = |text: &str| {
        let text = marked(text).unwrap_or_else(|| text.to_owned());
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let part = words(part);
    reply.lines().filter(|line| part.contains(&words(line))).collect::<Vec<_>>().join("\n")
}

/// The page at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Capture {
    /// The accessibility snapshot.
    pub(super) snapshot: Page,
    /// The text that people read; `None` if the page could not be read.
    pub(super) text: Option<String>,
}

/// A turn that took place: the app accepted the prompt, something other than the prompt appeared, and the page settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Observed {
    /// The prompt, as it was typed.
    pub(super) prompt: String,
    /// The page just before the prompt was typed.
    pub(super) before: Capture,
    /// The page after it settled.
    pub(super) after: Capture,
    /// What is new on the page, without the prompt: a line for each text, in the order of the page.
    pub(super) reply: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_lines_of_the_reply_that_it_shows() {
        assert_eq!(
            lines_within("Sidebar\nYou have\t12 commits.\n\nDone", "Answer\nYou have 12\ncommits. Done"),
            "You have\t12 commits.\n\nDone"
        );
        assert_eq!(lines_within("a\nb", ""), "");
    }
}
