//! A client of the language server, for tests.
//!
//! ```ignore
//! let mut client = Client::start();                      // eval-ls lsp, as a child process
//! client.initialize(json!({ "capabilities": {} }));
//! client.open("file:///s.json", 1, "{");
//! let diagnostics = client.diagnostics("file:///s.json", 1);
//! let hover = client.request("textDocument/hover", json!({ … }));
//! assert!(client.stop().success());
//! ```
//!
//! A thread reads what the server sends and sorts it: responses by their id, and everything else, notifications and the
//! server's requests, in the order in which it came, for [`Client::wait_for`] to pick from. The server's requests are
//! answered at once, with null unless [`Client::answer`] said otherwise.
//!
//! Every message of the server is tested against the protocol, see [`model`]. A fault fails the test when the client is dropped.
//!
//! Whatever a test waits for and does not get within 30 seconds fails it, with a list of what came instead.

mod model;
mod wire;

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub(crate) use wire::{Gate, frame, read_frame};

use crate::support::Folder;

use model::Model;
use wire::{Inbox, Wire};

const PATIENCE: Duration = Duration::from_secs(180);

/// Starts `eval-ls lsp` with pipes, for tests that read and write the bytes themselves.
pub(crate) fn server() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
    command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Starts a server whose memory the system limits to a gibibyte of addresses.
#[cfg(target_os = "linux")]
pub(crate) fn limited_server() -> Child {
    limited_command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

#[cfg(target_os = "linux")]
fn limited_command() -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", "ulimit -v 1048576 && exec \"$0\" lsp", env!("CARGO_BIN_EXE_eval-ls")]);
    command
}

/// See the module's page.
pub(crate) struct Client {
    wire: Arc<Wire>,
    child: Option<Child>,
    last_id: i64,
}

impl Client {
    /// Starts `eval-ls lsp`.
    pub(crate) fn start() -> Self {
        // Tests must not use the state of the user.
        let state = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_eval-ls")).arg("lsp").env("XDG_STATE_HOME", state))
    }

    /// Starts a server as the command says, for tests that need another folder, environment or standard error.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        Self::spawn_held_to(command, Some(Model::default()))
    }

    fn spawn_held_to(command: &mut Command, model: Option<Model>) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let (input, output) = (child.stdout.take().expect("it is piped"), child.stdin.take().expect("it is piped"));
        Client { wire: Wire::new(input, output, model), child: Some(child), last_id: 0 }
    }

    /// Talks to a server that reads what is written to `output` and writes what is read from `input`.
    pub(crate) fn over(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Self {
        Client { wire: Wire::new(input, output, Some(Model::default())), child: None, last_id: 0 }
    }

    /// From now on answers the server's requests for `method` with what `answer` makes of their parameters; where that
    /// is `None`, not at all.
    pub(crate) fn answer(&self, method: &str, answer: impl FnMut(&Value) -> Option<Value> + Send + 'static) {
        self.wire.answers().insert(method.to_owned(), Box::new(answer));
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&self, bytes: &[u8]) {
        self.wire.write(bytes);
    }

    /// Frames and sends a message, to which nothing is added.
    pub(crate) fn send(&self, message: &Value) {
        self.wire.note(message);
        self.send_raw(&frame(&message.to_string()));
    }

    /// Sends a notification; parameters of null are left out.
    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(&call(method, params));
    }

    /// Sends a request and returns its id, for [`Client::response`].
    pub(crate) fn send_request(&mut self, method: &str, params: Value) -> i64 {
        self.last_id += 1;
        let mut request = call(method, params);
        request["id"] = self.last_id.into();
        self.send(&request);
        self.last_id
    }

    /// Waits for the response to the request `id` (a number, a string, or null): the whole message.
    pub(crate) fn response(&self, id: impl Into<Value>) -> Value {
        let id = id.into();
        self.wait(&format!("the response to {id}"), |inbox| {
            let at = inbox.responses.iter().position(|response| response["id"] == id)?;
            Some(inbox.responses.remove(at))
        })
    }

    /// Sends a request and returns its result. Panics if it is answered with an error.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        let mut response = self.response(id);
        assert!(response.get("error").is_none(), "{method} failed: {response}");
        response["result"].take()
    }

    /// Opens the session with these parameters of `initialize`; returns its result.
    pub(crate) fn initialize(&mut self, params: Value) -> Value {
        let result = self.request("initialize", params);
        self.notify("initialized", json!({}));
        result
    }

    /// Opens a document.
    pub(crate) fn open(&self, uri: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "languageId": "json", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Sends the content changes that lead to `version` of a document.
    pub(crate) fn change(&self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Waits for the diagnostics of a document's version.
    pub(crate) fn diagnostics(&self, uri: &str, version: i32) -> Value {
        let fits = |params: &Value| params["uri"] == uri && params["version"] == version;
        self.wait_for("textDocument/publishDiagnostics", fits)["params"]["diagnostics"].take()
    }

    /// The same, with a server whose memory the system limits to a gibibyte of addresses.
    #[cfg(target_os = "linux")]
    pub(crate) fn limited(folders: &[&Folder]) -> Self {
        let mut client = Client::spawn(&mut limited_command());
        client.initialize(initialize_params(pull(), folders));
        client
    }

    /// Starts `eval-ls lsp` and opens a session with these capabilities and folders.
    pub(crate) fn session(capabilities: Value, folders: &[&Folder]) -> Self {
        let mut client = Client::start();
        client.initialize(initialize_params(capabilities, folders));
        client
    }

    /// Waits for the next diagnostics of a document or file, whatever their version: the notification's parameters.
    pub(crate) fn next_diagnostics(&self, uri: &str) -> Value {
        self.wait_for("textDocument/publishDiagnostics", |params| params["uri"] == uri)["params"].take()
    }

    /// What came from the server and was not waited for.
    pub(crate) fn untaken(&self) -> Vec<Value> {
        self.wait("", |inbox| Some(inbox.others.clone()))
    }

    /// Waits for a notification or request of the server's with this method and with parameters that `fits` accepts,
    /// takes it out of what came, and returns the whole message. What came before and does not fit stays.
    pub(crate) fn wait_for(&self, method: &str, mut fits: impl FnMut(&Value) -> bool) -> Value {
        self.wait(method, |inbox| {
            let wanted = |message: &Value| message["method"] == method && fits(&message["params"]);
            inbox.others.iter().position(wanted).map(|at| inbox.others.remove(at))
        })
    }

    /// Ends the server's input.
    pub(crate) fn close_input(&self) {
        self.wire.close();
    }

    /// Ends the session as the protocol wants it and returns how the process ended.
    pub(crate) fn stop(mut self) -> ExitStatus {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.wait_exit()
    }

    /// Waits for the server's process to end.
    pub(crate) fn wait_exit(&mut self) -> ExitStatus {
        let child = self.child.as_mut().expect("the server is a child process");
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            if let Some(status) = child.try_wait().expect("it can be waited for") {
                return status;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the server did not end");
    }

    fn wait<T>(&self, what: &str, take: impl FnMut(&mut Inbox) -> Option<T>) -> T {
        self.wire.wait(PATIENCE, take).unwrap_or_else(|instead| panic!("{what} did not come; {instead}"))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            // Where the process has ended, as it should have, there is nothing to kill.
            let _ = child.kill();
            let _ = child.wait();
        }
        let faults = self.wire.faults();
        assert!(faults.is_empty() || thread::panicking(), "the server violates the protocol: {faults:#?}");
    }
}

/// A folder as a client announces it.
pub(crate) fn workspace_folder(folder: &Folder) -> Value {
    json!({ "uri": format!("file://{}", folder.path().display()), "name": "a folder" })
}

/// What a client with these capabilities and folders sends with `initialize`.
pub(crate) fn initialize_params(capabilities: Value, folders: &[&Folder]) -> Value {
    let folders: Vec<_> = folders.iter().map(|folder| workspace_folder(folder)).collect();
    json!({ "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders })
}

/// The capabilities of a client to which diagnostics are sent, with all that may be in them.
pub(crate) fn push() -> Value {
    json!({ "textDocument": {
        "publishDiagnostics": { "relatedInformation": true, "versionSupport": true, "tagSupport": { "valueSet": [1] } },
        "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
    } })
}

/// The capabilities of a client that asks for diagnostics.
pub(crate) fn pull() -> Value {
    json!({ "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } } })
}

/// The lints that diagnostics name, in their order.
pub(crate) fn codes(diagnostics: &Value) -> Vec<&str> {
    let diagnostics = diagnostics.as_array().expect("diagnostics are an array");
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().unwrap_or_default()).collect()
}

/// A range on one line.
pub(crate) fn range(line: u32, start: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}

fn call(method: &str, params: Value) -> Value {
    let mut call = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_null() {
        call["params"] = params;
    }
    call
}

/// `cat` sends everything back: the client's requests become the server's, and its answers to them the server's answers.
#[cfg(unix)]
#[test]
fn the_client_sorts_what_comes_back_from_an_echo() {
    let mut client = Client::spawn_held_to(&mut Command::new("cat"), None);
    client.answer("double", |params| Some(json!([params[0], params[0]])));
    assert_eq!(client.initialize(json!({})), Value::Null);
    assert_eq!(client.request("double", json!(["é"])), json!(["é", "é"]));
    for version in [1, 2] {
        let diagnostics = json!([format!("of {version}")]);
        let params = json!({ "uri": "file:///a", "version": version, "diagnostics": diagnostics });
        client.notify("textDocument/publishDiagnostics", params);
    }
    assert_eq!(client.diagnostics("file:///a", 2), json!(["of 2"]));
    assert_eq!(client.diagnostics("file:///a", 1), json!(["of 1"]));
    client.open("file:///a", 1, "{}");
    client.wait_for("textDocument/didOpen", |params| params["textDocument"]["text"] == "{}");
    client.close_input();
    assert!(client.wait_exit().success());
}
