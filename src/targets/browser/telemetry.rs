//! The telemetry of a case: the app's log, the tool calls that are open in it, and the part that belongs to the prompt.

use std::path::Path;

use super::calls::{Calls, tool_event};
use super::key::Key;
use super::log::{Log, LogError};
use crate::transcript::Event;

/// The log of an app during one case, its setup prompts included.
#[derive(Debug)]
pub(super) struct Telemetry {
    /// `None` if the app has no log.
    log: Option<Log>,
    calls: Calls,
    /// The index of the first event after the prompt was sent.
    first: usize,
}

/// What the log says about the prompt.
#[derive(Debug, Default)]
pub(super) struct Segment {
    pub(super) events: Vec<Event>,
    /// What was left out, and why: a lower-case sentence each.
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
        Ok(Self { log, calls: Calls::default(), first: 0 })
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
        }
        Ok(self.calls.open())
    }

    /// What follows belongs to the prompt that is sent next.
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
    /// If the log cannot be read, or never existed.
    pub(super) async fn finish(mut self) -> Result<Segment, LogError> {
        let Some(log) = self.log else { return Ok(Segment::default()) };
        let events = log.finish().await?;
        self.calls.read(&events);
        let strays = self.calls.strays(self.first);
        let warnings = strays.iter().filter_map(|index| warning(&events[*index])).collect();
        let kept = events.into_iter().enumerate().skip(self.first).filter(|(index, _)| !strays.contains(index));
        Ok(Segment { events: kept.map(|(_, event)| event).collect(), warnings })
    }
}

fn warning(event: &Event) -> Option<String> {
    let (tool, ..) = tool_event(event.object()?)?;
    let tool = crate::diagnostic::quoted(&tool);
    Some(format!(
        "a stray result of the tool {tool} is left out of the telemetry: its call did not start within this case's prompt"
    ))
}
