//! Cases in an unknown form: an object for each, whose keys show what they are.

use serde_json::{Map, Value};

use crate::foreign::columns::{Columns, Role, snake};
use crate::pattern::equal_number;

use super::assertions::{
    self, ARGUMENTS, TOOL_NAMES, arguments, elements, is_entry, is_in, is_nothing, phrase, split, text, tool_name,
};
use super::draft::{Call, Draft, columns_option};
use super::turns::is_message;
use super::write::Vars;

/// How deep objects in a case are read. Files in public repositories nest expectations once.
pub(super) const DEEPEST: usize = 3;

/// Lists of sentences.
const PROSE: [&str; 3] = ["checks", "criteria", "evaluation"];

/// What the file is, as far as it decides how a case is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'a> {
    pub(super) columns: &'a Columns,
    /// Whether a text can be a list, as in a cell of a table.
    pub(super) is_table: bool,
    /// Whether the case has a key that is a reference, so an `answer` is the recorded one.
    pub(super) has_reference: bool,
    /// Whether the keys are below one such as `expected`.
    pub(super) is_expectation: bool,
}

/// The cases of an element of a list: one, or one for each turn of a conversation that has expectations.
pub(super) fn cases(element: &Map<String, Value>, place: String, reading: Reading<'_>) -> Vec<Draft> {
    let is_reference = |(key, value): (&String, &Value)| match reading.columns.role(key) {
        Some(Role::Reference) => !is_nothing(value) && !is_answer(key),
        Some(Role::Nested) => key == "expected" && value.is_string() && !is_nothing(value),
        _ => false,
    };
    let has_reference = element.iter().any(is_reference);
    let reading = Reading { has_reference, ..reading };
    let mut filled = Filled { draft: Draft::at(place), ..Filled::default() };
    filled.fill(element, reading, "", 0);
    filled.prompts.sort_by_key(|(rank, ..)| *rank);
    for (_, name, value) in std::mem::take(&mut filled.prompts) {
        if filled.draft.prompt.is_some() {
            filled.draft.leave_out(format!("`{name}` is a second prompt, and a case has one"));
        } else {
            filled.conversation(&name, &value, reading);
        }
    }
    if let Some((name, _)) = filled.per_turn.take() {
        filled.draft.leave_out(format!("`{name}`: the case does not have as many turns"));
    }
    match filled.title.take() {
        Some((_, title)) if filled.draft.id.is_none() => filled.draft.id = Some(title),
        Some((name, _)) => filled.draft.leave_out(format!("`{name}`: a case has one name, its id")),
        None => {}
    }
    filled.finish();
    let Filled { mut draft, mut earlier, .. } = filled;
    let last = earlier.len() + 1;
    for (index, turn) in earlier.iter_mut().enumerate() {
        turn.place = format!("{}, turn {}", draft.place, index + 1);
        turn.id = draft.id.as_ref().map(|id| format!("{id}-{}", index + 1));
        turn.category.clone_from(&draft.category);
    }
    earlier.retain(Draft::asks);
    if !earlier.is_empty() {
        draft.id = draft.id.map(|id| format!("{id}-{last}"));
    }
    earlier.push(draft);
    earlier
}

/// Whether the key may be a recorded answer or a reference. Beside a reference it is the answer.
fn is_answer(key: &str) -> bool {
    matches!(snake(key).as_str(), "answer" | "output")
}

/// A draft, and what is not decided yet.
#[derive(Default)]
pub(super) struct Filled {
    pub(super) draft: Draft,
    pub(super) prompts: Vec<(u8, String, Value)>,
    /// A name that is the id if there is no other.
    pub(super) title: Option<(String, String)>,
    /// The key of the recorded tool calls.
    pub(super) has_calls: Option<String>,
    /// Expectations in the order of the turns, and their key.
    pub(super) per_turn: Option<(String, Vec<Value>)>,
    /// The cases of the turns before the last one.
    pub(super) earlier: Vec<Draft>,
    /// A key that changes what the expectations mean.
    pub(super) changed: Option<String>,
}

impl Filled {
    pub(super) fn fill(&mut self, object: &Map<String, Value>, reading: Reading<'_>, path: &str, depth: usize) {
        for (key, value) in object {
            let name = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let role = if path.is_empty() { None } else { reading.columns.role_of_path(&name) };
            let role = match role.or_else(|| reading.columns.role(key)) {
                Some(Role::Reference) if path.is_empty() && reading.has_reference && is_answer(key) => {
                    Some(Role::Response)
                }
                role => role,
            };
            // Below `expected` and the like, a prompt, an id or an answer is not the case's own.
            let is_inside = reading.is_expectation && !reading.columns.is_named(&name);
            let is_of_case = |role: Role| !role.expects() && role != Role::Nested;
            if is_inside && role.is_some_and(is_of_case) {
                if !is_nothing(value) {
                    self.draft.leave_out(format!("`{name}` is an expectation that no key of a suite has"));
                }
                continue;
            }
            if is_nothing(value) {
                self.nothing(&name, value, role, reading);
                continue;
            }
            match (role, value) {
                (Some(role), _) => self.member(&name, value, role, reading, depth),
                (None, Value::Array(turns)) if matches!(snake(key).as_str(), "per_turn" | "by_turn") => {
                    self.per_turn = Some((name, turns.clone()));
                }
                (None, _) if changes(key, value) => self.changed = Some(name),
                (None, Value::Bool(true)) if means_none(key) => self.draft.expects.calls_none = true,
                (None, Value::Object(_)) if reading.columns.has_below(&name) => {
                    self.member(&name, value, Role::Nested, reading, depth);
                }
                (None, _) => self.draft.unknown(&name, value),
            }
        }
    }

    /// A key without a value.
    fn nothing(&mut self, name: &str, value: &Value, role: Option<Role>, reading: Reading<'_>) {
        let mut note = |why: &str| self.draft.leave_out(format!("`{name}` is empty{why}"));
        match (role, value) {
            (Some(Role::Calls), Value::Array(_)) => self.draft.calls = Some(Vec::new()),
            (_, Value::String(_)) if reading.is_table => {}
            (Some(Role::Response), Value::String(_)) => note(", so no answer is stored"),
            (Some(Role::Prompt(_)), Value::String(_)) => self.prompts.push((u8::MAX, name.to_owned(), value.clone())),
            (Some(Role::ToolsAll | Role::ToolsAny), Value::String(_)) => self.draft.expects.calls_none = true,
            (Some(Role::ToolsAll | Role::ToolsAny), Value::Array(_)) => {
                note("; if no tool may be called, name those in `tool_calls_none`");
            }
            _ => {}
        }
    }

    /// Decides what depends on several keys.
    pub(super) fn finish(&mut self) {
        if let Some(name) = self.changed.take() {
            let reason = format!("`{name}` may change what its expectations mean, so they are left out");
            self.earlier.iter_mut().chain([&mut self.draft]).for_each(|draft| draft.expect_nothing(reason.as_str()));
        }
        if let Some(name) = self.has_calls.take().filter(|_| self.draft.response.is_none()) {
            self.draft.leave_out(format!("`{name}`: the file does not have the answer to which these calls belong"));
        }
        if self.draft.has_unread_calls && self.draft.response.take().is_some() {
            self.draft.leave_out("its answer is not stored, because one of its tool calls cannot be read");
        }
    }

    fn member(&mut self, name: &str, value: &Value, role: Role, reading: Reading<'_>, depth: usize) {
        match (role, value) {
            (Role::Prompt(rank), _) => self.prompts.push((rank, name.to_owned(), value.clone())),
            (Role::Conversation, _) => self.prompts.push((u8::MAX, name.to_owned(), value.clone())),
            (Role::Id, value) => match text(value) {
                Some(id) if snake(name).ends_with("id") && self.draft.id.is_none() => self.draft.id = Some(id),
                Some(title) if self.title.is_none() => self.title = Some((name.to_owned(), title)),
                Some(_) => self.draft.leave_out(format!("`{name}`: a case has one name, its id")),
                None => self.other_type(name),
            },
            (Role::Category, value) => match text(value) {
                Some(category) if self.draft.category.is_none() => self.draft.category = Some(category),
                Some(_) => self.draft.leave_out(format!("`{name}`: a case has one category")),
                None => self.other_type(name),
            },
            (Role::Response, value) => match text(value) {
                Some(response) if self.draft.response.is_none() => self.draft.response = Some(response),
                Some(_) => self.draft.leave_out(format!("`{name}`: a case has one answer")),
                None => self.other_type(name),
            },
            (Role::SetupPrompts, value) => {
                let prompts = self.texts(name, &elements(value, reading.is_table));
                self.draft.setup_prompts.extend(prompts);
            }
            (Role::Nested, Value::Object(nested)) if depth < DEEPEST => {
                let is_input = matches!(last_of(name), "vars" | "inputs") || !reading.columns.is_nested(name);
                let reading = Reading { is_expectation: reading.is_expectation || !is_input, ..reading };
                self.fill(nested, reading, name, depth + 1);
            }
            (Role::Nested, Value::Array(turns)) if turns.iter().any(is_message) => {
                self.prompts.push((u8::MAX, name.to_owned(), value.clone()));
            }
            (Role::Assertions, Value::Object(_)) | (Role::Nested | Role::Assertions, Value::Array(_))
                if elements(value, false).iter().any(Value::is_object) =>
            {
                for element in elements(value, false) {
                    match element {
                        Value::Object(assertion) if assertion.contains_key("type") => {
                            assertions::add(&mut self.draft, &assertion, &Vars::default());
                        }
                        _ => self.prose(name),
                    }
                }
            }
            (Role::Calls, _) => {
                self.draft.calls.get_or_insert_default();
                self.has_calls = Some(name.to_owned());
                for call in self.tool_elements(name, value, reading) {
                    match tool_name(&call) {
                        Some(tool) => self.draft.calls.get_or_insert_default().push(Call::new(tool, arguments(&call))),
                        None => {
                            self.draft.has_unread_calls = true;
                            self.other_type(name);
                        }
                    }
                }
            }
            (Role::Nested, Value::Array(_)) if PROSE.contains(&snake(name).as_str()) => self.prose(name),
            (Role::Retrieved, _) => self.draft.leave_out(format!(
                "`{name}` names what a retrieval finds; if the answer must name it: `{}`",
                columns_option("required_sources", name)
            )),
            (Role::Nested | Role::Reference, value) if text(value).is_some() || value.is_array() => {
                self.draft.leave_out(format!(
                    "`{name}` is not compared with the answer; if it is a label or a phrase that the answer must have: `{}`",
                    columns_option("must_say_any", name)
                ));
            }
            (Role::Nested | Role::Reference | Role::Judged | Role::Assertions, _) => self.prose(name),
            (Role::Refusal, value) if text(value).is_some_and(|text| is_in("false no n 0", &text.to_lowercase())) => {}
            (Role::Refusal, _) => self.draft.leave_out(format!(
                "`{name}`: say how a refusal reads with `must_say_any`, or what must not happen with `tool_calls_none`"
            )),
            _ => self.expectation(name, value, role, reading),
        }
    }

    /// A key that holds a list of texts.
    fn expectation(&mut self, name: &str, value: &Value, role: Role, reading: Reading<'_>) {
        // A name that does not mean each of several is read as one of them.
        // Then each of several counts.
        let is_each = has_word(name, "must all required")
            || reading.columns.role_of_path(name).is_some()
            || reading.columns.is_named(name);
        if matches!(role, Role::ToolsAll | Role::ToolsAny | Role::ToolsNone) {
            return self.tools(name, value, role, is_each, reading);
        }
        if role == Role::Numbers {
            return self.numbers(name, value, is_each, reading);
        }
        let is_phrase = matches!(role, Role::SaysAll | Role::SaysAny | Role::SaysNone);
        // Groups of phrases: the answer says one of each.
        if let Some(groups) = value.as_array().filter(|list| is_phrase && list.iter().any(Value::is_array)) {
            let read: Vec<Vec<String>> = groups.iter().map(|group| self.texts(name, &elements(group, false))).collect();
            match role {
                Role::SaysNone => self.other_type(name),
                Role::SaysAll => read.into_iter().for_each(|group| self.draft.says_one_of(group)),
                _ => {
                    if read.len() > 1 {
                        self.draft.one_of(name, "must_say_all");
                    }
                    self.draft.says_one_of(read.concat());
                }
            }
            return;
        }
        let is_pattern = matches!(role, Role::Matches | Role::MatchesNone);
        let is_lines = is_pattern && reading.is_table;
        let texts = self.texts(name, &if is_lines { split(value, &['\n']) } else { elements(value, reading.is_table) });
        let alone = texts.first().filter(|_| is_phrase && texts.len() == 1 && !value.is_array());
        if let Some(one) = alone.filter(|one| means_none(one) || is_in("tbd todo nan", &one.to_lowercase())) {
            return self.draft.leave_out(format!("`{name}` has `{one}`, which is read as: nothing"));
        }
        if let Some(one) = alone.filter(|one| one.contains(',')) {
            // Keywords are written with commas; a comma in another text may be a part of it, as in `1,5`.
            if role == Role::SaysAny && last_of(name).to_lowercase().contains("keyword") {
                let keywords = one.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty());
                return self.draft.says_one_of(keywords.collect());
            }
            let why = format!("`{name}` has a comma: write a list, so that it is clear what counts");
            return self.draft.leave_out(why);
        }
        let several = texts.len() > 1;
        let draft = &mut self.draft;
        // The name of this format means its dialect.
        let is_own = matches!(last_of(name), "must_match_regex" | "must_not_match_regex");
        match role {
            Role::SaysAll => texts.into_iter().for_each(|phrase| draft.says_one_of(vec![phrase])),
            Role::SaysAny => {
                if several && !has_word(name, "any one") && !is_each {
                    draft.one_of(name, "must_say_all");
                }
                draft.says_one_of(texts);
            }
            Role::SaysNone => draft.says_none_of(texts),
            Role::Matches if several && !is_each => {
                draft.one_of(name, "must_match_regex");
                // A reference to a group, as in `(a)\1`.
                let is_reference = |after: &str| after.starts_with(|c: char| c.is_ascii_digit() || c == 'k');
                if texts.iter().any(|pattern| pattern.split('\\').skip(1).any(is_reference)) {
                    return draft.leave_out(format!("`{name}`: a pattern refers to a group, and patterns are joined"));
                }
                let each: Vec<String> = texts.iter().map(|pattern| format!("(?:{pattern})")).collect();
                draft.foreign_pattern(&each.join("|"), true);
            }
            Role::Matches | Role::MatchesNone => {
                for pattern in texts {
                    match is_own {
                        true => draft.pattern(pattern, role == Role::Matches),
                        false => draft.foreign_pattern(&pattern, role == Role::Matches),
                    }
                }
            }
            Role::Sources => {
                if !reading.columns.is_named(name) {
                    draft.leave_out(format!(
                        "`{name}` is read as: the answer names each; what a retrieval finds is not checked"
                    ));
                }
                draft.expects.sources.extend(texts);
            }
            _ => draft.unknown(name, value),
        }
    }

    fn tools(&mut self, name: &str, value: &Value, role: Role, is_each: bool, reading: Reading<'_>) {
        let (mut tools, mut names_none) = (Vec::new(), false);
        for element in self.tool_elements(name, value, reading) {
            let unread = element.as_object().into_iter().flatten().filter(|(key, value)| {
                !ARGUMENTS.contains(&key.as_str()) && !TOOL_NAMES.contains(&key.as_str()) && !is_nothing(value)
            });
            if let Some((key, _)) = unread.clone().find(|(key, value)| changes(key, value)) {
                self.draft.leave_out(format!("`{name}`: a tool with `{key}` is left out"));
                continue;
            }
            for (key, _) in unread.filter(|(key, value)| *key != "type" || value.as_str() != Some("function")) {
                self.draft.leave_out(format!("`{name}`: `{key}` of a tool is not checked"));
            }
            if !is_nothing(&arguments(&element)) {
                self.draft.leave_out(format!(
                    "`{name}`: the arguments of a tool are not checked; an entry of `telemetry` can look for one"
                ));
            }
            match tool_name(&element) {
                Some(tool) if means_none(&tool) => names_none = true,
                Some(tool) if !is_tool(&tool) => {
                    self.draft.leave_out(format!("`{name}` has a text that is not a tool: `{tool}`"));
                }
                Some(tool) => tools.push(tool),
                None => self.other_type(name),
            }
        }
        if snake(name).contains("order") && tools.len() > 1 {
            self.draft.leave_out(format!("`{name}`: the order of tools is not checked"));
        }
        match role {
            Role::ToolsNone => self.draft.expects.tools_none.extend(tools),
            _ if names_none && tools.is_empty() => self.draft.expects.calls_none = true,
            _ if names_none => self.draft.leave_out(format!("`{name}` has tools, and a word that means no tool")),
            Role::ToolsAny if !tools.is_empty() => {
                if tools.len() > 1 && !has_word(name, "any one") && !is_each {
                    self.draft.one_of(name, "tool_calls_all");
                }
                self.draft.expects.tools.push(tools);
            }
            _ => tools.into_iter().for_each(|tool| self.draft.expects.tools.push(vec![tool])),
        }
    }

    fn numbers(&mut self, name: &str, value: &Value, is_each: bool, reading: Reading<'_>) {
        let mut numbers = Vec::new();
        for element in elements(value, reading.is_table) {
            match phrase(&element) {
                Some(number) if !number.trim().is_empty() => numbers.push(number.trim().to_owned()),
                None if is_entry(&element) => self.draft.expects.numbers.push(element),
                _ => self.other_type(name),
            }
        }
        if numbers.len() > 1 && !is_each {
            self.draft.one_of(name, "must_ground_numbers");
            let each: Vec<String> = numbers.iter().map(|number| equal_number(number)).collect();
            return self.draft.pattern(format!("(?:{})", each.join("|")), true);
        }
        numbers.iter().for_each(|number| self.draft.has_number(number));
    }

    /// Lists the texts of a turn that are beside its message.
    pub(super) fn without_prompts(&mut self) {
        for (_, name, _) in std::mem::take(&mut self.prompts) {
            self.draft.leave_out(format!("`{name}` is a second prompt, and a turn has one"));
        }
    }

    /// The texts of these elements.
    fn texts(&mut self, name: &str, elements: &[Value]) -> Vec<String> {
        let texts: Vec<String> = elements.iter().filter_map(phrase).collect();
        if texts.len() < elements.len() {
            self.other_type(name);
        }
        texts
    }

    /// The tools in a list. A text may have several, with commas or line breaks between them.
    fn tool_elements(&mut self, name: &str, value: &Value, reading: Reading<'_>) -> Vec<Value> {
        let mut tools = Vec::new();
        for element in elements(value, reading.is_table) {
            match &element {
                Value::String(names) if value.is_string() => {
                    let names = names.split([',', '\n']).map(str::trim).filter(|name| !name.is_empty());
                    tools.extend(names.map(Value::from));
                }
                Value::Bool(_) => self.other_type(name),
                _ => tools.push(element),
            }
        }
        tools
    }

    fn prose(&mut self, name: &str) {
        self.draft.leave_out(format!("`{name}` is prose, which only a person or a model judges"));
    }

    pub(super) fn other_type(&mut self, name: &str) {
        self.draft.leave_out(format!("`{name}` has a value of an unsupported type"));
    }
}

/// Whether a key beside expectations changes what they mean: it negates them, counts them, or turns them off.
fn changes(key: &str, value: &Value) -> bool {
    let is_off = text(value).is_some_and(|text| is_in("false no 0", &text.to_lowercase()));
    snake(key).split('_').any(|word| {
        is_in("match matches matching", word) && !key.starts_with("must")
            || is_in("negate negated invert inverted skip skipped disabled optional xfail threshold", word) && !is_off
            || is_in("enabled active required called count times calls", word) && is_off
    })
}

/// Whether the last part of a name has one of these words.
fn has_word(name: &str, words: &str) -> bool {
    snake(last_of(name)).split('_').any(|word| is_in(words, word))
}

fn last_of(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Whether a text may be the name of a tool: no number, no flag, no word for all of them.
fn is_tool(name: &str) -> bool {
    let is_other = is_in("any all every yes no true false tbd todo nan", &name.to_lowercase());
    name.contains(char::is_alphabetic) && !name.contains([' ', '\t', '\n', '(', '[', '{', '*', '=', '"']) && !is_other
}

/// Whether a text where a tool or a phrase is expected means none.
fn means_none(name: &str) -> bool {
    let name = name.trim().to_lowercase().replace('_', " ");
    let words = ["none", "no tool", "no tools", "no tool call", "no tool calls", "n/a", "-", "null", ""];
    words.contains(&name.as_str())
}

/// The most keys of an object that a message names: a line of a terminal.
pub(super) const MOST_KEYS: usize = 4;
