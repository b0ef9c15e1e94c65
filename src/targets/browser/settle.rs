//! Waiting until a turn has settled.

use std::collections::HashMap;
use std::time::Duration;

use serde_json::Value;
use tokio::time::Instant;

use super::chat::{Chat, Outcome, last_lines};
use super::driver::Fault;
use super::error::{BrowserError, Limit};
use super::observed::Observed;
use super::page::Page;
use super::probe::{self, Looked};
use super::send::Sent;
use super::telemetry::Telemetry;
use super::turn::{Key, Next, Turn, Wait};
use crate::config::HumanDuration;
use crate::targets::plain::plain;
use crate::targets::{Cancel, Deadline, Stop};

/// How often to report what is waited for.
const REPORTING: Duration = Duration::from_secs(1);

/// How long a page that goes elsewhere may be without an answer.
const MOVING: Duration = Duration::from_secs(10);

/// How long the last snapshot for an error may take.
const LAST_LOOK: HumanDuration = HumanDuration::seconds(3);

/// How often a page may request an address until it counts as polling.
const POLLING: usize = 3;

/// How many code points of an address a reason shows.
const ADDRESS: usize = 100;

impl Chat<'_> {
    /// Waits until the assistant has answered, and sends the prompt again if the app did not take it. The log is read
    /// meanwhile.
    pub(super) async fn settled(&self, sent: Sent, telemetry: &mut Telemetry) -> Outcome<Observed> {
        let limit = self.app.answer_within.map(|limit| (sent.at + limit.get() + self.settle(), limit));
        let mut turn = Turn::sent(self.settle(), sent.key);
        let mut report = Report::new(sent.at);
        let mut looked = Looked::default();
        let mut moving: Option<Instant> = None;
        let mut can_see_requests = true;
        loop {
            let mut stop = self.pause().await;
            if stop.is_none() {
                match self.evidence(&sent, &mut can_see_requests).await {
                    Ok(Ok(found)) => (looked, moving) = (found, None),
                    Ok(Err(why)) => {
                        let since = *moving.get_or_insert_with(Instant::now);
                        if since.elapsed() > MOVING {
                            return Err(Box::new(BrowserError::Failed {
                                doing: "looking at the page".to_owned(),
                                why,
                            }));
                        }
                        continue;
                    }
                    Err(Fault::Stopped(stopped)) => stop = Some(stopped),
                    Err(fault) => return self.made_of(Err(fault), "looking at the page"),
                }
            }
            let mut now = looked.observation();
            now.at = sent.at.elapsed();
            now.calls = telemetry.open_calls().await.map_err(BrowserError::from)?;
            let mut next = turn.observe(now);
            if next == Next::AskRequests && stop.is_none() {
                next = turn.requests(self.open_request(&looked, can_see_requests).await?);
            }
            match next {
                Next::Settled => return self.observed(sent, &looked).await,
                Next::Send(key) if stop.is_none() => self.send_again(key, &sent, &mut turn).await?,
                Next::Wait(wait) => {
                    if let Some(message) = report.message(&wait) {
                        self.context.progress.tell(message);
                    }
                }
                Next::Send(_) | Next::AskRequests => {}
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

    /// What is new on the page, or why the page cannot be examined now.
    async fn evidence(&self, sent: &Sent, can_see_requests: &mut bool) -> Result<Result<Looked, String>, Fault> {
        let doing = "looking at the page";
        let mut script = sent.probe.look();
        for _ in 0..2 {
            let read = match self.browser.call(&[&["eval", &script]], &self.context.deadline, doing).await {
                Err(Fault::Refused(why)) => return Ok(Err(why)),
                read => read?,
            };
            let read = read.first().cloned().unwrap_or_default();
            self.check_address(read.get("origin").and_then(Value::as_str).unwrap_or_default())
                .map_err(Fault::Broken)?;
            match probe::read::<Looked>(&read) {
                Some(looked) if !looked.lost => return Ok(Ok(looked)),
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

    /// A request of the page that was sent since the prompt and has not ended, other than those that go on for ever.
    async fn open_request(&self, looked: &Looked, can_see_requests: bool) -> Outcome<Option<String>> {
        if !can_see_requests {
            return Ok(None);
        }
        let doing = "looking at the page's requests";
        let steps: [&[&str]; 1] = [&["network", "requests"]];
        let read = match self.browser.call(&steps, &self.context.deadline, doing).await {
            Err(Fault::Stopped(Stop::TimedOut(_))) => return Ok(Some("(unknown)".to_owned())),
            read => self.made_of(read, doing)?,
        };
        Ok(read.first().and_then(|read| open_request(read, &looked.completed)))
    }

    async fn send_again(&self, key: Key, sent: &Sent, turn: &mut Turn) -> Outcome<()> {
        match self.press(key, &sent.probe).await {
            Ok(true) => turn.sent_again(key),
            Ok(false) => turn.has_no_button(),
            Err(Fault::Stopped(Stop::TimedOut(_))) => {}
            Err(fault) => return self.made_of(Err(fault), "sending the prompt"),
        }
        if key == Key::Button {
            self.app.learn_button();
        }
        Ok(())
    }

    async fn observed(&self, sent: Sent, looked: &Looked) -> Outcome<Observed> {
        let after = self.look().await?;
        Ok(Observed { prompt: sent.prompt, before: sent.before, after, reply: looked.reply() })
    }

    async fn never_settled(&self, limit: Limit, turn: &Turn, looked: &Looked) -> Box<BrowserError> {
        let deadline = Deadline::start(LAST_LOOK, &Cancel::new());
        let read = self.browser.call(&[&["snapshot"]], &deadline, "looking at the page").await;
        let page = read.ok().and_then(|read| read.first().and_then(Page::read)).unwrap_or_default();
        let beside = looked.quoted_beside();
        Box::new(BrowserError::NeverSettled { limit, why: turn.unsettled(), beside, page: last_lines(&page.text) })
    }
}

/// The first request of a page that has not ended, as `POST /ask`.
fn open_request(answer: &Value, completed: &[(String, usize)]) -> Option<String> {
    let word = |request: &Value, key| request.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let requests = answer.get("requests")?.as_array()?;
    let mut by_address: HashMap<String, (usize, String)> = HashMap::new();
    let mut by_place: HashMap<String, usize> = HashMap::new();
    for request in requests {
        if !matches!(&*word(request, "resourceType"), "Fetch" | "XHR") {
            continue;
        }
        let url = word(request, "url");
        let place = url.split(['?', '#']).next().unwrap_or_default().to_owned();
        *by_place.entry(place.clone()).or_default() += 1;
        let address = url.split('#').next().unwrap_or_default().to_owned();
        let shown = place.splitn(4, '/').nth(3).unwrap_or_default();
        let shown: String = plain(&format!("{} /{shown}", word(request, "method"))).chars().take(ADDRESS).collect();
        by_address.entry(address).or_insert((0, shown)).0 += 1;
    }
    let ended: HashMap<&str, usize> = completed.iter().map(|(address, count)| (address.as_str(), *count)).collect();
    let mut open: Vec<_> = by_address
        .into_iter()
        .filter(|(address, (count, _))| {
            let place = address.split('?').next().unwrap_or_default();
            by_place.get(place).is_none_or(|count| *count < POLLING)
                && *count > ended.get(address.as_str()).copied().unwrap_or_default()
        })
        .map(|(_, (_, shown))| shown)
        .collect();
    open.sort();
    open.into_iter().next()
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_open_until_it_is_completed() {
        let request = |kind: &str, url: &str| json!({ "method": "POST", "resourceType": kind, "url": url });
        let ask = request("Fetch", "http://localhost/ask?x=1");
        let poll = request("Fetch", "http://localhost/poll");
        for (requests, completed, open) in [
            (vec![], vec![], None),
            (vec![ask.clone()], vec![], Some("POST /ask")),
            (vec![ask.clone()], vec![("http://localhost/ask?x=1".to_owned(), 1)], None),
            (vec![ask.clone(), ask], vec![("http://localhost/ask?x=1".to_owned(), 1)], Some("POST /ask")),
            (vec![request("EventSource", "http://localhost/events")], vec![], None),
            (vec![poll.clone(), poll.clone(), poll], vec![("http://localhost/poll".to_owned(), 2)], None),
        ] {
            assert_eq!(open_request(&json!({ "requests": requests }), &completed).as_deref(), open, "{requests:?}");
        }
    }
}
