//! Typing a prompt into the chat input, and sending it.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tokio::time::Instant;

use crate::targets::Stop;

use super::answer::Capture;
use super::chat::{Chat, ChatResult};
use super::error::BrowserError;
use super::page::Page;
use super::probe::{self, Baseline, Button, Marked, Probe};
use super::program::Fault;
use super::requests::{self, Background};
use super::turn::Key;

/// How many milliseconds a prompt waits for a request that loads data into the page.
const LOADING: f64 = 3000.0;

/// The time between two looks at a page that is to be ready for a prompt.
const READINESS: Duration = Duration::from_millis(150);

/// A prompt that was sent.
pub(super) struct Sent {
    pub(super) prompt: String,
    /// The page before the prompt was typed.
    pub(super) before: Capture,
    pub(super) probe: Probe,
    pub(super) baseline: Baseline,
    /// The requests that were open before.
    pub(super) background: Background,
    pub(super) at: Instant,
    pub(super) key: Key,
}

impl Chat<'_> {
    /// Types a prompt into the chat input and sends it. The page may still be loading: it is looked at until the input is
    /// there, or the page has settled without it.
    pub(super) async fn send(&self, prompt: &str) -> ChatResult<Sent> {
        let (page, listed) = self.capture().await?;
        let mut waiting = Waiting::new(page, is_loading(&listed));
        loop {
            let fault = match waiting.page.snapshot.input(&self.app.config.chat_input) {
                // A page that has just changed may not be ready for what is typed.
                Ok(_) if waiting.looks < 2 => None,
                Ok(_) if waiting.is_loading => Some(Ok("the page is still loading".to_owned())),
                Ok(reference) => match self.type_and_send(&waiting.page, &format!("@{reference}"), prompt).await {
                    Ok(sent) => return Ok(sent),
                    Err(Fault::Refused(why)) => Some(Ok(why)),
                    Err(fault) => return self.made_of(Err(fault), "typing the prompt"),
                },
                Err(none) => Some(Err(none)),
            };
            let stop = self.pause(READINESS).await;
            let has_settled = self.busy(&waiting.page.snapshot).is_none()
                && waiting.since.elapsed() >= self.settle().max(self.app.loading);
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
            let (page, listed) = self.capture().await?;
            waiting.look(page, is_loading(&listed));
        }
    }

    async fn type_and_send(&self, before: &Capture, field: &str, prompt: &str) -> Result<Sent, Fault> {
        let doing = "typing the prompt";
        let probe = Probe::new(&self.app.config, prompt);
        let (idle, mark) = (probe.idle(), probe.mark());
        // The page between typing and sending is what the answer is compared with.
        let steps: [&[&str]; 6] = [
            &["eval", &idle],
            &["fill", field, prompt],
            &["snapshot"],
            &["network", "requests"],
            &["network", "requests", "--clear"],
            &["eval", &mark],
        ];
        let typed = self.browser.call(&steps, &self.context.deadline, doing).await?;
        let snapshot = typed.get(2).and_then(Page::read).unwrap_or_default();
        // The page may have gone elsewhere since it was looked at.
        self.check_address(&snapshot.address).map_err(Fault::Broken)?;
        let marked: Option<Marked> = typed.get(5).and_then(probe::read);
        let Some(marked) = marked else { return Err(Fault::Refused("the page cannot be examined".to_owned())) };
        if !marked.holds {
            return Err(Fault::Refused(format!("after typing, the chat input holds {}", marked.quoted_value())));
        }
        let background = typed.get(3).map(|listed| marked.background(listed)).unwrap_or_default();
        let key = if self.app.config.send.is_some() || self.app.sends_by_button() { Key::Button } else { Key::Enter };
        let key = match self.press(key, &probe).await? {
            true => key,
            // The button may come later; Enter may do.
            false if self.app.config.send.is_some() => Key::Button,
            false => {
                self.press(Key::Enter, &probe).await?;
                Key::Enter
            }
        };
        let (prompt, before, baseline, at) = (prompt.to_owned(), before.clone(), marked.baseline, Instant::now());
        Ok(Sent { prompt, before, probe, baseline, background, at, key })
    }

    /// Sends what is in the chat input; `false` if there is not a button to do it with.
    pub(super) async fn press(&self, key: Key, probe: &Probe) -> Result<bool, Fault> {
        let doing = "sending the prompt";
        let deadline = &self.context.deadline;
        if key == Key::Enter {
            self.browser.call(&[&["press", "Enter"]], deadline, doing).await?;
            return Ok(true);
        }
        if let Some(wanted) = &self.app.config.send {
            let looked = self.browser.call(&[&["snapshot"]], deadline, doing).await?;
            let page = looked.first().and_then(Page::read).unwrap_or_default();
            let Some(reference) = page.one(&wanted.role, wanted.name.as_deref()) else { return Ok(false) };
            return match self.browser.call(&[&["click", &format!("@{reference}")]], deadline, doing).await {
                Ok(_) => Ok(true),
                // It is not enabled, or gone again.
                Err(Fault::Refused(_)) => Ok(false),
                Err(fault) => Err(fault),
            };
        }
        let found = self.browser.call(&[&["eval", &probe.button()]], deadline, doing).await?;
        let button: Button = found.first().and_then(probe::read).unwrap_or_default();
        if button.name.is_none() {
            return Ok(false);
        }
        if !button.clicked {
            let (x, y) = (button.x.to_string(), button.y.to_string());
            let steps: [&[&str]; 3] = [&["mouse", "move", &x, &y], &["mouse", "down"], &["mouse", "up"]];
            self.browser.call(&steps, deadline, doing).await?;
        }
        Ok(true)
    }
}

/// Whether a page waits for a request that loads data into it.
fn is_loading(listed: &Value) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64() * 1000.0;
    requests::is_loading(listed, now, LOADING)
}

/// A page that is looked at until it does not change any more.
struct Waiting {
    page: Capture,
    /// Whether it still loads data.
    is_loading: bool,
    /// Since when it has been as it is.
    since: Instant,
    /// How often it was found so.
    looks: usize,
}

impl Waiting {
    fn new(page: Capture, is_loading: bool) -> Self {
        Self { page, is_loading, since: Instant::now(), looks: 1 }
    }

    fn look(&mut self, page: Capture, is_loading: bool) {
        if page.snapshot.text == self.page.snapshot.text {
            *self = Self { page, is_loading, since: self.since, looks: self.looks + 1 };
        } else {
            *self = Self::new(page, is_loading);
        }
    }
}
