//! Talking to an assistant on a page: finding where to type, typing, and waiting until nothing changes any more.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, sleep};

use super::App;
use super::driver::{Browser, Fault};
use super::error::{BrowserError, Limit, Unsettled};
use super::log::Log;
use super::observed::{Capture, Observed};
use super::page::Page;
use super::steps;
use crate::targets::plain::plain;
use crate::targets::{Context, Stop};

/// How long to let a page be between two looks at it.
const INTERVAL: Duration = Duration::from_millis(150);

/// How often to say that it is still waited for an answer.
const TELLING: Duration = Duration::from_secs(1);

/// How much of the last snapshot an error shows: lines, and code points of each.
const QUOTED_LINES: usize = 25;
const QUOTED_CODE_POINTS: usize = 160;

pub(super) type Outcome<T> = Result<T, Box<BrowserError>>;

/// A page and who looks at it.
pub(super) struct Chat<'a> {
    pub(super) app: &'a App,
    pub(super) browser: &'a Browser,
    pub(super) context: &'a Context,
}

/// What a page was like when a prompt was sent.
pub(super) struct Sent {
    prompt: String,
    /// The page before the prompt was typed.
    before: Capture,
    page: Page,
    at: Instant,
}

impl Chat<'_> {
    /// Opens the app.
    pub(super) async fn open(&self) -> Outcome<()> {
        let config = &self.app.config;
        let address = config.space_url.as_ref().unwrap_or(&config.url);
        let doing = format!("opening `{}`", plain(address));
        let opened =
            match self.browser.call(&[&["open", address], &["get", "url"]], &self.context.deadline, &doing).await {
                Err(Fault::Refused(why)) => return Err(Box::new(unreachable(address, &why))),
                opened => self.made_of(opened, &doing)?,
            };
        self.check(opened.last())
    }

    /// Takes the steps of `before`.
    pub(super) async fn take_steps(&self) -> Outcome<()> {
        for (index, step) in self.app.steps.iter().enumerate() {
            let number = index + 1;
            if let Some(address) = steps::address(step).filter(|address| !self.app.addresses.allow(address)) {
                return Err(Box::new(BrowserError::StepElsewhere { number, address: plain(address) }));
            }
            let words: Vec<&str> = step.iter().map(String::as_str).collect();
            let doing = format!("taking step {number} of `before`");
            let taken = match self.browser.call(&[&words, &["get", "url"]], &self.context.deadline, &doing).await {
                Err(Fault::Refused(why)) => {
                    return Err(Box::new(BrowserError::Step { number, step: plain(&step.join(" ")), why }));
                }
                taken => self.made_of(taken, &doing)?,
            };
            self.check(taken.last())?;
        }
        Ok(())
    }

    /// Types a prompt into the chat input and sends it. The page may still be loading: it is looked at until the input is
    /// there, or the page has settled without it.
    pub(super) async fn send(&self, prompt: &str) -> Outcome<Sent> {
        let mut waiting = Waiting::new(self.look().await?);
        loop {
            let fault = match waiting.page.input(&self.app.config.chat_input) {
                // A page that has just changed may not be ready for what is typed.
                Ok(_) if waiting.looks < 2 => None,
                Ok(reference) => match self.type_and_send(&waiting.page, &format!("@{reference}"), prompt).await {
                    Ok(sent) => return Ok(sent),
                    Err(Fault::Refused(why)) => Some(Ok(why)),
                    Err(fault) => return self.made_of(Err(fault), "typing the prompt"),
                },
                Err(none) => Some(Err(none)),
            };
            let stop = self.pause().await;
            let has_settled =
                self.busy(&waiting.page).is_none() && waiting.since.elapsed() >= self.settle().max(self.app.loading);
            if let Some(fault) = fault.filter(|_| stop.is_some() || has_settled) {
                return Err(Box::new(match (fault, stop) {
                    (_, Some(Stop::Cancelled)) => BrowserError::Stopped(Stop::Cancelled),
                    (Ok(why), stop) => BrowserError::NotTyped { why, stop },
                    (Err(none), stop) => BrowserError::NoInput(none, stop),
                }));
            }
            if let Some(stop) = stop {
                return self.made_of(Err(Fault::Stopped(stop)), "looking for the chat input");
            }
            waiting.look(self.look().await?);
        }
    }

    /// Waits until the assistant has answered: no text says that it is at work, and the page has stayed the same for
    /// `settle` since something changed on it. The log is read meanwhile.
    pub(super) async fn settled(&self, sent: Sent, log: &mut Option<Log>) -> Outcome<Observed> {
        let limit = self.app.answer_within.map(|limit| (sent.at + limit.get() + self.settle(), limit));
        let mut waiting = Waiting::new(sent.page.clone());
        let mut told = Duration::ZERO;
        loop {
            let stop = self.pause().await;
            let page = match stop {
                None => self.look_or_stop().await?,
                Some(stop) => Err(stop),
            };
            let (stop, page) = match page {
                Ok(page) => (None, page),
                Err(stop) => (Some(stop), waiting.page.clone()),
            };
            waiting.look(page);
            if let Some(followed) = log.take() {
                *log = Some(followed.poll().await.map_err(BrowserError::from)?);
            }
            let unsettled = if let Some(busy) = self.busy(&waiting.page) {
                Some(Unsettled::Busy(format!("`{}`", plain(busy))))
            } else if waiting.page.text == sent.page.text {
                Some(Unsettled::NoReaction)
            } else {
                (waiting.since.elapsed() < self.settle()).then_some(Unsettled::Changing)
            };
            let Some(why) = unsettled else {
                let after = self.made_of(self.capture(waiting.page).await, "reading the page")?;
                let text =
                    |capture: &Capture| capture.shown.as_ref().map(|shown| shown.text.clone()).unwrap_or_default();
                let reply = new_lines(&text(&sent.before), &text(&after), &sent.prompt);
                return Ok(Observed { reply, prompt: sent.prompt, before: sent.before, after });
            };
            let over = limit.filter(|(end, _)| Instant::now() >= *end).map(|(_, limit)| Limit::Answer(limit));
            match (stop.map(Limit::Case), over) {
                (Some(Limit::Case(Stop::Cancelled)), _) => {
                    return Err(Box::new(BrowserError::Stopped(Stop::Cancelled)));
                }
                (Some(limit), _) | (None, Some(limit)) => {
                    return Err(Box::new(BrowserError::NeverSettled {
                        limit,
                        why,
                        page: last_lines(&waiting.page.text),
                    }));
                }
                (None, None) => {}
            }
            let waited = sent.at.elapsed();
            if waited >= told + TELLING {
                told = Duration::from_secs(waited.as_secs());
                self.context.progress.tell(format!("waiting for the assistant {} s", told.as_secs()));
            }
        }
    }

    async fn type_and_send(&self, page: &Page, field: &str, prompt: &str) -> Result<Sent, Fault> {
        let before = self.capture(page.clone()).await?;
        // What stands on the page between the two is what must change.
        let doing = "typing the prompt";
        let steps: [&[&str]; 2] = [&["fill", field, prompt], &["snapshot"]];
        let typed = self.browser.call(&steps, &self.context.deadline, doing).await?;
        let page = typed.get(1).and_then(Page::read).unwrap_or_default();
        // The page may have gone elsewhere since it was looked at.
        self.check_address(&page.address).map_err(Fault::Broken)?;
        self.browser.call(&[&["press", "Enter"]], &self.context.deadline, doing).await?;
        Ok(Sent { prompt: prompt.to_owned(), before, page, at: Instant::now() })
    }

    async fn look(&self) -> Outcome<Page> {
        let doing = "looking at the page";
        match self.look_or_stop().await? {
            Ok(page) => Ok(page),
            Err(stop) => self.made_of(Err(Fault::Stopped(stop)), doing),
        }
    }

    /// The page as it is now, or why it was time to stop.
    async fn look_or_stop(&self) -> Outcome<Result<Page, Stop>> {
        let doing = "looking at the page";
        let looked = match self.browser.call(&[&["snapshot"]], &self.context.deadline, doing).await {
            Err(Fault::Stopped(stop)) => return Ok(Err(stop)),
            looked => self.made_of(looked, doing)?,
        };
        let nothing = || BrowserError::Failed { doing: doing.to_owned(), why: "there is no snapshot".to_owned() };
        let page = looked.first().and_then(Page::read).ok_or_else(nothing)?;
        self.check_address(&page.address)?;
        Ok(Ok(page))
    }

    /// Lets a moment pass. Returns why it is time to stop, where it is.
    async fn pause(&self) -> Option<Stop> {
        tokio::select! {
            biased;
            stop = self.context.deadline.reached() => Some(stop),
            () = sleep(INTERVAL) => None,
        }
    }

    fn busy(&self, page: &Page) -> Option<&str> {
        page.shows(&self.app.config.busy)
    }

    fn settle(&self) -> Duration {
        self.app.config.settle.get()
    }

    pub(super) fn check(&self, at: Option<&Value>) -> Outcome<()> {
        self.check_address(at.and_then(|at| at.get("url")?.as_str()).unwrap_or_default())
    }

    fn check_address(&self, address: &str) -> Outcome<()> {
        match address {
            // Where a page crashed, agent-browser goes on with an empty one.
            "about:blank" | "" => Err(Box::new(BrowserError::Gone)),
            _ if self.app.addresses.allow(address) => Ok(()),
            _ => Err(Box::new(BrowserError::Elsewhere(plain(address)))),
        }
    }

    pub(super) fn made_of<T>(&self, outcome: Result<T, Fault>, doing: &str) -> Outcome<T> {
        outcome.map_err(|fault| match fault {
            Fault::Stopped(Stop::Cancelled) => Box::new(BrowserError::Stopped(Stop::Cancelled)),
            Fault::Stopped(stop) => Box::new(BrowserError::Late { stop, doing: doing.to_owned() }),
            Fault::Refused(why) => Box::new(BrowserError::Failed { doing: doing.to_owned(), why }),
            Fault::Broken(error) => error,
        })
    }
}

/// A page that is looked at until it does not change any more.
struct Waiting {
    page: Page,
    /// Since when it has been as it is.
    since: Instant,
    /// How often it was found so.
    looks: usize,
}

impl Waiting {
    fn new(page: Page) -> Self {
        Self { page, since: Instant::now(), looks: 1 }
    }

    fn look(&mut self, page: Page) {
        if page.text == self.page.text {
            (self.page, self.looks) = (page, self.looks + 1);
        } else {
            *self = Self::new(page);
        }
    }
}

/// Why an address could not be opened.
fn unreachable(address: &str, why: &str) -> BrowserError {
    let why = why.strip_prefix("Navigation failed: ").unwrap_or(why);
    let why = match why.strip_prefix("net::ERR_") {
        Some(code) => code.to_ascii_lowercase().replace('_', " "),
        None => why.to_owned(),
    };
    BrowserError::Unreachable { address: plain(address), why }
}

/// The lines that `after` has more often than `before`, without those that are the prompt. Of equal lines the last ones
/// are new: chats grow downwards.
fn new_lines(before: &str, after: &str, prompt: &str) -> String {
    let mut known: HashMap<&str, usize> = HashMap::new();
    before.lines().for_each(|line| *known.entry(line.trim()).or_default() += 1);
    let asked: HashSet<&str> = prompt.lines().map(str::trim).chain([prompt.trim()]).collect();
    let is_new = |line: &&str| match known.get_mut(line.trim()) {
        Some(left @ 1..) => {
            *left -= 1;
            false
        }
        _ => !line.trim().is_empty() && !asked.contains(line.trim()),
    };
    after.lines().filter(is_new).collect::<Vec<_>>().join("\n")
}

fn last_lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.len().saturating_sub(QUOTED_LINES);
    let cut = |line: &&str| match line.char_indices().nth(QUOTED_CODE_POINTS) {
        Some((cut, _)) => format!("{}…", plain(&line[..cut])),
        None => plain(line),
    };
    lines[first..].iter().map(cut).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_what_is_new_without_the_prompt() {
        let check = |before, after, reply| assert_eq!(new_lines(before, after, "Add 2\nand 3"), reply, "{after}");
        check("Chat\nAsk", "Chat\nAdd 2\nand 3\nIt is 5.\nAsk", "It is 5.");
        check("Chat\nDone.\nAsk", "Chat\nDone.\nDone.\nAsk", "Done.");
        check("Welcome", "Add 2\nand 3\n\nA\n\nB", "A\nB");
        check("Chat", "Chat\nAdd 2\nand 3", "");
    }
}
