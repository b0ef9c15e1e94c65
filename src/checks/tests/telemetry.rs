use serde_json::{Value, json};

use super::logs;

#[track_caller]
fn entry(entry: &str, telemetry: Value, found: bool) {
    let expected = json!({ "telemetry": [entry] }).to_string();
    logs(&expected, telemetry, &[&format!("{}telemetry:{entry}", if found { "+" } else { "-" })]);
}

#[test]
fn shorthands_ask_what_a_tool_did() {
    let start = json!({ "source": "tool.book", "event": "start" });
    let success = json!({ "source": "tool.book", "event": "result", "data": { "success": true } });
    let failure = json!({ "source": "tool.book", "event": "result", "data": { "success": false } });
    for (text, telemetry, found) in [
        ("tool.book start", json!([start]), true),
        ("tool.book \t start", json!([start]), true),
        ("tool.book start", json!([success]), false),
        ("tool.boo start", json!([start]), false),
        ("tool.book result success:true", json!([success]), true),
        ("tool.book  result  success:true", json!([failure, success]), true),
        ("tool.book result success:true", json!([start, failure]), false),
        ("tool.book result success:false", json!([failure]), true),
        ("tool.book result success:false", json!([success]), false),
        // A raw line is not an event of a tool.
        ("tool.book start", json!([r#"{"source":"tool.book","event":"start"} and more"#]), false),
        ("tool.book start", json!(["tool.book start"]), false),
    ] {
        entry(text, telemetry, found);
    }
}

#[test]
fn a_missing_field_has_three_conditions_on_any_events() {
    let text = "success:false with missingFields containing channelId";
    let failed = json!({ "source": "tool.post", "event": "result", "data": { "success": false } });
    let succeeded = json!({ "source": "tool.post", "event": "result", "data": { "success": true } });
    let missing = json!({ "data": { "missingFields": [] } });
    let field = json!({ "note": "about channelId" });
    let whole = json!({
        "source": "tool.post", "event": "result",
        "data": { "success": false, "missingFields": ["channelId"] }
    });
    for (telemetry, found) in [
        (json!([whole]), true),
        (json!([field, missing, failed]), true),
        (json!([succeeded, missing, field]), false),
        (json!([failed, field]), false),
        (json!([failed, missing]), false),
        (json!([failed, { "MISSING_FIELDS": 1 }, field]), true),
        (json!([failed, { "text": "missingfields" }, field]), true),
        (json!([failed, { "missing-fields": 1 }, field]), false),
        (json!([failed, missing, { "note": "channelid" }]), false),
        (json!([failed, missing, { "note": "xchannelIdx" }]), true),
        // An event named `result` counts, whatever its source.
        (json!([{ "event": "result", "data": { "success": false } }, missing, field]), true),
        // Raw lines match only literal entries.
        (json!([failed, "missingFields", field]), false),
        (json!([failed, missing, "channelId"]), false),
        (json!(["\"event\":\"result\",\"success\":false missingFields channelId"]), false),
    ] {
        entry(text, telemetry, found);
    }
}

#[test]
fn anything_else_is_looked_for_literally_ignoring_case() {
    let event = json!({ "ts": "T1", "source": "tool.book", "event": "result", "data": { "success": true, "n": 1.0 } });
    for (text, telemetry, found) in [
        (r#""event":"result""#, json!([event]), true),
        (r#""EVENT":"RESULT","data":{"SUCCESS":true"#, json!([event]), true),
        (r#""event": "result""#, json!([event]), false),
        (r#""source":"tool.book","ts""#, json!([event]), false),
        ("tool.book result success: true", json!([event]), false),
        ("tool.book-x start", json!([event]), false),
        (" tool.book start", json!([{ "source": "tool.book", "event": "start" }]), false),
        ("tool.book start\n", json!([{ "source": "tool.book", "event": "start" }]), false),
        ("1.0}}", json!([event]), true),
        ("größe", json!([{ "a": "GRÖSSE" }, { "a": "GRÖ\u{1e9e}E" }]), true),
        ("\u{212a}", json!([{ "a": "k" }]), true),
        // Each event alone.
        ("}{", json!([{ "a": 1 }, { "b": 2 }]), false),
        // Raw lines too.
        ("warn: SLOW", json!(["12:00 Warn: slow"]), true),
        ("[1,2]", json!([[1, 2]]), true),
        ("anything", json!([]), false),
        // Text is escaped as JSON writes it.
        (r#"say \"hi\""#, json!([{ "a": "say \"hi\"" }]), true),
        ("say \"hi\"", json!([{ "a": "say \"hi\"" }]), false),
        ("say \"hi\"", json!(["say \"hi\""]), true),
    ] {
        entry(text, telemetry, found);
    }
}
