//! Eval sets of Google's Agent Development Kit: conversations with the answers and tool calls that are expected.
//! <https://google.github.io/adk-docs/evaluate/>

use serde_json::{Map, Value};

use crate::foreign::columns::snake;

use super::Cases;
use super::assertions::{arguments, is_nothing, text, tool_name};
use super::draft::{Call, Draft};

const OF_MODEL: &str = "the recorded answer is compared by similarity; say what matters in it with `must_say_any`";

/// The cases of an eval set.
pub(super) fn eval_set(root: &Map<String, Value>) -> Cases {
    let elements = get(root, "eval_cases").and_then(Value::as_array).into_iter().flatten().enumerate();
    let drafts = elements.flat_map(|(index, case)| eval_case(case, &format!("case {}", index + 1))).collect();
    let named = |name: &str| get(root, name).and_then(text);
    let mut cases = Cases { drafts, name: named("name"), description: named("description"), ..Cases::default() };
    let known = ["eval_cases", "eval_set_id", "name", "description", "creation_timestamp"];
    cases.others(root.keys().map(String::as_str).filter(|key| !known.contains(&snake(key).as_str())));
    cases
}

/// The cases of a conversation: one for each turn with tool calls, and the last one.
fn eval_case(case: &Value, place: &str) -> Vec<Draft> {
    let Some(case) = case.as_object() else { return vec![Draft::at(place.to_owned())] };
    let id = get(case, "eval_id").and_then(text);
    let turns = get(case, "conversation").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let mut drafts = Vec::new();
    for (index, turn) in turns.iter().filter_map(Value::as_object).enumerate() {
        let mut draft = Draft::at(format!("{place}, turn {}", index + 1));
        draft.id = id.as_ref().map(|id| format!("{id}-{}", index + 1));
        draft.prompt = get(turn, "user_content").and_then(|it| parts_text(&mut draft, it, "the prompt"));
        draft.response = get(turn, "final_response").and_then(|it| parts_text(&mut draft, it, "the answer"));
        let calls = tool_calls(&mut draft, turn);
        expect(&mut draft, calls, get(turn, "intermediate_data").is_some());
        let known = ["invocation_id", "user_content", "final_response", "intermediate_data", "creation_timestamp"];
        rest(&mut draft, turn, &known);
        drafts.push(draft);
    }
    after_each_other(&mut drafts);
    let mut last = drafts.pop().unwrap_or_else(|| Draft::at(place.to_owned()));
    drafts.retain(Draft::asks);
    if drafts.is_empty() {
        last.id = id;
    }
    if last.setup_prompts.len() > drafts.len() {
        last.leave_out("an earlier answer without tool calls is not stored");
    }
    if turns.is_empty() && get(case, "conversation_scenario").is_some() {
        last.leave_out("a model plays the user (`conversation_scenario`)");
    }
    let session = get(case, "session_input").and_then(Value::as_object);
    if session.and_then(|session| get(session, "state")).is_some_and(|state| !is_nothing(state)) {
        last.leave_out("`session_input.state`: bring the assistant into this state with `setup_prompts`");
    }
    session.into_iter().for_each(|session| rest(&mut last, session, &["state", "app_name", "user_id"]));
    let known = ["eval_id", "conversation", "conversation_scenario", "session_input", "creation_timestamp"];
    rest(&mut last, case, &known);
    drafts.push(last);
    drafts
}

/// Makes the prompts of earlier turns setup prompts.
fn after_each_other(turns: &mut [Draft]) {
    let mut earlier = Vec::new();
    for turn in turns {
        turn.setup_prompts.clone_from(&earlier);
        earlier.extend(turn.prompt.clone());
    }
}

/// Lists the keys that are not among these.
fn rest(draft: &mut Draft, object: &Map<String, Value>, known: &[&str]) {
    for (key, _) in object.iter().filter(|(_, value)| !is_nothing(value)) {
        match snake(key).as_str() {
            "rubrics" => draft.leave_out("`rubrics` ask a model"),
            name if known.contains(&name) => {}
            _ => draft.leave_out(format!("`{key}`: a case has no key for it")),
        }
    }
}

/// The cases of an eval set of the first form: sessions with a name.
pub(super) fn sessions(sessions: &[&Value]) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for session in sessions.iter().filter_map(|session| session.as_object()) {
        let name = session.get("name").and_then(text);
        let turns: Vec<&Value> = session.get("data").and_then(Value::as_array).into_iter().flatten().collect();
        let mut of = test_file(&turns);
        for (index, draft) in of.iter_mut().enumerate() {
            draft.id = name.as_ref().map(|name| format!("{name}-{}", index + 1));
            rest(draft, session, &["name", "data"]);
        }
        drafts.extend(of);
    }
    drafts
}

/// The cases of a test file of the first form: the turns of one session.
pub(super) fn test_file(turns: &[&Value]) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for (index, turn) in turns.iter().enumerate() {
        let mut draft = Draft::at(format!("turn {}", index + 1));
        if let Some(turn) = turn.as_object() {
            draft.prompt = get(turn, "query").and_then(text);
            draft.response = get(turn, "reference").and_then(text).filter(|answer| !answer.is_empty());
            if get(turn, "reference").is_some_and(|reference| text(reference).is_none() && !is_nothing(reference)) {
                draft.leave_out("`reference` is not a text");
            }
            let uses = match get(turn, "expected_tool_use") {
                Some(Value::Array(uses)) => uses.clone(),
                Some(other) if !is_nothing(other) => vec![other.clone()],
                _ => Vec::new(),
            };
            let calls = read_calls(&mut draft, uses.iter());
            expect(&mut draft, calls, true);
            rest(&mut draft, turn, &["query", "reference", "expected_tool_use"]);
        }
        drafts.push(draft);
    }
    after_each_other(&mut drafts);
    drafts
}

/// The tool calls are expected, and belong to the recorded answer. `are_known` is whether the file has them.
fn expect(draft: &mut Draft, calls: Vec<Call>, are_known: bool) {
    if draft.response.is_some() {
        draft.leave_out(OF_MODEL);
    } else if !calls.is_empty() {
        draft.leave_out("without a recorded answer, its tool calls are not stored");
    }
    if calls.iter().any(|call| !is_nothing(&call.input)) {
        draft.leave_out("the arguments of a tool are not checked");
    }
    if are_known {
        draft.leave_out(match calls[..] {
            [] => "no tool is expected, and no key of a case forbids all tools",
            _ => "further calls, the order and the number of calls are not checked",
        });
    }
    for call in &calls {
        let group = vec![call.tool.clone()];
        if !draft.expects.tools.contains(&group) {
            draft.expects.tools.push(group);
        }
    }
    if draft.has_unread_calls {
        draft.response = None;
    }
    draft.calls = Some(calls);
}

/// The tool calls of a turn, in order, each with its arguments.
fn tool_calls(draft: &mut Draft, turn: &Map<String, Value>) -> Vec<Call> {
    let Some(data) = get(turn, "intermediate_data").and_then(Value::as_object) else { return Vec::new() };
    rest(draft, data, &["tool_uses", "invocation_events"]);
    let uses = get(data, "tool_uses").and_then(Value::as_array).into_iter().flatten();
    let events = get(data, "invocation_events").and_then(Value::as_array).into_iter().flatten();
    let parts = events.filter_map(|event| event.get("content")?.get("parts")?.as_array()).flatten();
    let called = parts.filter_map(|part| get(part.as_object()?, "function_call"));
    read_calls(draft, uses.chain(called))
}

/// The tool calls. One that cannot be read makes the answer useless, because its tools are not known.
fn read_calls<'a>(draft: &mut Draft, calls: impl Iterator<Item = &'a Value>) -> Vec<Call> {
    let mut read = Vec::new();
    for call in calls {
        let known = ["name", "tool_name", "tool", "args", "tool_input", "arguments", "id"];
        call.as_object().into_iter().for_each(|call| rest(draft, call, &known));
        match tool_name(call) {
            Some(tool) => read.push(Call::new(tool, arguments(call))),
            None => {
                draft.has_unread_calls = true;
                draft.leave_out("a tool call has an unsupported form, so the answer is not stored");
            }
        }
    }
    read
}

/// The texts of the parts of a message.
fn parts_text(draft: &mut Draft, content: &Value, what: &str) -> Option<String> {
    if let Some(text) = text(content) {
        return Some(text);
    }
    let Some(parts) = content.get("parts").and_then(Value::as_array) else {
        draft.leave_out(format!("{what} has an unsupported form"));
        return None;
    };
    let texts: Vec<String> = parts.iter().filter_map(|part| part.get("text").and_then(text)).collect();
    if texts.len() < parts.len() {
        draft.leave_out(format!("a part of {what} is not text"));
    }
    (!texts.is_empty()).then(|| texts.join("\n"))
}

/// The member with this name, which files write as `eval_id` or `evalId`.
fn get<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).or_else(|| object.iter().find(|(key, _)| snake(key) == name).map(|(_, value)| value))
}
