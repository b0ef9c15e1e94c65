//! A case while it is imported.

use serde_json::{Map, Value, json};

use crate::foreign::columns::snake;
use crate::pattern::{Case, Pattern, Reach, equal_number, escape, reach, within_lines};
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
    pub(super) expects: Expects,
    /// The answer that was recorded.
    pub(super) response: Option<String>,
    /// The tool calls that were recorded with it. `None` if the file does not say.
    pub(super) calls: Option<Vec<Call>>,
    /// Whether one of them could not be read.
    pub(super) has_unread_calls: bool,
    /// The reasons why something in it is not said.
    pub(super) left_out: Vec<String>,
    /// What `--columns` may say of keys that are not known: `must_say_any=NAME`.
    pub(super) columns: Vec<String>,
}

/// A tool call that was recorded.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub(super) tool: String,
    /// The arguments.
    pub(super) input: Value,
    /// What the tool returned, and whether it failed, each if the file has it.
    pub(super) result: Option<(Value, Option<bool>)>,
}

/// Whether a tool states in its result whether it succeeded.
fn states_success(output: &Value) -> bool {
    let mut open = vec![output];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(members) if members.get("success").is_some_and(Value::is_boolean) => return true,
            Value::Object(members) => open.extend(members.values()),
            Value::Array(elements) => open.extend(elements),
            _ => {}
        }
    }
    false
}

/// What the answer must have, as the lists of a suite have it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Expects {
    /// Groups of phrases. The answer says one of each group.
    pub(super) says: Vec<Vec<String>>,
    pub(super) says_none: Vec<String>,
    pub(super) matches: Vec<String>,
    pub(super) matches_none: Vec<String>,
    /// Groups of tools. One of each group is called.
    pub(super) tools: Vec<Vec<String>>,
    pub(super) tools_none: Vec<String>,
    /// Whether no tool may be called.
    pub(super) calls_none: bool,
    /// The entries of `must_ground_numbers`.
    pub(super) numbers: Vec<Value>,
    pub(super) sources: Vec<String>,
}

impl Call {
    pub(super) fn new(tool: String, input: Value) -> Call {
        Call { tool, input, result: None }
    }

    /// The events of the call, as tools log them. A result states its success if the tool or the log does.
    fn events(self) -> impl Iterator<Item = Event> {
        let source = format!("tool.{}", self.tool);
        let result = self.result.map(|(output, is_error)| match (is_error, states_success(&output)) {
            (Some(true), _) => json!({ "success": false, "error": output }),
            (Some(false), false) => json!({ "success": true, "output": output }),
            (None, false) => json!({ "output": output }),
            (_, true) => output,
        });
        let start = Event::from_value(json!({ "source": source, "event": "start", "data": self.input }));
        let result = result.map(|data| Event::from_value(json!({ "source": source, "event": "result", "data": data })));
        [start].into_iter().chain(result)
    }
}

impl Draft {
    pub(super) fn at(place: String) -> Draft {
        Draft { place, ..Draft::default() }
    }

    /// Whether the other one has the same answer and calls.
    pub(super) fn has_answer_of(&self, other: &Draft) -> bool {
        self.response == other.response && self.calls == other.calls
    }

    /// Notes something that no key says.
    pub(super) fn leave_out(&mut self, reason: impl Into<String>) {
        let reason = reason.into();
        if !self.left_out.contains(&reason) {
            self.left_out.push(reason);
        }
    }

    /// Whether it expects something.
    pub(super) fn asks(&self) -> bool {
        self.expects != Expects::default()
    }

    /// Expects nothing, because it is not known what its expectations mean.
    pub(super) fn expect_nothing(&mut self, reason: impl Into<String>) {
        self.expects = Expects::default();
        self.leave_out(reason);
    }

    /// Notes that one of several is enough, and the key for each of them.
    pub(super) fn one_of(&mut self, name: &str, each: &str) {
        self.leave_out(format!("`{name}` is read as: one of these; if each: `{}`", columns_option(each, name)));
    }

    /// Notes a key that is not known. Its name may show what it is.
    pub(super) fn unknown(&mut self, name: &str, value: &Value) {
        let is_text = |value: &Value| match value {
            Value::String(text) => text.parse::<f64>().is_err() && !matches!(text.as_str(), "true" | "false"),
            _ => false,
        };
        let is_texts = value.as_array().is_some_and(|list| !list.is_empty() && list.iter().all(is_text));
        if !is_texts && !is_text(value) {
            return self.leave_out(format!("`{name}`: a case has no key for it"));
        }
        match meant(name) {
            Some((key, what)) => {
                self.leave_out(format!("`{name}` is not known; for {what}: `{}`", columns_option(key, name)));
                self.columns.push(format!("{key}={name}"));
            }
            None => self.leave_out(format!("`{name}` is not known; define it: `{}`", columns_option("KEY", name))),
        }
    }

    /// Adds phrases with their upper and lower case. The answer says one of them, or none.
    pub(super) fn says_exactly(&mut self, phrases: Vec<String>, is_wanted: bool) {
        if phrases.iter().any(|phrase| phrase.trim().is_empty()) {
            return if is_wanted { self.says_one_of(phrases) } else { self.says_none_of(phrases) };
        }
        if phrases.iter().any(|phrase| phrase.contains(['\n', '\r'])) {
            let reason = "a phrase has several lines, which are compared without upper and lower case";
            self.leave_out(if is_wanted { reason } else { "a forbidden phrase has several lines" });
            if is_wanted {
                self.says_one_of(phrases);
            }
            return;
        }
        let each: Vec<String> = phrases.iter().map(|phrase| escape(phrase)).collect();
        match &each[..] {
            [one] => self.pattern(format!("(?-i){one}"), is_wanted),
            [] => {}
            _ => self.pattern(format!("(?-i)(?:{})", each.join("|")), is_wanted),
        }
    }

    /// Adds a group of phrases of which the answer says one. Blank phrases are in every answer.
    pub(super) fn says_one_of(&mut self, phrases: Vec<String>) {
        if phrases.iter().any(|phrase| phrase.trim().is_empty()) {
            self.leave_out("a phrase is empty, and every answer has it");
        } else if !phrases.is_empty() && !self.expects.says.contains(&phrases) {
            self.expects.says.push(phrases);
        }
    }

    /// Adds phrases that the answer does not say.
    pub(super) fn says_none_of(&mut self, phrases: Vec<String>) {
        let (phrases, blank): (Vec<_>, Vec<_>) = phrases.into_iter().partition(|phrase| !phrase.trim().is_empty());
        if !blank.is_empty() {
            self.leave_out("a forbidden phrase is empty, and every answer has it");
        }
        self.expects.says_none.extend(phrases);
    }

    /// Adds a number, with its digits as they are written or with commas between thousands. It is not found in another one.
    pub(super) fn has_number(&mut self, number: &str) {
        self.expects.numbers.push(json!({ "label": number, "regex": equal_number(number) }));
    }

    /// Adds a pattern of another program, which ignores no case and looks at the whole answer. One that would fail more answers
    /// here is left out: an unwanted one at the start or end of the answer. Of a wanted one that can match a line break, the parts within
    /// lines are added.
    pub(super) fn foreign_pattern(&mut self, text: &str, is_wanted: bool) {
        let Reach { breaks, is_anchored } = reach(text);
        let patterns = match is_wanted {
            true if breaks => within_lines(text),
            false if is_anchored => Vec::new(),
            _ => vec![text],
        };
        if breaks || is_anchored {
            let read = match patterns[..] {
                [] => "left out",
                [whole] if whole == text => "kept",
                _ => "read as its parts within lines",
            };
            self.leave_out(format!(
                "the pattern `{text}` looks beyond a line, and here each line is tried alone; it is {read}"
            ));
        }
        patterns.iter().for_each(|pattern| self.pattern(format!("(?-i){pattern}"), is_wanted));
    }

    /// Adds a pattern, if the dialect of suites has it. `is_wanted` is whether the answer matches it.
    pub(super) fn pattern(&mut self, text: String, is_wanted: bool) {
        if let Err(error) = Pattern::compile(&text, Case::Ignored) {
            let shown = text.strip_prefix("(?-i)").unwrap_or(&text);
            return self.leave_out(format!("the pattern `{shown}` is not one of PCRE2: {error}"));
        }
        let list = if is_wanted { &mut self.expects.matches } else { &mut self.expects.matches_none };
        if !list.contains(&text) {
            list.push(text);
        }
    }

    /// The value of `expected`.
    fn expected(&mut self) -> Value {
        let mut any: Vec<String> = Vec::new();
        let mut patterns: Vec<String> = Vec::new();
        let only_one = self.expects.says.len() == 1;
        for group in std::mem::take(&mut self.expects.says) {
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
        patterns.extend(std::mem::take(&mut self.expects.matches));
        let mut telemetry = Vec::new();
        let mut tools = Vec::new();
        let only_one = self.expects.tools.len() == 1;
        for group in std::mem::take(&mut self.expects.tools) {
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
        let mut sources = std::mem::take(&mut self.expects.sources);
        sources.dedup();
        // A built-in source has other phrases besides its name.
        let built_in = sources.iter().filter(|name| built_in_source(name).is_some());
        let patterns_of: Map<String, Value> = built_in.map(|name| (name.clone(), json!([name]))).collect();
        let mut expected = Map::new();
        let lists = [
            ("tool_calls_any", tools),
            ("tool_calls_none", std::mem::take(&mut self.expects.tools_none)),
            ("telemetry", telemetry),
            ("must_say_any", any),
            ("must_not_say", std::mem::take(&mut self.expects.says_none)),
            ("must_match_regex", patterns),
            ("must_not_match_regex", std::mem::take(&mut self.expects.matches_none)),
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
        if !self.expects.numbers.is_empty() {
            expected.insert("must_ground_numbers".to_owned(), json!(std::mem::take(&mut self.expects.numbers)));
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
            telemetry: self.calls.take().unwrap_or_default().into_iter().flat_map(Call::events).collect(),
            ..Transcript::default()
        });
        (Value::Object(case), transcript)
    }
}

/// What a key is, by the words of its name: the key of a suite, and its plural.
fn meant(name: &str) -> Option<(&'static str, &'static str)> {
    let name = snake(name.rsplit('.').next().unwrap_or(name));
    let has = |starts: &str| name.split('_').any(|word| starts.split(' ').any(|start| word.starts_with(start)));
    let is_any = name.split('_').any(|word| matches!(word, "any" | "one"));
    let is_not = has("no avoid forbid never ban without disallow exclude");
    let is_each = has("must require") || name.split('_').any(|word| word == "all");
    let is_phrase =
        has("contain include term phrase keyword say mention substring appear must avoid preserve forbid require fact");
    Some(match (has("tool"), has("regex pattern"), is_phrase) {
        (true, ..) if is_not => ("tool_calls_none", "tools that are not called"),
        (true, ..) if is_each && !is_any => ("tool_calls_all", "tools, each of which is called"),
        (true, ..) => ("tool_calls_any", "tools of which one is called"),
        (_, true, _) if is_not => ("must_not_match_regex", "patterns that the answer does not match"),
        (_, true, _) => ("must_match_regex", "patterns that the answer matches"),
        (.., true) if is_not => ("must_not_say", "phrases that the answer does not say"),
        (.., true) if is_each && !is_any => ("must_say_all", "phrases that the answer says, each"),
        (.., true) => ("must_say_any", "phrases of which the answer says one"),
        _ => return None,
    })
}

/// The option that defines a key, as a shell reads it.
pub(super) fn columns_option(key: &str, name: &str) -> String {
    format!("--columns {key}={}", shlex::try_quote(name).unwrap_or_default())
}

/// The entry of `telemetry` that a call of the tool matches.
fn started(tool: &str) -> String {
    let is_name = tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { format!("tool.{tool} start") } else { format!("\"tool.{tool}\"") }
}
