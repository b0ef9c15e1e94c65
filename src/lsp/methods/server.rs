//! The server of the program, for a client on standard input and output. Each request calls one function.

mod commands;
mod runs;
mod session;
mod workspace;

use std::io::{self, IsTerminal as _};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use ls_types::{
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    InitializeParams, InitializeResult, WorkspaceFolder, WorkspaceFoldersChangeEvent,
};
use serde::Serialize;
use serde_json::{Value, json};
use session::Session;
use tower_lsp_server::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp_server::{ClientSocket, LanguageServer, LspService};
use workspace::folders_of;

use crate::analysis;
use crate::lsp::client::settings::{SECTION, Settings, Support, log};
use crate::lsp::convert::uris;
use crate::lsp::methods::initialize_result;
use crate::lsp::methods::requests::{self, Answer, Fault, parsed};
use crate::lsp::push::{self, ClientHandle};
use crate::lsp::session::choices::Choices;
use crate::lsp::session::configurations::ReadAhead;
use crate::lsp::session::shared::Shared;
use crate::lsp::session::{suites, transcripts};
use crate::lsp::transport::{self, Outbox, Place};

/// Serves the client on standard input and output until the session ends; returns the exit status of the protocol. The
/// process should end at once, because a thread may still wait for more input.
pub(crate) fn run() -> i32 {
    if io::stdin().is_terminal() {
        log("the language server waits for an editor on standard input; Ctrl-C ends it");
    }
    match serve() {
        Ok(status) => status,
        Err(error) => {
            log(&format!("the language server could not be started: {error}"));
            1
        }
    }
}

/// The threads for long work: one for each place of a request, one for configurations, and one for other work. Each reserves
/// memory.
const BLOCKING_THREADS: usize = transport::PLACES + 2;

/// One thread is enough for the messages. Long work runs in separate threads.
///
/// The process reports a panic in one line and without a backtrace, because a client may not read standard error, and a full
/// pipe would block the next panic.
fn serve() -> io::Result<i32> {
    std::panic::set_hook(Box::new(|panic| log(&panic.to_string())));
    thread::Builder::new().name("warm-up".to_owned()).spawn(analysis::warm_up)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().max_blocking_threads(BLOCKING_THREADS).enable_all().build()?;
    let (outbox, written) = Outbox::new(transport::standard_output()?)?;
    let messages = transport::read(io::stdin())?;
    // The tasks that the server starts besides its handlers run here too.
    let inside = runtime.enter();
    let (service, socket) = service(&outbox);
    let shared = Arc::clone(&service.inner().shared);
    drop(inside);
    let status = runtime.block_on(Session::new(service, socket, outbox).run(messages, written));
    // Runs are asked to stop, and end by themselves.
    shared.change(|state| state.set_trusted(false));
    // Nobody waits for other unfinished work.
    runtime.shutdown_background();
    Ok(status)
}

/// A server for the client that reads what is sent.
fn service(outbox: &Outbox) -> (LspService<Server>, ClientSocket) {
    LspService::new(|client| {
        let shared = Arc::<Shared>::default();
        Server { client: ClientHandle::new(Arc::clone(&shared), client, outbox), shared }
    })
}

/// The server of one client. Copies are the same server.
#[derive(Clone)]
pub(crate) struct Server {
    client: ClientHandle,
    shared: Arc<Shared>,
}

/// The answer to a request, with its place until it is written.
pub(crate) type Answered = (Answer, Option<Place>);

fn answered(result: &impl Serialize) -> Result<Answered> {
    Ok((Answer::new(result)?, None))
}

impl Server {
    /// Answers a request: those of the protocol, and those of `docs/lsp-extensions.md`.
    pub(crate) async fn request(&self, method: &str, params: Value) -> Result<Answered> {
        match method {
            "eval-ls/tests" => self.work(method, self.tests(parsed(params)?).await?).await,
            "workspace/executeCommand" => answered(&self.execute(parsed(params)?).await?),
            "eval-ls/isSuite" => answered(&self.is_suite(parsed(params)?).await?),
            "eval-ls/run" => answered(&self.run(parsed(params)?).await?),
            "eval-ls/requestApproval" => answered(&self.request_approval(parsed(params)?).await?),
            "eval-ls/stop" => answered(&self.stop(parsed(params)?).await?),
            "eval-ls/verdicts" => answered(&self.verdicts(parsed(params)?).await?),
            "eval-ls/transcript" => answered(&self.transcript(parsed(params)?).await?),
            "eval-ls/transcriptPage" => answered(&self.transcript_page(parsed(params)?).await?),
            "eval-ls/result" => answered(&self.result(parsed(params)?).await?),
            "eval-ls/report" => answered(&self.report(parsed(params)?).await?),
            _ => {
                match method {
                    "textDocument/inlayHint" => self.client.note_hint_request(),
                    "textDocument/codeLens" => self.shared.note_lens_request(),
                    _ => {}
                }
                let work = self.shared.read(|state| requests::query(state, method, params, true));
                self.work(method, work.ok_or_else(Error::method_not_found)??).await
            }
        }
    }

    /// Takes notice of a notification. A client may send what this server does not need.
    ///
    /// # Errors
    /// If its parameters cannot be read.
    pub(crate) async fn notification(&self, method: &str, params: Value) -> std::result::Result<(), Fault> {
        match method {
            "initialized" => self.initialized().await,
            "textDocument/didOpen" => self.did_open(parsed(params)?).await,
            "textDocument/didChange" => self.did_change(parsed(params)?).await,
            "textDocument/didClose" => self.did_close(parsed(params)?).await,
            "textDocument/didSave" => self.did_save(parsed(params)?).await,
            "workspace/didChangeWatchedFiles" => self.did_change_watched_files(parsed(params)?).await,
            "workspace/didChangeConfiguration" => self.did_change_configuration(parsed(params)?).await,
            "workspace/didChangeWorkspaceFolders" => self.did_change_workspace_folders(parsed(params)?).await,
            "window/workDoneProgress/cancel" => self.cancel_progress(&parsed(params)?),
            "eval-ls/trust" => self.trust(&parsed(params)?),
            _ => {}
        }
        Ok(())
    }
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let support = Support::of(&params.capabilities);
        let settings = Settings::initial(params.initialization_options.as_ref().unwrap_or(&Value::Null));
        let result = initialize_result(&support);
        let choices = Choices::of_user();
        self.shared.change(|state| state.begin(support, settings, &folders(params), choices));
        push::start(&self.client).map_err(internal_error)?;
        transcripts::start(Arc::clone(&self.shared)).map_err(internal_error)?;
        tokio::task::spawn_blocking(runs::clean);
        Ok(result)
    }

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }
}

impl Server {
    async fn initialized(&self) {
        self.reload().await;
        let support = self.shared.read(|state| Arc::clone(state.support()));
        if support.has_configuration {
            self.ask_for_settings();
        }
        if support.watches_settings {
            let id = "eval-ls.settings".to_owned();
            self.register(id, "workspace/didChangeConfiguration", json!({ "section": SECTION }));
        }
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let ahead = self.read_ahead(folders_of([&params.text_document.uri])).await;
        let has_changed = ahead.has_files();
        self.configure(ahead, |state| state.open(params.text_document, has_changed));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        self.shared.change(|state| state.change(params));
        if self.shared.read(|state| !state.support().watches_files) {
            self.reload_if_outdated().await;
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        self.configure(ReadAhead::default(), |state| state.close(&params.text_document.uri));
        self.reload_if_outdated().await;
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        // It may have another encoding now.
        self.reload_with(Default::default(), |state| state.outdate(&params.text_document.uri)).await;
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        let changed: Vec<_> = params.changes.into_iter().map(|change| change.uri).collect();
        self.reload_with(folders_of(&changed), |state| state.files_changed(changed.iter())).await;
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        if self.shared.read(|state| state.support().has_configuration) {
            self.ask_for_settings();
        } else {
            let section = params.settings.get(SECTION).unwrap_or(&params.settings);
            self.configure(ReadAhead::default(), |state| state.set_settings(section));
        }
        self.reload().await;
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        let added = params.event.added.iter().filter_map(|folder| uris::to_path(&folder.uri)).collect();
        let ahead = self.read_ahead(added).await;
        self.configure(ahead, |state| state.change_folders(&params.event));
        let shared = Arc::clone(&self.shared);
        tokio::task::spawn_blocking(move || {
            let WorkspaceFoldersChangeEvent { added, removed } = &params.event;
            let folders: Vec<_> = added.iter().chain(removed).filter_map(|folder| uris::to_path(&folder.uri)).collect();
            let suites = suites::below(&folders);
            shared.change(|state| state.tests_changed(suites.iter().filter_map(|path| uris::from_path(path))));
        });
    }
}

/// The workspace folders, as old and new clients send them.
fn folders(params: InitializeParams) -> Vec<WorkspaceFolder> {
    #[expect(deprecated, reason = "some clients send nothing else")]
    let root = params.root_uri.or_else(|| uris::from_path(Path::new(params.root_path.as_deref()?)));
    let only = || root.map(|uri| WorkspaceFolder { uri, name: String::new() });
    match params.workspace_folders {
        Some(folders) if !folders.is_empty() => folders,
        _ => only().into_iter().collect(),
    }
}

fn internal_error(error: impl std::fmt::Display) -> Error {
    Error { message: error.to_string().into(), ..Error::internal_error() }
}

impl From<Fault> for Error {
    fn from(Fault { code, message }: Fault) -> Error {
        Error { code: ErrorCode::from(code), message: message.into(), data: None }
    }
}
