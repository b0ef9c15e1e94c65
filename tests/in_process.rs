//! Records what the server of a client in the same process answers in a session with each suite of the corpus. `editors/web` compares
//! `target/web/corpus.json` with the answers of the WebAssembly module, byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use eval_ls::testing::InProcessServer;
use regex::Regex;
use serde_json::{Value, json};

/// A workspace with one suite.
struct Session {
    /// The paths below the workspace, and their texts.
    files: BTreeMap<String, String>,
    /// The suite's path.
    suite: String,
}

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The length of the texts between two places at which hover and completion are asked for, in bytes. A prime, so that all kinds of
/// places are met.
const STRIDE: usize = 97;

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(ROOT).join(path)).unwrap()
}

/// The files with an extension below a folder, by their paths in it.
fn below(folder: &str, extension: &str) -> Vec<String> {
    let root = Path::new(ROOT).join(folder);
    let mut found: Vec<String> = walkdir::WalkDir::new(&root)
        .into_iter()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|found| found == extension))
        .map(|entry| entry.path().strip_prefix(&root).unwrap().to_str().unwrap().to_owned())
        .collect();
    found.sort();
    found
}

/// The suites of the examples, each with its configuration and its transcripts.
fn examples() -> Vec<Session> {
    let folders = ["examples", "examples/demo-app", "examples/faulty"];
    let of_folder = |folder: &str| {
        let suites = fs::read_dir(Path::new(ROOT).join(folder)).unwrap().flatten();
        let suites = suites.filter_map(|entry| entry.file_name().into_string().ok());
        let mut suites: Vec<_> = suites.filter(|name| name.ends_with(".json")).collect();
        suites.sort();
        let session = |suite: String| {
            let transcripts = format!("transcripts/{}", suite.strip_suffix(".json").unwrap());
            let kept = below(&format!("{folder}/{transcripts}"), "json");
            let names = kept.into_iter().map(|name| format!("{transcripts}/{name}"));
            let names = names.chain([suite.clone(), "eval-ls.toml".to_owned()]);
            let files = names.map(|name| (name.clone(), read(&format!("{folder}/{name}")))).collect();
            Session { files, suite }
        };
        suites.into_iter().map(session).collect::<Vec<_>>()
    };
    folders.into_iter().flat_map(of_folder).collect()
}

/// The suites of the tests of edits, and broken ones.
fn texts() -> Vec<Session> {
    let folders = ["tests/mutations/suites", "tests/fuzz/corpus/fixes"];
    let texts = folders
        .iter()
        .flat_map(|folder| below(folder, "json").into_iter().map(move |name| read(&format!("{folder}/{name}"))));
    texts.map(|text| Session::of("[scoring]\nreading = \"plain\"\n", &text)).collect()
}

/// The examples on the pages of the lints: all cases of a page in one suite.
fn lints() -> Vec<Session> {
    let block = Regex::new(r"(?s)```json\n(.*?)```").unwrap();
    let of_page = |name: String| {
        let page = read(&format!("docs/lints/{name}"));
        let blocks = block.captures_iter(&page).map(|block| block[1].trim().to_owned());
        let texts: Vec<_> = blocks.filter(|block| block.starts_with('{')).collect();
        let (suites, parts): (Vec<_>, Vec<_>) = texts.into_iter().partition(|text| text.contains("\"cases\""));
        let (cases, expected): (Vec<_>, Vec<_>) = parts.into_iter().partition(|text| text.contains("\"expected\""));
        let wrapped = expected.into_iter().enumerate();
        let wrapped =
            wrapped.map(|(n, text)| format!("{{ \"id\": \"E{n}\", \"prompt\": \"p\", \"expected\": {text} }}"));
        let cases: Vec<String> = cases.into_iter().chain(wrapped).collect();
        let gathered = (!cases.is_empty()).then(|| suite_of(&cases));
        suites.into_iter().chain(gathered).collect::<Vec<_>>()
    };
    let pages = below("docs/lints", "md").into_iter();
    pages.flat_map(of_page).map(|text| Session::of("[lints]\n", &text)).collect()
}

/// The cases with which the scoring tests itself, each with its transcript.
fn scoring() -> Session {
    let samples: Vec<Value> = serde_json::from_str(&read("src/verdict/self_test.json")).unwrap();
    let mut files = BTreeMap::new();
    let mut cases = Vec::new();
    for (number, mut sample) in samples.into_iter().enumerate() {
        let id = format!("S{number}");
        sample["case"]["id"] = json!(id);
        sample["transcript"]["case"] = json!(id);
        files.insert(format!("transcripts/a.evals/{id}.json"), sample["transcript"].to_string());
        cases.push(sample["case"].to_string());
    }
    let mut session = Session::of("", &suite_of(&cases));
    session.files.extend(files);
    session
}

fn suite_of(cases: &[String]) -> String {
    format!("{{\n  \"version\": \"0.3.0\",\n  \"cases\": [\n    {}\n  ]\n}}\n", cases.join(",\n    "))
}

impl Session {
    fn of(config: &str, text: &str) -> Session {
        let suite = "a.evals.json".to_owned();
        let files = [(suite.clone(), text.to_owned()), ("eval-ls.toml".to_owned(), config.to_owned())];
        Session { files: files.into(), suite }
    }

    /// The messages of a client that asks for everything, and edits. `root` is the address of the workspace.
    fn messages(&self, root: &str) -> Vec<Value> {
        let uri = format!("{root}/{}", self.suite);
        let text = &self.files[&self.suite];
        let lines: Vec<&str> = text.split('\n').collect();
        let whole = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": lines.len(), "character": 0 } });
        let document = json!({ "uri": uri });
        let mut messages = Messages::default();
        messages.ask(
            "initialize",
            json!({
                "capabilities": {
                    "textDocument": {
                        "completion": { "completionItem": { "snippetSupport": true, "documentationFormat": ["markdown"] } },
                        "hover": { "contentFormat": ["markdown"] },
                        "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
                        "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                        "publishDiagnostics": { "relatedInformation": true },
                    },
                },
                "initializationOptions": { "verdicts": "all" },
                "workspaceFolders": [{ "uri": root, "name": "workspace" }],
            }),
        );
        let item = json!({ "uri": uri, "languageId": "json", "version": 1, "text": text });
        messages.tell("textDocument/didOpen", json!({ "textDocument": item }));
        for method in ["textDocument/documentSymbol", "textDocument/codeLens"] {
            messages.ask(method, json!({ "textDocument": document }));
        }
        messages.ask("textDocument/inlayHint", json!({ "textDocument": document, "range": whole }));
        messages.ask(
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": whole, "context": { "diagnostics": [] } }),
        );
        for offset in (0..text.len()).step_by(STRIDE).filter(|offset| text.is_char_boundary(*offset)) {
            let before = &text[..offset];
            let line = before.matches('\n').count();
            let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
            let at = json!({ "textDocument": document, "position": { "line": line, "character": column } });
            messages.ask("textDocument/hover", at.clone());
            messages.ask("textDocument/completion", at);
        }
        messages.ask("eval-ls/verdicts", document.clone());
        messages.ask("eval-ls/proofs", document.clone());
        // A brace is lost in the middle of the text.
        let line = lines.len() / 2;
        let end = lines[line].encode_utf16().count();
        let range = json!({ "start": { "line": line, "character": end.saturating_sub(2) }, "end": { "line": line, "character": end } });
        let versioned = json!({ "uri": uri, "version": 2 });
        let change = json!([{ "range": range, "text": "" }]);
        messages.tell("textDocument/didChange", json!({ "textDocument": versioned, "contentChanges": change }));
        messages.ask("eval-ls/proofs", document);
        messages.0
    }
}

#[derive(Default)]
struct Messages(Vec<Value>);

impl Messages {
    fn ask(&mut self, method: &str, params: Value) {
        let id = self.0.len();
        self.0.push(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.0.push(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }
}

#[test]
fn sessions_of_the_corpus() {
    let sessions: Vec<_> = examples().into_iter().chain(texts()).chain(lints()).chain([scoring()]).collect();
    let mut recorded = Vec::new();
    let mut verdicts = 0;
    for session in &sessions {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap();
        for (path, text) in &session.files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut server = InProcessServer::default();
        let exchange = session.messages(&format!("file://{root}")).into_iter().map(|message| {
            let answer = server.receive(&message.to_string());
            assert!(!answer.contains("\"error\":{"), "{message}\n{answer}");
            verdicts += answer.matches("\"status\":\"PASS\"").count();
            json!({ "message": message, "answer": answer })
        });
        let exchange: Vec<Value> = exchange.collect();
        recorded.push(json!({ "root": root, "files": session.files, "exchange": exchange }));
    }
    assert!(sessions.len() > 50 && verdicts > 100, "{} sessions, {verdicts} verdicts", sessions.len());
    let place = Path::new(ROOT).join("target/web");
    fs::create_dir_all(&place).unwrap();
    fs::write(place.join("corpus.json"), Value::Array(recorded).to_string()).unwrap();
}
