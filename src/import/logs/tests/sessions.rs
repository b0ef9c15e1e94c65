//! Sessions of Claude Code and Codex in other shapes than those of the examples.

use serde_json::{Value, json};

use super::check;

/// Entries of Claude Code. Each follows the one before it, or the one that it names.
fn entries(entries: Value) -> Value {
    let mut last = Value::Null;
    let mut entries = entries;
    for (index, entry) in entries.as_array_mut().expect("a list").iter_mut().enumerate() {
        let parent = entry.get("parentUuid").cloned().unwrap_or(last);
        last = json!(index.to_string());
        entry["uuid"] = last.clone();
        entry["parentUuid"] = parent;
        entry["sessionId"] = json!("s");
    }
    entries
}

fn user(content: &Value) -> Value {
    json!({ "type": "user", "message": { "role": "user", "content": content } })
}

fn assistant(text: &str) -> Value {
    json!({ "type": "assistant", "message": { "role": "assistant", "content": [{ "type": "text", "text": text }] } })
}

#[test]
fn what_the_program_adds_is_not_asked() {
    let hidden = |key: &str| {
        let mut entry = user(&json!("Look around"));
        entry[key] = json!(true);
        entry
    };
    let reminder = "<system-reminder>Be brief.</system-reminder>";
    check(
        entries(json!([
            hidden("isMeta"),
            hidden("isSidechain"),
            user(&json!("<local-command-stdout>done</local-command-stdout>")),
            user(&json!([{ "type": "text", "text": format!("{reminder}\n") }, { "type": "text", "text": format!("Good{reminder} day") }])),
            assistant("Hi"),
            hidden("isCompactSummary"),
            { "type": "system", "subtype": "compact_boundary", "content": "Conversation compacted" },
            user(&json!("<task-notification>done</task-notification>")),
            assistant("It is done."),
        ])),
        &["user Good day\nassistant Hi\nassistant It is done."],
    );
}

#[test]
fn a_command_is_asked_if_it_is_answered() {
    let command = |name: &str, arguments: &str| {
        user(&json!(format!(
            "<command-message>x</command-message>\n<command-name>/{name}</command-name>\n<command-args>{arguments}</command-args>"
        )))
    };
    check(
        entries(json!([
            command("clear", ""),
            user(&json!("Hello")),
            assistant("Hi"),
            command("review", "7"),
            assistant("It is good."),
            assistant("Ship it."),
        ])),
        &["user Hello\nassistant Hi\nuser /review 7\nassistant It is good.\nassistant Ship it."],
    );
}

#[test]
fn an_answer_may_be_stopped_or_taken_back() {
    let call = json!({ "type": "assistant", "message": { "role": "assistant", "content": [
        { "type": "tool_use", "id": "1", "name": "look", "input": {} }] } });
    let rejected = json!([{ "type": "tool_result", "tool_use_id": "1", "is_error": true, "content": "rejected" }]);
    let stopped = "user Hello\ncall 1 look {}\nerror 1 \"rejected\"\nfault the user stopped the answer";
    let start =
        [user(&json!("Hello")), call, user(&rejected), user(&json!("[Request interrupted by user for tool use]"))];
    check(entries(json!(start)), &[stopped]);
    let mut again = start.to_vec();
    again.extend([user(&json!("Bye")), assistant("Farewell")]);
    let both = "user Hello\ncall 1 look {}\nerror 1 \"rejected\"\nuser Bye\nassistant Farewell";
    check(entries(json!(again)), &[both]);
    // The user goes back to before the first question.
    again[4]["parentUuid"] = Value::Null;
    check(entries(json!(again)), &[both]);
    let mut back = vec![json!({ "type": "system", "content": "Hello" })];
    back.extend(again);
    back[5]["parentUuid"] = json!("0");
    check(entries(json!(back)), &["user Bye\nassistant Farewell"]);
}

#[test]
fn a_question_may_come_while_the_assistant_works() {
    let attachment = |mode: &str| json!({ "type": "attachment", "attachment": { "type": "queued_command", "prompt": "Quick", "commandMode": mode } });
    check(
        entries(json!([user(&json!("Hello")), attachment("task-notification"), attachment("prompt"), assistant("Hi")])),
        &["user Hello\nuser Quick\nassistant Hi"],
    );
}

/// A line of a session of Codex.
fn line(kind: &str, payload: &Value) -> Value {
    json!({ "timestamp": "2026-05-18T09:00:00.000Z", "type": kind, "payload": payload })
}

fn item(payload: &Value) -> Value {
    line("response_item", payload)
}

fn event(payload: &Value) -> Value {
    line("event_msg", payload)
}

fn said(role: &str, text: &str) -> Value {
    let kind = if role == "user" { "input_text" } else { "output_text" };
    item(&json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": text }] }))
}

#[test]
fn sessions_of_other_agents_are_left_out() {
    let session = |id: &str, source: &Value| line("session_meta", &json!({ "id": id, "source": source }));
    check(
        json!([
            session("a", &json!("cli")),
            session("b", &json!("cli")),
            said("user", "Hello"),
            said("assistant", "Hi"),
            session("c", &json!({ "subagent": "review" })),
            said("user", "Look around"),
            said("assistant", "It is dark"),
        ]),
        &["user Hello\nassistant Hi"],
    );
}

#[test]
fn tools_of_codex_have_several_forms() {
    let output =
        |id: &str, output: &Value| item(&json!({ "type": "function_call_output", "call_id": id, "output": output }));
    let failed = json!({ "output": "none", "metadata": { "exit_code": 1 } });
    check(
        json!([
            said("user", "Hello"),
            item(&json!({ "type": "reasoning", "summary": [], "encrypted_content": "x" })),
            item(&json!({ "type": "ghost_snapshot", "ghost_commit": {} })),
            item(
                &json!({ "type": "local_shell_call", "call_id": "1", "status": "completed", "action": { "type": "exec", "command": ["ls"] } })
            ),
            output("1", &json!(failed.to_string())),
            item(
                &json!({ "type": "custom_tool_call", "call_id": "2", "name": "apply_patch", "input": "*** Begin Patch" })
            ),
            event(&json!({ "type": "patch_apply_end", "call_id": "2", "success": false })),
            item(&json!({ "type": "custom_tool_call_output", "call_id": "2", "output": "no such file" })),
            item(
                &json!({ "type": "function_call", "call_id": "3", "name": "exec_command", "arguments": "{\"cmd\":\"ls\"}" })
            ),
            output("3", &json!("[\"a\",\"b\"]")),
            event(&json!({ "type": "exec_command_end", "call_id": "3", "exit_code": 2 })),
            said("assistant", "Hi"),
        ]),
        &[
            "user Hello\ncall 1 local_shell {\"type\":\"exec\",\"command\":[\"ls\"]}\nerror 1 {\"output\":\"none\",\"metadata\":{\"exit_code\":1}}\n\
           call 2 apply_patch \"*** Begin Patch\"\nerror 2 \"no such file\"\ncall 3 exec_command {\"cmd\":\"ls\"}\nerror 3 [\"a\",\"b\"]\nassistant Hi",
        ],
    );
}

#[test]
fn turns_may_be_aborted_and_rolled_back() {
    let aborted = event(&json!({ "type": "turn_aborted", "reason": "interrupted" }));
    let note = said("user", "<turn_aborted>\nThe user stopped the turn.\n</turn_aborted>");
    let mut lines = vec![said("user", "Hello"), said("assistant", "H"), aborted, note];
    check(json!(lines), &["user Hello\nassistant H\nfault the answer was not finished (interrupted)"]);
    lines.push(event(&json!({ "type": "thread_rolled_back", "num_turns": u32::MAX })));
    lines.extend([said("user", "Bye"), said("assistant", "Farewell")]);
    check(json!(lines), &["user Bye\nassistant Farewell"]);
}
