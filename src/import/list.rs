//! Cases in an unknown form: an object for each, whose keys show what they are.

use serde_json::{Map, Value};

use crate::foreign::columns::{Columns, Role, snake};

use super::assertions;
use super::draft::Draft;
use super::results::{
    ARGUMENTS, TOOL_NAMES, arguments, content_text, elements, is_entry, is_nothing, lines, phrase, text, tool_name,
};

/// How deep objects in a case are read. Files in public repositories nest expectations once.
const DEEPEST: usize = 3;

/// Lists of sentences.
const PROSE: [&str; 3] = ["checks", "criteria", "evaluation"];

/// The texts that mean no.
const NO: [&str; 4] = ["false", "no", "n", "0"];

/// What the file is, as far as it decides how a case is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading<'a> {
    pub(super) columns: &'a Columns,
    /// Whether a text can be a list, as in a cell of a table.
    pub(super) is_table: bool,
}

/// The case of an element of a list.
pub(super) fn case(element: &Map<String, Value>, place: String, reading: Reading<'_>) -> Draft {
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
    match filled.title.take() {
        Some((_, title)) if filled.draft.id.is_none() => filled.draft.id = Some(title),
        Some((name, _)) => filled.draft.leave_out(format!("`{name}`: a case has one name, its id")),
        None => {}
    }
    if let Some(name) = filled.has_calls.take().filter(|_| filled.draft.response.is_none()) {
        filled.draft.leave_out(format!("`{name}`: the file does not have the answer to which these calls belong"));
    }
    if filled.draft.has_unread_calls && filled.draft.response.take().is_some() {
        filled.draft.leave_out("its answer is not stored, because one of its tool calls cannot be read");
    }
    filled.draft
}

/// A draft, and what is not decided yet.
#[derive(Default)]
struct Filled {
    draft: Draft,
    prompts: Vec<(u8, String, Value)>,
    /// A name that is the id if there is no other.
    title: Option<(String, String)>,
    /// The key of the recorded tool calls.
    has_calls: Option<String>,
}

impl Filled {
    fn fill(&mut self, object: &Map<String, Value>, reading: Reading<'_>, path: &str, depth: usize) {
        for (key, value) in object {
            let name = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let role = if path.is_empty() { None } else { reading.columns.role_of_path(&name) };
            let role = role.or_else(|| reading.columns.role(key));
            if is_nothing(value) {
                match role {
                    Some(Role::Calls) if value.is_array() => self.draft.calls = Some(Vec::new()),
                    Some(Role::Response) if value.is_string() && !reading.is_table => {
                        self.draft.response = Some(String::new());
                    }
                    _ => {}
                }
                if role == Some(Role::ToolsAll) && value.is_array() {
                    self.draft.leave_out(format!(
                        "`{name}` is empty; if no tool may be called, name those in `tool_calls_none`"
                    ));
                }
                continue;
            }
            let role = match (role, value) {
                (Some(role), _) => role,
                (None, Value::Object(_)) if reading.columns.has_below(&name) => Role::Nested,
                _ => {
                    self.draft.leave_out(format!("`{name}`: a case has no key for it"));
                    continue;
                }
            };
            self.member(&name, value, role, reading, depth);
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
                let prompts = self.texts(name, value, reading);
                self.draft.setup_prompts.extend(prompts);
            }
            (Role::Nested, Value::Object(nested)) if depth < DEEPEST => self.fill(nested, reading, name, depth + 1),
            (Role::Assertions, Value::Object(assertion)) if assertion.contains_key("type") => {
                assertions::add(&mut self.draft, assertion, &Map::new());
            }
            (Role::Nested | Role::Assertions, Value::Array(elements)) if elements.iter().any(Value::is_object) => {
                for element in elements {
                    match element {
                        Value::Object(assertion) if assertion.contains_key("type") => {
                            assertions::add(&mut self.draft, assertion, &Map::new());
                        }
                        _ => self.draft.leave_out(format!("`{name}` is prose, which only a person or a model judges")),
                    }
                }
            }
            (Role::Calls, _) => {
                self.draft.calls.get_or_insert_default();
                self.has_calls = Some(name.to_owned());
                for call in self.tool_elements(name, value, reading) {
                    match tool_name(&call) {
                        Some(tool) => self.draft.calls.get_or_insert_default().push((tool, arguments(&call))),
                        None => {
                            self.draft.has_unread_calls = true;
                            self.other_type(name);
                        }
                    }
                }
            }
            (Role::Nested, Value::Array(_)) if PROSE.contains(&snake(name).as_str()) => {
                self.draft.leave_out(format!("`{name}` is prose, which only a person or a model judges"));
            }
            (Role::Nested | Role::Reference, value) if text(value).is_some() || value.is_array() => {
                self.draft.leave_out(format!(
                    "`{name}` is a whole answer, which only a person or a model compares; `--columns must_say_any={name}` \
                     asks for its text in the answer"
                ));
            }
            (Role::Nested | Role::Reference | Role::Judged | Role::Assertions, _) => {
                self.draft.leave_out(format!("`{name}` is prose, which only a person or a model judges"));
            }
            (Role::Refusal, value) if text(value).is_some_and(|text| NO.contains(&text.to_lowercase().as_str())) => {}
            (Role::Refusal, _) => self.draft.leave_out(format!(
                "`{name}`: say how a refusal reads with `must_say_any`, or what must not happen with `tool_calls_none`"
            )),
            _ => self.expectation(name, value, role, reading),
        }
    }

    /// A key that holds a list of texts.
    fn expectation(&mut self, name: &str, value: &Value, role: Role, reading: Reading<'_>) {
        if matches!(role, Role::ToolsAll | Role::ToolsAny | Role::ToolsNone) {
            return self.tools(name, value, role, reading);
        }
        if role == Role::Numbers {
            return self.numbers(name, value, reading);
        }
        let is_pattern = matches!(role, Role::Matches | Role::MatchesNone);
        let texts = if is_pattern && reading.is_table { lines(value) } else { self.texts(name, value, reading) };
        let draft = &mut self.draft;
        if let [one] = &texts[..]
            && !value.is_array()
            && !is_pattern
            && one.contains(',')
        {
            draft.leave_out(format!("`{name}` has a comma and is read as one text; a list has several"));
        }
        // The name of this format means its dialect.
        let last = name.rsplit('.').next().unwrap_or(name);
        let is_own = matches!(last, "must_match_regex" | "must_not_match_regex");
        match role {
            Role::SaysAll => {
                if texts.len() > 1 && !snake(name).ends_with("all") {
                    draft.leave_out(format!(
                        "`{name}` is read as: each of these; if one is enough: `--columns must_say_any={name}`"
                    ));
                }
                texts.into_iter().for_each(|phrase| draft.says_one_of(vec![phrase]));
            }
            Role::SaysAny => draft.says_one_of(texts),
            Role::SaysNone => draft.says_none_of(texts),
            Role::Matches | Role::MatchesNone => {
                for pattern in texts {
                    match is_own {
                        true => draft.pattern(pattern, role == Role::Matches),
                        false => draft.foreign_pattern(&pattern, role == Role::Matches),
                    }
                }
            }
            Role::Sources => draft.sources.extend(texts),
            _ => draft.leave_out(format!("`{name}`: a case has no key for it")),
        }
    }

    fn tools(&mut self, name: &str, value: &Value, role: Role, reading: Reading<'_>) {
        let mut tools = Vec::new();
        for element in self.tool_elements(name, value, reading) {
            let unread = element.as_object().into_iter().flatten().filter(|(key, value)| {
                !ARGUMENTS.contains(&key.as_str()) && !TOOL_NAMES.contains(&key.as_str()) && !is_nothing(value)
            });
            for (key, _) in unread.filter(|(key, value)| *key != "type" || value.as_str() != Some("function")) {
                self.draft.leave_out(format!("`{name}`: `{key}` of a tool is not checked"));
            }
            if !is_nothing(&arguments(&element)) {
                self.draft.leave_out(format!("`{name}`: the arguments of a tool are not checked"));
            }
            match tool_name(&element) {
                Some(tool) => tools.push(tool),
                None => self.other_type(name),
            }
        }
        if snake(name).contains("order") && tools.len() > 1 {
            self.draft.leave_out(format!("`{name}`: the order of tools is not checked"));
        }
        match role {
            Role::ToolsNone => self.draft.tools_none.extend(tools),
            Role::ToolsAny if !tools.is_empty() => self.draft.tools.push(tools),
            _ => tools.into_iter().for_each(|tool| self.draft.tools.push(vec![tool])),
        }
    }

    fn numbers(&mut self, name: &str, value: &Value, reading: Reading<'_>) {
        for element in elements(value, reading.is_table) {
            match phrase(&element) {
                Some(number) if !number.trim().is_empty() => self.draft.has_number(number.trim()),
                None if is_entry(&element) => self.draft.numbers.push(element),
                _ => self.other_type(name),
            }
        }
    }

    /// A prompt, or a conversation whose last prompt it is.
    fn conversation(&mut self, name: &str, value: &Value, reading: Reading<'_>) {
        let of_cell = value.as_str().filter(|cell| reading.is_table && cell.trim_start().starts_with('['));
        let of_cell: Option<Value> = of_cell.and_then(|cell| serde_json::from_str(cell).ok());
        let value = of_cell.as_ref().unwrap_or(value);
        let Value::Array(turns) = value else {
            match value {
                Value::Object(nested) => {
                    self.fill(nested, reading, name, DEEPEST);
                    match &std::mem::take(&mut self.prompts)[..] {
                        [(_, _, value)] => self.draft.prompt = text(value),
                        _ => self.draft.leave_out(format!(
                            "`{name}` is an object; name the prompt in it: `--columns prompt={name}.KEY`"
                        )),
                    }
                }
                value => match phrase(value) {
                    Some(prompt) => self.draft.prompt = Some(prompt),
                    None => self.other_type(name),
                },
            }
            return;
        };
        let mut prompts = Vec::new();
        for turn in turns {
            let Value::Object(message) = turn else {
                match phrase(turn) {
                    Some(prompt) => prompts.push(prompt),
                    None => self.other_type(name),
                }
                continue;
            };
            let role = message.get("role").and_then(Value::as_str).unwrap_or("user");
            let is_read = |key: &str| matches!(key, "role" | "content" | "text" | "prompt" | "name" | "id");
            for (key, _) in message.iter().filter(|(key, value)| !is_read(key) && !is_nothing(value)) {
                self.draft.leave_out(format!("`{name}`: a turn has `{key}`, and only the last answer is judged"));
            }
            let content = message.get("content").or_else(|| message.get("text")).or_else(|| message.get("prompt"));
            match (role, content.and_then(content_text)) {
                ("user" | "human", Some(prompt)) => prompts.push(prompt),
                ("user" | "human", None) => self.other_type(name),
                ("system" | "developer", _) => self.draft.leave_out(format!(
                    "`{name}` has a message of the system: it belongs to the assistant, not to the case"
                )),
                (role, _) => self.draft.leave_out(format!(
                    "`{name}` has a message of the role `{role}`: a case has only what the user says"
                )),
            }
        }
        self.draft.prompt = prompts.pop();
        self.draft.setup_prompts.extend(prompts);
    }

    /// The texts of a list, or the text as the only one.
    fn texts(&mut self, name: &str, value: &Value, reading: Reading<'_>) -> Vec<String> {
        let elements = elements(value, reading.is_table);
        let texts: Vec<String> = elements.iter().filter_map(phrase).collect();
        if texts.len() < elements.len() {
            self.other_type(name);
        }
        texts
    }

    /// The tools in a list. A text has several, because no name has a comma or white space.
    fn tool_elements(&mut self, name: &str, value: &Value, reading: Reading<'_>) -> Vec<Value> {
        let mut tools = Vec::new();
        let is_cell = reading.is_table && value.is_string();
        for element in elements(value, reading.is_table) {
            match &element {
                Value::String(names) if value.is_string() && (!is_cell || !names.starts_with(['[', '{'])) => {
                    let names = names.split([',', ' ', '\n']).filter(|name| !name.is_empty());
                    tools.extend(names.map(Value::from));
                }
                Value::Bool(_) => self.other_type(name),
                Value::String(names) if is_cell && names.starts_with(['[', '{']) => self.other_type(name),
                _ => tools.push(element),
            }
        }
        tools
    }

    fn other_type(&mut self, name: &str) {
        self.draft.leave_out(format!("`{name}` has a value of an unsupported type"));
    }
}
