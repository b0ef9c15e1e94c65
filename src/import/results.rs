//! Results of promptfoo: tests with the answers that were recorded <https://promptfoo.dev/docs/configuration/reference/>; and what the
//! values of other people's files are: texts, tool calls, cells of a table.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::foreign::columns::Columns;

use super::assertions;
use super::draft::Draft;
use super::promptfoo::{asserted, messages, only_prompt, sent, settings};
use super::write::Vars;

/// The cases of results, with the answers of the first provider.
pub(super) fn results(results: &[Value], columns: &Columns) -> Vec<Draft> {
    let mut known: HashMap<String, (String, usize)> = HashMap::new();
    let mut drafts: Vec<Draft> = Vec::new();
    let empty = Map::new();
    for (index, result) in results.iter().enumerate() {
        let test = result.get("testCase").and_then(Value::as_object).unwrap_or(&empty);
        let vars = result.get("vars").or_else(|| test.get("vars")).and_then(Value::as_object).unwrap_or(&empty);
        let vars = Vars::default().with(vars.clone());
        let prompt = result.get("prompt").map(|prompt| prompt.get("raw").unwrap_or(prompt)).and_then(text);
        let provider = result.get("provider");
        let provider = provider.and_then(|it| text(it.get("label").or_else(|| it.get("id")).unwrap_or(it)));
        let provider = provider.unwrap_or_default();
        // A result says with which test it belongs, or has the same test.
        let of = result.get("testIdx").map_or_else(|| Value::Object(test.clone()).to_string(), Value::to_string);
        let key = format!("{prompt:?} {of}");
        if let Some((first, place)) = known.get(&key) {
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
            Some(prompt) => sent(&mut draft, &messages(&prompt).unwrap_or(Value::String(prompt))),
            None => only_prompt(&mut draft, &vars, &vars, columns),
        }
        match test.get("assert") {
            Some(assertions) => asserted(&mut draft, Some(assertions), &vars),
            None => graded(&mut draft, result, &vars),
        }
        settings(&mut draft, test, "");
        let output = result.get("response").and_then(|response| response.get("output"));
        draft.response = output.and_then(|output| match output {
            Value::Null => None,
            Value::String(answer) => Some(answer.clone()),
            other => Some(other.to_string()),
        });
        if draft.response.is_none() {
            let error = result.get("error").and_then(text).map_or_else(String::new, |error| format!(": {error}"));
            draft.leave_out(format!("the result has no answer{error}"));
        }
        known.insert(key, (provider, drafts.len()));
        drafts.push(draft);
    }
    drafts
}

/// The assertions of a result whose test is not in the file.
fn graded(draft: &mut Draft, result: &Value, vars: &Vars) {
    let graded =
        result.get("gradingResult").and_then(|graded| graded.get("componentResults")).and_then(Value::as_array);
    let Some(graded) = graded else { return draft.leave_out("the result does not have the assertions of its test") };
    for component in graded {
        match component.get("assertion") {
            Some(Value::Object(assertion)) => assertions::add(draft, assertion, vars),
            _ => draft.leave_out("the result does not have one of the assertions of its test"),
        }
    }
}

/// The keys under which a tool call has its arguments.
pub(super) const ARGUMENTS: [&str; 6] = ["args", "arguments", "input", "input_parameters", "tool_input", "parameters"];

/// The keys under which it has its name.
pub(super) const TOOL_NAMES: [&str; 5] = ["name", "tool_name", "toolName", "tool", "function"];

/// The name of a tool: a text, or an object that has it.
pub(super) fn tool_name(tool: &Value) -> Option<String> {
    let of_function = || text(tool.get("function")?.get("name")?);
    text(tool).or_else(|| TOOL_NAMES.iter().find_map(|key| text(tool.get(*key)?))).or_else(of_function)
}

/// The arguments of a tool call. `null` if it has none.
pub(super) fn arguments(call: &Value) -> Value {
    let of = |call: &Value| ARGUMENTS.iter().find_map(|key| call.get(*key)).cloned();
    let found = of(call).or_else(|| of(call.get("function")?));
    found.unwrap_or_else(|| Value::Object(Map::new()))
}

/// Whether it is an entry of `must_ground_numbers` as this format has it.
pub(super) fn is_entry(element: &Value) -> bool {
    let fits = |(key, value): (&String, &Value)| match key.as_str() {
        "label" | "regex" => value.is_string(),
        "value" => value.is_string() || value.is_number(),
        "context_any" => value.as_array().is_some_and(|list| list.iter().all(Value::is_string)),
        _ => false,
    };
    let asks = element.get("value").is_some() || element.get("regex").is_some();
    asks && element.get("label").is_some() && element.as_object().is_some_and(|entry| entry.iter().all(fits))
}

/// The text of a message: a string, or parts with texts.
pub(super) fn content_text(content: &Value) -> Option<String> {
    let Value::Array(parts) = content else { return text(content) };
    let texts: Option<Vec<String>> = parts.iter().map(|part| text(part.get("text").unwrap_or(part))).collect();
    texts.map(|texts| texts.concat())
}

/// The text of a string, a number, `true` or `false`.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The text of a string or a number: what an answer can say.
pub(super) fn phrase(value: &Value) -> Option<String> {
    text(value).filter(|_| !value.is_boolean())
}

/// Whether there is nothing in it: `null`, an empty text, list or object.
pub(super) fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The elements of a list, or the value as the only one. The cell of a table is a JSON list, or is split at line breaks, `|` and `;`.
pub(super) fn elements(value: &Value, is_table: bool) -> Vec<Value> {
    split(value, if is_table { &['\n', '|', ';'] } else { &[] })
}

/// The elements of a list, or the value as the only one. A text with separators is a JSON list, or is split at them.
pub(super) fn split(value: &Value, separators: &[char]) -> Vec<Value> {
    match value {
        Value::Array(list) => list.clone(),
        Value::String(cell) if !separators.is_empty() => match serde_json::from_str(cell) {
            Ok(Value::Array(list)) => list,
            Ok(object @ Value::Object(_)) => vec![object],
            _ if separators.len() > 1 && cell.trim_start().starts_with(['[', '{']) => vec![Value::Null],
            _ => {
                let parts = cell.split(separators).map(str::trim).filter(|part| !part.is_empty());
                parts.map(|part| Value::String(part.to_owned())).collect()
            }
        },
        other => vec![other.clone()],
    }
}
