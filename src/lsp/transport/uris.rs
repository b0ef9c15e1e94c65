//! URIs as clients write them.
//!
//! Some clients do not encode all characters that a URI must not contain: `[`, `]`, `|`, `^`, spaces, and all beyond ASCII.
//! The library refuses a message with such a URI.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use ls_types::Uri;
use serde_json::Value;

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
pub(super) fn encode(params: &mut Value) {
    match params {
        Value::Array(elements) => elements.iter_mut().for_each(encode),
        Value::Object(members) => {
            for (name, member) in members {
                if is_uri(name) { encode_uris(member) } else { encode(member) }
            }
        }
        _ => {}
    }
}

fn is_uri(name: &str) -> bool {
    matches!(name, "uri" | "uris") || name.ends_with("Uri")
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
}
