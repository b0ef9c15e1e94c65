use serde_json::{Value, json};

use super::logs;

fn start(tool: &str) -> Value {
    json!({ "ts": 1, "level": "info", "source": format!("tool.{tool}"), "event": "start", "data": {} })
}

fn result(tool: &str, data: Value) -> Value {
    json!({ "source": format!("tool.{tool}"), "event": "result", "data": data })
}

fn success(tool: &str, success: bool) -> Value {
    result(tool, json!({ "success": success }))
}

#[test]
fn one_tool_of_any_was_called() {
    let expected = r#"{ "tool_calls_any": ["", "book", "find"] }"#;
    logs(expected, json!([start("find")]), &["+tool_calls_any"]);
    logs(expected, json!([start("other"), start("book")]), &["+tool_calls_any"]);
    logs(expected, json!([]), &["-tool_calls_any"]);
    logs(expected, json!([start("Book"), start("booking"), start("")]), &["-tool_calls_any"]);
    logs(expected, json!([success("book", true)]), &["-tool_calls_any"]);
    logs(r#"{ "tool_calls_any": [""] }"#, json!([]), &[]);
}

#[test]
fn forbidden_tools_were_not_called() {
    logs(
        r#"{ "tool_calls_none": ["book", "", "find"] }"#,
        json!([start("book"), success("find", true)]),
        &["-tool_calls_none:book", "+tool_calls_none:find"],
    );
}

#[test]
fn only_events_of_tools_start_them() {
    let expected = r#"{ "tool_calls_any": ["book"], "outcome": "tool_started" }"#;
    for event in [
        json!({ "source": "book", "event": "start" }),
        json!({ "source": "Tool.book", "event": "start" }),
        json!({ "source": "tool.book", "event": "Start" }),
        json!({ "source": "tool.book", "event": "started" }),
        json!({ "source": ["tool.book"], "event": "start" }),
        json!({ "data": { "source": "tool.book", "event": "start" } }),
        json!(r#"{"source":"tool.book","event":"start""#),
        json!([{ "source": "tool.book", "event": "start" }]),
    ] {
        logs(expected, json!([event]), &["-tool_calls_any", "-outcome:tool_started"]);
    }
    // The order of keys does not matter.
    let event = json!({ "event": "start", "x": { "event": "y" }, "source": "tool.book" });
    logs(expected, json!([event]), &["+tool_calls_any", "+outcome:tool_started"]);
}

/// Asserts the result of an outcome with these tools listed.
#[track_caller]
fn outcome(outcome: &str, tools: &[&str], telemetry: Value, passed: bool) {
    let expected = json!({ "outcome": outcome, "tool_calls_any": tools }).to_string();
    let result = format!("{}outcome:{outcome}", if passed { "+" } else { "-" });
    let started =
        telemetry.as_array().unwrap().iter().any(|event| {
            tools.iter().any(|tool| event["source"] == format!("tool.{tool}") && event["event"] == "start")
        });
    let any = if started { "+tool_calls_any" } else { "-tool_calls_any" };
    let all = [any, &result];
    logs(&expected, telemetry, if tools.is_empty() { &all[1..] } else { &all });
}

#[test]
fn outcomes() {
    let book = &["book"][..];
    for (name, tools, telemetry, passed) in [
        ("tool_success", book, json!([success("book", true)]), true),
        ("tool_success", book, json!([success("book", false), success("book", true)]), true),
        ("tool_success", book, json!([success("other", true), start("book")]), false),
        ("tool_success", &[], json!([success("other", true)]), true),
        ("tool_success", &[], json!([start("other"), success("other", false)]), false),
        ("tool_success", &["a", "book"], json!([success("book", true)]), true),
        ("tool_started", book, json!([start("book")]), true),
        ("tool_started", book, json!([start("other")]), true),
        ("tool_started", &[], json!([start("other")]), true),
        ("tool_started", &[], json!([success("other", true)]), false),
        ("needs_input", book, json!([start("book"), success("book", false)]), true),
        ("needs_input", book, json!([success("book", true)]), false),
        ("needs_input", book, json!([success("other", true)]), true),
        ("needs_input", &[], json!([success("other", true)]), true),
        ("graceful_block", book, json!([start("book"), success("book", false)]), true),
        ("graceful_block", book, json!([success("other", true)]), false),
        ("graceful_block", &[], json!([]), true),
        ("graceful_error", book, json!([success("book", false)]), true),
        ("graceful_error", book, json!([success("book", true), success("book", false)]), true),
        ("graceful_error", book, json!([success("book", true)]), false),
        ("graceful_error", book, json!([success("other", false)]), false),
        ("graceful_error", &[], json!([success("other", false)]), false),
    ] {
        outcome(name, tools, telemetry, passed);
    }
    logs(r#"{ "outcome": "magic" }"#, json!([]), &["-outcome:unknown:magic"]);
    logs(r#"{ "outcome": "Tool_Success" }"#, json!([]), &["-outcome:unknown:Tool_Success"]);
    logs(r#"{ "outcome": "" }"#, json!([]), &["-outcome:unknown:"]);
}

#[test]
fn success_is_found_at_any_depth_of_data() {
    let deep = (0..300).fold(json!({ "success": true }), |inner, _| json!([inner]));
    for (event, succeeded, failed) in [
        (result("book", json!({ "result": { "list": [1, { "success": true }] } })), true, false),
        (result("book", deep), true, false),
        (result("book", json!([{ "success": false }])), false, true),
        (result("book", json!({ "success": true, "inner": { "success": false } })), true, true),
        (result("book", json!({ "success": { "success": true } })), true, false),
        (result("book", json!({ "success": "true" })), false, false),
        (result("book", json!({ "Success": true, "ok": true })), false, false),
        (result("book", json!("{\"success\": true}")), false, false),
        (result("book", json!({ "text": "\"success\":true" })), false, false),
        (json!({ "source": "tool.book", "event": "result", "success": true }), false, false),
        (json!({ "source": "tool.book", "event": "result" }), false, false),
        (json!({ "source": "tool.book", "event": "end", "data": { "success": true } }), false, false),
        (json!({ "source": "tool.book", "event": "start", "data": { "success": false } }), false, false),
    ] {
        let sign = |yes: bool| if yes { "+" } else { "-" };
        logs(
            r#"{ "telemetry": ["tool.book result success:true", "tool.book result success:false"] }"#,
            json!([event]),
            &[
                &format!("{}telemetry:tool.book result success:true", sign(succeeded)),
                &format!("{}telemetry:tool.book result success:false", sign(failed)),
            ],
        );
    }
}
