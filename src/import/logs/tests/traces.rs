//! Traces of OpenTelemetry, LangSmith and Langfuse in other shapes than those of the examples.

use serde_json::{Value, json};

use super::check;

/// A span of OTLP with these attributes, which are texts.
fn span(id: &str, parent: &str, times: [u64; 2], attributes: &[(&str, &str)]) -> Value {
    let attributes: Vec<Value> =
        attributes.iter().map(|(key, value)| json!({ "key": key, "value": { "stringValue": value } })).collect();
    json!({ "traceId": "t", "spanId": id, "parentSpanId": parent, "startTimeUnixNano": times[0],
            "endTimeUnixNano": times[1].to_string(), "attributes": attributes })
}

fn request(spans: &[Value]) -> Value {
    json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] })
}

const OPERATION: &str = "gen_ai.operation.name";
const INPUT: &str = "gen_ai.input.messages";
const OUTPUT: &str = "gen_ai.output.messages";

/// A message as JSON, in a list.
fn message(role: &str, text: &str) -> String {
    json!([{ "role": role, "parts": [{ "type": "text", "content": text }] }]).to_string()
}

fn chat(id: &str, parent: &str, times: [u64; 2], question: &str, answer: &str) -> Value {
    let (question, answer) = (message("user", question), message("assistant", answer));
    span(id, parent, times, &[(OPERATION, "chat"), (INPUT, &question), (OUTPUT, &answer)])
}

fn tool(id: &str, parent: &str, times: [u64; 2]) -> Value {
    let attributes = [
        (OPERATION, "execute_tool"),
        ("gen_ai.tool.name", "look"),
        ("gen_ai.tool.call.id", id),
        ("gen_ai.tool.call.arguments", "{\"a\":1}"),
        ("gen_ai.tool.call.result", "[2]"),
    ];
    span(id, parent, times, &attributes)
}

#[test]
fn calls_that_only_spans_of_tools_show_are_in_their_place() {
    let (question, answer) = (message("user", "Hello"), message("assistant", "Hi"));
    let agent = span("a", "", [1, 90], &[(OPERATION, "invoke_agent"), (INPUT, &question), (OUTPUT, &answer)]);
    let expected = "user Hello\ncall c look {\"a\":1}\nresult c [2]\nassistant Hi";
    check(json!([request(&[tool("c", "a", [30, 40])]), request(&[agent])]), &[expected]);
    check(json!([request(&[chat("m", "", [1, 90], "Hello", "Hi"), tool("c", "", [30, 40])])]), &[expected]);
    // The times need not fit.
    check(
        json!([request(&[chat("m", "", [5, 1], "Hello", "Hi"), tool("c", "m", [3, 2])])]),
        &["user Hello\nassistant Hi"],
    );
    // Spans may contain each other, or have no messages.
    check(json!([request(&[chat("m", "c", [1, 1], "Hello", "Hi"), tool("c", "m", [1, 1])])]), &[""]);
    check(json!([request(&[tool("c", "", [1, 1])])]), &[]);
}

#[test]
fn what_agents_say_to_each_other_is_left_out() {
    let question = message("user", "Hello");
    let agent = span("a", "", [1, 90], &[(OPERATION, "invoke_agent"), (INPUT, &question)]);
    let http = span("h", "c", [31, 39], &[]);
    let inner = chat("n", "h", [32, 38], "Look around", "It is dark");
    let title = chat("s", "a", [50, 60], "Find a title for: Hello", "Greeting");
    let (look, dark) = (message("user", "Look again"), message("assistant", "It is dark"));
    let other = span("b", "a", [60, 70], &[(OPERATION, "invoke_agent"), (INPUT, &look), (OUTPUT, &dark)]);
    let again = chat("o", "b", [61, 69], "Look again", "It is dark");
    let answer = chat("m", "a", [10, 80], "Hello", "Hi");
    let spans = [title, inner, http, tool("c", "a", [30, 40]), answer, agent, other, again];
    check(json!([request(&spans)]), &["user Hello\ncall c look {\"a\":1}\nresult c [2]\nassistant Hi"]);
}

#[test]
fn traces_of_a_conversation_belong_together() {
    let all = json!([
        { "role": "user", "parts": [{ "type": "text", "content": "Hello" }] },
        { "role": "assistant", "parts": [{ "type": "text", "content": "Hi" }] },
        { "role": "user", "parts": [{ "type": "text", "content": "Bye" }] },
    ]);
    let expected = ["user Hello\nuser Bye\nassistant Farewell", "user Hello\nassistant Hi"];
    for input in [all.to_string(), message("user", "Bye")] {
        let answer = message("assistant", "Farewell");
        let mut later = span("2", "", [50, 60], &[(OPERATION, "chat"), (INPUT, &input), (OUTPUT, &answer)]);
        later["traceId"] = json!("u");
        let mut earlier = chat("1", "", [10, 20], "Hello", "Hi");
        let mut other = chat("1", "", [70, 80], "Hello", "Hi");
        other["traceId"] = json!("v");
        let id = json!({ "key": "gen_ai.conversation.id", "value": { "stringValue": "7" } });
        for span in [&mut earlier, &mut later] {
            span["attributes"].as_array_mut().expect("a list").push(id.clone());
        }
        check(json!([request(&[later, other]), request(&[earlier])]), &expected);
    }
}

#[test]
fn runs_may_contain_their_children() {
    let run = |kind: &str, second: u8, inputs: Value, outputs: Value| {
        json!({ "id": format!("{kind}{second}"), "name": "look", "run_type": kind, "inputs": inputs, "outputs": outputs,
                "error": null, "start_time": format!("2026-05-18T09:00:0{second}.5"), "end_time": format!("2026-05-18T09:00:0{second}.9") })
    };
    let mut root = run(
        "chain",
        1,
        json!({ "input": "Hello", "chat_history": [["human", "Hm"], ["ai", "Yes?"]] }),
        json!({ "output": "Hi" }),
    );
    root["end_time"] = json!("2026-05-18T09:00:09");
    let mut model =
        run("llm", 3, json!({ "messages": [[{ "role": "user", "content": "Rate the answer" }]] }), json!(null));
    model["outputs"] = json!({ "generations": [[{ "text": "5" }]] });
    root["child_runs"] = json!([model, run("tool", 2, json!({ "a": 1 }), json!({ "output": "found" }))]);
    let expected = "user Hm\nuser Hello\ncall tool2 look {\"a\":1}\nresult tool2 \"found\"\nassistant Hi";
    check(json!([root]), &[expected]);
    check(json!([{ "trace_id": "chain1", "run_count": 3, "runs": [root] }]), &[expected]);
}

#[test]
fn steps_repeat_all_or_the_last_questions() {
    let said = |texts: &[&str]| -> Value {
        let role = |index: usize| if index.is_multiple_of(2) { "human" } else { "ai" };
        texts.iter().enumerate().map(|(index, text)| json!({ "type": role(index), "content": text })).collect()
    };
    let run = |second: usize, inputs: &[&str], outputs: &[&str]| {
        json!({ "id": second.to_string(), "trace_id": second.to_string(), "run_type": "chain", "start_time": format!("2026-05-18 09:00:0{second}"),
                "inputs": { "messages": said(inputs) }, "outputs": { "messages": said(outputs) }, "extra": { "metadata": { "thread_id": "7" } } })
    };
    let all = ["One", "1", "Yes", "2", "Yes", "3", "Four", "4"];
    let expected = "user One\nuser Yes\nuser Yes\nuser Four\nassistant 4";
    let runs = |first: usize| -> Value {
        (0..4)
            .map(|index| {
                run(index, &all[(2 * index).min(first)..=2 * index], &all[(2 * index).min(first)..2 * index + 2])
            })
            .collect()
    };
    // All that is said, and only what is new.
    check(runs(0), &[expected]);
    check(runs(6), &[expected]);
    // The memory has the last two questions.
    let windows: Vec<Value> = (0..4)
        .map(|index| {
            run(
                index,
                &all[(2 * index).saturating_sub(2)..=2 * index],
                &all[(2 * index).saturating_sub(2)..2 * index + 2],
            )
        })
        .collect();
    check(json!(windows), &[expected]);
    // What goes in is new, and all comes out.
    let states: Vec<Value> =
        (0..4).map(|index| run(index, &all[2 * index..=2 * index], &all[..2 * index + 2])).collect();
    check(json!(states), &[expected]);
    check(json!([run(0, &all[2..3], &all[..4]), run(1, &all[2..3], &all[..4])]), &["user One\nuser Yes\nassistant 2"]);
}

#[test]
fn runs_have_outputs_of_several_apis() {
    let run = |outputs: Value| json!([{ "id": "1", "trace_id": "1", "run_type": "llm", "inputs": { "input": "Hello" }, "outputs": outputs }]);
    let items = json!([
        { "type": "reasoning", "id": "r", "summary": [] },
        { "type": "function_call", "id": "f", "call_id": "c", "name": "look", "arguments": "{}" },
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Hi" }] },
    ]);
    check(run(json!({ "output": items, "text": { "format": {} } })), &["user Hello\ncall c look {}\nassistant Hi"]);
    let message = json!({ "role": "assistant", "type": "message", "content": [{ "type": "text", "text": "Hi" }] });
    check(run(message.clone()), &["user Hello\nassistant Hi"]);
    check(run(json!({ "output": message })), &["user Hello\nassistant Hi"]);
    check(run(json!({ "messages": [{ "role": "user", "content": "Hello" }, message] })), &["user Hello\nassistant Hi"]);
    let choice = json!({ "message": message });
    let several = "user Hello\nassistant Hi\nfault the response has several choices";
    check(run(json!({ "choices": [choice, choice] })), &[several]);
    check(run(json!({ "generations": [[choice, choice]] })), &[several]);
    check(
        run(json!({ "output": items, "incomplete_details": { "reason": "max_output_tokens" } })),
        &["user Hello\ncall c look {}\nassistant Hi\nfault the answer was cut off (max_output_tokens)"],
    );
}

#[test]
fn traces_of_a_session_belong_together() {
    let trace = |id: &str, minute: u8, input: &str, output: &str| {
        let tool = json!({ "id": "o", "traceId": id, "type": "TOOL", "name": "look", "startTime": format!("2026-05-18T09:0{minute}:01.000Z"),
                           "endTime": format!("2026-05-18T09:0{minute}:02.000Z"), "input": { "a": minute }, "output": null, "level": "ERROR",
                           "statusMessage": "closed" });
        json!({ "id": id, "timestamp": format!("2026-05-18T09:0{minute}:00.000Z"), "sessionId": "s", "input": input, "output": output,
                "observations": [tool] })
    };
    let (first, second) = (trace("1", 1, "Hello", "Hi"), trace("2", 2, "Bye", "Farewell"));
    let expected = "user Hello\nuser Bye\ncall o look {\"a\":2}\nerror o \"closed\"\nassistant Farewell";
    check(json!([second, first]), &[expected]);
    let alone = |trace: &Value| json!({ "trace": trace, "observations": trace["observations"] });
    check(json!([alone(&second), alone(&first)]), &[expected]);
    let row = |minute: u8| {
        json!({ "id": minute.to_string(), "timestamp": format!("2026-05-18 09:0{minute}:00.000000"), "session_id": "s", "bookmarked": false,
                "input": "\"Hello\"", "output": "{\"role\":\"assistant\",\"content\":\"Hi\"}", "observations": ["o"] })
    };
    check(json!([row(1), row(2)]), &["user \"Hello\"\nuser \"Hello\"\nassistant Hi"]);
}
