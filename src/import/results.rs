//! Results of promptfoo: tests with the answers that were recorded. <https://promptfoo.dev/docs/configuration/reference/>

use serde_json::{Map, Value};

use super::assertions;
use super::draft::Draft;
use super::promptfoo::{asserted, messages, only_prompt, sent, settings};
use super::values::text;
use crate::foreign::columns::Columns;

/// The cases of results, with the answers of the first provider.
pub(super) fn results(results: &[Value], columns: &Columns) -> Vec<Draft> {
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
        // A result says with which test it belongs, or has the same test.
        let of = result.get("testIdx").map_or_else(|| Value::Object(test.clone()).to_string(), Value::to_string);
        let key = format!("{prompt:?} {of}");
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
            Some(prompt) => sent(&mut draft, &messages(&prompt).unwrap_or(Value::String(prompt))),
            None => only_prompt(&mut draft, vars, vars, columns),
        }
        match test.get("assert") {
            Some(assertions) => asserted(&mut draft, Some(assertions), vars),
            None => graded(&mut draft, result, vars),
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
        known.push((key, provider, drafts.len()));
        drafts.push(draft);
    }
    drafts
}

/// The assertions of a result whose test is not in the file.
fn graded(draft: &mut Draft, result: &Value, vars: &Map<String, Value>) {
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
