//! The server of the program, for a client on standard input and output. Each handler calls one function.

mod commands;
mod runs;
mod workspace;

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ls_types::{
    CodeAction, CodeActionParams, CodeActionResponse, CodeLens, CodeLensParams, CompletionParams, CompletionResponse,
    DidChangeConfigurationParams, DidChangeTextDocumentParams, DidChangeWatchedFilesParams,
    DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, DidSaveTextDocumentParams,
    DocumentDiagnosticParams, DocumentDiagnosticReportPartialResult, DocumentDiagnosticReportResult,
    DocumentFormattingParams, DocumentHighlight, DocumentHighlightParams, DocumentLink, DocumentLinkParams,
    DocumentRangeFormattingParams, DocumentSymbolParams, DocumentSymbolResponse, ExecuteCommandParams, FoldingRange,
    FoldingRangeParams, GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverParams, InitializeParams,
    InitializeResult, InitializedParams, InlayHint, InlayHintParams, LSPAny, Location, PrepareRenameResponse,
    ReferenceParams, RenameFilesParams, RenameParams, SelectionRange, SelectionRangeParams, SemanticTokensParams,
    SemanticTokensRangeParams, SemanticTokensRangeResult, SemanticTokensResult, TextDocumentPositionParams, TextEdit,
    Uri, WorkspaceDiagnosticParams, WorkspaceDiagnosticReportResult, WorkspaceEdit, WorkspaceFolder,
    WorkspaceFoldersChangeEvent, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use serde_json::{Value, json};
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::{Client, ClientSocket, LanguageServer, LspService};
use workspace::{answer, folders_of, uncancelled};

use crate::analysis;
use crate::lsp::client::settings::{SECTION, Settings, Support, log};
use crate::lsp::convert::uris;
use crate::lsp::features::rename::{self, Renamed};
use crate::lsp::features::{code_actions, diagnostics, structure};
use crate::lsp::methods::{initialize_result, requests};
use crate::lsp::push::{self, ClientHandle, Push};
use crate::lsp::session::choices::Choices;
use crate::lsp::session::configurations::ReadAhead;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::shared::Shared;
use crate::lsp::session::state::{Current, State};
use crate::lsp::session::{suites, transcripts};
use crate::lsp::transport::{self, Connection, ExitReason, Hold, Work, hold};

/// Serves the client on standard input and output until the session ends; returns the exit status of the protocol. The
/// process should end at once, because a thread may still wait for more input.
pub(crate) fn run() -> i32 {
    if io::stdin().is_terminal() {
        log("the language server waits for an editor on standard input; Ctrl-C ends it");
    }
    match serve() {
        Ok(reason) => reason.status(),
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
fn serve() -> io::Result<ExitReason> {
    thread::Builder::new().name("warm-up".to_owned()).spawn(analysis::warm_up)?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().max_blocking_threads(BLOCKING_THREADS).enable_all().build()?;
    let connection = Connection::stdout()?;
    // The tasks that the server starts besides its handlers run here too.
    let inside = runtime.enter();
    let (service, socket) = service(&connection);
    let shared = Arc::clone(&service.inner().shared);
    drop(inside);
    let reason = runtime.block_on(connection.serve(service, socket, io::stdin()));
    // Runs are asked to stop, and end by themselves.
    shared.change(|state| state.set_trusted(false));
    // Nobody waits for other unfinished work.
    runtime.shutdown_background();
    reason
}

/// A server for the client at the other end of the connection, with the custom methods of `docs/lsp-extensions.md`.
fn service(connection: &Connection) -> (LspService<Server>, ClientSocket) {
    LspService::build(|client| Server::new(client, connection))
        .custom_method("eval-ls/tests", Server::tests)
        .custom_method("eval-ls/isSuite", Server::is_suite)
        .custom_method("eval-ls/run", Server::run)
        .custom_method("eval-ls/requestApproval", Server::request_approval)
        .custom_method("eval-ls/stop", Server::stop)
        .custom_method("eval-ls/verdicts", Server::verdicts)
        .custom_method("eval-ls/transcript", Server::transcript)
        .custom_method("eval-ls/transcriptPage", Server::transcript_page)
        .custom_method("eval-ls/result", Server::result)
        .custom_method("eval-ls/report", Server::report)
        .custom_method("eval-ls/trust", Server::trust)
        // The library knows the protocol's own notification only in the other direction.
        .custom_method("window/workDoneProgress/cancel", Server::cancel_progress)
        .finish()
}

/// The server of one client.
pub(crate) struct Server {
    client: ClientHandle,
    shared: Arc<Shared>,
    /// Whether the session has begun.
    has_begun: AtomicBool,
}

/// Requests that only ask the state.
macro_rules! queries {
    ($($method:ident($params:ty) -> $result:ty = $query:ident;)*) => {
        $(async fn $method(&self, params: $params) -> Result<Option<$result>> {
            self.query(requests::$query, params).await
        })*
    };
}

impl LanguageServer for Server {
    queries! {
        completion(CompletionParams) -> CompletionResponse = completion;
        hover(HoverParams) -> Hover = hover;
        document_symbol(DocumentSymbolParams) -> DocumentSymbolResponse = document_symbols;
        folding_range(FoldingRangeParams) -> Vec<FoldingRange> = folding_ranges;
        selection_range(SelectionRangeParams) -> Vec<SelectionRange> = selection_ranges;
        goto_definition(GotoDefinitionParams) -> GotoDefinitionResponse = definition;
        document_highlight(DocumentHighlightParams) -> Vec<DocumentHighlight> = highlights;
        semantic_tokens_full(SemanticTokensParams) -> SemanticTokensResult = semantic_tokens;
        semantic_tokens_range(SemanticTokensRangeParams) -> SemanticTokensRangeResult = semantic_tokens_in;
        formatting(DocumentFormattingParams) -> Vec<TextEdit> = formatted;
        range_formatting(DocumentRangeFormattingParams) -> Vec<TextEdit> = formatted_range;
        prepare_rename(TextDocumentPositionParams) -> PrepareRenameResponse = prepare_rename;
    }

    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let support = Support::of(&params.capabilities);
        let settings = Settings::initial(params.initialization_options.as_ref().unwrap_or(&Value::Null));
        let result = initialize_result(&support, &settings);
        let choices = Choices::of_user();
        self.shared.change(|state| state.begin(support, settings, &folders(params), choices));
        if !self.has_begun.swap(true, Ordering::Relaxed) {
            push::start(&self.client).map_err(internal_error)?;
            transcripts::start(Arc::clone(&self.shared)).map_err(internal_error)?;
            tokio::task::spawn_blocking(runs::clean);
        }
        Ok(result)
    }

    async fn initialized(&self, _: InitializedParams) {
        hold(Hold::AllButSmall);
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

    async fn shutdown(&self) -> Result<()> {
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        hold(Hold::All);
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
        hold(Hold::AllButSmall);
        // It may have another encoding now.
        self.reload_with(Default::default(), |state| state.outdate(&params.text_document.uri)).await;
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        hold(Hold::AllButSmall);
        let changed: Vec<_> = params.changes.into_iter().map(|change| change.uri).collect();
        self.reload_with(folders_of(&changed), |state| state.files_changed(changed.iter())).await;
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        let renamed = self.renamed(&params).await?;
        let support = self.shared.read(|state| Arc::clone(state.support()));
        let (edit, left) = uncancelled(move || rename::edit(&renamed, &support)).await?;
        if self.shared.read(|state| state.support().renames_files) {
            left.into_iter().for_each(|message| self.client.push(Push::Message(message)));
        }
        Ok(edit)
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        hold(Hold::AllButSmall);
        let renamed = self.renamed(&params).await;
        let uris = params.files.iter().flat_map(|file| [&file.old_uri, &file.new_uri]);
        let uris: Vec<Uri> = uris.filter_map(|uri| uri.parse().ok()).collect();
        self.reload_with(folders_of(&uris), |state| state.files_changed(uris.iter())).await;
        let support = self.shared.read(|state| Arc::clone(state.support()));
        if let (Ok(renamed), false) = (renamed, support.renames_files) {
            let client = self.client.clone();
            tokio::task::spawn_blocking(move || {
                let (_, left) = rename::edit(&renamed, &support);
                left.into_iter().for_each(|message| client.push(Push::Message(message)));
            });
        }
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        if self.shared.read(|state| state.support().has_configuration) {
            self.ask_for_settings();
        } else {
            let section = params.settings.get(SECTION).unwrap_or(&params.settings);
            self.configure(ReadAhead::default(), |state| state.set_settings(section));
        }
        hold(Hold::AllButSmall);
        self.reload().await;
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        hold(Hold::AllButSmall);
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

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let uri = &params.text_document.uri;
        let mut current = self.shared.read(|state| state.current(uri));
        if matches!(current, Current::Nothing) && self.shared.read(|state| state.settings().workspace_diagnostics) {
            // The client keeps the diagnostics of a document that it closes.
            current = self.judged_suite(uri).await?.map_or(current, Current::Closed);
        }
        let placeholder = DocumentDiagnosticReportResult::Partial(DocumentDiagnosticReportPartialResult::default());
        let support = self.shared.read(|state| Arc::clone(state.support()));
        let report = move || {
            let items = diagnostics::of(&params.text_document.uri, &current, &support);
            Ok(diagnostics::report(items, params.previous_result_id.as_deref()))
        };
        answer(placeholder, Work::Quick, report).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        self.workspace_reports(params).await.map(WorkspaceDiagnosticReportResult::Report)
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.client.note_hint_request();
        let running = self.running(&params.text_document.uri).cases;
        self.query(|state, params| requests::inlay_hints(state, params, running), params).await
    }

    async fn inlay_hint_resolve(&self, hint: InlayHint) -> Result<InlayHint> {
        self.query_in_place_of(hint.clone(), Work::Quick, requests::resolved_hint, hint).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        self.query_in_place_of(None, Work::Slow, requests::workspace_symbols, params).await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        self.query_in_place_of(None, Work::Slow, requests::references_everywhere, params).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        let links = |state: &State, uri: Uri| requests::of_suite(state, &uri, structure::document_links);
        self.query(links, params.text_document.uri).await
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let Some(rename) = self.shared.read(|state| requests::rename(state, params)) else { return Ok(None) };
        let client = self.client.clone();
        answer(None, Work::Quick, move || match rename() {
            Ok(renaming) => {
                renaming.left.into_iter().for_each(|message| client.push(Push::Message(message)));
                Ok(renaming.edit)
            }
            Err(fault) => Err(Error { code: runs::REQUEST_FAILED, message: fault.to_string().into(), data: None }),
        })
        .await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let is_trusted = self.shared.read(|state| state.is_trusted());
        let running = is_trusted.then(|| self.running(&params.text_document.uri));
        let commands =
            move |suite: &Snapshot, params: &CodeActionParams| code_actions::commands(suite, running.as_ref(), params);
        self.query(|state, params| requests::code_actions(state, params, commands), params).await
    }

    async fn code_action_resolve(&self, params: CodeAction) -> Result<CodeAction> {
        self.query(requests::resolved_action, params).await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.shared.note_lens_request();
        let running = self.running(&params.text_document.uri);
        let lenses = |state: &State, params| requests::code_lenses(state, params, |_| running, state.is_trusted());
        self.query(lenses, params).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        self.execute(params).await
    }
}

impl Server {
    fn new(client: Client, connection: &Connection) -> Self {
        let shared = Arc::<Shared>::default();
        let client = ClientHandle::new(Arc::clone(&shared), client, connection);
        Server { client, shared, has_begun: AtomicBool::new(false) }
    }

    /// The files and folders that are renamed, with the suites in them under the old and the new name.
    async fn renamed(&self, params: &RenameFilesParams) -> Result<Vec<Renamed>> {
        let path = |uri: &String| uris::to_path(&uri.parse().ok()?);
        let renames = params.files.iter().filter_map(|file| Some((path(&file.old_uri)?, path(&file.new_uri)?)));
        let renames: Vec<_> = renames.collect();
        let with_suites = |(from, to): (PathBuf, PathBuf)| (rename::suites_of(&from, &to), from, to);
        let renames = uncancelled(move || renames.into_iter().map(with_suites).collect::<Vec<_>>()).await?;
        let paths = renames.iter().flat_map(|(suites, from, to)| suites.iter().flatten().chain([from, to]));
        let named: Vec<Uri> = paths.filter_map(|path| uris::from_path(path)).collect();
        self.know(&named).await;
        Ok(self.shared.change(|state| {
            let renamed = |(mut suites, from, to): (Vec<[PathBuf; 2]>, PathBuf, PathBuf)| {
                suites.retain(|[from, _]| state.membership(from).may_be_suite());
                let mut config = |path: PathBuf| (Arc::clone(&state.configuration_of(&path).config), path);
                let suites = suites.into_iter().map(|suite| suite.map(&mut config)).collect();
                let config_file = state.config_file_for(&from);
                Renamed { from, to, suites, config_file }
            };
            renames.into_iter().map(renamed).collect()
        }))
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
