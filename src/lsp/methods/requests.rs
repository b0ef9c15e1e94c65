//! The requests that both servers answer: from the state at this moment and the parameters to the work that answers it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::SystemTime;

use ls_types::{
    CodeAction, CodeActionOrCommand, CodeActionParams, CodeLens, CodeLensParams, CompletionList, CompletionParams,
    DocumentFormattingParams, DocumentHighlight, DocumentHighlightParams, DocumentRangeFormattingParams,
    DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeParams, GotoDefinitionParams,
    GotoDefinitionResponse, Hover, HoverParams, InlayHint, InlayHintParams, Location, PrepareRenameResponse,
    ReferenceParams, RenameParams, SelectionRange, SelectionRangeParams, SemanticTokens, SemanticTokensParams,
    SemanticTokensRangeParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceSymbol, WorkspaceSymbolParams,
};

use crate::lsp::features::rename::{self, Around, Fault, Renaming};
use crate::lsp::features::test_explorer::Running;
use crate::lsp::features::{annotations, code_actions, configurations, positions, structure};
use crate::lsp::session::open_document::{Since, Snapshot};
use crate::lsp::session::state::State;

/// The work that answers a request, for any thread; `None` if the document is not one that the request is about.
pub(crate) type Answer<T> = Option<Box<dyn FnOnce() -> T + Send>>;

fn answer<T>(work: impl FnOnce() -> T + Send + 'static) -> Answer<T> {
    Some(Box::new(work))
}

/// The work on an open suite as it is at this moment.
pub(crate) fn of_suite<T>(state: &State, uri: &Uri, work: impl FnOnce(&Snapshot) -> T + Send + 'static) -> Answer<T> {
    let suite = state.snapshot(uri)?;
    answer(move || work(&suite))
}

pub(crate) fn completion(state: &State, params: CompletionParams) -> Answer<CompletionList> {
    let uri = params.text_document_position.text_document.uri.clone();
    of_suite(state, &uri, move |suite| positions::completion(suite, &params))
}

pub(crate) fn hover(state: &State, params: HoverParams) -> Answer<Option<Hover>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    of_suite(state, &text_document.uri, move |suite| positions::hover(suite, position))
}

/// The cases that are `running` have no hint.
pub(crate) fn inlay_hints(
    state: &State,
    params: InlayHintParams,
    running: HashMap<String, Since>,
) -> Answer<Vec<InlayHint>> {
    let (now, uri) = (SystemTime::now(), &params.text_document.uri);
    let challenged = state.shows_challenges(uri);
    of_suite(state, uri, move |suite| annotations::inlay_hints(suite, params.range, now, challenged, &running))
}

pub(crate) fn resolved_hint(state: &State, hint: InlayHint) -> Answer<InlayHint> {
    let suite = annotations::document_of(&hint).and_then(|uri| state.snapshot(&uri));
    answer(move || match suite {
        Some(suite) => annotations::resolve(&suite, hint, SystemTime::now()),
        None => hint,
    })
}

pub(crate) fn document_symbols(state: &State, params: DocumentSymbolParams) -> Answer<DocumentSymbolResponse> {
    of_suite(state, &params.text_document.uri, structure::document_symbols)
}

/// The cases of all suites of the workspace. Those that are not open are read from the disk.
pub(crate) fn workspace_symbols(state: &State, params: WorkspaceSymbolParams) -> Answer<Vec<WorkspaceSymbol>> {
    let (open, folders, support) = (state.open_suites(), state.folders().to_vec(), Arc::clone(state.support()));
    answer(move || structure::workspace_symbols(&open, &folders, &support, &params.query))
}

pub(crate) fn folding_ranges(state: &State, params: FoldingRangeParams) -> Answer<Vec<FoldingRange>> {
    of_suite(state, &params.text_document.uri, structure::folding_ranges)
}

pub(crate) fn selection_ranges(state: &State, params: SelectionRangeParams) -> Answer<Vec<SelectionRange>> {
    let SelectionRangeParams { text_document, positions, .. } = params;
    of_suite(state, &text_document.uri, move |suite| structure::selection_ranges(suite, &positions))
}

pub(crate) fn definition(state: &State, params: GotoDefinitionParams) -> Answer<Option<GotoDefinitionResponse>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    let config = state.config_as_read(&text_document.uri);
    of_suite(state, &text_document.uri, move |suite| positions::definition(suite, config.as_ref(), position))
}

pub(crate) fn references(state: &State, params: ReferenceParams) -> Answer<Vec<Location>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let (config, with_definitions) = (state.config_as_read(&text_document.uri), params.context.include_declaration);
    of_suite(state, &text_document.uri, move |suite| {
        positions::references(suite, config.as_ref(), position, with_definitions)
    })
}

/// The references in the suite, and in the others of the workspace. Those that are not open are read from the disk.
pub(crate) fn references_everywhere(state: &State, params: ReferenceParams) -> Answer<Vec<Location>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position.clone();
    let (suite, open) = (state.snapshot(&text_document.uri)?, state.open_suites());
    let (here, folders) = (references(state, params)?, state.folders().to_vec());
    answer(move || {
        let mut found = here();
        found.extend(positions::references_elsewhere(&suite, position, &open, &folders));
        found
    })
}

pub(crate) fn highlights(state: &State, params: DocumentHighlightParams) -> Answer<Vec<DocumentHighlight>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    of_suite(state, &text_document.uri, move |suite| positions::highlights(suite, position))
}

pub(crate) fn semantic_tokens(state: &State, params: SemanticTokensParams) -> Answer<SemanticTokens> {
    of_suite(state, &params.text_document.uri, structure::semantic_tokens)
}

pub(crate) fn semantic_tokens_in(state: &State, params: SemanticTokensRangeParams) -> Answer<Option<SemanticTokens>> {
    of_suite(state, &params.text_document.uri, move |suite| structure::semantic_tokens_in(suite, params.range))
}

pub(crate) fn formatted(state: &State, params: DocumentFormattingParams) -> Answer<Vec<TextEdit>> {
    of_suite(state, &params.text_document.uri, move |suite| structure::formatted(suite, &params.options))
}

pub(crate) fn formatted_range(state: &State, params: DocumentRangeFormattingParams) -> Answer<Vec<TextEdit>> {
    let DocumentRangeFormattingParams { text_document, range, options, .. } = params;
    of_suite(state, &text_document.uri, move |suite| structure::formatted_range(suite, range, &options))
}

pub(crate) fn prepare_rename(
    state: &State,
    params: TextDocumentPositionParams,
) -> Answer<Option<PrepareRenameResponse>> {
    of_suite(state, &params.text_document.uri, move |suite| rename::prepare(suite, params.position))
}

pub(crate) fn rename(state: &State, params: RenameParams) -> Answer<Result<Renaming, Fault>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let around = Around { config_file: state.config_file(&text_document.uri), open: state.open_suites() };
    of_suite(state, &text_document.uri, move |suite| rename::rename(suite, position, &params.new_name, &around))
}

/// The code actions that need no program, and `others` of a suite.
pub(crate) fn code_actions(
    state: &State,
    params: CodeActionParams,
    others: impl FnOnce(&Snapshot, &CodeActionParams) -> Vec<CodeActionOrCommand> + Send + 'static,
) -> Answer<Vec<CodeActionOrCommand>> {
    let uri = params.text_document.uri.clone();
    if let Some(open) = state.open_configuration(&uri) {
        return answer(move || configurations::code_actions(&open, &params));
    }
    let config_file = state.config_file(&uri);
    of_suite(state, &uri, move |suite| {
        let mut actions = code_actions::code_actions(suite, config_file.as_ref(), &params);
        actions.extend(others(suite, &params));
        actions
    })
}

pub(crate) fn resolved_action(state: &State, action: CodeAction) -> Answer<CodeAction> {
    let suite = code_actions::document_of(&action).and_then(|uri| state.snapshot(&uri));
    answer(move || match suite {
        Some(suite) => code_actions::resolve(&suite, action),
        None => action,
    })
}

/// `may_run` is false if runs are disabled.
pub(crate) fn code_lenses(
    state: &State,
    params: CodeLensParams,
    running: impl FnOnce(&Snapshot) -> Running + Send + 'static,
    may_run: bool,
) -> Answer<Vec<CodeLens>> {
    let uri = &params.text_document.uri;
    let challenges = state.shows_challenges(uri);
    of_suite(state, uri, move |suite| annotations::code_lenses(suite, &running(suite), may_run, challenges))
}
