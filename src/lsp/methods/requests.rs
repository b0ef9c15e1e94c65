//! The requests that both servers answer: from the state at this moment and the parameters to the work that answers it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use ls_types::{
    CodeAction, CodeActionOrCommand, CodeActionParams, CodeLens, CodeLensParams, GotoDefinitionParams,
    GotoDefinitionResponse, InlayHint, InlayHintParams, Location, ReferenceParams, RenameParams,
    TextDocumentIdentifier, TextDocumentPositionParams, Uri,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::lsp::convert::uris;
use crate::lsp::features::rename::{self, Around};
use crate::lsp::features::test_explorer::Running;
use crate::lsp::features::{annotations, code_actions, configurations, positions, structure};
use crate::lsp::session::configurations::Configuration;
use crate::lsp::session::open_document::Snapshot;
use crate::lsp::session::state::State;

/// The codes of JSON-RPC and of LSP.
#[cfg(feature = "program")]
pub(crate) const NOT_INITIALIZED: i64 = -32002;
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
pub(crate) const INVALID_PARAMS: i64 = -32602;
const INTERNAL_ERROR: i64 = -32603;
pub(crate) const REQUEST_FAILED: i64 = -32803;

/// Why a request has no result: a code of JSON-RPC, and the reason.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) code: i64,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(code: i64, reason: impl ToString) -> Fault {
        Fault { code, message: reason.to_string() }
    }
}

/// The response to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The response as JSON, up to the end of its result.
    start: Vec<u8>,
    /// What a person should know beside the result.
    pub(crate) message: Option<String>,
}

impl Answer {
    /// The response with this result.
    pub(crate) fn new(result: &impl Serialize) -> Result<Answer, Fault> {
        let mut start = br#"{"jsonrpc":"2.0","result":"#.to_vec();
        serde_json::to_writer(&mut start, result).map_err(|error| Fault::new(INTERNAL_ERROR, error))?;
        Ok(Answer { start, message: None })
    }

    /// The response to the request with this id, as JSON.
    pub(crate) fn to(mut self, id: &impl Serialize) -> Vec<u8> {
        self.start.extend_from_slice(b",\"id\":");
        serde_json::to_writer(&mut self.start, id).expect("an id is a number or a string");
        self.start.push(b'}');
        self.start
    }
}

/// The work that answers a request, for any thread.
pub(crate) type Work = Box<dyn FnOnce() -> Result<Answer, Fault> + Send>;

/// The parameters of a message.
///
/// # Errors
/// If they cannot be read.
pub(crate) fn parsed<T: DeserializeOwned>(params: Value) -> Result<T, Fault> {
    serde_json::from_value(params).map_err(|error| Fault::new(INVALID_PARAMS, error))
}

/// The work that answers a request about the documents and the workspace; `None` if the method is none of these. Without the program,
/// nothing is read from the disk, and nothing runs.
pub(crate) fn query(state: &State, method: &str, params: Value, has_program: bool) -> Option<Result<Work, Fault>> {
    Some(match method {
        "textDocument/completion" => of_text(state, params, |suite, at| positions::completion(suite, &at)),
        "textDocument/hover" => {
            of_text(state, params, |suite, at: TextDocumentPositionParams| positions::hover(suite, at.position))
        }
        "textDocument/inlayHint" => work(state, params, inlay_hints),
        "inlayHint/resolve" => work(state, params, resolved_hint),
        "textDocument/definition" => work(state, params, definition),
        "textDocument/references" if has_program => work(state, params, references_everywhere),
        "textDocument/references" => work(state, params, references),
        "textDocument/rename" => parsed(params).map(|params| rename(state, params)),
        "textDocument/codeAction" => work(state, params, |state, params| code_actions(state, params, has_program)),
        "codeAction/resolve" => work(state, params, resolved_action),
        "textDocument/codeLens" => work(state, params, code_lenses),
        "textDocument/documentSymbol" => of_text(state, params, |suite, _: Value| structure::document_symbols(suite)),
        "textDocument/prepareRename" => {
            of_text(state, params, |suite, params: TextDocumentPositionParams| rename::prepare(suite, params.position))
        }
        _ => return None,
    })
}

/// The work that finds something in the text of the suite that the parameters name; null if it is not open.
fn of_text<P: DeserializeOwned + Send + 'static, T: Serialize>(
    state: &State,
    params: Value,
    find: impl FnOnce(&Snapshot, P) -> T + Send + 'static,
) -> Result<Work, Fault> {
    let TextDocumentIdentifier { uri } = parsed(params["textDocument"].clone())?;
    let (suite, params) = (state.snapshot(&uri), parsed(params)?);
    Ok(Box::new(move || Answer::new(&suite.map(|suite| find(&suite, params)))))
}

/// The work that finds something; `None` if the document is not one that the request is about.
type Found<T> = Option<Box<dyn FnOnce() -> T + Send>>;

fn work<P: DeserializeOwned, T: Serialize + 'static>(
    state: &State,
    params: Value,
    find: impl FnOnce(&State, P) -> Found<T>,
) -> Result<Work, Fault> {
    let found = find(state, parsed(params)?);
    Ok(Box::new(|| Answer::new(&found.map(|find| find()))))
}

fn found<T>(find: impl FnOnce() -> T + Send + 'static) -> Found<T> {
    Some(Box::new(find))
}

/// The work on an open suite as it is at this moment.
fn of_suite<T>(state: &State, uri: &Uri, work: impl FnOnce(&Snapshot) -> T + Send + 'static) -> Found<T> {
    let suite = state.snapshot(uri)?;
    found(move || work(&suite))
}

/// The cases that are running have no hint.
fn inlay_hints(state: &State, params: InlayHintParams) -> Found<Vec<InlayHint>> {
    let (now, uri) = (SystemTime::now(), &params.text_document.uri);
    let (challenged, running) = (state.shows_challenges(uri), state.running_cases(&path_of(uri)));
    of_suite(state, uri, move |suite| annotations::inlay_hints(suite, params.range, now, challenged, &running))
}

fn resolved_hint(state: &State, hint: InlayHint) -> Found<InlayHint> {
    let suite = annotations::document_of(&hint).and_then(|uri| state.snapshot(&uri));
    found(move || match suite {
        Some(suite) => annotations::resolve(&suite, hint, SystemTime::now()),
        None => hint,
    })
}

fn definition(state: &State, params: GotoDefinitionParams) -> Found<Option<GotoDefinitionResponse>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
    let config = state.config_as_read(&text_document.uri);
    of_suite(state, &text_document.uri, move |suite| positions::definition(suite, config.as_ref(), position))
}

fn references(state: &State, params: ReferenceParams) -> Found<Vec<Location>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let (config, with_definitions) = (state.config_as_read(&text_document.uri), params.context.include_declaration);
    of_suite(state, &text_document.uri, move |suite| {
        positions::references(suite, config.as_ref(), position, with_definitions)
    })
}

/// The references in the suite, and in the others of the workspace. Those that are not open are read from the disk.
fn references_everywhere(state: &State, params: ReferenceParams) -> Found<Vec<Location>> {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position.clone();
    let (suite, open) = (state.snapshot(&text_document.uri)?, state.open_suites());
    let (here, folders) = (references(state, params)?, state.folders().to_vec());
    found(move || {
        let mut found = here();
        found.extend(positions::references_elsewhere(&suite, position, &open, &folders));
        found
    })
}

fn rename(state: &State, params: RenameParams) -> Work {
    let TextDocumentPositionParams { text_document, position } = params.text_document_position;
    let around = Around { config_file: state.config_file(&text_document.uri), open: state.open_suites() };
    let suite = state.snapshot(&text_document.uri);
    Box::new(move || {
        let Some(suite) = suite else { return Answer::new(&Value::Null) };
        let renamed = rename::rename(&suite, position, &params.new_name, &around);
        let renamed = renamed.map_err(|fault| Fault::new(REQUEST_FAILED, fault))?;
        Ok(Answer { message: renamed.left, ..Answer::new(&renamed.edit)? })
    })
}

/// With the program, there are also those of the suite's cases, and of a log.
fn code_actions(state: &State, params: CodeActionParams, has_program: bool) -> Found<Vec<CodeActionOrCommand>> {
    let uri = params.text_document.uri.clone();
    if let Some(open) = state.open_configuration(&uri) {
        let support = Arc::clone(state.support());
        return found(move || configurations::code_actions(&open, &support, &params));
    }
    if has_program && state.snapshot(&uri).is_none() {
        let path = uris::to_path(&uri)?;
        return found(move || code_actions::import(&path, params));
    }
    let config_file = state.config_file(&uri);
    let running = state.configuration_at(&uri).filter(|_| state.is_trusted()).map(|it| running(state, &uri, it));
    of_suite(state, &uri, move |suite| {
        let mut actions = code_actions::code_actions(suite, config_file.as_ref(), &params);
        if has_program {
            actions.extend(code_actions::commands(suite, running.as_ref(), &params));
        }
        actions
    })
}

fn resolved_action(state: &State, action: CodeAction) -> Found<CodeAction> {
    let suite = code_actions::document_of(&action).and_then(|uri| state.snapshot(&uri));
    found(move || match suite {
        Some(suite) => code_actions::resolve(&suite, action),
        None => action,
    })
}

fn code_lenses(state: &State, params: CodeLensParams) -> Found<Vec<CodeLens>> {
    let uri = &params.text_document.uri;
    let (may_run, challenges) = (state.is_trusted(), state.shows_challenges(uri));
    let running = running(state, uri, state.configuration_at(uri)?);
    of_suite(state, uri, move |suite| annotations::code_lenses(suite, &running, may_run, challenges))
}

/// The running cases of a suite with this configuration, and its target.
pub(crate) fn running(state: &State, uri: &Uri, configuration: &Configuration) -> Running {
    let (target, targets) = (state.target(configuration), &configuration.config.targets);
    Running {
        cases: state.running_cases(&path_of(uri)),
        replays: targets.get(&target).is_some_and(|target| !target.is_live()),
        targets: targets.keys().cloned().collect(),
        target,
        is_open: state.snapshot(uri).is_some(),
    }
}

/// An unsaved document cannot run, but has a target.
fn path_of(uri: &Uri) -> PathBuf {
    uris::to_path(uri).unwrap_or_default()
}
