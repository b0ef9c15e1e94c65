//! Tolerance for parameters of `initialize` with a wrong type.
//!
//! Some editors announce capabilities in a form that the protocol does not have. Without this module, the library refuses
//! the whole session because of a capability that may not matter here.

use ls_types::InitializeParams;
use serde_json::{Map, Value, json};
use tower_lsp_server::jsonrpc::Request;

use crate::lsp::client::settings::log;

/// The request without the members of its parameters that cannot be read. If no parameters remain that can be read, the
/// request is unchanged, and the library refuses it.
pub(super) fn tolerant(request: Request) -> Request {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
