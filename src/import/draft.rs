//! A case while it is imported.

use serde_json::{Map, Value, json};

use crate::pattern::{self, Case, escape, whole_number};
use crate::suite::built_in_source;
use crate::text::normalized;
use crate::transcript::{Event, Transcript};

/// What a case of another program says, and what of it no key of a suite says.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    /// Where it is in its file: `row 3`.
    pub(super) place: String,
    pub(super) id: Option<String>,
    pub(super) category: Option<String>,
    pub(super) prompt: Option<String>,
    pub(super) setup_prompts: Vec<String>,
    /// Groups of phrases. The answer says one of each group.
    pub(super) says: Vec<Vec<String>>,
    pub(super) says_none: Vec<String>,
    pub(super) matches: Vec<String>,
    pub(super) matches_none: Vec<String>,
    /// Groups of tools. One of each group is called.
    pub(super) tools: Vec<Vec<String>>,
    pub(super) tools_none: Vec<String>,
    /// The entries of `must_ground_numbers`.
    pub(super) numbers: Vec<Value>,
    pub(super) sources: Vec<String>,
    /// The answer that was recorded.
    pub(super) response: Option<String>,
    /// The tool calls that were recorded with it, each with its arguments. `None` if the file does not say.
    pub(super) calls: Option<Vec<(String, Value)>>,
    /// Whether one of them could not be read.
    pub(super) has_unread_calls: bool,
    /// The reasons why something in it is not said.
    pub(super) left_out: Vec<String>,
}

impl Draft {
    pub(super) fn at(place: String) -> Draft {
        Draft { place, ..Draft::default() }
    }

    /// Notes something that no key says.
    pub(super) fn leave_out(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        if !self.left_out.contains(&reason) {
            self.left_out.push(reason);
        }
    }

    /// Adds a group of phrases of which the answer says one. Blank phrases are in every answer.
    pub(super) fn says_one_of(&mut self, phrases: Vec<String>) {
        if phrases.iter().any(|phrase| phrase.trim().is_empty()) {
            self.leave_out("a phrase is empty, and every answer has it");
        } else if !phrases.is_empty() && !self.says.contains(&phrases) {
            self.says.push(phrases);
        }
    }

    /// Adds phrases that the answer does not say.
    pub(super) fn says_none_of(&mut self, phrases: Vec<String>) {
        let (phrases, blank): (Vec<_>, Vec<_>) = phrases.into_iter().partition(|phrase| !phrase.trim().is_empty());
        if !blank.is_empty() {
            self.leave_out("a forbidden phrase is empty, and every answer has it");
        }
        self.says_none.extend(phrases);
    }

    /// Adds a number, with its digits as they are written. It is not found in another one.
    pub(super) fn has_number(&mut self, number: &str) {
        self.numbers.push(json!({ "label": number, "regex": whole_number(number) }));
    }

    /// Adds a pattern of another program, which ignores no case and looks at the whole answer.
    pub(super) fn foreign_pattern(&mut self, text: &str, is_wanted: bool) {
        let spans_lines = ["^", "$", r"\A", r"\Z", r"\z", r"\n", r"\r", r"\R", r"\s", r"\S", r"\W", r"\D", "\n"];
        let flags =
            text.split("(?").skip(1).map(|rest| rest.split([':', ')', '<', '=', '!']).next().unwrap_or_default());
        let is_across = flags.into_iter().any(|flags| flags.contains(['s', 'm']));
        if is_across || spans_lines.iter().any(|part| text.contains(part)) {
            self.leave_out(format!("the pattern `{text}` looks at the whole answer there, and at each line here"));
        }
        self.pattern(format!("(?-i){text}"), is_wanted);
    }

    /// Adds a pattern, if the dialect of suites has it. `is_wanted` is whether the answer matches it.
    pub(super) fn pattern(&mut self, text: String, is_wanted: bool) {
        if let Err(error) = pattern::Pattern::compile(&text, Case::Ignored) {
            return self.leave_out(format!("the pattern `{text}` is not one of PCRE2: {}", error));
        }
        let list = if is_wanted { &mut self.matches } else { &mut self.matches_none };
        if !list.contains(&text) {
            list.push(text);
        }
    }

    /// The value of `expected`.
    fn expected(&mut self) -> Value {
        let mut any: Vec<String> = Vec::new();
        let mut patterns: Vec<String> = Vec::new();
        let only_one = self.says.len() == 1;
        for group in std::mem::take(&mut self.says) {
            let is_choice = group.len() > 1 || only_one;
            if is_choice && any.is_empty() {
                any = group;
                continue;
            }
            if group.iter().any(|phrase| phrase.contains('\n')) {
                self.leave_out("a phrase has several lines, and a pattern is tried on each line alone");
                continue;
            }
            if group.iter().any(|phrase| normalized(phrase) != phrase.as_str()) {
                self.leave_out("a pattern finds an accent only as it is written there: composed (NFC)");
            }
            let each: Vec<String> = group.iter().map(|phrase| escape(&normalized(phrase))).collect();
            patterns.push(if let [one] = &each[..] { one.clone() } else { format!("(?:{})", each.join("|")) });
        }
        patterns.extend(std::mem::take(&mut self.matches));
        let mut telemetry = Vec::new();
        let mut tools = Vec::new();
        let only_one = self.tools.len() == 1;
        for group in std::mem::take(&mut self.tools) {
            match &group[..] {
                [tool] if !only_one => {
                    let entry = started(tool);
                    if telemetry.contains(&entry) {
                        self.leave_out("how often a tool is called is not checked");
                    }
                    telemetry.push(entry);
                }
                _ if tools.is_empty() => tools = group,
                _ => self.leave_out("of several groups of tools, one is said: `tool_calls_any` is one list"),
            }
        }
        let mut sources = std::mem::take(&mut self.sources);
        sources.dedup();
        // A built-in source has other phrases besides its name.
        let built_in = sources.iter().filter(|name| built_in_source(name).is_some());
        let patterns_of: Map<String, Value> = built_in.map(|name| (name.clone(), json!([name]))).collect();
        let mut expected = Map::new();
        let lists = [
            ("tool_calls_any", tools),
            ("tool_calls_none", std::mem::take(&mut self.tools_none)),
            ("telemetry", telemetry),
            ("must_say_any", any),
            ("must_not_say", std::mem::take(&mut self.says_none)),
            ("must_match_regex", patterns),
            ("must_not_match_regex", std::mem::take(&mut self.matches_none)),
            ("required_sources", sources),
        ];
        for (key, mut list) in lists {
            let mut seen = std::collections::HashSet::new();
            list.retain(|entry| !entry.trim().is_empty() && seen.insert(entry.clone()));
            if !list.is_empty() {
                expected.insert(key.to_owned(), json!(list));
            }
        }
        if !patterns_of.is_empty() {
            expected.insert("source_patterns".to_owned(), Value::Object(patterns_of));
        }
        if !self.numbers.is_empty() {
            expected.insert("must_ground_numbers".to_owned(), json!(std::mem::take(&mut self.numbers)));
        }
        Value::Object(expected)
    }

    /// The case with this id, and the answer that was recorded. What no key says is then in `left_out`.
    pub(super) fn finish(&mut self, id: &str) -> (Value, Option<Transcript>) {
        let expected = self.expected();
        let asks_for_tools =
            ["tool_calls_any", "tool_calls_none", "telemetry"].iter().any(|key| expected.get(key).is_some());
        if self.response.is_some() && self.calls.is_none() && asks_for_tools {
            self.response = None;
            self.leave_out("its answer is not stored, because the file does not say which tools were called for it");
        }
        let prompt = self.prompt.take().unwrap_or_default();
        let setup_prompts = std::mem::take(&mut self.setup_prompts);
        let mut case = Map::new();
        case.insert("id".to_owned(), json!(id));
        if let Some(category) = self.category.take() {
            case.insert("category".to_owned(), json!(category));
        }
        if !setup_prompts.is_empty() {
            case.insert("setup_prompts".to_owned(), json!(setup_prompts));
        }
        case.insert("prompt".to_owned(), json!(prompt));
        case.insert("expected".to_owned(), expected);
        let transcript = self.response.take().map(|response| Transcript {
            case: id.to_owned(),
            prompt: Some(prompt),
            setup_prompts: Some(setup_prompts),
            response,
            telemetry: self
                .calls
                .take()
                .unwrap_or_default()
                .into_iter()
                .map(|(tool, data)| call(&tool, data))
                .collect(),
            ..Transcript::default()
        });
        (Value::Object(case), transcript)
    }
}

/// The entry of `telemetry` that a call of the tool matches.
fn started(tool: &str) -> String {
    let is_name = tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { format!("tool.{tool} start") } else { format!("\"tool.{tool}\"") }
}

fn call(tool: &str, data: Value) -> Event {
    Event::from_value(json!({ "source": format!("tool.{tool}"), "event": "start", "data": data }))
}
