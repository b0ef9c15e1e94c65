use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeMap;

use memchr::memmem;
use serde_json::{Map, Value};

use crate::text::fold;
use crate::transcript::{Event, Transcript};

use super::response::excerpt;
use super::{Evidence, EvidencePlace};

/// The telemetry, prepared for searches.
pub(super) struct Events<'t> {
    events: &'t [Event],
    tools: OnceCell<Tools<'t>>,
    texts: OnceCell<Vec<Cow<'t, str>>>,
    folded: OnceCell<Vec<String>>,
}

/// The names of the tools that were called, in the order of their first calls.
pub(crate) fn called_tools(transcript: &Transcript) -> Vec<String> {
    tools_that(transcript, |tool| tool.started)
}

/// The names of the tools with a result that succeeded, or failed, in the order of their first such results.
pub(crate) fn ended_tools(transcript: &Transcript, success: bool) -> Vec<String> {
    tools_that(transcript, |tool| if success { tool.succeeded } else { tool.failed })
}

fn tools_that(transcript: &Transcript, did: impl Fn(Tool) -> Option<usize>) -> Vec<String> {
    let tools = Tools::of(&transcript.telemetry);
    let mut found: Vec<_> = tools.iter().filter_map(|(name, tool)| Some((did(tool)?, name.to_owned()))).collect();
    found.sort();
    found.into_iter().map(|(_, name)| name).collect()
}

/// The actions of the tools. Each number is the index of the first such event, from 0.
#[derive(Default)]
pub(super) struct Tools<'t> {
    by_name: BTreeMap<&'t str, Tool>,
    /// The first failed result of any source.
    pub(super) failed_result: Option<usize>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Tool {
    pub(super) started: Option<usize>,
    pub(super) succeeded: Option<usize>,
    pub(super) failed: Option<usize>,
}

impl<'t> Events<'t> {
    pub(super) fn new(events: &'t [Event]) -> Events<'t> {
        Events { events, tools: OnceCell::new(), texts: OnceCell::new(), folded: OnceCell::new() }
    }

    pub(super) fn tools(&self) -> &Tools<'t> {
        self.tools.get_or_init(|| Tools::of(self.events))
    }

    /// The first event whose text contains `phrase` literally, ignoring case.
    pub(super) fn says(&self, phrase: &str) -> Option<usize> {
        self.find_folded(phrase, |_| true)
    }

    /// Like [`Events::says`], but only in JSON objects.
    pub(super) fn object_says(&self, phrase: &str) -> Option<usize> {
        self.find_folded(phrase, is_object)
    }

    /// The first JSON object whose text contains `text` literally.
    pub(super) fn object_contains(&self, text: &str) -> Option<usize> {
        let finder = memmem::Finder::new(text);
        let texts = self.texts().iter().zip(self.events);
        let mut found = texts.map(|(text, event)| is_object(event) && finder.find(text.as_bytes()).is_some());
        found.position(|found| found)
    }

    pub(super) fn evidence(&self, event: usize) -> Evidence {
        let place = EvidencePlace::Telemetry { event: event + 1 };
        Evidence { place, text: excerpt(&self.texts()[event]), in_prompt: false }
    }

    fn find_folded(&self, phrase: &str, counts: impl Fn(&Event) -> bool) -> Option<usize> {
        let folded = self.folded.get_or_init(|| self.texts().iter().map(|text| fold(text).into_owned()).collect());
        let phrase = fold(phrase);
        let finder = memmem::Finder::new(phrase.as_bytes());
        let texts = folded.iter().zip(self.events);
        let mut found = texts.map(|(text, event)| counts(event) && finder.find(text.as_bytes()).is_some());
        found.position(|found| found)
    }

    pub(super) fn texts(&self) -> &[Cow<'t, str>] {
        self.texts.get_or_init(|| self.events.iter().map(Event::text).collect())
    }
}

impl<'t> Tools<'t> {
    fn of(events: &'t [Event]) -> Tools<'t> {
        let mut tools = Tools::default();
        for (number, event) in events.iter().enumerate() {
            if let Some(event) = event.object() {
                tools.add(number, event);
            }
        }
        tools
    }

    fn add(&mut self, number: usize, event: &'t Map<String, Value>) {
        let text = |key: &str| event.get(key).and_then(Value::as_str);
        let tool = text("source").and_then(|source| source.strip_prefix("tool.")).filter(|name| !name.is_empty());
        let mut nameless = Tool::default();
        let tool = tool.map_or(&mut nameless, |name| self.by_name.entry(name).or_default());
        match text("event") {
            Some("start") => {
                tool.started.get_or_insert(number);
            }
            Some("result") => {
                let (succeeded, failed) = successes(event.get("data"));
                if succeeded {
                    tool.succeeded.get_or_insert(number);
                }
                if failed {
                    tool.failed.get_or_insert(number);
                    self.failed_result.get_or_insert(number);
                }
            }
            _ => {}
        }
    }

    pub(super) fn get(&self, name: &str) -> Tool {
        self.by_name.get(name).copied().unwrap_or_default()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&'t str, Tool)> {
        self.by_name.iter().map(|(name, tool)| (*name, *tool))
    }

    /// The first of these events among all tools.
    pub(super) fn first(&self, what: impl Fn(Tool) -> Option<usize>) -> Option<usize> {
        self.by_name.values().copied().filter_map(what).min()
    }

    /// Like [`Tools::first`], but only for these tools.
    pub(super) fn first_of(&self, names: &[&str], what: impl Fn(Tool) -> Option<usize>) -> Option<usize> {
        names.iter().map(|name| self.get(name)).filter_map(what).min()
    }
}

fn is_object(event: &Event) -> bool {
    event.object().is_some()
}

/// Whether `data` contains `"success": true` at any depth, and whether it contains `"success": false`.
fn successes(data: Option<&Value>) -> (bool, bool) {
    let (mut succeeded, mut failed) = (false, false);
    let mut open: Vec<&Value> = data.into_iter().collect();
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) => {
                match members.get("success") {
                    Some(Value::Bool(true)) => succeeded = true,
                    Some(Value::Bool(false)) => failed = true,
                    _ => {}
                }
                open.extend(members.values());
            }
            Value::Array(elements) => open.extend(elements),
            _ => {}
        }
    }
    (succeeded, failed)
}
