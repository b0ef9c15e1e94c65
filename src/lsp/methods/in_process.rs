//! The server of a client in the same process, such as a page in a browser. It answers one message after the other, starts no
//! thread and no program, and reads the files of its client's file system.

use std::collections::{BTreeSet, HashSet};
use std::path::Path;

use ls_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandParams,
    InitializeParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri,
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::analysis::lint;
use crate::lsp::client::settings::{SECTION, Settings, Support, log};
use crate::lsp::convert::to_lsp::replace_lone;
use crate::lsp::convert::uris;
use crate::lsp::features::challenges::{self, ProofsParams};
use crate::lsp::features::diagnostics;
use crate::lsp::features::test_explorer;
use crate::lsp::features::texts;
use crate::lsp::protocol::{
    Argument, CHALLENGE_SUITE, EXPLAIN_LINT, ResultParams, TextParams, TextResult, VerdictsParams,
};
use crate::lsp::session::choices::Choices;
use crate::lsp::session::configurations::ReadAhead;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::state::State;
use crate::workspace::tools::Observers;

use super::initialize_result;
use super::requests::{self, Answer, Fault, INVALID_PARAMS, METHOD_NOT_FOUND, REQUEST_FAILED, parsed};

/// The server and the state of its session.
#[derive(Default)]
pub struct InProcessServer {
    state: State,
    observers: Observers,
    published: HashSet<Uri>,
    /// The messages to the client since the last one from it.
    outgoing: Vec<String>,
    /// The number of requests to the client.
    requests: u64,
}

/// A notification to the client.
#[derive(Serialize)]
struct Notification<'a, P> {
    jsonrpc: &'static str,
    method: &'static str,
    params: &'a P,
}

/// The code of JSON-RPC for a text that is not JSON.
const PARSE_ERROR: i64 = -32700;

type Answered = Result<Answer, Fault>;

impl InProcessServer {
    /// Takes a JSON-RPC message. Returns the messages to the client, as a JSON array.
    pub fn receive(&mut self, message: &str) -> String {
        let mut message = message.as_bytes().to_vec();
        replace_lone(&mut message);
        match serde_json::from_slice::<Value>(&message) {
            Ok(message) => self.take(message),
            Err(error) => self.respond(&Value::Null, Err(Fault::new(PARSE_ERROR, error))),
        }
        format!("[{}]", std::mem::take(&mut self.outgoing).join(","))
    }

    fn take(&mut self, mut message: Value) {
        let Some(method) = message["method"].as_str().map(str::to_owned) else { return };
        let params = message["params"].take();
        match message.get_mut("id").map(Value::take) {
            Some(id) => {
                let answered = self.answer(&method, params);
                self.respond(&id, answered);
            }
            None => {
                if let Err(fault) = self.note(&method, params) {
                    log(&fault.message);
                }
            }
        }
        self.settle();
    }

    fn respond(&mut self, id: &Value, answered: Answered) {
        self.outgoing.push(match answered {
            Ok(answer) => String::from_utf8(answer.to(id)).expect("JSON is UTF-8"),
            Err(Fault { code, message }) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } }).to_string()
            }
        });
    }

    fn note(&mut self, method: &str, params: Value) -> Result<(), Fault> {
        match method {
            "textDocument/didOpen" => {
                let DidOpenTextDocumentParams { text_document } = parsed(params)?;
                self.know([&text_document.uri]);
                self.state.open(text_document, false);
            }
            "textDocument/didChange" => self.state.change(parsed::<DidChangeTextDocumentParams>(params)?),
            "textDocument/didClose" => {
                let DidCloseTextDocumentParams { text_document } = parsed(params)?;
                self.state.close(&text_document.uri);
            }
            "textDocument/didSave" => self.reload(),
            "workspace/didChangeWatchedFiles" => {
                let DidChangeWatchedFilesParams { changes } = parsed(params)?;
                self.reload();
                self.state.files_changed(changes.iter().map(|change| &change.uri));
            }
            "workspace/didChangeWorkspaceFolders" => {
                let DidChangeWorkspaceFoldersParams { event } = parsed(params)?;
                self.state.change_folders(&event);
                self.reload();
            }
            "workspace/didChangeConfiguration" => {
                let DidChangeConfigurationParams { settings } = parsed(params)?;
                self.state.set_settings(settings.get(SECTION).unwrap_or(&settings));
            }
            // A client may send what this server does not need.
            _ => {}
        }
        Ok(())
    }

    fn answer(&mut self, method: &str, params: Value) -> Answered {
        match method {
            "initialize" => self.initialize(parsed(params)?),
            "shutdown" => Answer::new(&Value::Null),
            "workspace/executeCommand" => self.execute(parsed(params)?),
            "eval-ls/verdicts" => {
                let VerdictsParams { uri } = parsed(params)?;
                let running = self.state.configuration_at(&uri).map(|it| requests::running(&self.state, &uri, it));
                self.of_suite(&uri, |suite| Some(test_explorer::verdicts(suite, running?)))
            }
            "eval-ls/proofs" => {
                let params: ProofsParams = parsed(params)?;
                self.of_suite(&params.uri, |suite| challenges::proofs(suite, &params))
            }
            "eval-ls/transcript" => {
                let params: TextParams = parsed(params)?;
                self.of_suite(&params.uri, |suite| texts::transcript(suite, &params))
            }
            "eval-ls/result" => {
                let params: ResultParams = parsed(params)?;
                self.of_suite(&params.uri, |suite| texts::result(suite, &params))
            }
            _ => {
                let work = requests::query(&self.state, method, params, false).unwrap_or_else(|| {
                    Err(Fault::new(METHOD_NOT_FOUND, format!("{method} needs the program eval-ls on this machine")))
                })?;
                let mut answer = work()?;
                if let Some(message) = answer.message.take() {
                    self.notify("window/showMessage", &ShowMessageParams { typ: MessageType::INFO, message });
                }
                Ok(answer)
            }
        }
    }

    fn initialize(&mut self, params: InitializeParams) -> Answered {
        let support = Support::of(&params.capabilities);
        let options = params.initialization_options.as_ref().unwrap_or(&Value::Null);
        let settings = Settings { trusted: false, ..Settings::initial(options) };
        let result = initialize_result(&support);
        self.state.begin(support, settings, &params.workspace_folders.unwrap_or_default(), Choices::default());
        self.reload();
        Answer::new(&result)
    }

    /// The commands whose result is a page. The others run a target, or change files.
    fn execute(&mut self, params: ExecuteCommandParams) -> Answered {
        let argument = params.arguments.into_iter().next().map_or(Ok(Argument::default()), parsed)?;
        match params.command.as_str() {
            CHALLENGE_SUITE => {
                let uri = argument.uri.ok_or_else(|| Fault::new(INVALID_PARAMS, "specify `uri`"))?;
                self.state.note_challenged(&uri);
                self.of_suite(&uri, texts::challenges)
            }
            EXPLAIN_LINT => {
                let lint = argument.lint.as_deref().and_then(lint);
                let lint = lint.ok_or_else(|| Fault::new(INVALID_PARAMS, "specify the name of a `lint`"))?;
                Answer::new(&TextResult { text: lint.markdown(), uri: None })
            }
            other => {
                let message = format!("`{other}` needs the program eval-ls on this machine");
                Err(Fault::new(REQUEST_FAILED, message))
            }
        }
    }

    fn of_suite<T: Serialize>(&self, uri: &Uri, work: impl FnOnce(&Snapshot) -> T) -> Answered {
        Answer::new(&self.state.snapshot(uri).map(|suite| work(&suite)))
    }

    /// Reads the configurations of these files that are not known.
    fn know<'u>(&mut self, files: impl IntoIterator<Item = &'u Uri>) {
        let paths = files.into_iter().filter_map(uris::to_path);
        let folders: BTreeSet<_> = paths.filter_map(|path| path.parent().map(Path::to_owned)).collect();
        let (known, opened) = self.state.known_configurations();
        self.state.supply(ReadAhead::of(&folders, &opened, &known));
    }

    /// Reads the configurations in use again.
    fn reload(&mut self) {
        let (folders, (known, opened)) = (self.state.configured_folders(), self.state.known_configurations());
        self.state.supply(ReadAhead::of_all(&folders, &opened, &known));
        self.state.reload();
    }

    /// Does what follows from a message: reads what the documents need, and sends the client what has changed.
    fn settle(&mut self) {
        if let Some(scopes) = self.state.scopes_to_read() {
            self.observers.keep(scopes.iter().map(|(scope, _)| scope));
            for (scope, config) in scopes {
                let tools = self.observers.of(&scope).tools(&config);
                self.state.set_tools(&scope, tools);
            }
        }
        while let Some(next) = self.state.next_to_read() {
            let Some(document) = self.state.document(&next.uri) else { continue };
            self.state.take_files(&next.uri, &next.config, next.read(&document));
        }
        while let Some((uri, current)) = self.state.next_outdated() {
            let was_published = self.published.remove(&uri);
            if current.is_silent() && !was_published {
                continue;
            }
            let diagnostics = diagnostics::of(&uri, &current, self.state.support());
            if !current.is_silent() {
                self.published.insert(uri.clone());
            }
            let params = PublishDiagnosticsParams { uri, diagnostics, version: None };
            self.notify("textDocument/publishDiagnostics", &params);
        }
        let news = self.state.take_news();
        let (hints, lenses) = (self.state.support().refreshes_inlay_hints, self.state.support().refreshes_code_lenses);
        if hints && news.hints {
            self.request("workspace/inlayHint/refresh");
        }
        if lenses && news.lenses {
            self.request("workspace/codeLens/refresh");
        }
        if !news.verdicts.is_empty() && self.state.settings().run_events {
            self.notify("eval-ls/verdictsChanged", &json!({ "uris": news.verdicts }));
        }
    }

    fn notify(&mut self, method: &'static str, params: &impl Serialize) {
        match serde_json::to_string(&Notification { jsonrpc: "2.0", method, params }) {
            Ok(message) => self.outgoing.push(message),
            Err(error) => log(&format!("could not write `{method}`: {error}")),
        }
    }

    fn request(&mut self, method: &str) {
        self.requests += 1;
        let id = format!("eval-ls/{}", self.requests);
        self.outgoing.push(json!({ "jsonrpc": "2.0", "id": id, "method": method }).to_string());
    }
}
