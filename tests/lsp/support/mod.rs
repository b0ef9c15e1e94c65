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

use std::collections::HashMap;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub(crate) use wire::{Gate, frame, read_frame};

use crate::support::Folder;

use wire::{Inbox, Wire};

const PATIENCE: Duration = Duration::from_secs(180);

/// Starts `eval-ls lsp` with pipes, for tests that read and write the bytes themselves.
pub(crate) fn server() -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eval-ls"));
    command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

/// Starts a server whose memory the system limits to a gibibyte of addresses.
#[cfg(target_os = "linux")]
pub(crate) fn limited_command() -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", "ulimit -v 1048576 && exec \"$0\" lsp", env!("CARGO_BIN_EXE_eval-ls")]);
    command
}

/// See the module's page.
pub(crate) struct Client {
    wire: Arc<Wire>,
    child: Option<Child>,
    last_id: i64,
    /// The last diagnostics of the documents whose findings were looked at.
    shown: HashMap<String, Value>,
}

impl Client {
    pub(crate) fn start() -> Self {
        // Tests must not use the state of the user.
        let state = concat!(env!("CARGO_TARGET_TMPDIR"), "/state");
        Self::spawn(Command::new(env!("CARGO_BIN_EXE_eval-ls")).arg("lsp").env("XDG_STATE_HOME", state))
    }

    /// Starts a server as the command says, for tests that need another folder, environment or standard error.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let (input, output) = (child.stdout.take().expect("it is piped"), child.stdin.take().expect("it is piped"));
        Client { wire: Wire::new(input, output), child: Some(child), last_id: 0, shown: HashMap::new() }
    }

    /// Talks to a server that reads what is written to `output` and writes what is read from `input`.
    pub(crate) fn over(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> Self {
        Client { wire: Wire::new(input, output), child: None, last_id: 0, shown: HashMap::new() }
    }

    /// From now on answers the server's requests for `method` with what `answer` makes of their parameters; where that
    /// is `None`, not at all.
    pub(crate) fn answer(&self, method: &str, answer: impl FnMut(&Value) -> Option<Value> + Send + 'static) {
        self.wire.answers().insert(method.to_owned(), Box::new(answer));
    }

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

    /// Sends a request that is refused. Returns why.
    pub(crate) fn refused(&mut self, method: &str, params: Value) -> String {
        let id = self.send_request(method, params);
        let response = self.response(id);
        response["error"]["message"].as_str().unwrap_or_else(|| panic!("{method}: {response}")).to_owned()
    }

    /// Asks `textDocument/…` about a document.
    pub(crate) fn of(&mut self, method: &str, uri: &str) -> Value {
        self.request(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": uri } }))
    }

    /// Asks `textDocument/…` about a place in a document.
    pub(crate) fn at(&mut self, method: &str, uri: &str, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        self.request(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": uri }, "position": position }))
    }

    /// The diagnostics of a document after all messages so far: those of a document that is opened now come later.
    pub(crate) fn findings(&mut self, uri: &str) -> Value {
        const LATER: &str = "untitled:later";
        let document = json!({ "uri": LATER, "languageId": "eval-suite", "version": 1, "text": "{" });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        self.next_diagnostics(LATER);
        self.close(LATER);
        self.next_diagnostics(LATER);
        let sent = self.wait("", |inbox| {
            let is_sent = |message: &mut Value| {
                message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
            };
            Some(inbox.others.extract_if(.., is_sent).last())
        });
        if let Some(mut sent) = sent {
            self.shown.insert(uri.to_owned(), sent["params"]["diagnostics"].take());
        }
        self.shown.get(uri).cloned().unwrap_or_else(|| json!([]))
    }

    /// Asks for code actions. A context without diagnostics has none.
    pub(crate) fn actions(&mut self, uri: &str, range: Value, mut context: Value) -> Value {
        if context["diagnostics"].is_null() {
            context["diagnostics"] = json!([]);
        }
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
        self.request("textDocument/codeAction", params)
    }

    pub(crate) fn hints(&mut self, uri: &str) -> Vec<Value> {
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
        let hints = self.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": whole }));
        hints.as_array().cloned().unwrap_or_default()
    }

    /// Asks for the lenses of a document. Returns the line and the title of each.
    pub(crate) fn lenses(&mut self, uri: &str) -> Vec<(u64, String)> {
        let lenses = self.of("codeLens", uri);
        let title = |lens: &Value| lens["command"]["title"].as_str().unwrap().to_owned();
        let all = lenses.as_array().into_iter().flatten();
        all.map(|lens| (lens["range"]["start"]["line"].as_u64().unwrap(), title(lens))).collect()
    }

    pub(crate) fn verdicts(&mut self, uri: &str) -> Value {
        self.request("eval-ls/verdicts", json!({ "uri": uri }))
    }

    /// Asks for a command of this server, by its name without `eval-ls.`.
    pub(crate) fn execute(&mut self, command: &str, argument: Value) -> Value {
        self.request("workspace/executeCommand", execution(command, argument))
    }

    /// Asks for such a command that is refused. Returns why.
    pub(crate) fn refuses(&mut self, command: &str, argument: Value) -> String {
        self.refused("workspace/executeCommand", execution(command, argument))
    }

    /// Opens the session with these parameters of `initialize`; returns its result.
    pub(crate) fn initialize(&mut self, params: Value) -> Value {
        let result = self.request("initialize", params);
        self.notify("initialized", json!({}));
        result
    }

    pub(crate) fn open(&self, uri: &str, version: i32, text: &str) {
        let document = json!({ "uri": uri, "languageId": "json", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Sends the content changes that lead to `version` of a document.
    pub(crate) fn change(&self, uri: &str, version: i32, changes: Value) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub(crate) fn close(&self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    pub(crate) fn save(&self, uri: &str) {
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    }

    /// Reports changed files. The server does not care which ones, so none is named.
    pub(crate) fn files_changed(&self) {
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": [] }));
    }

    pub(crate) fn change_folders(&self, added: Value, removed: Value) {
        let event = json!({ "event": { "added": added, "removed": removed } });
        self.notify("workspace/didChangeWorkspaceFolders", event);
    }

    pub(crate) fn message(&self) -> String {
        self.wait_for("window/showMessage", |_| true)["params"]["message"].as_str().unwrap().to_owned()
    }

    /// Waits until the client is asked to request these again: `codeLens`, `inlayHint`, ….
    pub(crate) fn refreshed(&self, what: &str) {
        self.wait_for(&format!("workspace/{what}/refresh"), |_| true);
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
        client.initialize(initialize_params(json!({}), folders));
        client
    }

    /// Starts `eval-ls lsp` and opens a session with these capabilities and folders.
    pub(crate) fn session(capabilities: Value, folders: &[&Folder]) -> Self {
        let mut client = Client::start();
        client.initialize(initialize_params(capabilities, folders));
        client
    }

    /// The same with a file of the folder open. Returns its URI, too.
    pub(crate) fn opened(capabilities: Value, folder: &Folder, file: &str, text: &str) -> (Self, String) {
        let client = Client::session(capabilities, &[folder]);
        let uri = folder.uri(file);
        client.open(&uri, 1, text);
        (client, uri)
    }

    /// The same without folders, with a document open.
    pub(crate) fn reading(capabilities: Value, uri: &str, text: &str) -> Self {
        let client = Client::session(capabilities, &[]);
        client.open(uri, 1, text);
        client
    }

    /// The same as [`Client::session`] with these options of the client.
    pub(crate) fn session_with(capabilities: Value, folders: &[&Folder], options: Value) -> Self {
        let mut client = Client::start();
        let mut params = initialize_params(capabilities, folders);
        params["initializationOptions"] = options;
        client.initialize(params);
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

    pub(crate) fn close_input(&self) {
        self.wire.close();
    }

    /// Ends the session as the protocol wants it and returns how the process ended.
    pub(crate) fn stop(mut self) -> ExitStatus {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.wait_exit()
    }

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

/// The capabilities of a client that shows all that may be in diagnostics.
pub(crate) fn push() -> Value {
    json!({ "textDocument": {
        "publishDiagnostics": { "relatedInformation": true, "versionSupport": true, "tagSupport": { "valueSet": [1] } },
        "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
    } })
}

/// The lints that diagnostics name, in their order.
pub(crate) fn codes(diagnostics: &Value) -> Vec<&str> {
    let diagnostics = diagnostics.as_array().expect("diagnostics are an array");
    diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().unwrap_or_default()).collect()
}

/// The texts under `key` of all things in a list.
pub(crate) fn texts<'list>(list: &'list Value, key: &str) -> Vec<&'list str> {
    list.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap()).collect()
}

#[track_caller]
pub(crate) fn titled<'list>(actions: &'list Value, title: &str) -> &'list Value {
    let found = actions.as_array().unwrap().iter().find(|action| action["title"] == title);
    found.unwrap_or_else(|| panic!("no action is called `{title}`: {actions:#}"))
}

/// The position of a byte in UTF-16 code units.
pub(crate) fn position(text: &str, offset: usize) -> Value {
    position_in("utf-16", text, offset)
}

/// The position of a byte in an encoding, found by counting. A `\r\n` is one end of a line, after its second character.
pub(crate) fn position_in(encoding: &str, text: &str, offset: usize) -> Value {
    let ends_line = |(at, c): &(usize, char)| *c == '\n' || *c == '\r' && !text[at + 1..].starts_with('\n');
    let breaks: Vec<_> = text[..offset].char_indices().filter(ends_line).collect();
    let line = &text[breaks.last().map_or(0, |(at, _)| at + 1)..offset];
    let column = match encoding {
        "utf-8" => line.len(),
        "utf-16" => line.encode_utf16().count(),
        _ => line.chars().count(),
    };
    json!({ "line": breaks.len(), "character": column })
}

/// The range of the bytes from `start` to `end`.
pub(crate) fn between(text: &str, start: usize, end: usize) -> Value {
    json!({ "start": position(text, start), "end": position(text, end) })
}

pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let offsets = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
    let places: Vec<_> = offsets.map(|at| (position(text, at), at)).collect();
    let offset =
        |place: &Value| places.iter().find(|(position, _)| position == place).map_or(text.len(), |(_, at)| *at);
    let mut edits: Vec<_> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            (offset(&range["start"])..offset(&range["end"]), edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    edits.into_iter().fold(text.to_owned(), |mut text, (range, new)| {
        text.replace_range(range, new);
        text
    })
}

pub(crate) fn range(line: u32, start: u32, end: u32) -> Value {
    json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": end } })
}

fn execution(command: &str, argument: Value) -> Value {
    json!({ "command": format!("eval-ls.{command}"), "arguments": [argument] })
}

fn call(method: &str, params: Value) -> Value {
    let mut call = json!({ "jsonrpc": "2.0", "method": method });
    if !params.is_null() {
        call["params"] = params;
    }
    call
}
