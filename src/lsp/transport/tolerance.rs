//! Tolerance for messages of clients that deviate from the protocol. The library refuses or drops them.
//!
//! - Some clients do not encode all characters that a URI must not contain: `[`, `]`, `|`, `^`, spaces, and all beyond ASCII.
//! - Some announce capabilities in a form that the protocol does not have. The whole session would be refused because of a
//!   capability that may not matter here.
//! - A notification that cannot be read is dropped, and nobody would learn why an editor shows nothing.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use ls_types::{
    CreateFilesParams, DeleteFilesParams, DidChangeConfigurationParams, DidChangeTextDocumentParams,
    DidChangeWatchedFilesParams, DidChangeWorkspaceFoldersParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, InitializeParams, RenameFilesParams, Uri,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tower_lsp_server::jsonrpc::Request;

use crate::lsp::client::settings::log;
use crate::lsp::protocol::TrustParams;

/// The URIs that were encoded, as the client wrote them. A process has one client.
static SPELLINGS: LazyLock<Mutex<HashMap<String, String>>> = LazyLock::new(Mutex::default);

/// How many spellings are remembered: more documents than anybody opens.
const MOST: usize = 10_000;

/// The URI as the client wrote it. Some clients compare URIs as texts.
pub(crate) fn as_written(uri: &Uri) -> String {
    let spellings = SPELLINGS.lock().unwrap_or_else(PoisonError::into_inner);
    spellings.get(uri.as_str()).map_or_else(|| uri.as_str().to_owned(), String::clone)
}

/// Encodes the URIs in the parameters of a message. Members are URIs by their names: `uri`, `rootUri`, `uris` and so on.
pub(crate) fn encode(params: &mut Value) {
    match params {
        Value::Array(elements) => elements.iter_mut().for_each(encode),
        Value::Object(members) => {
            for (name, member) in members {
                let is_uri = matches!(name.as_str(), "uri" | "uris") || name.ends_with("Uri");
                if is_uri { encode_uris(member) } else { encode(member) }
            }
        }
        _ => {}
    }
}

fn encode_uris(value: &mut Value) {
    match value {
        Value::String(uri) if uri.parse::<Uri>().is_err() => {
            let encoded = encoded(uri);
            let mut spellings = SPELLINGS.lock().unwrap_or_else(PoisonError::into_inner);
            if spellings.len() < MOST {
                spellings.insert(encoded.clone(), uri.clone());
            }
            *uri = encoded;
        }
        Value::Array(uris) => uris.iter_mut().for_each(encode_uris),
        // The name may mean something else in parameters that this program does not know.
        other => encode(other),
    }
}

/// The text with each byte percent-encoded that no URI may contain after its authority.
fn encoded(uri: &str) -> String {
    // An address such as `[::1]` has brackets in the authority.
    let path = uri.find("://").map_or(0, |at| uri[at + 3..].find('/').map_or(uri.len(), |slash| at + 3 + slash));
    let (start, path) = uri.split_at(path);
    let mut encoded = start.to_owned();
    let bytes = path.as_bytes();
    for (at, &byte) in bytes.iter().enumerate() {
        let is_escape = || matches!(&bytes[at..], [b'%', a, b, ..] if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        let is_allowed = byte.is_ascii_alphanumeric() || b"-._~:/?#@!$&'()*+,;=".contains(&byte) || is_escape();
        if is_allowed {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

/// The request without the members of its parameters that cannot be read. If no parameters remain that can be read, the
/// request is unchanged, and the library refuses it.
pub(crate) fn readable_part_of(request: Request) -> Request {
    let Some(repaired) = request.params().filter(|params| !is_readable(params)).and_then(repaired) else {
        return request;
    };
    let (method, id, _) = request.into_parts();
    let request = Request::build(method).params(repaired);
    match id {
        Some(id) => request.id(id).finish(),
        None => request.finish(),
    }
}

fn is_readable(params: &Value) -> bool {
    serde_json::from_value::<InitializeParams>(params.clone()).is_ok()
}

fn repaired(params: &Value) -> Option<Value> {
    let with_capabilities = |params: Value| match params {
        Value::Object(members) => {
            let mut all = Map::from_iter([("capabilities".to_owned(), json!({}))]);
            all.extend(members);
            Value::Object(all)
        }
        other => other,
    };
    readable_part("initialize", params, &|part| is_readable(&with_capabilities(part))).map(with_capabilities)
}

/// The value without the members that `fits` rejects; `None` if nothing fits.
fn readable_part(name: &str, value: &Value, fits: &dyn Fn(Value) -> bool) -> Option<Value> {
    if fits(value.clone()) {
        return Some(value.clone());
    }
    let members = value.as_object().into_iter().flatten().filter_map(|(key, member)| {
        let fits_alone = |part: Value| fits(Value::Object(Map::from_iter([(key.clone(), part)])));
        Some((key.clone(), readable_part(key, member, &fits_alone)?))
    });
    let rest = value.as_object().map(|_| Value::Object(members.collect()));
    let rest = rest.filter(|rest| fits(rest.clone()));
    if rest.is_none() {
        log(&format!("ignored `{name}` in the parameters of `initialize`: it has a wrong type"));
    }
    rest
}

/// The fault in the parameters of a notification, if the library would drop it: a lower-case fragment.
pub(crate) fn notification_fault(method: &str, params: Option<&Value>) -> Option<String> {
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

    use super::*;

    #[test]
    fn what_clients_do_not_encode_is_encoded() {
        for (given, expected) in [
            ("file:///app/[slug]/a.json", "file:///app/%5Bslug%5D/a.json"),
            ("file:///a|b^c d.json", "file:///a%7Cb%5Ec%20d.json"),
            ("file:///\u{e9}vals/\u{1f600}.json", "file:///%C3%A9vals/%F0%9F%98%80.json"),
            ("file:///100%/%5Bx%5D[", "file:///100%25/%5Bx%5D%5B"),
            ("file://[::1]/[x]", "file://[::1]/%5Bx%5D"),
            ("untitled:Untitled [1]", "untitled:Untitled%20%5B1%5D"),
        ] {
            let mut params = json!({ "textDocument": { "uri": given }, "rootUri": given, "uris": [given], "x": [[{ "uri": given }]] });
            encode(&mut params);
            let expected = json!({ "textDocument": { "uri": expected }, "rootUri": expected, "uris": [expected], "x": [[{ "uri": expected }]] });
            assert_eq!(params, expected);
            assert!(expected["rootUri"].as_str().unwrap().parse::<Uri>().is_ok());
        }
    }

    #[test]
    fn other_text_stays_as_it_is() {
        let params =
            json!({ "text": "[a b]", "uri": "file:///a%5bb?q#f", "newUri": { "text": "[ ]" }, "rootUri": null });
        let mut encoded = params.clone();
        encode(&mut encoded);
        assert_eq!(encoded, params);
    }

    #[test]
    fn only_wrong_members_are_ignored() {
        let given = json!({
            "processId": "many", "rootUri": 1, "trace": "loud",
            "initializationOptions": { "target": "agent" },
            "capabilities": {
                "general": { "positionEncodings": ["utf-8"] },
                "textDocument": {
                    "callHierarchy": [{ "dynamicRegistration": false }],
                    "completion": { "completionItem": { "snippetSupport": true, "labelDetailsSupport": "yes" } },
                    "semanticTokens": { "formats": "all" },
                },
            },
        });
        let kept = json!({
            "initializationOptions": { "target": "agent" },
            "capabilities": {
                "general": { "positionEncodings": ["utf-8"] },
                "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } },
            },
        });
        assert!(!is_readable(&given));
        assert_eq!(repaired(&given), Some(kept));
        assert_eq!(repaired(&json!({ "capabilities": 1 })), Some(json!({ "capabilities": {} })));
        assert_eq!(repaired(&json!(1)), None);
    }

    #[test]
    fn only_unreadable_notifications_have_a_fault() {
        let close = |uri: &str| json!({ "textDocument": { "uri": uri } });
        assert_eq!(notification_fault("textDocument/didClose", Some(&close("file:///a"))), None);
        assert!(notification_fault("textDocument/didClose", Some(&close("file:///a\u{0}b c"))).is_some());
        assert!(notification_fault("textDocument/didClose", None).is_some());
        for method in [
            "workspace/didChangeConfiguration",
            "workspace/didCreateFiles",
            "workspace/didRenameFiles",
            "workspace/didDeleteFiles",
            "eval-ls/trust",
        ] {
            assert!(notification_fault(method, Some(&json!("x"))).is_some(), "{method}");
        }
        assert_eq!(notification_fault("eval-ls/trust", Some(&json!({ "trusted": true }))), None);
        assert_eq!(notification_fault("$/other", None), None);
    }
}
