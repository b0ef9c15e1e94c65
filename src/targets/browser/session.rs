use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use async_trait::async_trait;
use serde_json::Map;
use time::format_description::well_known::Rfc3339;

use crate::clock;
use crate::config::Screenshots;
use crate::diagnostic::quoted;
use crate::targets::{Context, Request, Session, TargetError};
use crate::transcript::Transcript;

use super::App;
use super::chat::Chat;
use super::error::BrowserError;
use super::program::Browser;
use super::steps::Key;
use super::telemetry::Telemetry;

/// The browser of one job.
pub(super) struct BrowserSession {
    app: Arc<App>,
    browser: Option<Browser>,
    name: String,
    /// A picture of the last case, taken before its browser was closed.
    picture: Option<Vec<u8>>,
    /// Whether a picture of the last case would show something.
    can_be_seen: bool,
    /// The key of the last case, if the target has keys.
    key: Option<Key>,
    /// Whether the last case reached its prompts, so that `after` applies.
    unfinished: Arc<AtomicBool>,
    /// The telemetry of the last case, if the log does not name the case of an event: its calls may return later.
    telemetry: Option<Telemetry>,
}

impl BrowserSession {
    /// The browser of the job with that number. Nothing starts yet.
    pub(super) fn new(app: Arc<App>, job: usize) -> Result<Self, Box<BrowserError>> {
        let name = if job == 0 { app.session.clone() } else { format!("{}-{}", app.session, job + 1) };
        let browser = Some(Browser::new(&app.program, name.clone())?);
        let unfinished = Arc::default();
        Ok(Self { app, browser, name, picture: None, can_be_seen: false, key: None, unfinished, telemetry: None })
    }

    /// Opens the app once, to find out whether it answers and whether its page can be read.
    pub(super) async fn look(&mut self, context: &Context) -> Result<(), Box<BrowserError>> {
        let chat = self.chat(context)?;
        chat.open().await
    }

    /// Ends the browser.
    pub(super) async fn end(self) {
        if let Some(browser) = self.browser {
            browser.close().await;
        }
    }

    /// The telemetry of the next case, from now on.
    async fn next_telemetry(&mut self) -> Result<Telemetry, Box<BrowserError>> {
        let earlier = match self.telemetry.take() {
            Some(earlier) if self.key.is_none() => earlier.next_case().await,
            _ => None,
        };
        match earlier {
            Some(telemetry) => Ok(telemetry),
            None => {
                Ok(Telemetry::follow(self.app.log.as_deref(), self.key.clone()).await.map_err(BrowserError::from)?)
            }
        }
    }

    async fn answer(
        &mut self,
        request: &Request,
        telemetry: &mut Option<Telemetry>,
        context: &Context,
    ) -> Result<Transcript, Box<BrowserError>> {
        let (clock, recorded_at) = (Instant::now(), clock::now());
        let app = Arc::clone(&self.app);
        let unfinished = Arc::clone(&self.unfinished);
        self.key = (!app.config.telemetry_key.is_empty()).then(Key::new);
        let chat = self.chat(context)?;
        context.progress.tell("opening the app");
        chat.open().await?;
        chat.take(&app.before).await?;
        for (text, steps) in &app.precondition_steps {
            if request.preconditions.contains(text) {
                chat.check_precondition(text, steps).await?;
            }
        }
        unfinished.store(true, Ordering::Relaxed);
        let setup = request.setup_prompts.len();
        let telemetry = telemetry.insert(self.next_telemetry().await?);
        let chat = self.chat(context)?;
        for (index, prompt) in request.setup_prompts.iter().enumerate() {
            context.progress.tell(format!("setup {} of {setup}", index + 1));
            let sent = chat.send(prompt).await?;
            chat.settled(sent, telemetry).await?;
            chat.take(&app.between).await?;
        }
        telemetry.start_prompt().await.map_err(BrowserError::from)?;
        context.progress.tell("sending the prompt");
        let sent = chat.send(&request.prompt).await?;
        let observed = chat.settled(sent, telemetry).await?;
        let (response, pages) = chat.response(observed).await?;
        let telemetry = telemetry.finish().await.map_err(BrowserError::from)?;
        for warning in telemetry.warnings {
            context.progress.warn(format!("{}: {warning}", quoted(&request.case)));
        }
        Ok(Transcript {
            case: request.case.clone(),
            target: Some(app.target.clone()),
            recorded_at: recorded_at.replace_nanosecond(0).ok().and_then(|at| at.format(&Rfc3339).ok()),
            prompt: Some(request.prompt.clone()),
            setup_prompts: Some(request.setup_prompts.clone()),
            duration_ms: Some(u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX)),
            response,
            pages: Some(Box::new(pages)),
            telemetry: telemetry.events,
            program: None,
            usage: None,
            extra: Map::new(),
            last_record: None,
        })
    }

    /// The page, in a new browser if there is not one.
    fn chat<'a>(&'a mut self, context: &'a Context) -> Result<Chat<'a>, Box<BrowserError>> {
        let browser = match self.browser.take() {
            Some(browser) => browser,
            None => Browser::new(&self.app.program, self.name.clone())?,
        };
        Ok(Chat { app: &self.app, browser: self.browser.insert(browser), context, key: self.key.as_ref() })
    }
}

#[async_trait]
impl Session for BrowserSession {
    async fn ask(&mut self, request: &Request, context: &Context) -> Result<Transcript, TargetError> {
        self.picture = None;
        self.unfinished.store(false, Ordering::Relaxed);
        self.app.preconditions.run(request, context).await?;
        let mut telemetry = None;
        let answer = self.answer(request, &mut telemetry, context).await;
        self.telemetry = telemetry.or(self.telemetry.take());
        self.can_be_seen = answer.as_ref().map_or_else(|error| error.can_be_seen(), |_| true);
        if let Err(error) = &answer
            && error.leaves_browser_occupied()
            && let Some(browser) = self.browser.take()
        {
            if self.takes_pictures() && self.can_be_seen {
                self.picture = browser.picture().await;
            }
            // The next case starts a new one.
            browser.close().await;
        }
        Ok(answer?)
    }

    async fn finish(&mut self, context: &Context) -> Result<(), TargetError> {
        // After a case that got stuck, there is no page for steps.
        if !self.unfinished.swap(false, Ordering::Relaxed) || self.app.after.steps.is_empty() || self.browser.is_none()
        {
            return Ok(());
        }
        let app = Arc::clone(&self.app);
        let finished = self.chat(context)?.take(&app.after).await;
        if finished.as_ref().is_err_and(|error| error.leaves_browser_occupied())
            && let Some(browser) = self.browser.take()
        {
            browser.close().await;
        }
        Ok(finished?)
    }

    fn takes_pictures(&self) -> bool {
        self.app.config.screenshots == Screenshots::Failed
    }

    async fn picture(&mut self) -> Option<Vec<u8>> {
        match (self.picture.take(), &self.browser) {
            (None, Some(browser)) if self.can_be_seen => browser.picture().await,
            (picture, _) => picture,
        }
    }

    async fn close(self: Box<Self>) {
        self.end().await
    }
}
