//! Tests and results of promptfoo. <https://promptfoo.dev/docs/configuration/reference/>

use serde_json::{Map, Value};

use crate::foreign::columns::{Columns, Role, is_prompt};

use super::draft::Draft;
use super::read::Syntax;
use super::results::{content_text, is_nothing, text};
use super::write::{filled, rendered};
use super::{Cases, assertions};

/// The most tests that one test with lists of values becomes.
const MOST_VALUES: usize = 100;

/// The cases of a configuration: each prompt with each test.
pub(super) fn config(root: &Map<String, Value>, columns: &Columns) -> Cases {
    let mut cases = Cases::default();
    let prompts = listed(root.get("prompts"));
    let empty = Map::new();
    let defaults = match root.get("defaultTest") {
        Some(Value::Object(defaults)) => defaults,
        Some(other) if !is_nothing(other) => {
            cases.left_out.push("`defaultTest` is in another file".to_owned());
            &empty
        }
        _ => &empty,
    };
    for (index, test) in listed(root.get("tests")).iter().enumerate() {
        let place = format!("test {}", index + 1);
        let Some(test) = test.as_object() else {
            let mut draft = Draft::at(place);
            let name = text(test).unwrap_or_default();
            draft
                .leave_out(format!("the tests are in another file; import it: {}", name.trim_start_matches("file://")));
            cases.drafts.push(draft);
            continue;
        };
        let chosen: Vec<&Value> = prompts.iter().filter(|prompt| is_chosen(prompt, test.get("prompts"))).collect();
        if chosen.is_empty() && !prompts.is_empty() {
            let mut draft = Draft::at(place.clone());
            draft.leave_out("its `prompts` fit none of the prompts");
            cases.drafts.push(draft);
        }
        if prompts.is_empty() {
            cases.drafts.extend(of_test(test, defaults, None, &place, columns));
        }
        for (number, prompt) in chosen.iter().enumerate() {
            let place = if chosen.len() == 1 { place.clone() } else { format!("{place}, prompt {}", number + 1) };
            let mut drafts = of_test(test, defaults, Some(prompt), &place, columns);
            if chosen.len() > 1 {
                drafts.iter_mut().for_each(|draft| draft.id = draft.id.take().map(|id| format!("{id}-{}", number + 1)));
            }
            cases.drafts.extend(drafts);
        }
    }
    if root.get("scenarios").is_some_and(|scenarios| !is_nothing(scenarios)) {
        cases.left_out.push("`scenarios` multiply tests; write them as `tests`".to_owned());
    }
    let is_read =
        |key: &str| matches!(key, "prompts" | "tests" | "defaultTest" | "scenarios" | "description" | "$schema");
    cases.others(root.keys().map(String::as_str).filter(|key| !is_read(key)));
    cases.description = root.get("description").and_then(text);
    cases
}

/// The elements of a list, or the value as the only one.
fn listed(value: Option<&Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(list)) => list.clone(),
        Some(value) if !is_nothing(value) => vec![value.clone()],
        _ => Vec::new(),
    }
}

/// Whether a test wants the prompt: no filter, or its label or id, perhaps with `*` or a group.
fn is_chosen(prompt: &Value, filter: Option<&Value>) -> bool {
    let filter: Vec<String> = listed(filter).iter().filter_map(text).collect();
    let named = ["label", "id"].iter().filter_map(|key| prompt.get(*key).and_then(text)).chain(text(prompt));
    let fits = |name: &str| {
        filter.iter().any(|wanted| match wanted.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == wanted || name.starts_with(&format!("{wanted}:")),
        })
    };
    let mut named = named;
    filter.is_empty() || named.any(|name| fits(&name))
}

/// The cases of a list of tests. Their prompts are in another file, so the variable that is one, or the only one, is the prompt.
pub(super) fn tests(tests: &[&Value], columns: &Columns) -> Vec<Draft> {
    let empty = Map::new();
    let of = |(index, test): (usize, &&Value)| {
        of_test(test.as_object().unwrap_or(&empty), &empty, None, &format!("test {}", index + 1), columns)
    };
    tests.iter().enumerate().flat_map(of).collect()
}

/// The cases of a test: one for each of its values, if a variable has several.
fn of_test(
    test: &Map<String, Value>,
    defaults: &Map<String, Value>,
    prompt: Option<&Value>,
    place: &str,
    columns: &Columns,
) -> Vec<Draft> {
    let mut notes = Vec::new();
    let mut of = |test: &Map<String, Value>, name: &str| match test.get("vars") {
        Some(Value::Object(vars)) => vars.clone(),
        Some(other) if !is_nothing(other) => {
            notes.push(format!("`{name}vars` is in another file"));
            Map::new()
        }
        _ => Map::new(),
    };
    let mut vars = of(defaults, "defaultTest.");
    vars.extend(of(test, ""));
    let all = expanded(&vars).unwrap_or_default();
    if all.is_empty() {
        let mut draft = Draft::at(place.to_owned());
        draft.leave_out(format!("its variables have no combination of values, or more than {MOST_VALUES}"));
        return vec![draft];
    }
    let count = all.len();
    let each = all.into_iter().enumerate().map(|(index, vars)| {
        let place = if count == 1 { place.to_owned() } else { format!("{place}, values {}", index + 1) };
        let mut draft = Draft::at(place);
        let (raw, vars) = (&vars, filled_in(&vars));
        draft.id = test.get("description").and_then(text);
        if count > 1 {
            draft.id = draft.id.map(|id| format!("{id}-{}", index + 1));
        }
        match prompt {
            Some(prompt) => template(&mut draft, prompt, raw, &vars, columns),
            None => only_prompt(&mut draft, raw, &vars, columns),
        }
        notes.iter().for_each(|note| draft.leave_out(note.clone()));
        let options = test.get("options").and_then(Value::as_object);
        let is_alone = options.is_some_and(|options| options.get("disableDefaultAsserts") == Some(&Value::Bool(true)));
        if !is_alone {
            asserted(&mut draft, defaults.get("assert"), &vars);
        }
        asserted(&mut draft, test.get("assert"), &vars);
        settings(&mut draft, test, "");
        settings(&mut draft, defaults, "defaultTest.");
        draft
    });
    each.collect()
}

/// The variables with one value each, for all combinations of the values of lists. `None` if there are too many.
fn expanded(vars: &Map<String, Value>) -> Option<Vec<Map<String, Value>>> {
    let mut all = vec![vars.clone()];
    for (name, value) in vars {
        let Some(values) = value.as_array().filter(|values| values.iter().all(|value| text(value).is_some())) else {
            continue;
        };
        let with = |vars: &Map<String, Value>, value: &Value| {
            let mut vars = vars.clone();
            vars.insert(name.clone(), value.clone());
            vars
        };
        all = all.iter().flat_map(|vars| values.iter().map(move |value| with(vars, value))).collect();
        if all.len() > MOST_VALUES {
            return None;
        }
    }
    Some(all)
}

/// The most times that variables are filled in: a variable may name one that names another.
const MOST_ROUNDS: usize = 5;

/// The variables with those filled in that their texts name.
fn filled_in(vars: &Map<String, Value>) -> Map<String, Value> {
    let mut vars = vars.clone();
    for _ in 0..MOST_ROUNDS {
        let fill = |value: &Value| value.as_str().and_then(|text| rendered(text, &vars).ok()).map(Value::String);
        let next = vars.iter().map(|(name, value)| (name.clone(), fill(value).unwrap_or_else(|| value.clone())));
        let next: Map<String, Value> = next.collect();
        if next == vars {
            break;
        }
        vars = next;
    }
    vars
}

pub(super) fn asserted(draft: &mut Draft, assertions: Option<&Value>, vars: &Map<String, Value>) {
    for assertion in listed(assertions) {
        match assertion {
            Value::Object(assertion) => assertions::add(draft, &assertion, vars),
            _ => draft.leave_out("an assertion is in another file"),
        }
    }
}

/// The settings of a test beside its variables and assertions.
pub(super) fn settings(draft: &mut Draft, test: &Map<String, Value>, of: &str) {
    for (key, value) in test.iter().filter(|(_, value)| !is_nothing(value)) {
        match key.as_str() {
            "vars" | "assert" | "description" | "prompts" => {}
            "options" => {
                let others = value.as_object().into_iter().flatten().filter(|(key, _)| *key != "disableDefaultAsserts");
                others.for_each(|(key, _)| draft.leave_out(format!("`{of}options.{key}`: a case has no key for it")));
            }
            "metadata" => {
                draft.category = draft.category.take().or(value.get("category").and_then(text));
                let others = value.as_object().into_iter().flatten().filter(|(key, _)| *key != "category");
                others.for_each(|(key, _)| draft.leave_out(format!("`{of}metadata.{key}`: a case has no key for it")));
            }
            "threshold" => {
                draft.leave_out(format!(
                    "`{of}threshold`: each check counts; `scoring.soft_score.threshold` forgives some"
                ));
            }
            key => draft.leave_out(format!("`{of}{key}`: a case has no key for it")),
        }
    }
}

/// Fills the template of a prompt: a text, or messages as JSON or YAML.
fn template(
    draft: &mut Draft,
    prompt: &Value,
    raw_vars: &Map<String, Value>,
    vars: &Map<String, Value>,
    columns: &Columns,
) {
    let raw = prompt.get("raw").or_else(|| prompt.get("prompt")).unwrap_or(prompt);
    let Some(raw) = text(raw) else { return draft.leave_out("the prompt has an unsupported form") };
    let endings = [".txt", ".json", ".yaml", ".yml", ".js", ".mjs", ".ts", ".py", ".md", ".j2", ".csv"];
    let looks_like_file = !raw.contains(char::is_whitespace) && endings.iter().any(|ending| raw.ends_with(ending));
    if raw.starts_with("file://") || looks_like_file {
        draft.leave_out(format!("the prompt `{raw}` is in another file; the variable that is a prompt is sent"));
        return only_prompt(draft, raw_vars, vars, columns);
    }
    // The messages first: a text that is filled in may have quotes.
    let filled = match messages(&raw) {
        Some(messages) => filled(&messages, vars),
        None => rendered(&raw, vars).map(Value::String),
    };
    match filled {
        Ok(prompt) => sent(draft, &prompt),
        Err(why) => draft.leave_out(format!("the prompt {why}")),
    }
}

/// The messages of a conversation that is written as JSON or YAML.
pub(super) fn messages(text: &str) -> Option<Value> {
    let is_chat = |value: &Value| {
        let list = value.as_array().map_or(&[][..], Vec::as_slice);
        !list.is_empty() && list.iter().all(|message| message.get("role").is_some())
    };
    let value = match text.trim_start().chars().next() {
        Some('[') => Syntax::Json.read(text).ok(),
        Some('-') => Syntax::Yaml.read(text).ok(),
        _ => None,
    };
    value.filter(is_chat)
}

/// What is sent: a text, or the messages of a conversation.
pub(super) fn sent(draft: &mut Draft, prompt: &Value) {
    let Value::Array(messages) = prompt else {
        draft.prompt = text(prompt);
        return;
    };
    let mut prompts = Vec::new();
    for message in messages {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        match message.get("content").and_then(content_text).filter(|_| role == "user") {
            Some(prompt) => prompts.push(prompt),
            None => draft.leave_out(format!(
                "the prompt has a message of the role `{role}`: a case has only what the user says"
            )),
        }
    }
    draft.prompt = prompts.pop();
    draft.setup_prompts = prompts;
}

/// The variable that is the prompt, if the prompts are not known: the one that the user names, the one with the name of a prompt, or
/// the only one.
pub(super) fn only_prompt(
    draft: &mut Draft,
    raw_vars: &Map<String, Value>,
    vars: &Map<String, Value>,
    columns: &Columns,
) {
    let all: Vec<&String> = vars.keys().collect();
    let given: Vec<&String> =
        vars.keys().filter(|name| columns.names(Role::Prompt(0)) && columns.is_given(name, Role::Prompt(0))).collect();
    let named: Vec<&String> = vars.keys().filter(|name| is_prompt(name)).collect();
    let chosen = match (&given[..], &named[..], &all[..]) {
        ([one], ..) | ([], [one], _) | ([], [], [one]) => *one,
        (_, _, []) => return draft.leave_out("it has no variable"),
        _ => {
            let names: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
            return draft.leave_out(format!(
                "which variable is the prompt is not known ({}); name it: `--columns prompt=NAME`",
                names.join(", ")
            ));
        }
    };
    let prompt = vars.get(chosen).and_then(text);
    if prompt.as_ref().is_some_and(|prompt| prompt.starts_with("file://")) {
        return draft.leave_out(format!("the variable `{chosen}` is in another file"));
    }
    draft.prompt = prompt;
    let raw = raw_vars.get(chosen).and_then(text).unwrap_or_default();
    let is_in_prompt = |name: &str| raw.split("{{").skip(1).any(|part| part.trim_start().starts_with(name));
    for other in all.into_iter().filter(|name| *name != chosen && !is_in_prompt(name)) {
        draft.leave_out(format!("the variable `{other}`: a case has only a prompt"));
    }
}

/// The cases of a table of tests: columns are variables, and those with `__` are settings.
pub(super) fn table(rows: &[&Value], columns: &Columns) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let empty = Map::new();
        let (settings, vars): (Map<String, Value>, Map<String, Value>) = row
            .as_object()
            .unwrap_or(&empty)
            .iter()
            .map(|(name, value)| (name.clone(), value.clone()))
            .partition(|(name, _)| name.starts_with("__"));
        let place = format!("row {}", index + 1);
        let mut draft = Draft::at(place);
        only_prompt(&mut draft, &vars, &vars, columns);
        for (name, value) in settings.iter().filter(|(_, value)| !is_nothing(value)) {
            let cell = text(value).unwrap_or_default();
            if name.starts_with("__expected") {
                assertions::add(&mut draft, &assertions::from_cell(&cell), &vars);
            } else if name == "__description" {
                draft.id = Some(cell);
            } else if name == "__metadata:category" {
                draft.category = Some(cell);
            } else {
                draft.leave_out(format!("`{name}`: a case has no key for it"));
            }
        }
        drafts.push(draft);
    }
    drafts
}
