//! Eval sets of Google's Agent Development Kit: conversations with the answers and tool calls that are expected.
//! <https://google.github.io/adk-docs/evaluate/>

use serde_json::{Map, Value};

use super::columns::snake;
use super::draft::Draft;
use super::list::{is_nothing, text};

const OF_MODEL: &str = "the recorded answer is compared by similarity; say what matters in it with `must_say_any`";

/// The cases of an eval set.
pub(super) fn eval_set(root: &Map<String, Value>) -> Vec<Draft> {
    let cases = get(root, "eval_cases").and_then(Value::as_array).into_iter().flatten().enumerate();
    cases.map(|(index, case)| eval_case(case, format!("case {}", index + 1))).collect()
}

fn eval_case(case: &Value, place: String) -> Draft {
    let mut draft = Draft::at(place);
    let Some(case) = case.as_object() else { return draft };
    draft.id = get(case, "eval_id").and_then(text);
    let turns = get(case, "conversation").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if turns.is_empty() && get(case, "conversation_scenario").is_some() {
        draft.leave_out("a model plays the user (`conversation_scenario`)");
    }
    for (index, turn) in turns.iter().filter_map(Value::as_object).enumerate() {
        let is_last = index + 1 == turns.len();
        let user = get(turn, "user_content").and_then(parts_text);
        let calls = tool_calls(turn);
        if !is_last {
            draft.setup_prompts.extend(user);
            if get(turn, "final_response").is_some() || !calls.is_empty() {
                draft.leave_out("an earlier turn has an answer or tool calls, and only the last answer is judged");
            }
            continue;
        }
        draft.prompt = user;
        draft.response = get(turn, "final_response").and_then(parts_text);
        expect(&mut draft, calls);
        if get(turn, "rubrics").is_some_and(|rubrics| !is_nothing(rubrics)) {
            draft.leave_out("`rubrics` ask a model");
        }
    }
    let session = get(case, "session_input").and_then(Value::as_object);
    if session.and_then(|session| get(session, "state")).is_some_and(|state| !is_nothing(state)) {
        draft.leave_out("`session_input.state`: bring the assistant into this state with `setup_prompts`");
    }
    if get(case, "rubrics").is_some_and(|rubrics| !is_nothing(rubrics)) {
        draft.leave_out("`rubrics` ask a model");
    }
    for key in case.keys() {
        let known =
            ["eval_id", "conversation", "conversation_scenario", "session_input", "creation_timestamp", "rubrics"];
        if !known.contains(&snake(key).as_str()) {
            draft.leave_out(format!("`{key}`: no key of a case means it"));
        }
    }
    draft
}

/// The cases of a test file of the first form: the turns of one session.
pub(super) fn test_file(turns: &[Value]) -> Vec<Draft> {
    let mut earlier = Vec::new();
    let mut drafts = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let mut draft = Draft::at(format!("turn {}", index + 1));
        if let Some(turn) = turn.as_object() {
            draft.prompt = get(turn, "query").and_then(text);
            draft.response = get(turn, "reference").and_then(text).filter(|answer| !answer.is_empty());
            let uses = get(turn, "expected_tool_use").and_then(Value::as_array).into_iter().flatten();
            let calls = uses.filter_map(|call| {
                let call = call.as_object()?;
                Some((call.get("tool_name").and_then(text)?, call.get("tool_input").cloned().unwrap_or_default()))
            });
            expect(&mut draft, calls.collect());
            if get(turn, "expected_intermediate_agent_responses").is_some_and(|responses| !is_nothing(responses)) {
                draft.leave_out("answers before the last one are not judged");
            }
        }
        draft.setup_prompts.clone_from(&earlier);
        earlier.extend(draft.prompt.clone());
        drafts.push(draft);
    }
    drafts
}

/// The tool calls are expected, and belong to the recorded answer.
fn expect(draft: &mut Draft, calls: Vec<(String, Value)>) {
    if draft.response.is_some() {
        draft.leave_out(OF_MODEL);
    } else if !calls.is_empty() {
        draft.leave_out("without a recorded answer, its tool calls are not stored");
    }
    if calls.iter().any(|(_, arguments)| !is_nothing(arguments)) {
        draft.leave_out("the arguments of a tool are not checked");
    }
    if calls.len() > 1 {
        draft.leave_out("the order and the number of tool calls are not checked");
    }
    for (tool, _) in &calls {
        let group = vec![tool.clone()];
        if !draft.tools.contains(&group) {
            draft.tools.push(group);
        }
    }
    draft.calls = Some(calls);
}

/// The tool calls of a turn, in order, each with its arguments.
fn tool_calls(turn: &Map<String, Value>) -> Vec<(String, Value)> {
    let Some(data) = get(turn, "intermediate_data").and_then(Value::as_object) else { return Vec::new() };
    let call = |call: &Value| {
        let call = call.as_object()?;
        Some((call.get("name").and_then(text)?, call.get("args").cloned().unwrap_or_default()))
    };
    let uses = get(data, "tool_uses").and_then(Value::as_array).into_iter().flatten().filter_map(call);
    let events = get(data, "invocation_events").and_then(Value::as_array).into_iter().flatten();
    let parts = events.filter_map(|event| event.get("content")?.get("parts")?.as_array()).flatten();
    let called = parts.filter_map(|part| call(get(part.as_object()?, "function_call")?));
    uses.chain(called).collect()
}

/// The texts of the parts of a message.
fn parts_text(content: &Value) -> Option<String> {
    let parts = content.get("parts")?.as_array()?;
    let texts: Vec<String> = parts.iter().filter_map(|part| part.get("text").and_then(text)).collect();
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The member with this name, which files write as `eval_id` or `evalId`.
fn get<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).or_else(|| object.iter().find(|(key, _)| snake(key) == name).map(|(_, value)| value))
}
