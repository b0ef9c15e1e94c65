use serde_json::json;

use super::super::*;

fn read(body: impl AsRef<[u8]>) -> Option<Incoming> {
    receive(Ok(body.as_ref().to_vec()))
}

/// Returns the code, message and id of the error that answers a body.
fn refusal(body: impl AsRef<[u8]>) -> (i64, String, Id) {
    let Some(Incoming::Refusal(response)) = read(&body) else {
        panic!("not refused: {}", String::from_utf8_lossy(body.as_ref()));
    };
    let error = response.error().expect("a refusal is an error");
    (error.code.code(), error.message.to_string(), response.id().clone())
}

fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[test]
fn requests_notifications_and_responses_are_told_apart() {
    let call = |id, params| Some(Incoming::Call { method: "m".to_owned(), id, params });
    for (body, expected) in [
        (
            json!({"jsonrpc": "2.0", "id": 1, "method": "m", "params": {"a": [1]}}),
            call(Some(1.into()), json!({"a": [1]})),
        ),
        (json!({"jsonrpc": "2.0", "id": "x", "method": "m"}), call(Some("x".into()), Value::Null)),
        (json!({"jsonrpc": "2.0", "id": null, "method": "m"}), call(Some(Id::Null), Value::Null)),
        (json!({"jsonrpc": "2.0", "method": "m", "params": null}), call(None, Value::Null)),
        (json!({"jsonrpc": "2.0", "method": "m", "more": 1}), call(None, Value::Null)),
        (
            json!({"jsonrpc": "2.0", "id": 1, "result": [2]}),
            Some(Incoming::Answer(Response::from_ok(1.into(), json!([2])))),
        ),
        (json!({"jsonrpc": "2.0", "id": 1}), Some(Incoming::Answer(Response::from_ok(1.into(), Value::Null)))),
        (
            json!({"jsonrpc": "2.0", "id": 1, "result": 2, "error": null}),
            Some(Incoming::Answer(Response::from_ok(1.into(), json!(2)))),
        ),
    ] {
        assert_eq!(read(body.to_string()), expected, "{body}");
    }
}

#[test]
fn a_clients_errors_are_taken_as_they_come() {
    for (error, code, message) in [
        (json!({"code": -32601, "message": "no such method"}), -32601, "no such method"),
        (json!({"code": 1, "message": "m", "data": {"a": 1}, "stack": "more than there should be"}), 1, "m"),
        (json!({"message": "without a code"}), -32603, "without a code"),
        (json!("not even an object"), -32603, "no message"),
    ] {
        let body = json!({"jsonrpc": "2.0", "id": 7, "error": error}).to_string();
        let Some(Incoming::Answer(answer)) = read(&body) else { panic!("no answer: {body}") };
        let error = answer.error().expect("it is an error");
        assert_eq!((answer.id(), error.code.code(), &*error.message), (&Id::Number(7), code, message), "{body}");
    }
}

#[test]
fn lone_surrogates_do_not_make_a_message_unreadable() {
    let Some(Incoming::Call { params, .. }) =
        read(r#"{"jsonrpc":"2.0","method":"m","params":["\ud83d","\\ud83d","\ud83d\ude00"]}"#)
    else {
        panic!("not read")
    };
    assert_eq!(params, json!(["\u{fffd}", "\\ud83d", "😀"]));
}

#[test]
fn what_is_not_json_is_answered_with_a_parse_error() {
    for body in
        ["", " ", "hello", "{", "{}x", r#"{"jsonrpc":"2.0","id":1,"method":"m""#, "[1,", r#"{"id":1,"id":}"#, "[[[["]
    {
        let (code, message, id) = refusal(body);
        assert_eq!((code, id), (-32700, Id::Null), "{body}");
        assert!(message.starts_with("expected a message in JSON: "), "{message}");
    }
    let (code, message, id) = refusal(b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}");
    assert_eq!((code, id), (-32700, Id::Null));
    assert_eq!(message, "expected a message in UTF-8, but its byte 34 (counted from 0) begins no character");
}

#[test]
fn json_that_is_no_message_is_answered_with_invalid_request() {
    let answers = [
        "null",
        "\"text\"",
        "{}",
        "[]",
        r#"["2.0", 1, "shutdown", null, null, null]"#,
        r#"[{"jsonrpc":"2.0","id":1,"method":"m"}]"#,
        r#"{"jsonrpc":"2.0"}"#,
        r#"{"jsonrpc":"1.0","id":1,"method":"m"}"#,
        r#"{"id":"x","method":"m"}"#,
        r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#,
        r#"{"jsonrpc":"2.0","id":{},"method":"m"}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":5}"#,
        r#"{"jsonrpc":"2.0","id":1,"method":"m","params":[1e999]}"#,
    ]
    .map(|body| {
        let (code, message, id) = refusal(body);
        format!("{body}\n    {code} to {id}: {message}\n")
    });
    insta::assert_snapshot!(answers.concat());
}

#[test]
fn nesting_is_limited_and_the_limit_named() {
    let request = |depth| format!(r#"{{"jsonrpc":"2.0","id":7,"params":{},"method":"m"}}"#, nested(depth));
    assert!(matches!(read(request(127)), Some(Incoming::Call { .. })));
    for depth in [128, 1_000_000] {
        let (code, message, id) = refusal(request(depth));
        assert_eq!((code, id), (-32600, Id::Number(7)));
        assert_eq!(message, "the message is nested over the limit of 127 levels and was skipped");
    }
    let text_id = format!(r#"{{"jsonrpc":"2.0","params":{},"method":"m","id":"a\"b"}}"#, nested(200));
    assert_eq!(refusal(text_id).2, Id::from("a\"b"));
    let inner_id = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"id":2,"x":{}}}}}"#, nested(200));
    assert_eq!(refusal(inner_id).2, Id::Number(1));
    assert_eq!(refusal(nested(200)).2, Id::Null);
}

#[test]
fn a_notification_that_cannot_be_read_has_no_answer() {
    assert_eq!(read(format!(r#"{{"jsonrpc":"2.0","method":"m","params":{}}}"#, nested(200))), None);
    assert_eq!(read(r#"{"jsonrpc":"1.0","method":"m"}"#), None);
}

#[test]
fn a_response_that_cannot_be_read_still_ends_the_wait_for_it() {
    let deep = format!(r#"{{"jsonrpc":"2.0","id":3,"result":{}}}"#, nested(200));
    assert_eq!(read(deep), Some(Incoming::Answer(Response::from_error(3.into(), Fault::TooDeep.error()))));
}

#[test]
fn a_fault_of_the_frame_is_answered() {
    let fault = Fault::TooLong { length: 99_999_999_999 };
    assert_eq!(
        fault.to_string(),
        "a message of 99999999999 bytes is over the limit of 64 MiB (67108864 bytes) and was skipped"
    );
    let Some(Incoming::TooLong(response, message)) = receive(Err(fault)) else { panic!("it is not reported") };
    assert_eq!(response, Response::from_error(Id::Null, Fault::TooLong { length: 99_999_999_999 }.error()));
    assert!(message.ends_with("skipped. If it was the text of a file, split the file, or run `eval-ls check` on it"));
    let header = Response::from_error(Id::Null, Fault::Header.error());
    assert_eq!(receive(Err(Fault::Header)), Some(Incoming::Refusal(header)));
}
