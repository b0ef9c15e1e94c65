//! The telemetry of a case: the app's log, the tool calls that are open in it, and the part that belongs to the prompt.

use std::path::Path;
use std::time::{Duration, Instant};

use super::calls::{Calls, tool_event};
use super::key::Key;
use super::log::{Log, LogError};
use crate::transcript::Event;

/// For how long after its case an open call may still return. A slow tool of an agent takes a minute.
const LATE: Duration = Duration::from_secs(120);

/// The log of an app during one case, its setup prompts included.
#[derive(Debug)]
pub(super) struct Telemetry {
    /// `None` if the app has no log.
    log: Option<Log>,
    calls: Calls,
    /// The index of the first event after the prompt was sent.
    first: usize,
    /// When the log was last read.
    read: Instant,
}

/// The part of the log that belongs to the prompt.
#[derive(Debug, Default)]
pub(super) struct Segment {
    pub(super) events: Vec<Event>,
    /// The reasons for lines that are left out: lower-case sentences.
    pub(super) warnings: Vec<String>,
}

impl Telemetry {
    /// Begins at the end of the log. With a key, only the lines that contain it count.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub(super) async fn follow(path: Option<&Path>, key: Option<Key>) -> Result<Self, LogError> {
        let log = match path {
            Some(path) => Some(Log::follow(path).await?.of_case(key)),
            None => None,
        };
        Ok(Self { log, calls: Calls::default(), first: 0, read: Instant::now() })
    }

    /// Continues for the next case at the end of the log. Calls that are open now may end in that case without being its
    /// own. `None` if there is no log, or if it cannot be read.
    pub(super) async fn next_case(mut self) -> Option<Self> {
        let is_late = self.read.elapsed() > LATE;
        self.open_calls().await.ok()?;
        let mut log = self.log?;
        log.forget();
        let calls = if is_late { Calls::default() } else { self.calls.of_next_case() };
        Some(Self { log: Some(log), calls, first: 0, read: Instant::now() })
    }

    /// Reads what was appended, and returns the tools whose calls are open.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub(super) async fn open_calls(&mut self) -> Result<Vec<String>, LogError> {
        if let Some(log) = self.log.take() {
            let log = log.poll().await?;
            self.calls.read(log.events());
            self.log = Some(log);
            self.read = Instant::now();
        }
        Ok(self.calls.open())
    }

    /// Starts the part of the prompt that is sent next.
    ///
    /// # Errors
    /// If the log cannot be read.
    pub(super) async fn start_prompt(&mut self) -> Result<(), LogError> {
        self.open_calls().await?;
        self.first = self.log.as_ref().map_or(0, |log| log.events().len());
        Ok(())
    }

    /// The events since the prompt was sent, without results of calls that did not start since.
    ///
    /// # Errors
    /// If the log cannot be read, was never there, or does not say which call a result belongs to.
    pub(super) async fn finish(&mut self) -> Result<Segment, LogError> {
        let Some(log) = self.log.take() else { return Ok(Segment::default()) };
        let log = log.finish().await?;
        self.calls.read(log.events());
        let events = self.log.insert(log).events();
        if let Some(tool) = self.calls.doubtful() {
            return Err(LogError::Doubtful(tool.to_owned()));
        }
        let strays = self.calls.strays(self.first);
        let warnings = strays.iter().filter_map(|index| warning(&events[*index])).collect();
        let kept = events.iter().enumerate().skip(self.first).filter(|(index, _)| !strays.contains(index));
        Ok(Segment { events: kept.map(|(_, event)| event.clone()).collect(), warnings })
    }
}

fn warning(event: &Event) -> Option<String> {
    let (tool, ..) = tool_event(event.object()?)?;
    let tool = crate::diagnostic::quoted(&tool);
    Some(format!(
        "a stray result of the tool {tool} is left out of the telemetry: its call did not start within this case's prompt"
    ))
}
