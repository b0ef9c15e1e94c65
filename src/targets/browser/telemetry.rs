//! The telemetry of a case: the app's log, the tool calls that are open in it or have no start, and the part that belongs to the prompt.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::transcript::Event;

use super::log::{Log, LogError};
use super::steps::Key;

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

/// The keys of an event's `data` that tell one call of a tool from another.
const ID_KEYS: [&str; 5] = ["call_id", "callId", "tool_call_id", "toolCallId", "invocation_id"];

/// A call whose result is not in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    tool: String,
    id: Option<String>,
    /// The index of its `start`; `None` if that is in an earlier case.
    start: Option<usize>,
}

/// The calls of a log, read event by event.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    read: usize,
    open: VecDeque<Open>,
    /// The indices of results that end no call, or one that started at that index.
    ends: Vec<(usize, Option<usize>)>,
    /// The tools with a result that belongs either to this case or to an earlier one: the log does not say to which.
    doubtful: BTreeSet<String>,
}

impl Calls {
    /// The calls of the next case, in which those that are open now may still end.
    pub(super) fn of_next_case(self) -> Self {
        let open = self.open.into_iter().map(|open| Open { start: None, ..open }).collect();
        Self { open, ..Self::default() }
    }

    /// Reads the events that are new since the last time.
    pub(super) fn read(&mut self, events: &[Event]) {
        for (index, event) in events.iter().enumerate().skip(self.read) {
            let Some((tool, what, id)) = event.object().and_then(tool_event) else { continue };
            match what {
                "start" => self.open.push_back(Open { tool, id, start: Some(index) }),
                "result" | "error" | "end" | "cancelled" => {
                    let start = self.end(&tool, id.as_ref()).and_then(|open| open.start);
                    if what == "result" {
                        self.ends.push((index, start));
                    }
                }
                _ => {}
            }
        }
        self.read = self.read.max(events.len());
    }

    /// The call that an event ends: the one with its id, else the oldest that it can be.
    fn end(&mut self, tool: &str, id: Option<&String>) -> Option<Open> {
        let with_id = self.open.iter().position(|open| open.tool == tool && id.is_some() && open.id.as_ref() == id);
        let can_be = |open: &&Open| open.tool == tool && (open.id.is_none() || id.is_none());
        let can_be_both =
            [true, false].map(|is_own| self.open.iter().filter(can_be).any(|open| open.start.is_some() == is_own));
        if with_id.is_none() && can_be_both == [true, true] {
            self.doubtful.insert(tool.to_owned());
        }
        let ended = with_id.or_else(|| self.open.iter().position(|open| can_be(&open)));
        ended.and_then(|at| self.open.remove(at))
    }

    /// The tools of this case's calls that are open.
    pub(super) fn open(&self) -> Vec<String> {
        self.open.iter().filter(|open| open.start.is_some()).map(|open| open.tool.clone()).collect()
    }

    /// A tool with a result that may belong to an earlier case or to this one.
    pub(super) fn doubtful(&self) -> Option<&str> {
        self.doubtful.first().map(String::as_str)
    }

    /// The indices from `first` of results whose call did not start there or later.
    pub(super) fn strays(&self, first: usize) -> Vec<usize> {
        let is_stray =
            |(index, start): &&(usize, Option<usize>)| *index >= first && start.is_none_or(|start| start < first);
        self.ends.iter().filter(is_stray).map(|(index, _)| *index).collect()
    }
}

/// The tool of an event, what happened, and which call it was.
pub(super) fn tool_event(event: &Map<String, Value>) -> Option<(String, &str, Option<String>)> {
    let tool = event.get("source")?.as_str()?.strip_prefix("tool.")?;
    let data = event.get("data").and_then(Value::as_object);
    let id = data.and_then(|data| ID_KEYS.iter().find_map(|key| data.get(*key))).map(Value::to_string);
    Some((tool.to_owned(), event.get("event")?.as_str()?, id))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(lines: &[&str]) -> Vec<Event> {
        let event = |line: &&str| {
            let (event, rest) = line.split_once(' ').unwrap();
            let (tool, id) = rest.split_once('#').unwrap_or((rest, ""));
            let data = if id.is_empty() { String::new() } else { format!(r#","data":{{"callId":{id}}}"#) };
            Event::from_line(&format!(r#"{{"source":"{tool}","event":"{event}"{data}}}"#))
        };
        lines.iter().map(event).collect()
    }

    fn calls(lines: &[&str]) -> (Vec<String>, Vec<usize>, Vec<usize>) {
        let events = events(lines);
        let mut calls = Calls::default();
        // Read piece by piece, as a log is.
        for end in 0..=events.len() {
            calls.read(&events[..end]);
        }
        (calls.open(), calls.strays(0), calls.strays(1))
    }

    #[test]
    fn a_start_without_its_result_is_open_and_a_result_without_its_start_is_stray() {
        let none = Vec::<usize>::new;
        for (lines, open, strays, strays_after_first) in [
            (&[][..], &[][..], none(), none()),
            (&["start tool.a"], &["a"], none(), none()),
            (&["start tool.a", "result tool.a"], &[], none(), vec![1]),
            (&["start tool.a", "error tool.a"], &[], none(), none()),
            (&["result tool.a", "start tool.a"], &["a"], vec![0], none()),
            (&["start tool.a", "result tool.b"], &["a"], vec![1], vec![1]),
            (&["start tool.a", "start tool.a", "result tool.a"], &["a"], none(), vec![2]),
            (&["start tool.a#1", "result tool.a#2"], &["a"], vec![1], vec![1]),
            (&["start tool.a#1", "start tool.a#2", "result tool.a#2"], &["a"], none(), none()),
            (&["start assistant", "result assistant"], &[], none(), none()),
        ] {
            let open: Vec<String> = open.iter().map(|tool| (*tool).to_owned()).collect();
            assert_eq!(calls(lines), (open, strays, strays_after_first), "{lines:?}");
        }
    }

    #[test]
    fn a_result_that_may_end_a_call_of_an_earlier_case_is_stray_or_doubtful() {
        let none = Vec::<usize>::new;
        for (earlier, lines, open, strays, doubtful) in [
            (&["start tool.a"][..], &[][..], &[][..], none(), None),
            (&["start tool.a"], &["result tool.a"], &[], vec![0], None),
            (&["start tool.a"], &["start tool.b", "result tool.b", "result tool.a"], &[], vec![2], None),
            (&["start tool.a"], &["result tool.a", "start tool.a", "result tool.a"], &[], vec![0], None),
            (&["start tool.a"], &["start tool.a", "result tool.a"], &["a"], vec![1], Some("a")),
            (&["start tool.a#1"], &["start tool.a#2", "result tool.a#1"], &["a"], vec![1], None),
            (&["start tool.a#1"], &["start tool.a#2", "result tool.a#2"], &[], none(), None),
            (&["start tool.a#1"], &["start tool.a#2", "result tool.a#2", "result tool.a#1"], &[], vec![2], None),
            (&["start tool.a#1"], &["start tool.a#2", "result tool.a"], &["a"], vec![1], Some("a")),
        ] {
            let mut calls = Calls::default();
            calls.read(&events(earlier));
            let mut calls = calls.of_next_case();
            calls.read(&events(lines));
            let open: Vec<String> = open.iter().map(|tool| (*tool).to_owned()).collect();
            assert_eq!(
                (calls.open(), calls.strays(0), calls.doubtful()),
                (open, strays, doubtful),
                "{earlier:?} {lines:?}"
            );
        }
    }
}
