//! Which tool calls of a log are open, and which results belong to none of them.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use crate::transcript::Event;

/// The keys of an event's `data` that tell one call of a tool from another.
const ID_KEYS: [&str; 5] = ["call_id", "callId", "tool_call_id", "toolCallId", "invocation_id"];

/// A call whose result is not in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    tool: String,
    id: Option<String>,
    /// The index of its `start`.
    start: usize,
}

/// The calls of a log, read event by event.
#[derive(Clone, Debug, Default)]
pub(super) struct Calls {
    read: usize,
    open: VecDeque<Open>,
    /// The indices of results that end no call, or one that started at that index.
    ends: Vec<(usize, Option<usize>)>,
}

impl Calls {
    /// Reads the events that are new since the last time.
    pub(super) fn read(&mut self, events: &[Event]) {
        for (index, event) in events.iter().enumerate().skip(self.read) {
            let Some((tool, what, id)) = event.object().and_then(tool_event) else { continue };
            match what {
                "start" => self.open.push_back(Open { tool, id, start: index }),
                "result" | "error" | "end" | "cancelled" => {
                    let ended = self
                        .open
                        .iter()
                        .position(|open| open.tool == tool && (open.id.is_none() || id.is_none() || open.id == id));
                    let start = ended.and_then(|at| self.open.remove(at)).map(|open| open.start);
                    if what == "result" {
                        self.ends.push((index, start));
                    }
                }
                _ => {}
            }
        }
        self.read = self.read.max(events.len());
    }

    /// The tools of the calls that are open.
    pub(super) fn open(&self) -> Vec<String> {
        self.open.iter().map(|open| open.tool.clone()).collect()
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

    fn calls(lines: &[&str]) -> (Vec<String>, Vec<usize>, Vec<usize>) {
        let events: Vec<_> = lines
            .iter()
            .map(|line| {
                let (event, rest) = line.split_once(' ').unwrap();
                let (tool, id) = rest.split_once('#').unwrap_or((rest, ""));
                let data = if id.is_empty() { String::new() } else { format!(r#","data":{{"callId":{id}}}"#) };
                Event::from_line(&format!(r#"{{"source":"{tool}","event":"{event}"{data}}}"#))
            })
            .collect();
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
}
