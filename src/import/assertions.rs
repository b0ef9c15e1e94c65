//! Assertions as promptfoo has them: a type and a value. <https://promptfoo.dev/docs/configuration/expected-outputs/>

use serde_json::{Map, Value};

use crate::pattern::escape;

use super::draft::Draft;
use super::read::fields;
use super::results::{is_nothing, text};
use super::write::rendered;

/// The types that a case can ask for, without `not-`.
const SAID: [&str; 10] = [
    "contains",
    "contains-any",
    "contains-all",
    "icontains",
    "icontains-any",
    "icontains-all",
    "regex",
    "equals",
    "starts-with",
    "trajectory:tool-used",
];

/// The other types, each with the reason why no key of a case asks for it.
const NOT_SAID: [(&str, &[&str]); 5] = [
    (
        "asks a model",
        &[
            "agent-rubric",
            "answer-relevance",
            "classifier",
            "context-faithfulness",
            "context-recall",
            "context-relevance",
            "conversation-relevance",
            "factuality",
            "g-eval",
            "llm-rubric",
            "max-score",
            "model-graded-closedqa",
            "model-graded-factuality",
            "moderation",
            "pi",
            "search-rubric",
            "select-best",
            "similar",
        ],
    ),
    ("runs code", &["javascript", "python", "ruby", "webhook"]),
    ("is not about the answer", &["cost", "finish-reason", "guardrails", "latency", "perplexity", "perplexity-score"]),
    ("measures how similar two texts are", &["bleu", "f-score", "gleu", "levenshtein", "meteor", "rouge-n"]),
    (
        "checks a format, and no check of a case does",
        &[
            "contains-html",
            "contains-json",
            "contains-sql",
            "contains-xml",
            "is-html",
            "is-json",
            "is-refusal",
            "is-sql",
            "is-valid-function-call",
            "is-valid-openai-function-call",
            "is-valid-openai-tools-call",
            "is-xml",
            "tool-call-f1",
            "word-count",
        ],
    ),
];

/// Asks for an assertion with the keys of a case, as far as they can. `vars` are the variables of the test.
pub(super) fn add(draft: &mut Draft, assertion: &Map<String, Value>, vars: &Map<String, Value>) {
    let Some(kind) = assertion.get("type").and_then(Value::as_str) else {
        return draft.leave_out("an assertion has no `type`");
    };
    let (wanted, base) = kind.strip_prefix("not-").map_or((true, kind), |base| (false, base));
    if !SAID.contains(&base) {
        return draft.leave_out(format!("`{kind}` {}", why_not(base)));
    }
    let is_read = |key: &str| matches!(key, "type" | "value" | "weight" | "metric");
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
    let listed = match assertion.get("value") {
        Some(Value::Array(list)) => list.clone(),
        Some(Value::String(text)) if is_list => fields(text).into_iter().map(Value::String).collect(),
        Some(value) if !is_nothing(value) => vec![value.clone()],
        _ => Vec::new(),
    };
    let mut values = Vec::new();
    for value in &listed {
        let Some(value) = text(value) else {
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
    if values.iter().all(|value| value.trim().is_empty()) {
        return draft.leave_out(format!("`{kind}` has no value"));
    }
    let is_of_words = base.trim_start_matches('i').starts_with("contains");
    let is_one_line = values.len() == 1 && !values[0].trim().contains('\n');
    match (base.strip_prefix('i').unwrap_or(base), wanted) {
        ("contains" | "contains-all", true) => values.into_iter().for_each(|phrase| draft.says_one_of(vec![phrase])),
        ("contains-any", true) => draft.says_one_of(values),
        ("contains" | "contains-any", false) => draft.says_none_of(values),
        ("contains-all", false) if values.len() == 1 => draft.says_none_of(values),
        ("regex", _) => values.into_iter().for_each(|pattern| draft.foreign_pattern(&pattern, wanted)),
        ("equals", _) if is_one_line => {
            draft.leave_out("`equals` compares the whole answer, and a pattern is tried on each line");
            draft.pattern(format!(r"(?-i)^\s*{}\s*$", escape(values[0].trim())), wanted);
        }
        ("starts-with", _) if is_one_line => {
            draft.leave_out("`starts-with` looks at the start of the answer, and a pattern is tried on each line");
            draft.pattern(format!("(?-i)^{}", escape(&values[0])), wanted);
        }
        ("trajectory:tool-used", true) => values.into_iter().for_each(|tool| draft.tools.push(vec![tool])),
        ("trajectory:tool-used", false) => draft.tools_none.extend(values),
        _ => return draft.leave_out(format!("`{kind}` has no counterpart among the checks")),
    }
    if is_of_words && !base.starts_with('i') {
        draft.leave_out(format!("`{kind}` compares upper and lower case, and phrases do not"));
    }
}

/// Why no key of a case asks for an assertion of this type.
fn why_not(base: &str) -> &'static str {
    let known = NOT_SAID.iter().find(|(_, kinds)| kinds.contains(&base));
    match base {
        "assert-set" => "has a separate score, and a case has one",
        _ => known.map_or("has no counterpart among the checks", |(why, _)| why),
    }
}

/// An assertion in the short form of promptfoo's tables: `icontains-any: red, blue`, `similar(0.8): hello`. A text without a
/// known type is an `equals`.
pub(super) fn from_cell(cell: &str) -> Map<String, Value> {
    let cell = cell.trim();
    let shorthand = |prefix: &str, kind: &'static str| Some((kind.to_owned(), cell.strip_prefix(prefix)?.to_owned()));
    let (kind, value) = shorthand("grade:", "llm-rubric")
        .or_else(|| shorthand("fn:", "javascript"))
        .or_else(|| shorthand("eval:", "javascript"))
        .or_else(|| cell.starts_with("file://").then(|| ("javascript".to_owned(), cell.to_owned())))
        .or_else(|| typed(cell))
        .unwrap_or_else(|| ("equals".to_owned(), cell.to_owned()));
    let members = [("type", kind), ("value", value.trim().to_owned())];
    members.into_iter().map(|(key, value)| (key.to_owned(), Value::String(value))).collect()
}

/// The type and the value of a cell that starts with a known type.
fn typed(cell: &str) -> Option<(String, String)> {
    let end = cell.find([':', '(']).unwrap_or(cell.len());
    // `trajectory:tool-used` has a colon in its name.
    let end = if cell.starts_with("trajectory:") || cell.starts_with("not-trajectory:") {
        end + 1 + cell[end + 1..].find([':', '(']).unwrap_or(cell.len() - end - 1)
    } else {
        end
    };
    let (kind, rest) = cell.split_at(end);
    let base = kind.strip_prefix("not-").unwrap_or(kind);
    let is_known = SAID.contains(&base) || NOT_SAID.iter().any(|(_, kinds)| kinds.contains(&base));
    let rest = match rest.strip_prefix('(') {
        Some(threshold) => threshold.split_once(')')?.1,
        None => rest,
    };
    let value = rest.strip_prefix(':').or_else(|| rest.is_empty().then_some(""))?;
    is_known.then(|| (kind.to_owned(), value.to_owned()))
}
