//! Tests and results of promptfoo. <https://promptfoo.dev/docs/configuration/reference/>

use serde_json::{Map, Value};

use super::assertions;
use super::columns::{Columns, is_prompt};
use super::draft::Draft;
use super::list::{Reading, case as list_case, content_text, is_nothing, text};
use super::template::rendered;

const IN_OTHER_FILES: &str = "it is in another file";

/// The cases of a configuration: each prompt with each test.
pub(super) fn config(root: &Map<String, Value>) -> Vec<Draft> {
    let prompts: Vec<Value> = match root.get("prompts") {
        Some(Value::Array(prompts)) => prompts.clone(),
        Some(prompt) if !is_nothing(prompt) => vec![prompt.clone()],
        _ => Vec::new(),
    };
    let empty = Map::new();
    let defaults = root.get("defaultTest").and_then(Value::as_object).unwrap_or(&empty);
    let tests = match root.get("tests") {
        Some(Value::Array(tests)) => tests.clone(),
        Some(other) => vec![other.clone()],
        None => Vec::new(),
    };
    let mut drafts = Vec::new();
    for (index, test) in tests.iter().enumerate() {
        let place = format!("test {}", index + 1);
        let Some(test) = test.as_object() else {
            let mut draft = Draft::at(place);
            let name = text(test).unwrap_or_default();
            draft
                .leave_out(format!("the tests are in another file; import it: {}", name.trim_start_matches("file://")));
            drafts.push(draft);
            continue;
        };
        if prompts.is_empty() {
            drafts.push(of_test(test, defaults, None, place.clone()));
        }
        for (number, prompt) in prompts.iter().enumerate() {
            let place = if prompts.len() == 1 { place.clone() } else { format!("{place}, prompt {}", number + 1) };
            let mut draft = of_test(test, defaults, Some(prompt), place);
            if prompts.len() > 1 {
                draft.id = draft.id.map(|id| format!("{id}-{}", number + 1));
            }
            drafts.push(draft);
        }
    }
    if root.get("scenarios").is_some_and(|scenarios| !is_nothing(scenarios)) {
        let mut draft = Draft::at("scenarios".to_owned());
        draft.leave_out("`scenarios` multiply tests; write them as `tests`");
        drafts.push(draft);
    }
    drafts
}

/// The cases of a list of tests. Their prompts are in another file, so the variable that is one, or the only one, is the prompt.
pub(super) fn tests(tests: &[Value]) -> Vec<Draft> {
    let test = |(index, test): (usize, &Value)| {
        let place = format!("test {}", index + 1);
        let empty = Map::new();
        of_test(test.as_object().unwrap_or(&empty), &empty, None, place)
    };
    tests.iter().enumerate().map(test).collect()
}

fn of_test(test: &Map<String, Value>, defaults: &Map<String, Value>, prompt: Option<&Value>, place: String) -> Draft {
    let mut draft = Draft::at(place);
    let of = |test: &Map<String, Value>| test.get("vars").and_then(Value::as_object).cloned().unwrap_or_default();
    let mut vars = of(defaults);
    vars.extend(of(test));
    let vars = filled(&vars);
    draft.id = test.get("description").and_then(text);
    match prompt {
        Some(prompt) => template(&mut draft, prompt, &vars),
        None => only_prompt(&mut draft, &vars),
    }
    let asserted = |test: &Map<String, Value>| match test.get("assert") {
        Some(Value::Array(list)) => list.clone(),
        _ => Vec::new(),
    };
    for assertion in asserted(defaults).iter().chain(&asserted(test)).filter_map(Value::as_object) {
        assertions::add(&mut draft, assertion, &vars);
    }
    settings(&mut draft, test);
    draft
}

/// The variables with those filled in that their texts name.
fn filled(vars: &Map<String, Value>) -> Map<String, Value> {
    let fill = |value: &Value| value.as_str().and_then(|text| rendered(text, vars).ok()).map(Value::String);
    vars.iter().map(|(name, value)| (name.clone(), fill(value).unwrap_or_else(|| value.clone()))).collect()
}

/// The settings of a test beside its variables and assertions.
fn settings(draft: &mut Draft, test: &Map<String, Value>) {
    for (key, value) in test.iter().filter(|(_, value)| !is_nothing(value)) {
        match key.as_str() {
            "vars" | "assert" | "description" => {}
            "metadata" => {
                draft.category = value.get("category").and_then(text);
                let others = value.as_object().into_iter().flatten().filter(|(key, _)| *key != "category");
                others.for_each(|(key, _)| draft.leave_out(format!("`metadata.{key}`: no key of a case means it")));
            }
            "threshold" => {
                draft.leave_out("`threshold`: each check counts; `scoring.soft_score.threshold` forgives some")
            }
            key => draft.leave_out(format!("`{key}`: no key of a case means it")),
        }
    }
}

/// Fills the template of a prompt: a text, or messages as JSON.
fn template(draft: &mut Draft, prompt: &Value, vars: &Map<String, Value>) {
    let raw = prompt.get("raw").or_else(|| prompt.get("prompt")).unwrap_or(prompt);
    let Some(raw) = text(raw) else { return draft.leave_out("the prompt has a form that nothing reads") };
    let looks_like_file = !raw.contains("{{") && !raw.contains(char::is_whitespace) && raw.contains('.');
    if raw.starts_with("file://") || looks_like_file {
        draft.leave_out(format!("the prompt `{raw}`: {IN_OTHER_FILES}; the variable that is one is the prompt"));
        return only_prompt(draft, vars);
    }
    match rendered(&raw, vars) {
        Ok(prompt) => sent(draft, &prompt),
        Err(name) => draft.leave_out(format!("the prompt needs `{name}`, which the test does not have")),
    }
}

/// What is sent: a text, or a conversation as JSON.
fn sent(draft: &mut Draft, prompt: &str) {
    let messages: Option<Vec<Value>> = serde_json::from_str(prompt).ok();
    let is_chat = |messages: &Vec<Value>| messages.iter().all(|message| message.get("role").is_some());
    match messages.filter(|messages| !messages.is_empty() && is_chat(messages)) {
        None => draft.prompt = Some(prompt.to_owned()),
        Some(messages) => {
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
    }
}

/// The variable that is the prompt, if the prompts are not known: the one with the name of a prompt, or the only one.
fn only_prompt(draft: &mut Draft, vars: &Map<String, Value>) {
    let named: Vec<&String> = vars.keys().filter(|name| is_prompt(name)).collect();
    let all: Vec<&String> = vars.keys().collect();
    let chosen = match (&named[..], &all[..]) {
        ([one], _) | ([], [one]) => *one,
        _ => {
            let names: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
            return draft.leave_out(format!("which variable is the prompt is not known: {}", names.join(", ")));
        }
    };
    draft.prompt = vars.get(chosen).and_then(text);
    let prompt = draft.prompt.clone().unwrap_or_default();
    let is_in_prompt = |name: &String| vars.get(name).and_then(text).is_some_and(|value| prompt.contains(&value));
    for other in all.into_iter().filter(|name| *name != chosen && !is_in_prompt(name)) {
        draft.leave_out(format!("the variable `{other}`: a case has only a prompt"));
    }
}

/// The cases of results, with the answers of the first provider.
pub(super) fn results(results: &[Value]) -> Vec<Draft> {
    let mut known: Vec<(String, String, usize)> = Vec::new();
    let mut drafts: Vec<Draft> = Vec::new();
    let empty = Map::new();
    for (index, result) in results.iter().enumerate() {
        let test = result.get("testCase").and_then(Value::as_object).unwrap_or(&empty);
        let vars = result.get("vars").or_else(|| test.get("vars")).and_then(Value::as_object).unwrap_or(&empty);
        let prompt = result.get("prompt").map(|prompt| prompt.get("raw").unwrap_or(prompt)).and_then(text);
        let provider = result.get("provider");
        let provider = provider.and_then(|it| text(it.get("label").or_else(|| it.get("id")).unwrap_or(it)));
        let provider = provider.unwrap_or_default();
        let key = format!("{:?} {:?}", prompt, result.get("testIdx").or_else(|| test.get("description")));
        if let Some((_, first, place)) = known.iter().find(|(known, ..)| *known == key) {
            let reason = if *first == provider {
                "a test has several answers, and a case has one transcript".to_owned()
            } else {
                format!("the answer of `{provider}`: a case has one transcript")
            };
            drafts[*place].leave_out(reason);
            continue;
        }
        let mut draft = Draft::at(format!("result {}", index + 1));
        draft.id = test.get("description").and_then(text);
        match prompt {
            Some(prompt) => sent(&mut draft, &prompt),
            None => only_prompt(&mut draft, vars),
        }
        for assertion in test.get("assert").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object)
        {
            assertions::add(&mut draft, assertion, vars);
        }
        settings(&mut draft, test);
        let output = result.get("response").and_then(|response| response.get("output"));
        draft.response = output.and_then(|output| match output {
            Value::Null => None,
            Value::String(answer) => Some(answer.clone()),
            other => Some(other.to_string()),
        });
        known.push((key, provider, drafts.len()));
        drafts.push(draft);
    }
    drafts
}

/// The cases of a table of tests: columns are variables, and those with `__` are settings.
pub(super) fn table(rows: &[Value], columns: &Columns) -> Vec<Draft> {
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
        let is_named = vars.keys().any(|name| columns.role(name).is_some());
        let mut draft = if is_named {
            list_case(&vars, place, Reading { columns, is_table: true })
        } else {
            let mut draft = Draft::at(place);
            only_prompt(&mut draft, &vars);
            draft
        };
        for (name, value) in settings.iter().filter(|(_, value)| !is_nothing(value)) {
            let cell = text(value).unwrap_or_default();
            if name.starts_with("__expected") {
                assertions::add(&mut draft, &assertions::from_cell(&cell), &vars);
            } else if name == "__description" {
                draft.id = Some(cell);
            } else if name == "__metadata:category" {
                draft.category = Some(cell);
            } else {
                draft.leave_out(format!("`{name}`: no key of a case means it"));
            }
        }
        drafts.push(draft);
    }
    drafts
}
