//! Memory stays small, whatever a client sends and however slowly it reads.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::lsp::support::{Client, codes, push};
use crate::support::Folder;

const URI: &str = "file:///nowhere/a.evals.json";

/// A suite of about a megabyte, whose outline is larger than the suite.
fn large_suite() -> String {
    let mut text = r#"{"version":"0.3.0","cases":["#.to_owned();
    for index in 0..6000 {
        let comma = if index == 0 { "" } else { "," };
        let expected = r#"{"outcome":"response_only","must_say_any":["a","b","c"],"must_not_say":["d","e"]}"#;
        write!(text, "{comma}\n{{\"id\":\"C{index}\",\"prompt\":\"What is {index}?\",\"expected\":{expected}}}")
            .unwrap();
    }
    text + "]}"
}

/// The most memory that a process has had, and the most addresses, in MiB.
#[cfg(target_os = "linux")]
fn peaks(process: u32) -> [u64; 2] {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    ["VmHWM:", "VmPeak:"].map(|name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
    })
}

/// Two hundred outlines of a suite of a megabyte are half a gigabyte of text. A hover behind them does not wait for them.
#[cfg(target_os = "linux")]
#[test]
fn answers_for_a_client_that_does_not_read_stay_within_the_budget() {
    use std::io::{BufReader, Write as _};
    use std::process::Stdio;

    use crate::lsp::support::{frame, initialize_params, limited_command, read_frame};

    const HOVER: u64 = 1000;
    let mut server = limited_command().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());
    let mut send = |message: Value| input.write_all(&frame(&message.to_string())).unwrap();
    let request = |id: usize, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let mut params = initialize_params(push(), &[]);
    params["capabilities"]["textDocument"]["documentSymbol"] = json!({ "hierarchicalDocumentSymbolSupport": true });
    send(request(0, "initialize", params));
    assert_eq!(read_frame(&mut output).unwrap()["id"], 0);
    let document = json!({ "uri": URI, "languageId": "json", "version": 1, "text": large_suite() });
    send(json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    let outline = json!({ "textDocument": { "uri": URI } });
    for id in 1..=200 {
        send(request(id, "textDocument/documentSymbol", outline.clone()));
    }
    // Longer than the pipe and what the server reads ahead, so all requests have begun when this is written.
    for _ in 0..40 {
        send(json!({ "jsonrpc": "2.0", "method": "$/padding", "params": "x".repeat(64 << 10) }));
    }
    let at = json!({ "textDocument": { "uri": URI }, "position": { "line": 1, "character": 8 } });
    send(request(HOVER as usize, "textDocument/hover", at));
    let (mut ids, mut before_hover) = (Vec::new(), None);
    // As many as fit, computed one after the other while the client reads.
    while ids.len() < 20 {
        let answer = read_frame(&mut output).unwrap();
        if answer["id"] == HOVER {
            assert!(answer["result"]["contents"].is_object(), "{answer}");
            before_hover = Some(ids.len());
        } else if let Some(id) = answer["id"].as_u64() {
            assert_eq!(answer["result"][0]["children"].as_array().unwrap().len(), 6000);
            ids.push(id);
        }
    }
    let [peak, addresses] = peaks(server.id());
    println!("peak: {peak} MiB, {addresses} MiB of addresses");
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(peak <= 300, "{peak} MiB");
    // Each thread could reserve 64 MiB.
    assert!(addresses <= 640, "{addresses} MiB of addresses");
    // Those that had been written already, and those that were being computed.
    assert!(before_hover.is_some_and(|before| before <= 10), "{before_hover:?}");
}

#[test]
fn cancelled_requests_free_their_places() {
    let folder = Folder::with(&[("evals/a.json", "{")]);
    let mut client = Client::session(push(), &[&folder]);
    client.open(URI, 1, "{");
    for _ in 0..50 {
        for method in ["eval-ls/tests", "textDocument/documentSymbol"] {
            let id = client.send_request(method, json!({ "textDocument": { "uri": URI } }));
            client.notify("$/cancelRequest", json!({ "id": id }));
        }
    }
    // Both kinds of work are still done.
    assert_eq!(codes(&client.findings(URI)), ["invalid-json"]);
    assert_eq!(client.request("eval-ls/tests", json!({}))["suites"].as_array().unwrap().len(), 2);
}

/// A configuration of 4 GiB, as a sparse file.
#[test]
fn a_huge_configuration_is_reported_and_not_read() {
    let folder = Folder::with(&[("evals/a.json", "{"), ("eval-ls.toml", "")]);
    std::fs::File::create(folder.join("eval-ls.toml")).unwrap().set_len(4 << 30).unwrap();
    let client = Client::session(push(), &[&folder]);
    client.open(&folder.uri("evals/a.json"), 1, "{");
    let found = client.next_diagnostics(&folder.uri("eval-ls.toml"));
    assert_eq!(codes(&found["diagnostics"]), ["invalid-config"]);
    let message = found["diagnostics"][0]["message"].as_str().unwrap();
    assert!(message.ends_with("larger than 256 KiB"), "{message}");
    assert_eq!(codes(&client.diagnostics(&folder.uri("evals/a.json"), 1)), ["invalid-json"]);
}

/// As many patterns as a configuration may have, in a file that is as large as it may be, read at each save.
#[cfg(target_os = "linux")]
#[test]
fn a_large_configuration_does_not_end_a_server_with_little_memory() {
    let patterns: Vec<_> = (0..500).map(|index| format!("\"**/a*b*c{index}.json\"")).collect();
    let mut config = format!("[files]\ninclude = [{}]\n", patterns.join(","));
    while config.len() < 250 << 10 {
        config += "# padding that a person would not write\n";
    }
    let folder = Folder::with(&[("eval-ls.toml", &config), ("abc1.json", "{")]);
    let mut client = Client::limited(&[&folder]);
    let uri = folder.uri("abc1.json");
    client.open(&uri, 1, "{");
    for _ in 0..20 {
        client.save(&uri);
        assert_eq!(codes(&client.findings(&uri)), ["invalid-json"]);
    }
    assert!(client.stop().success());
}
