//! Notifications that cannot be read. The library drops them, and nobody would learn why an editor shows nothing.

use crate::lsp::protocol::TrustParams;
use ls_types::{
    CreateFilesParams, DeleteFilesParams, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, RenameFilesParams,
};
use serde::Deserialize;
use serde_json::Value;

/// The fault in the parameters of a notification, if the library would drop it: a lower-case fragment.
pub(super) fn fault(method: &str, params: Option<&Value>) -> Option<String> {
    let params = params.unwrap_or(&Value::Null);
    match method {
        "textDocument/didOpen" => check::<DidOpenTextDocumentParams>(params),
        "textDocument/didChange" => check::<DidChangeTextDocumentParams>(params),
        "textDocument/didClose" => check::<DidCloseTextDocumentParams>(params),
        "textDocument/didSave" => check::<DidSaveTextDocumentParams>(params),
        "workspace/didChangeWatchedFiles" => check::<DidChangeWatchedFilesParams>(params),
        "workspace/didChangeWorkspaceFolders" => check::<DidChangeWorkspaceFoldersParams>(params),
        "workspace/didChangeConfiguration" => check::<DidChangeConfigurationParams>(params),
        "workspace/didCreateFiles" => check::<CreateFilesParams>(params),
        "workspace/didRenameFiles" => check::<RenameFilesParams>(params),
        "workspace/didDeleteFiles" => check::<DeleteFilesParams>(params),
        "eval-ls/trust" => check::<TrustParams>(params),
        _ => None,
    }
}

fn check<'a, T: Deserialize<'a>>(params: &'a Value) -> Option<String> {
    T::deserialize(params).err().map(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::fault;

    #[test]
    fn only_unreadable_notifications_have_a_fault() {
        let close = |uri: &str| json!({ "textDocument": { "uri": uri } });
        assert_eq!(fault("textDocument/didClose", Some(&close("file:///a"))), None);
        assert!(fault("textDocument/didClose", Some(&close("file:///a\u{0}b c"))).is_some());
        assert!(fault("textDocument/didClose", None).is_some());
        for method in [
            "workspace/didChangeConfiguration",
            "workspace/didCreateFiles",
            "workspace/didRenameFiles",
            "workspace/didDeleteFiles",
            "eval-ls/trust",
        ] {
            assert!(fault(method, Some(&json!("x"))).is_some(), "{method}");
        }
        assert_eq!(fault("eval-ls/trust", Some(&json!({ "trusted": true }))), None);
        assert_eq!(fault("$/other", None), None);
    }
}
