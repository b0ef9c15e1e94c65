//! Eval sets of Google's Agent Development Kit: conversations with the answers and tool calls that are expected.
//! <https://google.github.io/adk-docs/evaluate/>

use serde_json::{Map, Value};

use crate::foreign::columns::snake;

use super::Cases;
use super::assertions::{arguments, is_nothing, text, tool_name};
use super::draft::{Call, Draft};
use super::promptfoo::listed;

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
    let mut drafts = after_each_other(&format!("{place}, "), turns.iter());
    for (index, draft) in drafts.iter_mut().enumerate() {
        draft.id = id.as_ref().map(|id| format!("{id}-{}", index + 1));
    }
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

/// The drafts of turns, each with the prompts of those before it as setup prompts.
fn after_each_other<'a>(place: &str, turns: impl Iterator<Item = &'a Value>) -> Vec<Draft> {
    let mut earlier = Vec::new();
    let draft = |(index, value): (usize, &Value)| {
        let mut draft = Draft { setup_prompts: earlier.clone(), ..Draft::at(format!("{place}turn {}", index + 1)) };
        value.as_object().into_iter().for_each(|value| turn(&mut draft, value));
        earlier.extend(draft.prompt.clone());
        draft
    };
    turns.enumerate().map(draft).collect()
}

/// Reads a turn of either form.
fn turn(draft: &mut Draft, turn: &Map<String, Value>) {
    let of = |names: [&str; 2]| names.into_iter().find_map(|name| get(turn, name));
    draft.prompt = of(["user_content", "query"]).and_then(|it| parts_text(draft, it, "the prompt"));
    let answer = of(["final_response", "reference"]).filter(|answer| !is_nothing(answer));
    draft.response = answer.and_then(|it| parts_text(draft, it, "the answer"));
    let data = get(turn, "intermediate_data");
    let empty = Map::new();
    let inner = data.and_then(Value::as_object).unwrap_or(&empty);
    rest(draft, inner, &["tool_uses", "invocation_events"]);
    let list = |holder, name| listed(get(holder, name));
    let mut uses = list(turn, "expected_tool_use");
    uses.extend(list(inner, "tool_uses"));
    for event in list(inner, "invocation_events") {
        let parts = event["content"]["parts"].as_array().into_iter().flatten();
        uses.extend(parts.filter_map(|part| get(part.as_object()?, "function_call")).cloned());
    }
    expect(draft, &uses, data.is_some() || get(turn, "query").is_some());
    let of_first = ["query", "reference", "expected_tool_use"];
    let known = ["invocation_id", "user_content", "final_response", "intermediate_data", "creation_timestamp"];
    rest(draft, turn, &[&known[..], &of_first].concat());
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
    after_each_other("", turns.iter().copied())
}

/// The tool calls are expected, and belong to the recorded answer. `are_known` is whether the file has them. One that cannot be read makes
/// the answer useless, because its tools are not known.
fn expect(draft: &mut Draft, uses: &[Value], are_known: bool) {
    let mut calls = Vec::new();
    for call in uses {
        let known = ["name", "tool_name", "tool", "args", "tool_input", "arguments", "id"];
        call.as_object().into_iter().for_each(|call| rest(draft, call, &known));
        match tool_name(call) {
            Some(tool) => calls.push(Call::new(tool, arguments(call))),
            None => {
                draft.has_unread_calls = true;
                draft.leave_out("a tool call has an unsupported form, so the answer is not stored");
            }
        }
    }
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
    draft.response = draft.response.take().filter(|_| !draft.has_unread_calls);
    draft.calls = Some(calls);
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
