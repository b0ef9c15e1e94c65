//! The program over standard input and output: it survives every message of a client, and ends when it should.

use std::io::{BufReader, Write};
#[cfg(unix)]
use std::process::Command;

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, frame, initialize_params, push, read_frame, server, texts};

const URI: &str = "file:///nowhere/a.evals.json";

/// Checks that the session still answers, and knows the open documents.
fn assert_continues(client: &mut Client) {
    assert_eq!(codes(&client.findings(URI)), ["invalid-json"]);
}

/// Neovim 0.9 announces a list where the protocol has an object.
#[test]
fn a_capability_of_a_wrong_type_does_not_prevent_the_session() {
    let mut client = Client::start();
    let capabilities = json!({ "textDocument": { "callHierarchy": [{}], "hover": { "contentFormat": ["markdown"] } } });
    client.send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "processId": "1", "capabilities": capabilities } }));
    assert_eq!(client.response(0)["result"]["capabilities"]["hoverProvider"], true);
    client.open(URI, 1, "{");
    assert_continues(&mut client);
}

#[test]
fn only_an_open_session_answers() {
    let mut client = Client::start();
    assert_eq!(client.refused("textDocument/hover", json!({})), "Server not initialized");
    assert_eq!(client.refused("eval-ls/tests", json!({})), "Server not initialized");
    client.initialize(initialize_params(push(), &[]));
    client.request("shutdown", Value::Null);
    assert_eq!(client.refused("eval-ls/tests", json!({})), "Invalid request");
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_exit().code(), Some(0));
}

#[test]
fn requests_before_the_end_of_the_input_are_answered() {
    let mut server = server();
    let mut input = server.stdin.take().unwrap();
    let mut send = |id: i64, method: &str, params: Value| {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        input.write_all(&frame(&request.to_string())).unwrap();
    };
    send(0, "initialize", initialize_params(push(), &[]));
    let hover = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 0 } });
    (1..=100).for_each(|id| send(id, "textDocument/hover", hover.clone()));
    drop(input);
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut ids: Vec<_> = std::iter::from_fn(|| read_frame(&mut output).ok()?["id"].as_i64()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..=100).collect::<Vec<_>>());
    assert_eq!(server.wait().unwrap().code(), Some(1));
}

#[test]
fn unreadable_messages_are_answered_and_survived() {
    let mut client = Client::reading(push(), URI, "{");
    let call = |id: Value, method: &str, params: Value| {
        frame(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string())
    };
    let notification = |method: &str, params: &Value| {
        frame(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string())
    };
    let deep = (0..200).fold(json!([]), |inner, _| json!([inner]));
    let too_deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let hover = "textDocument/hover";
    for (bytes, id, code) in [
        (b"hello\r\n\r\n".to_vec(), Value::Null, -32700),
        (b"Content-Length: many\r\n\r\n".to_vec(), Value::Null, -32700),
        (b"Content-Length: 99999999999\r\n\r\n".to_vec(), Value::Null, -32600),
        (b"Content-Length: 2\r\n\r\n\xff\xfe".to_vec(), Value::Null, -32700),
        (frame("not JSON"), Value::Null, -32700),
        (frame("[]"), Value::Null, -32600),
        (frame(r#"{"jsonrpc":"2.0","id":"x","method":5}"#), json!("x"), -32600),
        (frame(&format!(r#"{{"jsonrpc":"2.0","id":76,"params":{too_deep},"method":"{hover}"}}"#)), json!(76), -32600),
        (call(json!(77), hover, json!({ "textDocument": { "uri": "\u{fffd}" } })), json!(77), -32602),
        (call(json!(78), hover, deep.clone()), json!(78), -32600),
        (call(json!(79), "initialize", json!({})), json!(79), -32600),
        (call(json!(80), "no/such/method", Value::Null), json!(80), -32601),
        (call(json!(81), "$/foo", json!({})), json!(81), -32601),
    ] {
        client.send_raw(&bytes);
        // Text that is not a frame ends at the next frame.
        assert_continues(&mut client);
        let response = client.response(id);
        assert_eq!(response["error"]["code"], code, "{} → {response}", String::from_utf8_lossy(&bytes));
    }
    for params in [deep, json!({ "x": 1 })] {
        for method in ["textDocument/didChange", "no/such/method", "$/foo"] {
            client.send_raw(&notification(method, &params));
            assert_continues(&mut client);
        }
    }
    assert!(client.stop().success());
}

#[test]
fn an_endless_length_ends_with_the_input() {
    let mut client = Client::reading(push(), URI, "{");
    assert_continues(&mut client);
    client.send_raw(b"Content-Length: 99999999999\r\n\r\n{}");
    client.close_input();
    assert_eq!(client.wait_exit().code(), Some(1));
}

#[test]
fn a_message_over_the_limit_is_skipped() {
    let mut client = Client::reading(push(), URI, "{");
    let text = "x".repeat((64 << 20) + 1);
    client.change(URI, 2, json!([{ "text": text }]));
    assert_continues(&mut client);
    // People see it, too: it may be the text of a file.
    let message = client.response(Value::Null)["error"]["message"].take();
    assert!(message.as_str().unwrap().contains("64 MiB"), "{message}");
    let shown = client.message();
    assert!(shown.contains("split the file"), "{shown}");
}

#[test]
fn half_a_character_becomes_a_replacement() {
    let mut client = Client::reading(push(), URI, "{");
    let message = r#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"URI","version":2},"contentChanges":[{"text":"{\"cases\":[],\"verison\ud83d\":1}"}]}}"#;
    client.send_raw(&frame(&message.replace("URI", URI)));
    let found = client.findings(URI);
    let mut messages = texts(&found, "message").into_iter();
    assert!(messages.any(|message| message.contains("verison\u{fffd}")), "{found}");
}

#[test]
fn the_exit_status_shows_how_the_session_ended() {
    let mut polite = Client::reading(push(), URI, "{");
    assert_continues(&mut polite);
    assert_eq!(polite.stop().code(), Some(0));

    let mut hasty = Client::reading(push(), URI, "{");
    hasty.notify("exit", Value::Null);
    assert_eq!(hasty.wait_exit().code(), Some(1));

    for mut gone in [Client::reading(push(), URI, "{"), Client::start()] {
        gone.close_input();
        assert_eq!(gone.wait_exit().code(), Some(1));
    }
}

/// A client whose parent is that process.
#[cfg(unix)]
fn child_of(process: u32) -> Client {
    let mut client = Client::start();
    let mut params = initialize_params(push(), &[]);
    params["processId"] = process.into();
    client.initialize(params);
    client.open(URI, 1, "{");
    assert_continues(&mut client);
    client
}

#[cfg(unix)]
#[test]
fn the_server_ends_with_its_first_parent() {
    let [mut parent, mut other] = [(); 2].map(|()| Command::new("sleep").arg("600").spawn().unwrap());
    let mut client = child_of(parent.id());
    let mut params = initialize_params(push(), &[]);
    params["processId"] = other.id().into();
    client.refused("initialize", params);
    other.kill().and_then(|()| other.wait()).unwrap();
    assert_continues(&mut client);
    parent.kill().and_then(|()| parent.wait()).unwrap();
    assert_eq!(client.wait_exit().code(), Some(1));
    // One that has ended cannot be seen, and does not end it.
    assert_continues(&mut child_of(other.id()));
}

#[test]
fn the_server_ends_if_its_output_is_closed() {
    let mut server = server();
    drop(server.stdout.take());
    let mut input = server.stdin.take().unwrap();
    let initialize =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize_params(push(), &[]) });
    input.write_all(&frame(&initialize.to_string())).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(1));
}
