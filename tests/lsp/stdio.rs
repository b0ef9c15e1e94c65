//! The program over standard input and output: it survives every message of a client, and ends when it should.

#[cfg(unix)]
use std::process::Command;

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, frame, initialize_params, push, server};

const URI: &str = "file:///nowhere/a.evals.json";

/// Checks that the session still answers, and knows the open documents.
fn assert_continues(client: &mut Client) {
    let report = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }));
    assert_eq!(codes(&report["items"]), ["invalid-json"]);
}

fn client() -> Client {
    let client = Client::session(push(), &[]);
    client.open(URI, 1, "{");
    client
}

#[test]
fn unreadable_messages_are_survived() {
    let mut client = client();
    let deep = (0..200).fold(json!([]), |inner, _| json!([inner]));
    let no_utf8 = [b"Content-Length: 2\r\n\r\n".as_slice(), b"\xff\xfe"].concat();
    for bytes in [
        b"hello\r\n\r\n".to_vec(),
        b"Content-Length: x\r\n\r\n".to_vec(),
        no_utf8,
        frame("{"),
        frame("[]"),
        frame(r#"{"jsonrpc":"2.0","id":77,"method":"textDocument/hover","params":{"textDocument":{"uri":"\ud800"}}}"#),
        frame(&json!({ "jsonrpc": "2.0", "id": 78, "method": "textDocument/hover", "params": deep }).to_string()),
        frame(&json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": deep }).to_string()),
        frame(&json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": { "x": 1 } }).to_string()),
        frame(&json!({ "jsonrpc": "2.0", "id": 79, "method": "initialize", "params": {} }).to_string()),
        frame(&json!({ "jsonrpc": "2.0", "id": 80, "method": "no/such/method" }).to_string()),
    ] {
        client.send_raw(&bytes);
        assert_continues(&mut client);
    }
    for id in 77..=80 {
        assert!(client.response(id)["error"].is_object());
    }
    assert!(client.stop().success());
}

#[test]
fn an_endless_length_ends_with_the_input() {
    let mut client = client();
    assert_continues(&mut client);
    client.send_raw(b"Content-Length: 99999999999\r\n\r\n{}");
    client.close_input();
    assert_eq!(client.wait_exit().code(), Some(1));
}

#[test]
fn a_message_over_the_limit_is_skipped() {
    let mut client = client();
    let text = "x".repeat((64 << 20) + 1);
    client.change(URI, 2, json!([{ "text": text }]));
    assert_continues(&mut client);
}

#[test]
fn half_a_character_becomes_a_replacement() {
    let mut client = client();
    let message = r#"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"URI","version":2},"contentChanges":[{"text":"{\"cases\":[],\"verison\ud83d\":1}"}]}}"#;
    client.send_raw(&frame(&message.replace("URI", URI)));
    let report = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": URI } }));
    let mut items = report["items"].as_array().unwrap().iter();
    let is_named = |item: &Value| item["message"].as_str().unwrap().contains("verison\u{fffd}");
    assert!(items.any(is_named), "{report}");
}

#[test]
fn the_exit_status_shows_how_the_session_ended() {
    let mut polite = client();
    assert_continues(&mut polite);
    assert_eq!(polite.stop().code(), Some(0));

    let mut hasty = client();
    hasty.notify("exit", Value::Null);
    assert_eq!(hasty.wait_exit().code(), Some(1));

    let mut gone = client();
    gone.close_input();
    assert_eq!(gone.wait_exit().code(), Some(1));

    let mut never_begun = Client::start();
    never_begun.close_input();
    assert_eq!(never_begun.wait_exit().code(), Some(1));
}

#[cfg(unix)]
#[test]
fn the_server_ends_with_its_parent() {
    let mut parent = Command::new("sleep").arg("600").spawn().unwrap();
    let mut client = Client::start();
    let mut params = initialize_params(push(), &[]);
    params["processId"] = parent.id().into();
    client.initialize(params);
    client.open(URI, 1, "{");
    assert_continues(&mut client);
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert_eq!(client.wait_exit().code(), Some(1));
}

/// A process that does not exist: one that has ended and was waited for.
#[cfg(unix)]
fn ended_process() -> u32 {
    let mut ended = Command::new("true").spawn().unwrap();
    ended.wait().unwrap();
    ended.id()
}

#[cfg(unix)]
#[test]
fn a_parent_that_the_server_cannot_see_does_not_end_it() {
    let mut client = Client::start();
    let mut params = initialize_params(push(), &[]);
    params["processId"] = ended_process().into();
    client.initialize(params);
    client.open(URI, 1, "{");
    assert_continues(&mut client);
}

#[cfg(unix)]
#[test]
fn a_second_initialize_does_not_change_the_parent() {
    let mut parent = Command::new("sleep").arg("600").spawn().unwrap();
    let mut other = Command::new("sleep").arg("600").spawn().unwrap();
    let mut client = Client::start();
    let mut params = initialize_params(push(), &[]);
    params["processId"] = parent.id().into();
    client.initialize(params.clone());
    params["processId"] = other.id().into();
    let second = client.send_request("initialize", params);
    assert!(client.response(second)["error"].is_object());
    other.kill().unwrap();
    other.wait().unwrap();
    client.open(URI, 1, "{");
    assert_continues(&mut client);
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert_eq!(client.wait_exit().code(), Some(1));
}

#[test]
fn the_server_ends_if_its_output_is_closed() {
    let mut server = server();
    drop(server.stdout.take());
    let mut input = server.stdin.take().unwrap();
    let initialize =
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": initialize_params(push(), &[]) });
    std::io::Write::write_all(&mut input, &frame(&initialize.to_string())).unwrap();
    assert_eq!(server.wait().unwrap().code(), Some(1));
}
