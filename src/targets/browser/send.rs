//! Typing a prompt into the chat input, sending it, and waiting until the turn has settled.

use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::Value;
use tokio::time::Instant;

use crate::config::HumanDuration;
use crate::targets::plain::plain;
use crate::targets::{Cancel, Deadline, Stop};

use super::chat::{Capture, Chat, ChatResult, Observed, last_lines};
use super::error::{BrowserError, Limit};
use super::page::Page;
use super::probe::{self, Baseline, Button, Looked, Marked, Probe};
use super::program::Fault;
use super::requests::{self, Background};
use super::telemetry::Telemetry;
use super::turn::{Key, Next, Turn, Wait};

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
                    (Ok(why), stop) => BrowserError::NotTyped(why, stop),
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
        let (idle, mark) = (probe.call("rememberIdle"), probe.call("mark"));
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
        let key = if self.app.config.send.is_some() || self.app.button.load(Ordering::Relaxed) {
            Key::Button
        } else {
            Key::Enter
        };
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
        let found = self.browser.call(&[&["eval", &probe.call("sendButtonOf")]], deadline, doing).await?;
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

/// The time between two looks at a page. Below what a person notices.
const INTERVAL: Duration = Duration::from_millis(100);

/// How often to report what is waited for. Durations are shown in seconds.
const REPORTING: Duration = Duration::from_secs(1);

/// How long a page that goes elsewhere may be without an answer.
const MOVING: Duration = Duration::from_secs(10);

/// How long the last snapshot for an error may take. The run does not wait longer for a page that hangs.
const LAST_LOOK: HumanDuration = HumanDuration::seconds(3);

impl Chat<'_> {
    /// Waits until the assistant has answered, and sends the prompt again if the app did not take it. The log is read
    /// meanwhile.
    pub(super) async fn settled(&self, sent: Sent, telemetry: &mut Telemetry) -> ChatResult<Observed> {
        let limit = self.app.answer_within.map(|limit| (sent.at + limit.get() + self.settle(), limit));
        let mut turn = Turn::sent(self.settle(), sent.key);
        let mut report = Report::new(sent.at);
        let (mut looked, mut listed) = (Looked::default(), Value::Null);
        let mut moving: Option<Instant> = None;
        let mut can_see_requests = true;
        loop {
            let mut stop = self.pause(turn.next_look(INTERVAL)).await;
            if stop.is_none() {
                match self.evidence(&sent, &mut can_see_requests).await {
                    Ok(Ok(found)) => (looked, listed, moving) = (found.0, found.1, None),
                    Ok(Err(why)) => {
                        let since = *moving.get_or_insert_with(Instant::now);
                        if since.elapsed() > MOVING {
                            return Err(Box::new(BrowserError::failed("looking at the page", why)));
                        }
                        continue;
                    }
                    Err(Fault::Stopped(stopped)) => stop = Some(stopped),
                    Err(fault) => return self.made_of(Err(fault), "looking at the page"),
                }
            }
            let mut now = looked.observation();
            now.is_occupied &= !self.app.idle.lock().expect("no holder of this lock panics").contains(&looked.composer);
            now.at = sent.at.elapsed();
            now.calls = telemetry.open_calls().await.map_err(BrowserError::from)?;
            let mut next = turn.observe(now);
            if next == Next::AskRequests && stop.is_none() {
                let open = requests::open_request(
                    &listed,
                    &looked.completed,
                    &sent.background,
                    &sent.prompt,
                    &self.app.config.url,
                );
                next = turn.requests(open.filter(|_| can_see_requests));
            }
            match next {
                Next::Settled => {
                    self.app.idle.lock().expect("no holder of this lock panics").insert(looked.composer.clone());
                    return self.observed(sent, &looked).await;
                }
                Next::Clear if stop.is_none() => self.clear(&sent, &mut turn).await?,
                Next::Send(key) if stop.is_none() => self.send_again(key, &sent, &mut turn).await?,
                Next::Wait(wait) => {
                    if let Some(message) = report.message(&wait) {
                        self.context.progress.tell(message);
                    }
                }
                Next::Send(_) | Next::Clear | Next::AskRequests => {}
            }
            let over = limit.filter(|(end, _)| Instant::now() >= *end).map(|(_, limit)| Limit::Answer(limit));
            match (stop, over) {
                (Some(Stop::Cancelled), _) => return Err(Box::new(BrowserError::Stopped(Stop::Cancelled))),
                (None, None) => {}
                (Some(stop), _) => return Err(self.never_settled(Limit::Case(stop), &turn, &looked).await),
                (None, Some(limit)) => return Err(self.never_settled(limit, &turn, &looked).await),
            }
        }
    }

    /// What is new on the page and agent-browser's list of its requests, or why the page cannot be examined now.
    async fn evidence(
        &self,
        sent: &Sent,
        can_see_requests: &mut bool,
    ) -> Result<Result<(Looked, Value), String>, Fault> {
        let doing = "looking at the page";
        let mut script = sent.probe.call("look");
        for _ in 0..2 {
            let steps: [&[&str]; 2] = [&["eval", &script], &["network", "requests"]];
            let mut read = match self.browser.call(&steps, &self.context.deadline, doing).await {
                Err(Fault::Refused(why)) => return Ok(Err(why)),
                read => read?.into_iter(),
            };
            let [read, listed] = [(); 2].map(|()| read.next().unwrap_or_default());
            self.check_address(read.get("origin").and_then(Value::as_str).unwrap_or_default())
                .map_err(Fault::Broken)?;
            match probe::read::<Looked>(&read) {
                Some(looked) if !looked.lost => return Ok(Ok((looked, listed))),
                Some(_) => {
                    // Requests from before are not counted on the new page.
                    *can_see_requests = false;
                    script = sent.probe.restore(&sent.baseline);
                }
                None => return Ok(Err("its answer cannot be read".to_owned())),
            }
        }
        Ok(Err("the page is loaded again and again".to_owned()))
    }

    /// Removes the prompt from the chat input, as a person does.
    async fn clear(&self, sent: &Sent, turn: &mut Turn) -> ChatResult<()> {
        let doing = "clearing the chat input";
        let script = sent.probe.call("selectInput");
        let steps: [&[&str]; 2] = [&["eval", &script], &["press", "Delete"]];
        match self.browser.call(&steps, &self.context.deadline, doing).await {
            Err(Fault::Stopped(Stop::TimedOut(_))) => {}
            cleared => {
                self.made_of(cleared, doing)?;
                turn.cleared();
            }
        }
        Ok(())
    }

    async fn send_again(&self, key: Key, sent: &Sent, turn: &mut Turn) -> ChatResult<()> {
        match self.press(key, &sent.probe).await {
            Ok(true) => turn.sent_again(key),
            Ok(false) => turn.has_no_button(),
            Err(Fault::Stopped(Stop::TimedOut(_))) => {}
            Err(fault) => return self.made_of(Err(fault), "sending the prompt"),
        }
        if key == Key::Button {
            self.app.button.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    async fn observed(&self, sent: Sent, looked: &Looked) -> ChatResult<Observed> {
        let (after, _) = self.capture().await?;
        Ok(Observed { prompt: sent.prompt, before: sent.before, after, reply: looked.markdown.clone() })
    }

    async fn never_settled(&self, limit: Limit, turn: &Turn, looked: &Looked) -> Box<BrowserError> {
        let deadline = Deadline::start(LAST_LOOK, &Cancel::new());
        let read = self.browser.call(&[&["snapshot"]], &deadline, "looking at the page").await;
        let page = read.ok().and_then(|read| read.first().and_then(Page::read)).unwrap_or_default();
        let beside = looked.quoted_beside();
        let beside = beside.map(|line| format!("; beside the conversation, the page shows {line}"));
        let mut shown = beside.unwrap_or_default();
        if !page.text.is_empty() {
            shown += &format!("; the last snapshot ends with:\n  {}", last_lines(&page.text).join("\n  "));
        }
        Box::new(BrowserError::NeverSettled(limit, turn.unsettled(), shown))
    }
}

/// Progress output: what is waited for, and for how many seconds.
struct Report {
    reported: Instant,
    wait: Option<(Wait, Instant)>,
}

impl Report {
    fn new(now: Instant) -> Self {
        Self { reported: now, wait: None }
    }

    /// A message, at most one a second.
    fn message(&mut self, wait: &Wait) -> Option<String> {
        let since = match &self.wait {
            Some((known, since)) if known == wait => *since,
            _ => self.wait.insert((wait.clone(), Instant::now())).1,
        };
        (self.reported.elapsed() >= REPORTING).then(|| {
            self.reported = Instant::now();
            format!("{} {} s", plain(&wait.to_string()).replace('\n', " "), since.elapsed().as_secs())
        })
    }
}
