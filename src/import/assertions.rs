//! Assertions and results as promptfoo has them, <https://promptfoo.dev/docs/configuration/expected-outputs/> and
//! <https://promptfoo.dev/docs/configuration/reference/>; and what the values of other people's files are: texts, tool calls, cells of a
//! table.

use std::collections::HashMap;

use serde_json::{Map, Value};

use crate::foreign::columns::Columns;
use crate::pattern::escape;

use super::draft::Draft;
use super::promptfoo::{asserted, messages, only_prompt, sent, settings};
use super::read::fields;
use super::write::{Vars, rendered};

/// The types that a case can ask for, without `not-`.
const SAID: &str = "contains contains-any contains-all icontains icontains-any icontains-all regex equals starts-with";

/// The types that ask for a tool. Lists of other programs have the others.
const TOOLS: [&str; 6] = ["trajectory:tool-used", "tool-used", "tool_used", "tool-called", "tool_called", "tool_call"];

/// The other types, each with the reason why no key of a case asks for it.
const NOT_SAID: [(&str, &str); 5] = [
    (
        "asks a model",
        "agent-rubric answer-relevance classifier context-faithfulness context-recall context-relevance \
         conversation-relevance factuality g-eval llm-rubric max-score model-graded-closedqa \
         model-graded-factuality moderation pi search-rubric select-best similar",
    ),
    ("runs code", "javascript python ruby webhook"),
    ("is not about the answer", "cost finish-reason guardrails latency perplexity perplexity-score"),
    ("measures how similar two texts are", "bleu f-score gleu levenshtein meteor rouge-n"),
    (
        "checks a format, and no check of a case does",
        "contains-html contains-json contains-sql contains-xml is-html is-json is-refusal is-sql \
         is-valid-function-call is-valid-openai-function-call is-valid-openai-tools-call is-xml tool-call-f1 \
         word-count",
    ),
];

/// Whether a word is one of these.
pub(super) fn is_in(words: &str, word: &str) -> bool {
    words.split(' ').any(|known| known == word)
}

/// Asks for an assertion with the keys of a case, as far as they can. `vars` are the variables of the test.
pub(super) fn add(draft: &mut Draft, assertion: &Map<String, Value>, vars: &Vars) {
    let Some(kind) = assertion.get("type").and_then(Value::as_str) else {
        return draft.leave_out("an assertion has no `type`");
    };
    let (wanted, base) = kind.strip_prefix("not-").map_or((true, kind), |base| (false, base));
    let is_tool = TOOLS.contains(&base);
    if !is_in(SAID, base) && !is_tool {
        return draft.leave_out(format!("`{kind}` {}", why_not(base)));
    }
    let is_read = |key: &str| matches!(key, "type" | "value" | "weight" | "metric") || is_tool && key == "tool";
    if let Some((key, _)) = assertion.iter().find(|(key, value)| !is_read(key) && !is_nothing(value)) {
        return draft.leave_out(format!("`{kind}` with `{key}` is not supported"));
    }
    match assertion.get("weight").and_then(text).map(|weight| weight.parse()) {
        None | Some(Ok(1.0)) => {}
        Some(Ok(0.0)) => return draft.leave_out(format!("`{kind}` with the weight 0 cannot fail")),
        Some(_) => draft.leave_out("`weight`: the weights of a case are those of its groups, in `scoring`"),
    }
    if assertion.get("metric").is_some_and(|metric| !is_nothing(metric)) {
        draft.leave_out("`metric`: a case has no key for it");
    }
    let is_list = base.ends_with("-any") || base.ends_with("-all");
    let takes_several = is_list || wanted && base == TOOLS[0];
    let listed = match assertion.get("value").or_else(|| assertion.get("tool").filter(|_| is_tool)) {
        Some(Value::Array(list)) => list.clone(),
        Some(Value::String(text)) if is_list => fields(text).into_iter().map(Value::String).collect(),
        Some(value) if !is_nothing(value) => vec![value.clone()],
        _ => Vec::new(),
    };
    let mut values = Vec::new();
    for value in &listed {
        let other = |value: &Value| value.as_object().is_some_and(|tool| tool.keys().any(|key| key != "name"));
        let Some(value) = text(value).or_else(|| tool_name(value).filter(|_| is_tool && !other(value))) else {
            return draft.leave_out(format!("`{kind}` has a value of an unsupported type"));
        };
        if value.starts_with("file://") {
            return draft.leave_out(format!("`{kind}`: its value is in another file"));
        }
        match rendered(&value, vars) {
            Ok(value) => values.push(value),
            Err(why) => return draft.leave_out(format!("`{kind}`: its value {why}")),
        }
    }
    if values.len() > 1 && !takes_several {
        return draft.leave_out(format!("`{kind}` has several values, and how they count is not known"));
    }
    if values.iter().all(|value| value.trim().is_empty()) {
        return draft.leave_out(format!("`{kind}` has no value"));
    }
    let is_one_line = values.len() == 1 && !values[0].trim().contains('\n');
    match (base, wanted) {
        (kind, _) if kind.contains("contains") && (wanted || values.len() == 1 || !kind.ends_with("-all")) => {
            let is_group = kind.ends_with("-any") || !wanted;
            let each = values.iter().map(|value| vec![value.clone()]).collect();
            for phrases in if is_group { vec![values] } else { each } {
                match (kind.starts_with('i'), wanted) {
                    (false, _) => draft.says_exactly(phrases, wanted),
                    (true, true) => draft.says_one_of(phrases),
                    (true, false) => draft.says_none_of(phrases),
                }
            }
        }
        ("regex", _) => values.into_iter().for_each(|pattern| draft.foreign_pattern(&pattern, wanted)),
        ("equals" | "starts-with", false) => {
            draft.leave_out(format!("`{kind}` looks at the whole answer, and a pattern is tried on each line"));
        }
        ("equals", true) if is_one_line => {
            draft.leave_out("`equals` compares the whole answer, and a pattern is tried on each line");
            draft.pattern(format!(r"(?-i)^\s*{}\s*$", escape(values[0].trim())), true);
        }
        ("starts-with", true) if is_one_line => {
            draft.leave_out("`starts-with` looks at the start of the answer, and a pattern is tried on each line");
            draft.pattern(format!("(?-i)^{}", escape(&values[0])), true);
        }
        (_, true) if is_tool => values.into_iter().for_each(|tool| draft.expects.tools.push(vec![tool])),
        (_, false) if is_tool => draft.expects.tools_none.extend(values),
        _ => draft.leave_out(format!("`{kind}` has no counterpart among the checks")),
    }
}

/// Why no key of a case asks for an assertion of this type.
fn why_not(base: &str) -> &'static str {
    let known = NOT_SAID.iter().find(|(_, kinds)| is_in(kinds, base));
    match base {
        "assert-set" => "has a separate score, and a case has one",
        _ => known.map_or("has no counterpart among the checks", |(why, _)| why),
    }
}

/// An assertion in the short form of promptfoo's tables: `icontains-any: red, blue`, `similar(0.8): hello`. A text without a
/// known type is an `equals`.
pub(super) fn from_cell(cell: &str) -> Map<String, Value> {
    let cell = cell.trim();
    let of = |prefix: &str, kind: &'static str| Some(("", kind, cell.strip_prefix(prefix)?, ""));
    let (not, kind, value, threshold) = of("grade:", "llm-rubric")
        .or_else(|| of("fn:", "javascript").or_else(|| of("eval:", "javascript")))
        .or_else(|| cell.starts_with("file://").then_some(("", "javascript", cell, "")))
        .or_else(|| typed(cell))
        .unwrap_or(("", "equals", cell, ""));
    let members = [("type", format!("{not}{kind}")), ("value", value.trim().into()), ("threshold", threshold.into())];
    members.into_iter().map(|(key, value)| (key.to_owned(), Value::String(value))).collect()
}

/// The parts of a cell that starts with a known type: `not-` or nothing, the type, the value, and the threshold.
fn typed(cell: &str) -> Option<(&str, &'static str, &str, &str)> {
    let base = cell.strip_prefix("not-").unwrap_or(cell);
    let follows = |kind: &str| base.strip_prefix(kind).filter(|rest| rest.is_empty() || rest.starts_with([':', '(']));
    let known = NOT_SAID.iter().flat_map(|(_, kinds)| kinds.split(' ')).chain(SAID.split(' ')).chain([TOOLS[0]]);
    let (kind, rest) = known.into_iter().find_map(|kind| Some((kind, follows(kind)?)))?;
    let (threshold, rest) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')')?,
        None => ("", rest),
    };
    let value = rest.strip_prefix(':').or_else(|| rest.is_empty().then_some(""))?;
    Some((&cell[..cell.len() - base.len()], kind, value, threshold))
}

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
        let provider = &result["provider"];
        let provider =
            text(provider.get("label").or_else(|| provider.get("id")).unwrap_or(provider)).unwrap_or_default();
        // A result says with which test it belongs, or has the same test.
        let of = result.get("testIdx").map_or_else(|| Value::Object(test.clone()).to_string(), Value::to_string);
        let key = format!("{prompt:?} {of}");
        if let Some((first, place)) = known.get(&key) {
            drafts[*place].leave_out(match *first == provider {
                true => "a test has several answers, and a case has one transcript".to_owned(),
                false => format!("the answer of `{provider}`: a case has one transcript"),
            });
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
        let output = &result["response"]["output"];
        draft.response = text(output).or_else(|| (!output.is_null()).then(|| output.to_string()));
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
    let Some(graded) = result["gradingResult"]["componentResults"].as_array() else {
        return draft.leave_out("the result does not have the assertions of its test");
    };
    for component in graded {
        match component.get("assertion") {
            Some(Value::Object(assertion)) => add(draft, assertion, vars),
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
