//! The handlers. Each converts the parameters, calls one function, and converts its result.

mod commands;
mod custom_methods;
mod runs;
mod work;
mod workspace_diagnostics;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

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
use tower_lsp_server::{Client, LanguageServer};

use crate::lsp::client::settings::{SECTION, Settings};
use crate::lsp::client::support::Support;
use crate::lsp::convert::uris;
use crate::lsp::features::rename::Renamed;
use crate::lsp::features::{
    code_actions, code_lenses, completion, configurations, diagnostics, inlay_hints, navigation, rename, structure,
};
use crate::lsp::methods::capabilities::initialize_result;
use crate::lsp::methods::pages;
use crate::lsp::push::{self, ClientHandle, Push};
use crate::lsp::session::choices::Choices;
use crate::lsp::session::configurations::ReadAhead;
use crate::lsp::session::shared::Shared;
use crate::lsp::session::snapshot::{OpenConfiguration, Snapshot};
use crate::lsp::session::state::{Current, State};
use crate::lsp::session::{suites, transcripts};
use crate::lsp::transport::{Connection, Hold, Work, hold};

use custom_methods::folders_of;
use work::{answer, answer_in_place_of, cancellable, uncancelled};

pub(crate) use custom_methods::service;

/// The server of one client.
pub(crate) struct Server {
    client: ClientHandle,
    shared: Arc<Shared>,
    /// Whether the session has begun.
    has_begun: AtomicBool,
}

impl LanguageServer for Server {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let support = Support::of(&params.capabilities);
        let settings = Settings::initial(params.initialization_options.as_ref().unwrap_or(&Value::Null));
        let result = initialize_result(&support, &settings);
        let choices = Choices::of_user();
        self.shared.change(|state| state.begin(support, settings, &folders(params), choices));
        if !self.has_begun.swap(true, Ordering::Relaxed) {
            push::start(&self.client).map_err(internal_error)?;
            transcripts::start(Arc::clone(&self.shared)).map_err(internal_error)?;
            tokio::task::spawn_blocking(pages::clean);
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

    async fn did_save(&self, _: DidSaveTextDocumentParams) {
        hold(Hold::AllButSmall);
        self.reload().await;
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

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let uri = params.text_document_position.text_document.uri.clone();
        if let Some(open) = self.opened_configuration(&uri) {
            let list = cancellable(move || configurations::completion(&open, &params)).await?;
            return Ok(Some(CompletionResponse::List(list)));
        }
        let list = move |suite: &Snapshot| CompletionResponse::List(completion::completion(suite, &params));
        self.of_suite(&uri, list).await
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        let uri = &params.text_document.uri;
        let mut current = self.shared.read(|state| state.current(uri));
        if matches!(current, Current::Nothing) && self.shared.read(|state| state.settings().workspace_diagnostics) {
            // The client keeps the diagnostics of a document that it closes.
            current = self.suite(uri).await?.map_or(current, Current::Closed);
        }
        let report = move || diagnostics::report(&current, params.previous_result_id.as_deref());
        let placeholder = DocumentDiagnosticReportResult::Partial(DocumentDiagnosticReportPartialResult::default());
        answer_in_place_of(placeholder, Work::Quick, move || DocumentDiagnosticReportResult::Report(report())).await
    }

    async fn workspace_diagnostic(&self, params: WorkspaceDiagnosticParams) -> Result<WorkspaceDiagnosticReportResult> {
        self.workspace_reports(params).await.map(WorkspaceDiagnosticReportResult::Report)
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        if let Some(open) = self.opened_configuration(&text_document.uri) {
            return cancellable(move || configurations::hover(&open, position)).await;
        }
        self.of_suite(&text_document.uri, move |suite| navigation::hover(suite, position)).await.map(Option::flatten)
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.client.note_hint_request();
        let (now, uri) = (SystemTime::now(), params.text_document.uri);
        let challenged = self.shared.read(|state| state.shows_challenges(&uri));
        let running = self.running(&uri).cases;
        self.of_suite(&uri, move |suite| inlay_hints::inlay_hints(suite, params.range, now, challenged, &running)).await
    }

    async fn inlay_hint_resolve(&self, hint: InlayHint) -> Result<InlayHint> {
        let Some(uri) = inlay_hints::document_of(&hint) else { return Ok(hint) };
        let (now, unresolved) = (SystemTime::now(), hint.clone());
        let resolved = self.value_of_suite(&uri, move |suite| inlay_hints::resolve(suite, hint, now)).await?;
        Ok(resolved.unwrap_or(unresolved))
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        self.of_suite(&params.text_document.uri, structure::document_symbols).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        let around = |state: &State| (state.open_suites(), state.folders().to_vec(), Arc::clone(state.support()));
        let (open, folders, support) = self.shared.read(around);
        let found = move || structure::workspace_symbols(&open, &folders, &support, &params.query);
        answer(Work::Slow, move || Some(WorkspaceSymbolResponse::Nested(found()))).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.of_suite(&params.text_document.uri, structure::folding_ranges).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        let SelectionRangeParams { text_document, positions, .. } = params;
        self.of_suite(&text_document.uri, move |suite| structure::selection_ranges(suite, &positions)).await
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let config = self.shared.read(|state| state.config_text(&text_document.uri));
        let definition = move |suite: &Snapshot| navigation::definition(suite, config.as_ref(), position);
        self.of_suite(&text_document.uri, definition).await.map(Option::flatten)
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let config = self.shared.read(|state| state.config_text(&text_document.uri));
        let with_definitions = params.context.include_declaration;
        let (open, folders) = self.shared.read(|state| (state.open_suites(), state.folders().to_vec()));
        let references = move |suite: &Snapshot| {
            let mut found = navigation::references(suite, config.as_ref(), position, with_definitions);
            found.extend(navigation::references_elsewhere(suite, position, &open, &folders));
            found
        };
        let Some(snapshot) = self.shared.read(|state| state.snapshot(&text_document.uri)) else { return Ok(None) };
        // The suites that are not open are read from the disk.
        answer(Work::Slow, move || Some(references(&snapshot))).await
    }

    async fn document_highlight(&self, params: DocumentHighlightParams) -> Result<Option<Vec<DocumentHighlight>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        self.of_suite(&text_document.uri, move |suite| navigation::highlights(suite, position)).await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.of_suite(&params.text_document.uri, structure::document_links).await
    }

    async fn semantic_tokens_full(&self, params: SemanticTokensParams) -> Result<Option<SemanticTokensResult>> {
        let tokens = |suite: &Snapshot| SemanticTokensResult::from(structure::semantic_tokens(suite));
        self.of_suite(&params.text_document.uri, tokens).await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        let range = move |suite: &Snapshot| structure::semantic_tokens_in(suite, params.range);
        let tokens = move |suite: &Snapshot| range(suite).map(SemanticTokensRangeResult::Tokens);
        self.of_suite(&params.text_document.uri, tokens).await.map(Option::flatten)
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = params.text_document.uri;
        self.of_suite(&uri, move |suite| structure::formatted(suite, &params.options)).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        let uri = params.text_document.uri;
        self.of_suite(&uri, move |suite| structure::formatted_range(suite, params.range, &params.options)).await
    }

    async fn prepare_rename(&self, params: TextDocumentPositionParams) -> Result<Option<PrepareRenameResponse>> {
        let TextDocumentPositionParams { text_document, position } = params;
        self.of_suite(&text_document.uri, move |suite| rename::prepare(suite, position)).await.map(Option::flatten)
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let around = self.shared.read(|state| rename::Around {
            config_file: state.config_file(&text_document.uri),
            open: state.open_suites(),
        });
        let rename = move |suite: &Snapshot| rename::rename(suite, position, &params.new_name, &around);
        let renaming = self.value_of_suite(&text_document.uri, rename).await?.transpose().map_err(|fault| Error {
            code: runs::REQUEST_FAILED,
            message: fault.to_string().into(),
            data: None,
        })?;
        Ok(renaming.map(|renaming| {
            renaming.left.into_iter().for_each(|message| self.client.push(Push::Message(message)));
            renaming.edit
        }))
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri.clone();
        if let Some(open) = self.opened_configuration(&uri) {
            return cancellable(move || Some(configurations::code_actions(&open, &params))).await;
        }
        let config_file = self.shared.read(|state| state.config_file(&uri));
        let running = self.running_if_trusted(&uri);
        let actions = move |suite: &Snapshot| {
            let mut actions = code_actions::code_actions(suite, config_file.as_ref(), &params);
            actions.extend(code_actions::commands(suite, running.as_ref(), &params));
            actions
        };
        self.of_suite(&uri, actions).await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        let Some(uri) = code_actions::document_of(&action) else { return Ok(action) };
        let unresolved = action.clone();
        let resolved = self.of_suite(&uri, move |suite| code_actions::resolve(suite, action)).await?;
        Ok(resolved.unwrap_or(unresolved))
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.shared.note_lens_request();
        if !self.shared.read(|state| state.settings().code_lens) {
            return Ok(None);
        }
        let uri = params.text_document.uri;
        let may_run = self.shared.read(|state| state.is_trusted());
        let challenges = self.shared.read(|state| state.shows_challenges(&uri));
        let running = self.running(&uri);
        self.of_suite(&uri, move |suite| code_lenses::code_lenses(suite, &running, may_run, challenges)).await
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

    fn opened_configuration(&self, uri: &Uri) -> Option<OpenConfiguration> {
        self.shared.read(|state| state.open_configuration(uri))
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
                let mut config = |path: PathBuf| (Arc::clone(state.configuration_of(&path).config()), path);
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
