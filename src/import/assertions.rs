//! Assertions as promptfoo has them: a type and a value. <https://promptfoo.dev/docs/configuration/expected-outputs/>

use serde_json::{Map, Value};

use super::draft::Draft;
use super::list::{is_nothing, text};
use super::template::rendered;
use crate::pattern::escape;

/// Says an assertion with the keys of a case, as far as they can. `vars` are the variables of the test.
pub(super) fn add(draft: &mut Draft, assertion: &Map<String, Value>, vars: &Map<String, Value>) {
    let Some(kind) = assertion.get("type").and_then(Value::as_str) else {
        return draft.leave_out("an assertion has no `type`");
    };
    let (wanted, base) = kind.strip_prefix("not-").map_or((true, kind), |base| (false, base));
    if base == "assert-set" {
        return draft.leave_out("`assert-set` has a separate score, and a case has one");
    }
    if assertion.get("transform").is_some_and(|value| !is_nothing(value)) {
        return draft.leave_out(format!("`{kind}` looks at a transformed answer"));
    }
    if assertion.get("weight").and_then(text).is_some_and(|weight| weight != "1") {
        draft.leave_out("`weight`: the weights of a case are those of its groups, in `scoring`");
    }
    let mut values = Vec::new();
    let listed = match assertion.get("value") {
        Some(Value::Array(list)) => list.clone(),
        Some(value) if !is_nothing(value) => vec![value.clone()],
        _ => Vec::new(),
    };
    for value in &listed {
        let Some(value) = text(value) else {
            return draft.leave_out(format!("`{kind}` has a value of a type that nothing reads"));
        };
        if value.starts_with("file://") {
            return draft.leave_out(format!("`{kind}`: its value is in another file"));
        }
        match rendered(&value, vars) {
            Ok(value) => values.push(value),
            Err(name) => {
                return draft.leave_out(format!("`{kind}`: the template needs `{name}`, which the test does not have"));
            }
        }
    }
    let is_of_words = matches!(base.trim_start_matches('i'), "contains" | "contains-any" | "contains-all");
    if is_of_words && values.is_empty() {
        return draft.leave_out(format!("`{kind}` has no value"));
    }
    if is_of_words && !base.starts_with('i') {
        draft.leave_out(format!("`{kind}` compares upper and lower case, and phrases do not"));
    }
    match (base.strip_prefix('i').unwrap_or(base), wanted) {
        ("contains" | "contains-all", true) => values.into_iter().for_each(|phrase| draft.says_one_of(vec![phrase])),
        ("contains-any", true) => draft.says_one_of(values),
        ("contains" | "contains-any", false) => draft.says_none.extend(values),
        ("contains-all", false) if values.len() == 1 => draft.says_none.extend(values),
        ("regex", _) if !values.is_empty() => {
            for pattern in values {
                draft.pattern(format!("(?-i){pattern}"), wanted);
            }
        }
        ("equals", _) if values.len() == 1 && !values[0].contains('\n') => {
            draft.leave_out("`equals` compares the whole answer, and a pattern is tried on each line");
            draft.pattern(format!(r"(?-i)^\s*{}\s*$", escape(values[0].trim())), wanted);
        }
        ("starts-with", _) if values.len() == 1 && !values[0].contains('\n') => {
            draft.leave_out("`starts-with` looks at the start of the answer, and a pattern is tried on each line");
            draft.pattern(format!("(?-i)^{}", escape(&values[0])), wanted);
        }
        ("trajectory:tool-used", true) if !values.is_empty() => {
            values.into_iter().for_each(|tool| draft.tools.push(vec![tool]))
        }
        ("trajectory:tool-used", false) if !values.is_empty() => draft.tools_none.extend(values),
        _ => draft.leave_out(format!("`{kind}` {}", why_not(base))),
    }
}

/// Why no key of a case says an assertion of this type.
fn why_not(base: &str) -> &'static str {
    match base {
        "llm-rubric"
        | "g-eval"
        | "factuality"
        | "answer-relevance"
        | "similar"
        | "classifier"
        | "moderation"
        | "pi"
        | "context-faithfulness"
        | "context-recall"
        | "context-relevance"
        | "conversation-relevance"
        | "select-best"
        | "max-score"
        | "search-rubric"
        | "agent-rubric" => "asks a model",
        base if base.starts_with("model-graded") => "asks a model",
        "javascript" | "python" | "ruby" | "webhook" => "runs code",
        "cost" | "latency" | "perplexity" | "perplexity-score" | "finish-reason" | "guardrails" => {
            "is not about the answer"
        }
        base if base.starts_with("is-") || base.starts_with("contains-") => "is a form that no check knows",
        base if base.starts_with("trajectory") || base.starts_with("tool-call") => "is not a check of a case",
        "levenshtein" | "rouge-n" | "bleu" | "gleu" | "meteor" | "f-score" => "measures how similar two texts are",
        _ => "has no counterpart among the checks",
    }
}

/// An assertion in the short form of promptfoo's tables: `icontains-any: red, blue`. A text without a type is an `equals`.
pub(super) fn from_cell(cell: &str) -> Map<String, Value> {
    let mut assertion = Map::new();
    let is_type = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    let known = cell.split_once(':').filter(|(kind, _)| is_type(kind));
    let (kind, value) = match known {
        Some(("grade", rubric)) => ("llm-rubric", rubric),
        Some(("fn" | "eval", code)) => ("javascript", code),
        Some((kind, value)) => (kind, value),
        None if is_type(cell) && cell.contains('-') => (cell, ""),
        None => ("equals", cell),
    };
    let is_list = kind.ends_with("-any") || kind.ends_with("-all");
    let value = if is_list {
        value.split(',').map(|part| Value::String(part.trim().to_owned())).collect()
    } else {
        Value::String(value.trim().to_owned())
    };
    assertion.insert("type".to_owned(), Value::String(kind.trim().to_owned()));
    assertion.insert("value".to_owned(), value);
    assertion
}
