//! Tests and results of promptfoo. <https://promptfoo.dev/docs/configuration/reference/>

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::foreign::columns::{Columns, Role, is_prompt};

use super::assertions::{content_text, is_in, is_nothing, text};
use super::draft::Draft;
use super::read::Syntax;
use super::write::{Vars, filled, rendered};
use super::{Cases, Files, ImportError, assertions, within};

/// The most tests that one test with lists of values becomes.
const MOST_VALUES: usize = 100;

/// What a list of tests does not have.
pub(super) const NO_PROMPTS: &str =
    "the prompts and the default test of a configuration are not in it; import the configuration if there is one";

/// The cases of a configuration: each prompt with each test.
///
/// # Errors
/// If there are too many, or its templates make too much text.
pub(super) fn config(root: &Map<String, Value>, columns: &Columns, files: &Files<'_>) -> Result<Cases, ImportError> {
    let mut cases = Cases::default();
    let mut named = Named { files, code: BTreeSet::new(), faults: BTreeSet::new() };
    let prompts = named.prompts(root.get("prompts"));
    let mut defaults = named.tests(root.get("defaultTest")).into_iter().next().unwrap_or_default();
    if listed(root.get("providers").or_else(|| root.get("targets"))).iter().any(|it| it.get("transform").is_some()) {
        let options = defaults.entry("options").or_insert_with(|| json!({}));
        options.as_object_mut().map(|options| options.insert("transform".to_owned(), true.into()));
    }
    let vars = Vars::default();
    let tests = named.tests(root.get("tests"));
    within(tests.len())?;
    for (index, test) in tests.iter().enumerate() {
        let place = format!("test {}", index + 1);
        let mut chosen: Vec<Option<&Value>> = vec![None];
        if !prompts.is_empty() {
            chosen = prompts.iter().filter(|prompt| is_chosen(prompt, test.get("prompts"))).map(Some).collect();
        }
        if chosen.is_empty() {
            let mut draft = Draft::at(place.clone());
            draft.leave_out("its `prompts` fit none of the prompts");
            cases.drafts.push(draft);
        }
        for (number, prompt) in chosen.iter().enumerate() {
            let place = if chosen.len() == 1 { place.clone() } else { format!("{place}, prompt {}", number + 1) };
            let mut drafts = of_test(test, &defaults, *prompt, &place, columns, &vars);
            if chosen.len() > 1 {
                drafts.iter_mut().for_each(|draft| draft.id = draft.id.take().map(|id| format!("{id}-{}", number + 1)));
            }
            cases.drafts.extend(drafts);
            vars.within_limits()?;
            within(cases.drafts.len())?;
        }
    }
    if !named.code.is_empty() {
        let code = named.code.into_iter().collect::<Vec<_>>().join(", ");
        cases.left_out.push(format!("code is not run and no connection is opened, so these are not read: {code}"));
    }
    cases.left_out.extend(named.faults);
    if tests.is_empty() {
        cases.left_out.push("it has no tests".to_owned());
    }
    if root.get("scenarios").is_some_and(|scenarios| !is_nothing(scenarios)) {
        cases.left_out.push("`scenarios` multiply tests; write them as `tests`".to_owned());
    }
    let is_read =
        |key: &str| matches!(key, "prompts" | "tests" | "defaultTest" | "scenarios" | "description" | "$schema");
    cases.others(root.keys().map(String::as_str).filter(|key| !is_read(key)));
    cases.description = root.get("description").and_then(text);
    vars.within_limits()?;
    Ok(cases)
}

/// The files that a configuration names.
struct Named<'a> {
    files: &'a Files<'a>,
    /// The files that would have to be run or fetched.
    code: BTreeSet<String>,
    /// Why others cannot be read.
    faults: BTreeSet<String>,
}

impl Named<'_> {
    /// The files of a name or pattern, each with its extension and text, if one of these extensions is theirs.
    fn read(&mut self, name: &str, extensions: &[&str]) -> Vec<(String, String)> {
        let name = name.strip_prefix("file://").unwrap_or(name);
        let extension = |name: &str| name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).unwrap_or_default();
        let is_data = |name: &str| extensions.contains(&extension(name).as_str());
        if name.contains(':') || !(is_data(name) || name.ends_with('*')) {
            self.code.insert(format!("`{name}`"));
            return Vec::new();
        }
        match (self.files)(name) {
            Ok(files) => {
                let (data, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|(name, _)| is_data(name));
                self.code.extend(others.into_iter().map(|(name, _)| format!("`{name}`")));
                data.into_iter().map(|(name, text)| (extension(&name), text)).collect()
            }
            Err(why) => {
                self.faults.insert(format!("`{name}` is not read: {why}"));
                Vec::new()
            }
        }
    }

    /// The value in a file.
    fn value(&mut self, name: &str, extension: &str, content: &str) -> Option<Value> {
        let read = Syntax::of(extension, content).read(content);
        read.map_err(|error| self.faults.insert(format!("`{name}` is not read: {error}"))).ok()
    }

    fn prompts(&mut self, value: Option<&Value>) -> Vec<Value> {
        let mut prompts = Vec::new();
        for prompt in listed(value) {
            let raw = ["raw", "prompt", "id"].iter().find_map(|key| prompt.get(*key)).unwrap_or(&prompt);
            let Some(name) = text(raw).filter(|raw| is_file(raw)) else {
                prompts.push(prompt);
                continue;
            };
            let files = self.read(&name, &["txt", "md", "j2", "json", "yaml", "yml"]);
            if files.is_empty() {
                // The variable that is a prompt is sent.
                prompts.push(Value::Null);
            }
            for (extension, text) in files {
                let parts: Vec<&str> = if extension == "txt" { text.split("\n---\n").collect() } else { vec![&text] };
                for part in parts {
                    let mut object = prompt.as_object().cloned().unwrap_or_default();
                    object.insert("raw".to_owned(), part.trim().into());
                    object.entry("label").or_insert_with(|| name.as_str().into());
                    prompts.push(Value::Object(object));
                }
            }
        }
        prompts
    }

    fn tests(&mut self, value: Option<&Value>) -> Vec<Map<String, Value>> {
        let mut tests = Vec::new();
        for test in listed(value) {
            let name = test.as_str().or_else(|| test.get("path").and_then(Value::as_str));
            match (name, &test) {
                (Some(name), _) => {
                    for (extension, text) in self.read(name, &["yaml", "yml", "json", "jsonl", "csv"]) {
                        let read = self.value(name, &extension, &text).unwrap_or_default();
                        let listed = listed(Some(&read)).into_iter().filter_map(|test| test.as_object().cloned());
                        tests.extend(listed.map(|test| if extension == "csv" { of_row(&test) } else { test }));
                    }
                }
                (None, Value::Object(test)) => tests.push(test.clone()),
                _ => drop(self.faults.insert("one of the tests has an unsupported form".to_owned())),
            }
        }
        tests.into_iter().map(|test| self.test(test)).collect()
    }

    /// A test with the variables and values that are in other files.
    fn test(&mut self, mut test: Map<String, Value>) -> Map<String, Value> {
        if let Some(Value::String(name)) = test.get("vars").cloned() {
            let mut vars = Map::new();
            for (extension, text) in self.read(&name, &["yaml", "yml", "json"]) {
                vars.extend(
                    self.value(&name, &extension, &text).and_then(|it| it.as_object().cloned()).unwrap_or_default(),
                );
            }
            test.insert("vars".to_owned(), Value::Object(vars));
        }
        let mut vars = test.get("vars").and_then(Value::as_object).cloned().unwrap_or_default();
        let mut assertions = listed(test.get("assert"));
        let values = assertions.iter_mut().filter_map(|assertion| assertion.get_mut("value"));
        let values = values.map(|value| (value, &["txt", "md", "json", "yaml", "yml"][..]));
        let texts = vars.values_mut().map(|value| (value, &["txt", "md"][..])).chain(values);
        for (value, extensions) in texts {
            let Some(name) = value.as_str().filter(|text| text.starts_with("file://")).map(str::to_owned) else {
                continue;
            };
            let Some((extension, text)) = self.read(&name, extensions).into_iter().next() else { continue };
            match extension.as_str() {
                "txt" | "md" => *value = text.trim().into(),
                _ => *value = self.value(&name, &extension, &text).unwrap_or_else(|| name.into()),
            }
        }
        for (key, value) in [("vars", Value::Object(vars)), ("assert", Value::Array(assertions))] {
            if test.contains_key(key) {
                test.insert(key.to_owned(), value);
            }
        }
        test
    }
}

/// Whether a prompt is the name of a file.
fn is_file(prompt: &str) -> bool {
    let endings = [".txt", ".json", ".jsonl", ".yaml", ".yml", ".js", ".mjs", ".ts", ".py", ".md", ".j2", ".csv"];
    let looks_so = prompt.starts_with("file://")
        || !prompt.contains(char::is_whitespace) && endings.iter().any(|ending| prompt.ends_with(ending));
    let is_address = prompt.split_once(':').is_some_and(|(scheme, rest)| scheme == "exec" || rest.starts_with("//"));
    looks_so || !prompt.contains(char::is_whitespace) && (is_address || prompt.ends_with(['*', '/']))
}

/// The elements of a list, or the value as the only one.
pub(super) fn listed(value: Option<&Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(list)) => list.clone(),
        Some(value) if !is_nothing(value) => vec![value.clone()],
        _ => Vec::new(),
    }
}

/// Whether a test wants the prompt: no filter, or its label or id, perhaps with `*` or a group.
fn is_chosen(prompt: &Value, filter: Option<&Value>) -> bool {
    let filter: Vec<String> = listed(filter).iter().filter_map(text).collect();
    let mut named = ["label", "id"].iter().filter_map(|key| prompt.get(*key).and_then(text)).chain(text(prompt));
    let fits = |name: &str| {
        filter.iter().any(|wanted| match wanted.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == wanted || name.starts_with(&format!("{wanted}:")),
        })
    };
    filter.is_empty() || named.any(|name| fits(&name))
}

/// The cases of a list or table of tests. Their prompts are in another file, so the variable that is one, or the only one, is the prompt.
///
/// # Errors
/// If its templates make too much text.
pub(super) fn tests(tests: &[&Value], columns: &Columns) -> Result<Vec<Draft>, ImportError> {
    let (mut drafts, vars, empty) = (Vec::new(), Vars::default(), Map::new());
    for (index, test) in tests.iter().filter_map(|test| test.as_object()).enumerate() {
        let is_row = test.keys().any(|key| key.starts_with("__"));
        let (of_row, word) = if is_row { (Some(of_row(test)), "row") } else { (None, "test") };
        let test = of_row.as_ref().unwrap_or(test);
        drafts.extend(of_test(test, &empty, None, &format!("{word} {}", index + 1), columns, &vars));
        vars.within_limits()?;
        within(drafts.len())?;
    }
    Ok(drafts)
}

/// The test of a row of a table: columns are variables, and those with `__` are settings.
fn of_row(row: &Map<String, Value>) -> Map<String, Value> {
    let (mut test, mut vars, mut assertions) = (Map::new(), Map::new(), Vec::new());
    for (name, value) in row {
        let cell = text(value).unwrap_or_default();
        match name.strip_prefix("__") {
            None => drop(vars.insert(name.clone(), value.clone())),
            Some(_) if is_nothing(value) => {}
            Some(setting) if setting.starts_with("expected") => {
                assertions.push(Value::Object(assertions::from_cell(&cell)));
            }
            Some("description") => drop(test.insert("description".to_owned(), value.clone())),
            Some("prefix" | "suffix") => {
                let options = test.entry("options").or_insert_with(|| json!({}));
                options[&name[2..]] = value.clone();
            }
            Some("metadata:category") => drop(test.insert("metadata".to_owned(), json!({ "category": cell }))),
            Some(_) => drop(test.insert(name.clone(), value.clone())),
        }
    }
    test.insert("vars".to_owned(), Value::Object(vars));
    test.insert("assert".to_owned(), Value::Array(assertions));
    test
}

/// The cases of a test: one for each of its values, if a variable has several.
fn of_test(
    test: &Map<String, Value>,
    defaults: &Map<String, Value>,
    prompt: Option<&Value>,
    place: &str,
    columns: &Columns,
    of_file: &Vars,
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
    // Each test has a copy of the default variables.
    let size: usize = vars.values().map(|value| value.as_str().map_or(0, str::len)).sum();
    let is_on = |test, key| option(test, key) == Some(&Value::Bool(true));
    let is_kept = [test, defaults].iter().any(|test| is_on(test, "disableVarExpansion"));
    let all = if is_kept { Some(vec![vars.clone()]) } else { expanded(&vars) };
    let all = all.filter(|all| of_file.make(size.saturating_mul(all.len())).is_ok()).unwrap_or_default();
    if all.is_empty() {
        let mut draft = Draft::at(place.to_owned());
        draft.leave_out(format!("its variables have no combination of values, or more than {MOST_VALUES}"));
        return vec![draft];
    }
    let count = all.len();
    let each = all.into_iter().enumerate().map(|(index, vars)| {
        let place = if count == 1 { place.to_owned() } else { format!("{place}, values {}", index + 1) };
        let mut draft = Draft::at(place);
        let raw = of_file.with(vars);
        let (raw, vars) = (&raw, filled_in(&raw));
        draft.id = test.get("description").and_then(text);
        if count > 1 {
            draft.id = draft.id.map(|id| format!("{id}-{}", index + 1));
        }
        match prompt {
            Some(prompt) => template(&mut draft, prompt, raw, &vars, columns),
            None => only_prompt(&mut draft, raw, &vars, columns),
        }
        notes.iter().for_each(|note| draft.leave_out(note.clone()));
        surround(&mut draft, test, defaults);
        let is_alone = is_on(test, "disableDefaultAsserts");
        asserted(&mut draft, defaults.get("assert").filter(|_| !is_alone), &vars);
        asserted(&mut draft, test.get("assert"), &vars);
        settings(&mut draft, test, "");
        settings(&mut draft, defaults, "defaultTest.");
        draft
    });
    each.collect()
}

fn option<'a>(test: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    test.get("options")?.get(key).filter(|value| !is_nothing(value))
}

/// Adds what `options` have around the prompt, and removes a prompt whose variables are changed by code.
fn surround(draft: &mut Draft, test: &Map<String, Value>, defaults: &Map<String, Value>) {
    let option = |key: &str| option(test, key).or_else(|| option(defaults, key)).and_then(text);
    let (prefix, suffix) = (option("prefix").unwrap_or_default(), option("suffix").unwrap_or_default());
    draft.prompt = draft.prompt.take().map(|prompt| prefix + &prompt + &suffix);
    if option("transformVars").is_some() && draft.prompt.take().is_some() {
        draft.leave_out("`options.transformVars` changes its variables, and code is not run");
    }
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
fn filled_in(vars: &Vars) -> Vars {
    let mut vars = vars.clone();
    for _ in 0..MOST_ROUNDS {
        let template = |value: &Value| value.as_str().filter(|text| text.contains("{{")).map(str::to_owned);
        let fill = |value: &Value| rendered(&template(value)?, &vars).ok().map(Value::String);
        let next = vars.values.iter().map(|(name, value)| (name.clone(), fill(value).unwrap_or_else(|| value.clone())));
        let next: Map<String, Value> = next.collect();
        if next == vars.values {
            break;
        }
        vars.values = next;
    }
    vars
}

pub(super) fn asserted(draft: &mut Draft, assertions: Option<&Value>, vars: &Vars) {
    for assertion in listed(assertions) {
        match assertion {
            Value::Object(assertion) => assertions::add(draft, &assertion, vars),
            _ => draft.leave_out("an assertion is in another file"),
        }
    }
}

/// The options that are read.
const OPTIONS: &str = "disableDefaultAsserts transform postprocess prefix suffix transformVars";

/// The settings of a test beside its variables and assertions.
pub(super) fn settings(draft: &mut Draft, test: &Map<String, Value>, of: &str) {
    for (key, value) in test.iter().filter(|(_, value)| !is_nothing(value)) {
        match key.as_str() {
            "vars" | "assert" | "description" | "prompts" => {}
            "options" | "metadata" => {
                let (options, category) = match key.as_str() {
                    "options" => (OPTIONS, None),
                    _ => ("category", value.get("category").and_then(text)),
                };
                draft.category = draft.category.take().or(category);
                if ["transform", "postprocess"].iter().any(|key| option(test, key).is_some()) && key == "options" {
                    draft.expect_nothing(
                        "a `transform` changes the answer before its assertions see it, so they are left out",
                    );
                }
                for (inner, _) in value.as_object().into_iter().flatten().filter(|(inner, _)| !is_in(options, inner)) {
                    draft.leave_out(format!("`{of}{key}.{inner}`: a case has no key for it"));
                }
            }
            // A score of 1 is that of a test without failed assertions.
            "threshold" if text(value).is_some_and(|least| least.parse().is_ok_and(|least: f64| least >= 1.0)) => {}
            "threshold" | "assertScoringFunction" => {
                draft.expect_nothing(format!("`{of}{key}` accepts answers that fail assertions, so they are left out"));
            }
            key => draft.leave_out(format!("`{of}{key}`: a case has no key for it")),
        }
    }
}

/// Fills the template of a prompt: a text, or messages as JSON or YAML. `null` is one that is not read.
fn template(draft: &mut Draft, prompt: &Value, raw_vars: &Vars, vars: &Vars, columns: &Columns) {
    if prompt.is_null() {
        draft.leave_out("its prompt is not read, so a variable is sent alone");
        return only_prompt(draft, raw_vars, vars, columns);
    }
    let raw = prompt.get("raw").or_else(|| prompt.get("prompt")).unwrap_or(prompt);
    let Some(raw) = text(raw) else { return draft.leave_out("the prompt has an unsupported form") };
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
pub(super) fn only_prompt(draft: &mut Draft, raw_vars: &Vars, vars: &Vars, columns: &Columns) {
    let all: Vec<&String> = vars.values.keys().collect();
    let given = |name: &&String| columns.names(Role::Prompt(0)) && columns.is_given(name, Role::Prompt(0));
    let given: Vec<&String> = all.iter().copied().filter(given).collect();
    let named: Vec<&String> = all.iter().copied().filter(|name| is_prompt(name)).collect();
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
    match rendered(&format!("{{{{{chosen}}}}}"), vars) {
        Ok(prompt) => draft.prompt = Some(prompt),
        Err(why) => return draft.leave_out(format!("the variable that is the prompt {why}")),
    }
    let raw = raw_vars.values.get(chosen).and_then(text).unwrap_or_default();
    let is_in_prompt = |name: &str| raw.split("{{").skip(1).any(|part| part.trim_start().starts_with(name));
    for other in all.into_iter().filter(|name| *name != chosen && !is_in_prompt(name)) {
        draft.leave_out(format!("the variable `{other}`: a case has only a prompt"));
    }
}
