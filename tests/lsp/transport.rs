//! The session must survive every message and every failure of a handler, and end when it should.

use std::io::{self, BufReader, Cursor, Read, Write};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use eval_ls::testing::{Connection, ExitReason, Hold, hold};
use ls_types::*;
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::{LanguageServer, LspService};

use crate::lsp::support::{Client, frame, read_frame};

const PATIENCE: Duration = Duration::from_secs(30);

/// A server whose handlers behave badly in every way that a session must survive.
struct Toy {
    client: tower_lsp_server::Client,
    hovered: tokio::sync::Notify,
    versions: Mutex<Vec<i32>>,
}

impl LanguageServer for Toy {
    async fn initialize(&self, _: InitializeParams) -> Result<InitializeResult> {
        Ok(InitializeResult::default())
    }

    async fn hover(&self, _: HoverParams) -> Result<Option<Hover>> {
        self.hovered.notify_one();
        Ok(None)
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }
}

impl Toy {
    /// Takes effect when the client hovers.
    async fn hold(&self, version: i32) {
        hold(Hold::AllButSmall);
        self.hovered.notified().await;
        self.versions.lock().unwrap().push(version);
    }

    async fn echo(&self, params: Value) -> Result<Value> {
        Ok(params)
    }

    async fn versions(&self) -> Result<Vec<i32>> {
        Ok(self.versions.lock().unwrap().clone())
    }

    async fn panic(&self, when: String) -> Result<()> {
        if when == "later" {
            tokio::task::yield_now().await;
        }
        panic!("{when}, and on purpose")
    }

    async fn panic_notified(&self, when: String) {
        let _ = self.panic(when).await;
    }

    /// Waits for the client to choose.
    async fn ask(&self) -> Result<Option<MessageActionItem>> {
        self.client.show_message_request(MessageType::INFO, "Well?", None).await
    }

    async fn wait(&self) -> Result<()> {
        std::future::pending().await
    }

    async fn count(&self, to: u32) -> Result<u32> {
        for n in 1..=to {
            self.client.log_message(MessageType::LOG, n.to_string()).await;
        }
        Ok(to)
    }
}

/// Serves with the toy in a separate thread; the receiver gets the reason why the session ended.
fn serve_toy(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Receiver<ExitReason> {
    let (sender, ended) = channel();
    thread::spawn(move || {
        let (service, socket) =
            LspService::build(|client| Toy { client, hovered: Default::default(), versions: Mutex::default() })
                .custom_method("toy/echo", Toy::echo)
                .custom_method("toy/versions", Toy::versions)
                .custom_method("toy/panic", Toy::panic)
                .custom_method("toy/panicNotified", Toy::panic_notified)
                .custom_method("toy/ask", Toy::ask)
                .custom_method("toy/wait", Toy::wait)
                .custom_method("toy/count", Toy::count)
                .custom_method("toy/hold", Toy::hold)
                .finish();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let reason = runtime.block_on(Connection::new(output).unwrap().serve(service, socket, input)).unwrap();
        let _ = sender.send(reason);
    });
    ended
}

/// A client of the toy with an open session, and the receiver of the session's end.
fn start(initialize: Value) -> (Client, Receiver<ExitReason>) {
    let (server_input, client_output) = io::pipe().unwrap();
    let (client_input, server_output) = io::pipe().unwrap();
    let ended = serve_toy(server_input, server_output);
    let mut client = Client::over(client_input, client_output);
    client.initialize(initialize);
    (client, ended)
}

fn client() -> Client {
    start(json!({ "capabilities": {} })).0
}

/// Everything that the toy writes to this input, in order.
fn transcript(input: Vec<u8>) -> Vec<Value> {
    let (output, server_output) = io::pipe().unwrap();
    let ended = serve_toy(Cursor::new(input), server_output);
    let mut output = BufReader::new(output);
    let messages = std::iter::from_fn(|| read_frame(&mut output).ok()).collect();
    assert_eq!(ended.recv_timeout(PATIENCE), Ok(ExitReason::InputEnded));
    messages
}

fn request(id: Value, method: &str, params: Value) -> Vec<u8> {
    frame(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string())
}

fn assert_continues(client: &mut Client) {
    assert_eq!(client.request("toy/echo", json!({ "still": "here" })), json!({ "still": "here" }));
}

/// Neovim 0.9 announces a list where the protocol has an object.
#[test]
fn a_capability_of_a_wrong_type_does_not_prevent_the_session() {
    let capabilities = json!({ "textDocument": { "callHierarchy": [{}], "hover": { "contentFormat": ["markdown"] } } });
    let mut client = start(json!({ "processId": "1", "capabilities": capabilities })).0;
    assert_continues(&mut client);
}

#[test]
fn a_notification_holds_later_messages_except_small_requests() {
    let (mut client, ended) = start(json!({ "capabilities": {} }));
    client.notify("toy/hold", json!(-1));
    client.files_changed();
    let versions = client.send_request("toy/versions", Value::Null);
    assert_eq!(client.at("hover", "file:///a.json", 0, 0), Value::Null);
    assert_eq!(client.response(versions)["result"], json!([-1]));
    // A hover does not pass an edit, and the end of the session waits for nothing.
    client.notify("toy/hold", json!(-2));
    client.change("file:///a.json", 1, json!([]));
    let place = json!({ "textDocument": { "uri": "file:///a.json" }, "position": { "line": 0, "character": 0 } });
    client.send_request("textDocument/hover", place);
    client.notify("exit", Value::Null);
    assert_eq!(ended.recv_timeout(PATIENCE), Ok(ExitReason::Exit { after_shutdown: false }));
    assert!(client.untaken().iter().all(|message| message["method"] != Value::Null), "the hover was answered");
}

#[test]
fn a_panic_is_answered_and_the_session_continues() {
    let mut client = client();
    for when in ["at once", "later"] {
        // The id of a request whose handler panicked can be used again.
        for _ in 0..2 {
            client.send_raw(&request(json!("boom"), "toy/panic", json!(when)));
            let error = client.response("boom")["error"].take();
            assert_eq!(error["code"], -32603, "{error}");
            let message = format!("the server panicked in `toy/panic`: {when}, and on purpose");
            assert_eq!(error["message"], message);
        }
        client.notify("toy/panicNotified", json!(when));
        assert_continues(&mut client);
    }
}

#[test]
fn waiting_requests_block_nothing_and_can_be_cancelled() {
    let mut client = client();
    let waiting: Vec<_> = (0..1000).map(|_| client.send_request("toy/wait", Value::Null)).collect();
    assert_continues(&mut client);
    for id in waiting {
        client.notify("$/cancelRequest", json!({ "id": id }));
        assert_eq!(client.response(id)["error"]["code"], -32800);
    }
}

#[test]
fn an_unreadable_answer_ends_the_wait_for_it() {
    let mut client = client();
    client.answer("window/showMessageRequest", |_| None);
    let id = client.send_request("toy/ask", Value::Null);
    let asked = client.wait_for("window/showMessageRequest", |_| true);
    client.send(
        &json!({ "jsonrpc": "2.0", "id": asked["id"], "result": (0..200).fold(json!([]), |inner, _| json!([inner])) }),
    );
    assert_eq!(client.response(id)["error"]["code"], -32600);
}

#[test]
fn notifications_of_a_handler_come_before_its_response() {
    let mut input = request(json!(0), "initialize", json!({ "capabilities": {} }));
    input.extend(request(json!(1), "toy/count", json!(50)));
    let messages = transcript(input);
    let said: Vec<_> = messages[1..51].iter().map(|message| message["params"]["message"].as_str().unwrap()).collect();
    assert_eq!(said, (1..=50).map(|n| n.to_string()).collect::<Vec<_>>());
    assert_eq!(messages[51..], [json!({ "jsonrpc": "2.0", "id": 1, "result": 50 })]);
}

#[test]
fn requests_before_the_end_of_the_input_are_answered() {
    let mut input = request(json!(0), "initialize", json!({ "capabilities": {} }));
    for id in 1..=100 {
        input.extend(request(json!(id), "toy/panic", json!("later")));
    }
    input.extend(request(json!("never"), "toy/wait", Value::Null));
    let messages = transcript(input);
    assert_eq!(messages.len(), 101, "{messages:#?}");
}

/// Checks how the session ends after `act`, and that it ends by itself.
fn check_end(initialize: Value, act: impl FnOnce(&mut Client), expected: ExitReason) {
    let (mut client, ended) = start(initialize);
    // Waiting handlers and missing answers of the client do not delay the end.
    client.answer("window/showMessageRequest", |_| None);
    client.send_request("toy/wait", Value::Null);
    client.send_request("toy/ask", Value::Null);
    assert_continues(&mut client);
    assert_eq!(ended.try_recv(), Err(TryRecvError::Empty));
    act(&mut client);
    assert_eq!(ended.recv_timeout(PATIENCE), Ok(expected));
}

#[test]
fn the_session_ends_by_itself() {
    let initialize = json!({ "processId": null, "capabilities": {} });
    let exit = |client: &mut Client| client.notify("exit", Value::Null);
    check_end(initialize.clone(), exit, ExitReason::Exit { after_shutdown: false });
    let shut_down_and_exit = |client: &mut Client| {
        client.request("shutdown", Value::Null);
        exit(client);
    };
    check_end(initialize.clone(), shut_down_and_exit, ExitReason::Exit { after_shutdown: true });
    check_end(initialize, |client| client.close_input(), ExitReason::InputEnded);
}
