//! The commands besides `check`.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::CLEAN;
use crate::support::{Folder, Ran};

fn out(args: &[&str]) -> String {
    let ran = Folder::new().run(args);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{args:?}");
    ran.out
}

#[test]
fn explain_prints_the_page() {
    let page = out(&["explain", "duplicate-case-id"]);
    // Its last line is its address, if the package names a repository.
    let address = option_env!("EVAL_LS_REPOSITORY").unwrap_or(env!("CARGO_PKG_REPOSITORY"));
    let known = !address.is_empty();
    assert_eq!(known, page.ends_with("/docs/lints/duplicate-case-id.md\n"), "{page}");
    assert_snapshot!(if known { page.trim_end().rsplit_once("\n\n").unwrap().0 } else { page.trim_end() });
}

#[test]
fn explain_knows_every_name_of_a_finding() {
    let page = out(&["explain", "invalid-config"]);
    assert!(page.starts_with("invalid-config (error)\n\n`eval-ls.toml` has an error."), "{page}");
    for name in [
        "passed-challenge",
        "met-by-prompt",
        "idle-check",
        "brittle-check",
        "failed-sample",
        "passed-sample",
        "not-run",
        "stale",
        "older-answer",
        "FAIL",
        "PARTIAL",
        "ERROR",
    ] {
        assert!(out(&["explain", name]).starts_with(&format!("{name} (")), "{name}");
    }
    let table = out(&["explain"]);
    let rows: Vec<&str> = table.lines().filter_map(|row| row.split_whitespace().next()).collect();
    assert!(rows.len() > 8 && rows.contains(&"invalid-json"), "{table}");
    for row in rows {
        assert!(out(&["explain", row]).starts_with(row));
    }
}

#[test]
fn schema_prints_every_listed_schema() {
    let table = out(&["schema"]);
    let names: Vec<&str> = table.lines().filter_map(|row| row.split_whitespace().next()).collect();
    assert_eq!(names, ["0.1", "0.2", "0.3", "config", "transcript", "result", "run"]);
    for name in names {
        let schema: Value = serde_json::from_str(&out(&["schema", name])).unwrap();
        assert!(schema["$schema"].is_string(), "{name}");
    }
}

#[test]
fn list_prints_each_case_with_its_place() {
    let folder = Folder::with(&[(
        "evals/a.evals.json",
        "{ \"cases\": [\n{ \"id\": \"A\\t1\", \"prompt\": \"two\\nlines \u{202e}\u{9b}\", \"expected\": {} },\n  { \"category\": \"c\" } ] }",
    )]);
    let ran = folder.run(&["list", "evals/a.evals.json"]).ends(0);
    assert!(ran.out.contains(r"lines \u202e\u009b"), "{ran:?}");
    let range = |line: usize, start: usize, end: usize| json!({ "start": { "line": line, "column": start }, "end": { "line": line, "column": end } });
    let first = json!({ "file": "evals/a.evals.json", "line": 2, "column": 9, "id": "A\t1", "category": "general",
        "prompt": "two\nlines \u{202e}\u{9b}", "range": range(2, 1, 60) });
    let second = json!({ "file": "evals/a.evals.json", "line": 3, "column": 3, "id": "", "category": "c", "prompt": "",
        "range": range(3, 3, 22) });
    assert_eq!(ran.json(), json!([first, second]));

    let ran = folder.run_with(&["list", "-"], CLEAN.as_bytes()).json();
    assert_eq!((&ran[0]["file"], &ran[0]["id"]), (&json!("<stdin>"), &json!("BOOK1")));
}

#[test]
fn init_writes_missing_files() {
    let folder = Folder::new();
    let ran = folder.run(&["init"]).ends(0);
    assert_snapshot!(ran.out, @r"
    wrote  eval-ls.toml
    wrote  evals/first.evals.json
    wrote  evals/transcripts/first.evals/BOOK1.json
    wrote  evals/transcripts/first.evals/HOURS1.json

    Next:
      eval-ls check               find mistakes in the suites
      eval-ls run                 judge the stored answers
      eval-ls explain LINT        explain a finding
      eval-ls init python         add your own assistant; also: node, browser, http
    ");
    folder.run(&["run", "--no-results"]).prints(1, ["2 cases in 1 suite: 1 passed, 1 failed"]);
    let first = folder.read("evals/first.evals.json");
    let ran = folder.run(&["check", "--deny", "warnings"]);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (0, "", "2 cases in 1 suite, no findings\n"));

    folder.write("eval-ls.toml", "# mine\n");
    let ran = folder.run(&["init"]);
    assert!(ran.out.starts_with("kept   eval-ls.toml\nkept   evals/first.evals.json\n"), "{ran:?}");
    assert_eq!(folder.read("eval-ls.toml"), "# mine\n");
    assert_eq!(folder.read("evals/first.evals.json"), first);

    // A file of that name is not overwritten if it is not a suite.
    let folder = Folder::with(&[("eval-ls.toml", "[files]\ninclude = []\n"), ("evals/first.evals.json", "mine")]);
    folder.run(&["init"]).complains(3, ["evals/first.evals.json"]);
    assert_eq!(folder.read("evals/first.evals.json"), "mine");
}

#[test]
fn init_writes_what_coding_agents_read() {
    let folder = Folder::new();
    folder.run(&["init", "--agents"]).prints(0, ["wrote  AGENTS.md\nwrote  .github/lsp.json\nwrote  opencode.json\n"]);
    for (file, server, command) in [
        (".github/lsp.json", "/lspServers/eval-ls", json!({ "command": "eval-ls", "args": ["lsp"] })),
        ("opencode.json", "/lsp/eval-ls", json!({ "command": ["eval-ls", "lsp"] })),
    ] {
        let configuration: Value = serde_json::from_str(&folder.read(file)).unwrap();
        for (key, value) in command.as_object().unwrap() {
            assert_eq!(configuration.pointer(server).unwrap()[key], *value, "{file}");
        }
    }
    // Each command of the paragraph exists.
    let paragraph = folder.read("AGENTS.md");
    let commands = paragraph.split('`').skip(1).step_by(2).filter_map(|text| text.strip_prefix("eval-ls "));
    let commands: Vec<_> = commands.collect();
    assert_eq!(commands.len(), 8, "{commands:?}");
    let messages =
        json!([{ "role": "user", "content": "Who?" }, { "role": "assistant", "content": "The gear hub does." }]);
    folder.write("log.jsonl", json!({ "messages": messages }).to_string());
    for command in commands {
        let word = |word| match word {
            "LINT" => "unknown-key",
            "ID" => "BOOK1",
            "NAME" => "replay",
            "LOG" => "log.jsonl",
            word => word,
        };
        let ran = folder.run(&command.split(' ').map(word).collect::<Vec<_>>());
        assert!(ran.status <= 1, "{ran:?}");
    }

    folder.write("AGENTS.md", "# Mine\n");
    let kept =
        "kept   AGENTS.md\nkept   .github/lsp.json\nkept   opencode.json\n\nAdd this to AGENTS.md:\n\n## Evals\n";
    let ran = folder.run(&["init", "--agents"]).prints(0, [kept]);
    assert_eq!(folder.read("AGENTS.md"), "# Mine\n");
    assert!(!ran.out.contains("Add this to opencode.json"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn init_does_not_write_through_a_link() {
    let folder = Folder::new();
    std::fs::create_dir(folder.join("other")).unwrap();
    folder.link("evals", "other");
    folder.run(&["init"]).complains(3, ["cannot write evals/first.evals.json: evals is a link; remove it"]);
    assert_eq!(std::fs::read_dir(folder.join("other")).unwrap().count(), 0);

    let folder = Folder::with(&[("other/eval-ls.toml", "# theirs\n")]);
    folder.link("eval-ls.toml", "other/eval-ls.toml");
    let ran = folder.run(&["init", "python"]);
    ran.complains(3, ["eval-ls.toml is a link; add the target to the file that it leads to"]);
    assert_eq!(folder.read("other/eval-ls.toml"), "# theirs\n");

    let folder = Folder::new();
    folder.link("eval-ls.toml", "absent");
    let fault = "cannot write eval-ls.toml: the file already exists; it is not a file, or is a link to a file that does not exist; remove it";
    folder.run(&["init"]).complains(3, [fault]);
}

#[test]
fn an_address_does_not_become_code() {
    for url in ["http://a\"+str(exit(42))+\"b", "http://a'b", "http://a(b)", "http://a`b`"] {
        let folder = Folder::new();
        folder.run(&["init", "http", "--url", url]).ends(2);
        assert!(!folder.join("model").exists(), "{url}");
    }
    let folder = Folder::new();
    let url = "http://é.example:1/a\"b?c=\"";
    folder.run(&["init", "http", "--url", url]).ends(0);
    let program = folder.read("model/model.py");
    assert!(program.contains("\nURL = \"http://xn--9ca.example:1/a%22b?c=%22\"\n"), "{program}");
}

#[test]
fn init_beside_suites_writes_none_and_names_no_folder() {
    let folder = Folder::with(&[("suites/mine.evals.json", CLEAN)]);
    let ran = folder.run(&["init"]).ends(0);
    assert!(ran.out.starts_with("wrote  eval-ls.toml\nkept   suites/mine.evals.json\n\nNext:\n"), "{ran:?}");
    assert!(!ran.out.contains(" evals"), "{ran:?}");
}

#[test]
fn added_targets_answer() {
    let folder = Folder::with(&[("evals/a.json", CLEAN)]);
    let ran = folder.run(&["init", "python"]).ends(0);
    let lines: Vec<_> = ran.out.lines().collect();
    let place = lines[3].strip_prefix("added  [targets.agent] to eval-ls.toml:").expect("its line");
    let config = folder.read("eval-ls.toml");
    assert_eq!(config.lines().nth(place.parse::<usize>().unwrap() - 1), Some("[targets.agent]"));
    assert_eq!(lines[..3], ["wrote  eval-ls.toml", "kept   evals/a.json", "wrote  agent/agent.py"]);
    assert!(lines[6].starts_with("  edit agent/agent.py: "), "{ran:?}");
    assert_eq!(lines[7], "  eval-ls run --target agent");
    assert!(
        config.ends_with("#pass_env = [\"OPENAI_API_KEY\"]  # variables of your environment that the program sees\n")
    );

    for name in ["node", "node-2"] {
        let added = format!("wrote  {name}/{name}.mjs\nadded  [targets.{name}] to eval-ls.toml:");
        folder.run(&["init", "node"]).prints(0, [added]);
    }
    assert!(folder.read("eval-ls.toml").starts_with(&config), "nothing else changes");
    for target in ["agent", "node", "node-2"] {
        let ran = folder.run(&["run", "--target", target, "--no-results", "--format", "json"]);
        assert_eq!(ran.json()["cases"][0]["snapshot_excerpt"][0], "This program has no assistant yet.", "{ran:?}");
    }

    let ran = folder.run(&["init", "browser", "--url", "http://localhost:4000/chat", "--name", "shop"]);
    ran.prints(0, ["added  [targets.shop] to eval-ls.toml:"]);
    assert!(folder.read("eval-ls.toml").contains("url = \"http://localhost:4000/chat\""));
    // The new target answers `eval-ls run`, and `added` names the line of its table.
    let ran = folder.run(&["init", "python", "--default", "--name", "clerk"]);
    let config = folder.read("eval-ls.toml");
    let line = config.lines().position(|line| line == "[targets.clerk]").unwrap() + 1;
    let added = format!("added  [targets.clerk] to eval-ls.toml:{line}\nset    it as the target of");
    ran.prints(0, [&*added, "\n  eval-ls run\n"]);
    let ran = folder.run(&["run", "--no-results"]);
    assert!(ran.out.starts_with("clerk (python3 clerk.py), asked now"), "{ran:?}");
    folder.run(&["check"]).ends(0);
}

/// A target that is there becomes the default, and no second one is made.
#[test]
fn a_second_init_makes_no_second_default() {
    let folder = Folder::with(&[("evals/a.json", CLEAN)]);
    for kind in ["python", "node", "http", "browser"] {
        folder.run(&["init", kind]).ends(0);
    }
    let targets = folder.read("eval-ls.toml").matches("[targets.").count();
    for (words, name) in [
        (&["python"][..], "agent"),
        (&["node"], "node"),
        (&["http"], "model"),
        (&["browser"], "app"),
        (&["python", "--name", "app"], "app"),
        (&["python"], "agent"),
    ] {
        let ran = folder.run(&[&["init", "--default"], words].concat());
        let config = folder.read("eval-ls.toml");
        let line = config.lines().position(|line| line == format!("[targets.{name}]")).unwrap() + 1;
        ran.prints(0, [format!("\nkept   [targets.{name}] in eval-ls.toml:{line}\nset    it as")]);
        assert_eq!(config.matches("[targets.").count(), targets);
        let set: Vec<_> = config.lines().filter(|line| line.starts_with("target = ")).collect();
        assert_eq!(set, [format!("target = \"{name}\"")], "without the comment about stored answers");
    }
}

#[test]
fn a_target_that_cannot_be_added_changes_nothing() {
    for (config, words, fault) in [
        (
            "[targets.agent]\nkind = \"replay\"\n",
            &["python", "--name", "agent"][..],
            "the target `agent` exists already; choose another name with `--name`",
        ),
        (
            "[run]\njobs = true\n",
            &["python"],
            "eval-ls.toml has an error; correct it first: expected a whole number from 1 to 64 for `jobs`",
        ),
        ("targets = {}\n", &["python"], "the target cannot be added to eval-ls.toml: "),
        ("targets = {}\n", &["node", "--default"], "the target cannot be added to eval-ls.toml: "),
        (
            "",
            &["node", "--url", "http://localhost"],
            "`--url` is the address of a `browser` or `http` target; remove it",
        ),
        ("", &["browser", "--url", "shop"], "the target cannot be added to eval-ls.toml: "),
        ("", &["http", "--url", "shop"], "`--url`: expected an address with `http://` or `https://`"),
        ("", &["python", "--name", "../x"], "expected letters, digits, `-` and `_` only"),
    ] {
        let folder = Folder::with(&[("eval-ls.toml", config)]);
        folder.run(&[&["init"], words].concat()).complains(2, [fault]);
        assert_eq!(folder.read("eval-ls.toml"), config);
        assert!(!folder.join("agent").exists());
    }
    let folder = Folder::with(&[("agent/mine.py", "mine"), ("eval-ls.toml", "")]);
    folder.run(&["init", "python"]).complains(3, ["agent: the folder already exists; choose another name"]);
    assert!(!folder.join("agent/agent.py").exists());
    assert_eq!(folder.read("eval-ls.toml"), "");
}

/// An endpoint that answers each request with the lines of a stream. Returns its address, and the requests that it gets.
fn endpoint(path: &str, stream: &'static str) -> (String, std::sync::mpsc::Receiver<String>) {
    use std::io::{Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}{path}", listener.local_addr().unwrap());
    let (sender, requests) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let (mut text, mut part) = (String::new(), [0; 4096]);
            let is_whole = |text: &str| {
                let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
                let length = head
                    .lines()
                    .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok());
                body.len() >= length.unwrap_or_default()
            };
            while !is_whole(&text) {
                let length = connection.read(&mut part).unwrap();
                text += &String::from_utf8_lossy(&part[..length]);
            }
            sender.send(text).unwrap();
            let status = if stream.is_empty() { "401 Unauthorized" } else { "200 OK" };
            let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/event-stream\r\nConnection: close");
            write!(connection, "{head}\r\n\r\n{stream}").unwrap();
        }
    });
    (address, requests)
}

#[test]
fn a_model_behind_an_endpoint_answers() {
    let openai = "data: {\"choices\": [{\"delta\": {\"role\": \"assistant\", \"content\": \"It is \"}}]}\n\n\
                  data: {\"choices\": [{\"delta\": {\"content\": \"booked.\"}}]}\n\n\
                  data: {\"choices\": [{\"delta\": {\"tool_calls\": [{\"function\": {\"name\": \"book\"}}]}}]}\n\ndata: [DONE]\n\n";
    let anthropic = "event: message_start\ndata: {\"type\": \"message_start\", \"message\": {}}\n\n\
                     data: {\"type\": \"content_block_delta\", \"delta\": {\"type\": \"text_delta\", \"text\": \"It is \"}}\n\n\
                     data: {\"type\": \"content_block_start\", \"content_block\": {\"type\": \"tool_use\", \"name\": \"book\"}}\n\n\
                     data: {\"type\": \"content_block_delta\", \"delta\": {\"type\": \"text_delta\", \"text\": \"booked.\"}}\n\n";
    let suite = r#"{ "cases": [ { "id": "A", "prompt": "Book it.", "setup_prompts": ["Hello."],
        "expected": { "must_say_any": ["It is booked."], "tool_calls_any": ["book"] } } ] }"#;
    for (path, stream, key) in
        [("/v1/chat/completions", openai, "Authorization: Bearer k3y"), ("/v1/messages", anthropic, "x-api-key: k3y")]
    {
        let folder = Folder::with(&[("evals/a.json", suite)]);
        let (address, requests) = endpoint(path, stream);
        folder.run(&["init", "http", "--url", &address]).ends(0);
        folder.edit("eval-ls.toml", "#pass_env", "pass_env");
        let mut command = folder.command(&["run", "--target", "model", "--format", "json"]);
        Ran::from(command.env("OPENAI_API_KEY", "k3y")).ends(0);
        let (first, second) = (requests.recv().unwrap(), requests.recv().unwrap());
        assert!(first.to_lowercase().contains(&key.to_lowercase()), "{first}");
        let body =
            |request: &str| -> Value { serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap() };
        assert_eq!(body(&first)["messages"], json!([{ "role": "user", "content": "Hello." }]));
        assert_eq!(body(&second)["messages"].as_array().unwrap().len(), 3, "{second}");
    }
    let folder = Folder::with(&[("evals/a.json", suite)]);
    let (address, _requests) = endpoint("/v1/messages", "");
    folder.run(&["init", "http", "--url", &address]).ends(0);
    folder.run(&["run", "--target", "model"]).prints(5, ["/v1/messages answered 401: "]);
}

#[test]
fn an_added_program_sees_nothing_of_the_expectations() {
    let folder = Folder::with(&[("evals/a.json", CLEAN)]);
    folder.run(&["init", "python"]).ends(0);
    let shows =
        "import json, os, sys\njson.dump({'response': json.dumps([sorted(os.listdir('.')), sys.argv])}, sys.stdout)\n";
    folder.write("agent/agent.py", shows);
    let ran = folder.run(&["run", "--target", "agent", "--no-results", "--format", "json"]);
    assert_eq!(ran.json()["cases"][0]["snapshot_excerpt"][0], r#"[["agent.py"], ["agent.py"]]"#, "{ran:?}");
}

#[test]
pub(crate) fn every_shell_has_completions() {
    // `tests/shells/run` tries the scripts in the shells.
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(out(&["completions", shell]).contains("max-failures"), "{shell}");
    }
}

#[test]
fn licenses_names_the_code_of_others() {
    let texts = out(&["licenses"]);
    for text in
        ["MIT License", "University of Cambridge", "tower-lsp-server", "Apache License", "Microsoft Corporation"]
    {
        assert!(texts.contains(text), "{text}");
    }
}

#[test]
fn the_version_names_the_dialect() {
    let version = out(&["--version"]);
    let mut lines = version.lines();
    assert_eq!(lines.next(), Some(concat!("eval-ls ", env!("CARGO_PKG_VERSION"))));
    assert!(lines.next().is_some_and(|line| line.starts_with("PCRE2 10.")), "{version}");
    assert_eq!(out(&["-V"]).lines().count(), 1);
}
