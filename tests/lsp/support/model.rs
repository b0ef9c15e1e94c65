//! The types of LSP 3.17, against which every message of the server is tested. `model/generate` writes them to
//! `model/protocol.json`.
//!
//! The check is strict: an unknown property, a missing property, a value of another type, a method that a server may not
//! send, and a range that ends before its start are faults. The extensions of `docs/lsp-extensions.md` are not part of the
//! model; only their envelopes are checked.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, Value, json};

static MODEL: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../model/protocol.json")).expect("the model is JSON"));

const EXTENSION: &str = "eval-ls/";

/// Checks what a server sends in one session.
#[derive(Debug, Default)]
pub(super) struct Model {
    /// The methods of requests without a response, by id.
    requests: HashMap<String, String>,
    /// The type of the partial results with these tokens.
    partial: HashMap<String, Value>,
}

impl Model {
    /// Takes note of a message that the client sends.
    pub(super) fn sent(&mut self, message: &Value) {
        let (Some(method), Some(id)) = (message["method"].as_str(), message.get("id")) else { return };
        self.requests.insert(id.to_string(), method.to_owned());
        if let Some(token) = message["params"].get("partialResultToken") {
            self.partial.insert(token.to_string(), partial_result(method));
        }
    }

    /// Checks a message that the server sends.
    ///
    /// # Errors
    /// The place and the reason of the first fault.
    pub(super) fn check(&mut self, message: &Value) -> Result<(), String> {
        let Some(object) = message.as_object() else { return Err("the message is not an object".to_owned()) };
        if object.get("jsonrpc") != Some(&json!("2.0")) {
            return Err("`jsonrpc` is not \"2.0\"".to_owned());
        }
        match object.get("method") {
            Some(method) => self.call(method.as_str().ok_or("`method` is not a string")?, object),
            None => self.response(object),
        }
    }

    fn call(&self, method: &str, call: &Map<String, Value>) -> Result<(), String> {
        only(call, &["jsonrpc", "id", "method", "params"])?;
        let params = call.get("params");
        if params.is_some_and(|params| !params.is_object() && !params.is_array()) {
            return Err("params: neither an object nor an array".to_owned());
        }
        if method.starts_with(EXTENSION) {
            return Ok(());
        }
        let kind = if call.contains_key("id") { "requests" } else { "notifications" };
        let wanted = MODEL[kind].get(method).ok_or_else(|| format!("no server sends `{method}` under {kind}"))?;
        if *wanted == "null" {
            return if params.is_none() { Ok(()) } else { Err(format!("params: `{method}` has none")) };
        }
        let params = params.unwrap_or(&Value::Null);
        fits(params, wanted, "params")?;
        if method == "$/progress" { self.progress(params) } else { Ok(()) }
    }

    /// The value of a progress is that of a work, or a partial result.
    fn progress(&self, params: &Value) -> Result<(), String> {
        let work = ["Begin", "Report", "End"].map(|part| format!("WorkDoneProgress{part}"));
        let work = json!({ "or": work });
        fits(&params["value"], self.partial.get(&params["token"].to_string()).unwrap_or(&work), "params.value")
    }

    fn response(&mut self, response: &Map<String, Value>) -> Result<(), String> {
        only(response, &["jsonrpc", "id", "result", "error"])?;
        let id = response.get("id").ok_or("a response without `id`")?;
        let method = self.requests.remove(&id.to_string());
        match (response.get("result"), response.get("error")) {
            (None, Some(error)) => fits(error, &json!("ResponseError"), "error"),
            (Some(result), None) => {
                let wanted = method.as_ref().and_then(|method| MODEL["results"].get(method));
                wanted.map_or(Ok(()), |wanted| fits(result, wanted, "result"))
            }
            _ => Err("a response has either `result` or `error`".to_owned()),
        }
    }
}

/// Partial results are of the type of the result, except for the reports that have a type for it.
fn partial_result(method: &str) -> Value {
    match method {
        "textDocument/diagnostic" => json!("DocumentDiagnosticReportPartialResult"),
        _ => MODEL["results"].get(method).cloned().unwrap_or(json!("any")),
    }
}

fn only(object: &Map<String, Value>, names: &[&str]) -> Result<(), String> {
    match object.keys().find(|name| !names.contains(&name.as_str())) {
        Some(name) => Err(format!("unknown property `{name}`")),
        None => Ok(()),
    }
}

fn fits(value: &Value, wanted: &Value, at: &str) -> Result<(), String> {
    let fault = |expected: &str| Err(format!("{at}: expected {expected}, found {value}"));
    let (name, inner) = match wanted {
        Value::String(name) => (name.as_str(), &Value::Null),
        _ => wanted
            .as_object()
            .and_then(|kind| kind.iter().next())
            .map(|(name, of)| (name.as_str(), of))
            .expect("a type"),
    };
    let is_number_above =
        |least: i64| value.as_i64().is_some_and(|number| (least..=i64::from(i32::MAX)).contains(&number));
    let is_fit = match name {
        "any" => true,
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "decimal" => value.is_number(),
        "integer" => is_number_above(i32::MIN.into()),
        "uinteger" => is_number_above(0),
        "literal" => inner.as_array().is_some_and(|literals| literals.contains(value)),
        "or" => {
            let faults: Vec<_> = array(inner).iter().map_while(|kind| fits(value, kind, at).err()).collect();
            return if faults.len() < array(inner).len() { Ok(()) } else { Err(faults.join("; or ")) };
        }
        "array" => {
            let Some(items) = value.as_array() else { return fault("an array") };
            return items.iter().enumerate().try_for_each(|(index, item)| fits(item, inner, &format!("{at}[{index}]")));
        }
        "tuple" => {
            let items = value.as_array().filter(|items| items.len() == array(inner).len());
            let Some(items) = items else { return fault("a tuple") };
            return items.iter().zip(array(inner)).try_for_each(|(item, kind)| fits(item, kind, at));
        }
        "map" => {
            let Some(object) = value.as_object() else { return fault("an object") };
            return object.iter().try_for_each(|(key, item)| fits(item, inner, &format!("{at}[{key}]")));
        }
        "properties" => return has_properties(value, inner, at),
        name => {
            let kind = MODEL["types"].get(name).unwrap_or_else(|| panic!("the model has no type {name}"));
            fits(value, kind, at)?;
            let is_reversed = name == "Range" && position(&value["start"]) > position(&value["end"]);
            return if is_reversed { fault("a start before the end") } else { Ok(()) };
        }
    };
    if is_fit { Ok(()) } else { fault(&wanted.to_string()) }
}

fn has_properties(value: &Value, properties: &Value, at: &str) -> Result<(), String> {
    let Some(object) = value.as_object() else { return Err(format!("{at}: expected an object, found {value}")) };
    let properties = properties.as_object().expect("properties are an object");
    if let Some(name) = object.keys().find(|name| !properties.contains_key(*name)) {
        return Err(format!("{at}: unknown property `{name}`"));
    }
    properties.iter().try_for_each(|(name, property)| match object.get(name) {
        Some(value) => fits(value, &property["type"], &format!("{at}.{name}")),
        None if property["optional"] == true => Ok(()),
        None => Err(format!("{at}: missing property `{name}`")),
    })
}

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("the types of a type are an array")
}

fn position(position: &Value) -> (Option<u64>, Option<u64>) {
    (position["line"].as_u64(), position["character"].as_u64())
}

#[test]
fn faults_of_messages_are_found() {
    let mut model = Model::default();
    let hover = json!({ "jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": {} });
    let mut fault = |message: Value| {
        model.sent(&hover);
        model.check(&message).err().unwrap_or_default()
    };
    let position = |line: i32| json!({ "line": line, "character": 0 });
    let hovered = |contents: Value, from: i32| {
        let range = json!({ "start": position(from), "end": position(1) });
        json!({ "jsonrpc": "2.0", "id": 1, "result": { "contents": contents, "range": range } })
    };
    let text = json!({ "kind": "plaintext", "value": "text" });
    assert_eq!(fault(hovered(text.clone(), 1)), "");
    assert_eq!(fault(json!({ "jsonrpc": "2.0", "id": 1, "result": null })), "");
    assert!(fault(hovered(text.clone(), 2)).starts_with("result.range: expected a start before the end, found {"));
    assert!(fault(hovered(text, -1)).starts_with(r#"result.range.start.line: expected "uinteger", found -1"#));
    assert!(fault(hovered(json!({ "value": "text" }), 1)).contains("result.contents: missing property `kind`"));
    assert!(
        fault(hovered(json!({ "kind": "html", "value": "" }), 1)).contains(r#"{"literal":["plaintext","markdown"]}"#)
    );
    for (message, expected) in [
        (json!([]), "the message is not an object"),
        (json!({ "id": 1, "result": null }), "`jsonrpc` is not \"2.0\""),
        (json!({ "jsonrpc": "2.0", "id": 1 }), "a response has either `result` or `error`"),
        (json!({ "jsonrpc": "2.0", "result": null }), "a response without `id`"),
        (json!({ "jsonrpc": "2.0", "id": 1, "result": null, "to": "" }), "unknown property `to`"),
        (json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1 } }), "error: missing property `message`"),
        (
            json!({ "jsonrpc": "2.0", "method": "window/showMessage", "params": null }),
            "params: neither an object nor an array",
        ),
        (
            json!({ "jsonrpc": "2.0", "id": 2, "method": "workspace/codeLens/refresh", "params": {} }),
            "params: `workspace/codeLens/refresh` has none",
        ),
        (
            json!({ "jsonrpc": "2.0", "method": "textDocument/hover", "params": {} }),
            "no server sends `textDocument/hover` under notifications",
        ),
    ] {
        assert_eq!(fault(message), expected);
    }
}
