//! What the server does when a client asks: one handler for each method and command; and what it announces that it can do.
//!
//! Every feature is announced, even if the client does not list it: some clients list only the features that they register
//! dynamically. The exception is code actions, because old clients accept only commands.

mod in_process;
mod requests;
#[cfg(feature = "program")]
mod server;

use ls_types::{
    CodeActionKind, CodeActionOptions, CodeLensOptions, ExecuteCommandOptions, InitializeResult, InlayHintOptions,
    InlayHintServerCapabilities, OneOf, PositionEncodingKind, RenameOptions, SaveOptions, ServerCapabilities,
    ServerInfo, TextDocumentSyncKind, TextDocumentSyncOptions, WorkDoneProgressOptions,
    WorkspaceFoldersServerCapabilities, WorkspaceServerCapabilities,
};
use serde_json::json;

use crate::lsp::client::settings::{self, Support};
use crate::lsp::features::code_actions::{FIX_ALL, IMPORT, RUN, SHOW};
use crate::lsp::protocol::{COMMANDS, EXPERIMENTAL, Experimental, PROTOCOL};
use crate::text::Encoding;

pub use in_process::InProcessServer;
#[cfg(feature = "program")]
pub(crate) use server::run;

/// The result of `initialize`.
pub(crate) fn initialize_result(support: &Support) -> InitializeResult {
    InitializeResult {
        capabilities: capabilities(support),
        server_info: Some(ServerInfo {
            name: env!("CARGO_PKG_NAME").to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        ..InitializeResult::default()
    }
}

fn capabilities(support: &Support) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(position_encoding(support.encoding)),
        text_document_sync: Some(document_sync().into()),
        inlay_hint_provider: Some(OneOf::Right(InlayHintServerCapabilities::Options(InlayHintOptions {
            resolve_provider: Some(support.resolves_hint_tooltips),
            ..InlayHintOptions::default()
        }))),
        completion_provider: Some(settings::completion_options()),
        code_action_provider: support.code_actions.then(|| code_action_options(support).into()),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: COMMANDS.map(str::to_owned).to_vec(),
            ..ExecuteCommandOptions::default()
        }),
        hover_provider: Some(true.into()),
        document_symbol_provider: Some(OneOf::Left(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        rename_provider: Some(match support.prepares_rename {
            true => OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            false => OneOf::Left(true),
        }),
        workspace: Some(workspace()),
        experimental: Some(json!({ EXPERIMENTAL: Experimental { protocol: PROTOCOL } })),
        ..ServerCapabilities::default()
    }
}

fn position_encoding(encoding: Encoding) -> PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    }
}

fn document_sync() -> TextDocumentSyncOptions {
    TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        // For clients that do not watch files, saving is when configuration and transcripts are looked at again.
        save: Some(SaveOptions { include_text: Some(false) }.into()),
        ..TextDocumentSyncOptions::default()
    }
}

fn code_action_options(support: &Support) -> CodeActionOptions {
    CodeActionOptions {
        resolve_provider: Some(support.resolves_edits),
        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::REFACTOR, FIX_ALL, RUN, SHOW, IMPORT]),
        ..CodeActionOptions::default()
    }
}

fn workspace() -> WorkspaceServerCapabilities {
    let folders =
        WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
    WorkspaceServerCapabilities { workspace_folders: Some(folders), file_operations: None }
}
