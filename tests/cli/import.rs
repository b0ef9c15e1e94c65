//! `import`: the files of other programs in `import/`, each with the suite that a person would write.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use regex::Regex;
use serde_json::json;

use super::CLEAN;
use crate::support::{Folder, Numbers, Ran};

fn files(folder: &Folder) -> BTreeMap<String, String> {
    let texts = folder.files().into_iter();
    texts.map(|(path, text)| (path.to_str().unwrap().replace('\\', "/"), String::from_utf8(text).unwrap())).collect()
}

fn import(folder: &Folder, name: &str) -> Ran {
    let columns = "prompt=frage,must_say_any=Stichwort,must_not_say=Verboten";
    // Nobody knows the keys of this one.
    let options = ["--columns", columns, "--columns", "required_sources=Quelle"];
    let options = if name == "museum.csv" { &options[..] } else { &[] };
    folder.run(&[&["import", name], options].concat())
}

/// The page of the notes that an import has printed. The ids of the file are those of the present page.
fn notes(name: &str, printed: &str, ids: &[&str], present: &str) -> String {
    let list = |cases: &str| -> String { cases.split(", ").map(|case| format!("  - {case}\n")).collect() };
    let mut notes = String::new();
    if let Some((_, printed)) = printed.split_once("\nNot in the suite:\n") {
        for line in printed.lines().take_while(|line| !line.is_empty()) {
            let (note, cases) = line.trim().rsplit_once(": ").unwrap();
            let all = ids.join(", ");
            notes += &format!("- {note}\n{}", list(if cases == "all cases" { &all } else { cases }));
        }
    }
    if let Some((_, printed)) = printed.split_once("\nIds that differ from the file: ") {
        let original = |id: &str| present.split_once(&format!("  - {id} is ")).unwrap().1.lines().next().unwrap();
        let with_original = |id: &str| format!("{id} is {}", original(id));
        let ids: Vec<_> = printed.lines().next().unwrap().split(", ").map(with_original).collect();
        notes += &format!("- ids that differ\n{}", ids.iter().map(|id| format!("  - {id}\n")).collect::<String>());
    }
    let notes = if notes.is_empty() { "The suite has everything.\n".into() } else { format!("```text\n{notes}```\n") };
    format!("# Not in the suite\n\nIt was imported from `{name}`.\n\n{notes}")
}

#[test]
fn each_file_becomes_what_a_person_would_write() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/import");
    let entries = fs::read_dir(&examples).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file());
    let names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    assert!(names.len() >= 15, "{names:?}");
    for name in names {
        let folder = Folder::new();
        let source = fs::read_to_string(examples.join(&name)).unwrap();
        folder.write(&name, &source);
        let ran = import(&folder, &name);
        let mut written = files(&folder);
        assert_eq!(written.remove(&name), Some(source), "{name}");
        // What the next import compares with has the cases of the suite, and the notes are those that are printed.
        let shown = written.iter().filter(|(path, _)| !path.contains(".import."));
        let listed: Vec<_> = shown.map(|(path, text)| format!("=== {path}\n{text}")).collect();
        let printed = format!("exit {}\n{}{}", ran.status, ran.out, ran.err);
        assert_snapshot!(format!("import_{name}"), format!("{printed}\n{}", listed.join("\n")));

        let suite = written.keys().find(|path| path.ends_with(".evals.json")).cloned();
        let Some(suite) = suite else {
            assert_eq!(ran.status, 3, "{ran:?}");
            continue;
        };
        let [kept, made] = [suite.replace(".evals.json", ".import.json"), suite.clone()]
            .map(|path| serde_json::from_str::<serde_json::Value>(&written[&path]).unwrap());
        assert_eq!((&kept["format"], &kept["cases"]), (&json!("eval-ls/import@1"), &made["cases"]), "{name}");
        let ids: Vec<_> = made["cases"].as_array().unwrap().iter().map(|case| case["id"].as_str().unwrap()).collect();
        let page = &written[&suite.replace(".evals.json", ".import.md")];
        assert_eq!(*page, notes(&name, &ran.out, &ids, page), "{name}");
        // What is wrong is what the source says, never how the suite is written.
        folder.run(&["check", &suite, "--format", "concise"]).ends(0);
        let again = import(&folder, &name);
        assert!(!again.out.contains("wrote"), "{again:?}");
        let mut after = files(&folder);
        after.remove(&name);
        assert_eq!(after, written, "{name}");
    }
}

#[test]
fn each_log_becomes_the_same_proved_suite() {
    let logs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/import/logs");
    let names: Vec<String> = fs::read_dir(&logs)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".jsonl"))
        .collect();
    assert_eq!(names.len(), 10);
    for name in names {
        let folder = Folder::new();
        folder.write("log.jsonl", fs::read_to_string(logs.join(&name)).unwrap());
        let ran = folder.run(&["import", "log.jsonl", "--propose"]);
        let lines =
            ["6 cases of 10 conversations\n", "cases with checks: 6 of 6\n", "  it is equal to an earlier one: "];
        let is_proved = ran.err.contains("6 cases fail all ") && lines.iter().all(|line| ran.out.contains(line));
        assert!(ran.status == 0 && is_proved, "{name}: {ran:?}");
        folder.run(&["run", "--no-results", "log.evals.json"]).prints(0, ["6 passed"]);
        // The right tools, and other words.
        for (path, text) in files(&folder).into_iter().filter(|(path, _)| path.starts_with("transcripts/")) {
            let mut transcript: serde_json::Value = serde_json::from_str(&text).unwrap();
            transcript["response"] = json!("Done! I have taken care of it.");
            folder.write(&path, transcript.to_string());
        }
        folder.run(&["run", "--no-results", "log.evals.json"]).prints(1, ["6 failed"]);
    }
}

#[test]
fn a_log_that_grows_keeps_the_checks_of_its_cases() {
    let lines: Vec<&str> = include_str!("import/logs/openai.jsonl").lines().collect();
    let folder = Folder::with(&[("log.jsonl", &lines[..3].join("\n"))]);
    folder.run(&["import", "log.jsonl", "--propose"]).ends(0);
    let cases = || serde_json::from_str::<serde_json::Value>(&folder.read("log.evals.json")).unwrap()["cases"].take();
    let before = cases();
    let again = folder.run(&["import", "log.jsonl"]);
    assert!(again.out.contains("kept   log.evals.json") && again.out.contains("with checks: 3 of 3"), "{again:?}");
    // The last line is not written to its end.
    folder.write("log.jsonl", format!("\u{feff}{}\n{{\"messages\": [", lines.join("\n")));
    let ran = folder.run(&["import", "log.jsonl", "--propose"]);
    assert!(ran.out.contains("new in the file: ") && !ran.out.contains("changed in the file"), "{ran:?}");
    assert!(ran.out.contains("line 11 cannot be read: "), "{ran:?}");
    let after = cases();
    assert_eq!(
        (&after.as_array().unwrap()[..3], after.as_array().unwrap().len()),
        (&before.as_array().unwrap()[..], 6)
    );
}

#[test]
fn logs_together_have_each_question_once() {
    let line = |answer: &str| {
        let messages = [("user", "Who runs the mill?"), ("assistant", answer)];
        json!({ "messages": messages.map(|(role, content)| json!({ "role": role, "content": content })) }).to_string()
    };
    let [a, b] = [line("Greta Holm runs it."), line("Nils Aker runs it.")];
    let folder = Folder::with(&[("a.jsonl", &a), ("b.jsonl", &format!("{b}\n{a}"))]);
    let ran = folder.run(&["import", "a.jsonl", "b.jsonl", "--propose", "--output", "all.evals.json"]);
    let lines = [
        "a log of OpenAI, 1 case of 3 conversations\n",
        "  it asks the same as an earlier one, and its answer differs: b.jsonl: line 1\n",
        "  it is equal to an earlier one: b.jsonl: line 2\n",
    ];
    assert!(lines.iter().all(|line| ran.out.contains(line)), "{ran:?}");
    folder
        .run(&["import", "a.jsonl", "--columns", "prompt=x"])
        .complains(3, ["it is a log of OpenAI, whose keys are known; remove `--columns`"]);
    folder.write("done.jsonl", line("Done."));
    folder
        .run(&["import", "done.jsonl", "--propose"])
        .complains(3, ["no answer has anything that a check can look for"]);
    assert!(!folder.join("done.evals.json").exists());
}

#[test]
fn an_own_file_is_never_replaced() {
    let folder = Folder::with(&[
        ("q.json", r#"[{ "question": "When?", "must_contain": ["ten"], "response": "At ten." }]"#),
        ("q.evals.json", CLEAN),
    ]);
    folder.run(&["import", "q.json"]).complains(3, ["`q.evals.json` exists, and no import has written it"]);
    assert_eq!(folder.read("q.evals.json"), CLEAN);
    assert!(!folder.join("transcripts").exists());
    folder.run(&["import", "q.json", "--output", "new/q.evals.json"]).ends(0);
    assert!(folder.join("new/transcripts/q.evals/when.json").exists());
    folder.write("other/q.json", folder.read("q.json"));
    folder.write("other/q.import.md", "my notes");
    folder.run(&["import", "other/q.json"]).complains(3, ["`other/q.import.md` exists and is not from an import"]);
    assert_eq!(folder.read("other/q.import.md"), "my notes");
    folder.run(&["run", "new/q.evals.json"]).prints(0, ["PASS    when"]);
}

#[test]
fn a_second_import_merges() {
    let file = |cases: &[(&str, &str)]| {
        let case = |(id, phrase): &(&str, &str)| json!({ "id": id, "question": "When?", "must_contain": [phrase], "response": format!("At {phrase}.") });
        cases.iter().map(case).collect::<serde_json::Value>().to_string()
    };
    let folder = Folder::with(&[("q.json", &file(&[("a", "ten"), ("b", "ten"), ("c", "ten")]))]);
    folder.run(&["import", "q.json"]).ends(0);
    folder.edit("q.evals.json", "\"id\": \"b\",", "\"id\": \"b\", \"category\": \"mine\",");
    folder.write("q.json", file(&[("a", "noon"), ("b", "noon"), ("d", "noon")]));
    let lines = [
        "new in the file: d\n",
        "changed in the file: a\n",
        "no longer in the file, but stay in the suite: c\n",
        "b: edited in the suite, and stays as it is\n",
        "  expected.must_say_any: [\"noon\"] in the file\n",
        "kept   stored answers that differ from the file's (remove one to take the file's): a, b\n",
    ];
    let ran = folder.run(&["import", "q.json"]);
    assert!(lines.iter().all(|line| ran.out.contains(line)), "{ran:?}");
    let suite = folder.read("q.evals.json");
    for (text, count) in [("mine", 1), ("noon", 2), ("ten", 2)] {
        assert_eq!(suite.matches(text).count(), count, "{suite}");
    }
    assert!(folder.read("transcripts/q.evals/a.json").contains("At ten."));
    // A third import changes nothing.
    let before = folder.files();
    folder.run(&["import", "q.json"]);
    assert_eq!(folder.files(), before);
}

#[test]
fn files_become_one_suite_only_if_it_has_a_name() {
    let folder = Folder::with(&[
        ("a.yaml", "id: one\nprompt: Say A.\nmust_contain: [a]\n"),
        ("b.yaml", "id: two\nprompt: Say B.\nmust_contain: [b]\n"),
    ]);
    folder.run(&["import", "a.yaml", "b.yaml"]).prints(0, ["wrote  a.evals.json", "wrote  b.evals.json"]);
    let own = folder.run(&["import", "a.yaml", "--output", "a.yaml"]);
    assert!(own.err.contains("the output `a.yaml` is read by this command"), "{own:?}");
    let ran = folder.run(&["import", "a.yaml", "b.yaml", "--output", "all.evals.json"]);
    ran.prints(0, ["cases with checks: 2 of 2"]);
}

/// A configuration names a file beside it through a link that leads out.
#[cfg(unix)]
#[test]
fn files_of_a_configuration_stay_below_its_folder() {
    let config = "prompts: ['{{q}}']\nproviders: [x]\ntests: ['t/*.yaml', link.yaml, '../out.yaml', /etc/hostname]\n";
    let folder = Folder::with(&[
        ("in/promptfooconfig.yaml", config),
        ("in/t/a.yaml", "- vars: { q: a }\n  assert: [{ type: icontains, value: x }]\n"),
        ("out.yaml", "- vars: { q: secret }\n"),
    ]);
    folder.link("in/link.yaml", folder.join("out.yaml"));
    folder.link("in/t/b.yaml", folder.join("out.yaml"));
    let ran = folder.run(&["import", "in/promptfooconfig.yaml"]);
    let texts = ["a configuration of promptfoo, 1 case\n", "`link.yaml` is not read", "`../out.yaml` is not read"];
    assert!(texts.iter().chain(&["`/etc/hostname`"]).all(|text| ran.out.contains(text)), "{ran:?}");
    assert!(!folder.read("in/promptfooconfig.evals.json").contains("secret"));
    // A file that is named without a folder.
    let config = "prompts: [file://p.txt]\nproviders: [x]\ntests: [{ vars: { q: a, r: b } }]\n";
    let folder = Folder::with(&[("c.yaml", config), ("p.txt", "Say {{q}}")]);
    folder.run(&["import", "c.yaml"]).ends(1);
    assert!(folder.read("c.evals.json").contains("\"Say a\""));
}

/// The rules of promptfoo's assertions, as its documentation states them.
fn source_accepts(kind: &str, values: &[&str], answer: &str) -> bool {
    let lower = answer.to_lowercase();
    let has = |value: &&str| answer.contains(*value);
    let has_lower = |value: &&str| lower.contains(&value.to_lowercase());
    match kind.strip_prefix("not-").unwrap_or(kind) {
        "contains" | "contains-any" => values.iter().any(has),
        "contains-all" => values.iter().all(has),
        "icontains" | "icontains-any" => values.iter().any(has_lower),
        "icontains-all" => values.iter().all(has_lower),
        "equals" => answer == values[0],
        "starts-with" => answer.starts_with(values[0]),
        "regex" => Regex::new(values[0]).unwrap().is_match(answer),
        other => panic!("{other}"),
    }
}

#[test]
fn an_answer_that_the_source_accepts_never_fails() {
    let kinds = ["contains", "contains-any", "contains-all", "icontains", "icontains-any", "icontains-all", "equals"];
    let kinds =
        kinds.into_iter().chain(["starts-with", "regex"]).flat_map(|kind| [kind.to_owned(), format!("not-{kind}")]);
    let kinds: Vec<String> = kinds.collect();
    let words = ["US", "us", "Rose", "rose.", "a (b)", "Sure", "x\ny"];
    let answers =
        ["US", "ask us at the desk", "Rose\nUS", "Sure, a rose.", "no\nSure", "x\ny", "a (b)", "A (B)\nus", "x"];
    let patterns = [
        "US",
        "^US",
        "(?i)^ask",
        r"Rose\s+US",
        r"no\W*Sure",
        r"(?s)x.y",
        r"x\ny",
        "[^a]US",
        r"Sure, \w+",
        r"\(b\)\s",
        r"[\s\S]US$",
        r"(Rose|x)\s\w",
        r"\D+b",
        r"\bSure\b[^!]*",
        r"no\r?\nSure",
    ];
    let mut numbers = Numbers(7);
    let mut next = |below| numbers.below(below);
    let mut cases = Vec::new();
    while cases.len() < 1_500 {
        let (kind, answer) = (&kinds[next(kinds.len())], answers[next(answers.len())]);
        let base = kind.strip_prefix("not-").unwrap_or(kind);
        let count = if base.ends_with("any") || base.ends_with("all") { 1 + next(3) } else { 1 };
        let mut values: Vec<String> = (0..count).map(|_| words[next(words.len())].to_owned()).collect();
        if base == "regex" {
            patterns[next(patterns.len())].clone_into(&mut values[0]);
        }
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        if source_accepts(kind, &values, answer) != kind.starts_with("not-") {
            let value = if count == 1 { json!(values[0]) } else { json!(values) };
            let id = format!("c{}", cases.len());
            cases.push(json!({
                "id": id, "prompt": "What?", "response": answer, "assert": [{ "type": kind, "value": value }]
            }));
        }
    }
    // The rules of lists: each, one or none of the phrases is in the answer, in upper or lower case.
    while cases.len() < 2_000 {
        let answer = answers[next(answers.len())];
        let values: Vec<&str> = (0..1 + next(3)).map(|_| words[next(words.len())]).collect();
        let has = |value: &&str| answer.to_lowercase().contains(&value.to_lowercase());
        for (key, accepts) in [
            ("must_contain", values.iter().all(has)),
            ("keywords", values.iter().any(has)),
            ("required_keywords", values.iter().all(has)),
            ("must_contain_any", values.iter().any(has)),
            ("must_not_contain", !values.iter().any(has)),
        ] {
            if accepts {
                let id = format!("c{}", cases.len());
                cases.push(json!({ "id": id, "prompt": "What?", "response": answer, key: values }));
            }
        }
    }
    let count = cases.len();
    let folder = Folder::with(&[("q.json", &json!(cases).to_string())]);
    let ran = folder.run(&["import", "q.json"]);
    assert!(ran.out.contains(&format!("{count} cases, {count} answers")), "{ran:?}");
    let run = folder.run(&["run", "q.evals.json", "--format", "jsonl"]);
    let failed: Vec<&str> = run.out.lines().filter(|line| line.contains("\"FAIL\"")).take(3).collect();
    let passed = run.out.lines().filter(|line| line.contains("\"PASS\"")).count();
    assert!(failed.is_empty() && passed >= 1_000, "{passed} passed; {failed:#?}");
}

/// Excel writes the delimiter above the header, and "Unicode text" in UTF-16.
#[test]
fn tables_of_excel_are_read() {
    let rows = |delimiter: char| format!("id{delimiter}prompt{delimiter}must_contain\na{delimiter}hi{delimiter}x\n");
    let imported = |bytes: &[u8]| {
        let folder = Folder::new();
        folder.write("q.csv", bytes);
        folder.run(&["import", "q.csv"]).ends(0);
        folder.read("q.evals.json")
    };
    let expected = imported(rows(',').as_bytes());
    for (first, delimiter) in [
        ("sep=;", ';'),
        ("sep=,", ','),
        ("sep=\t", '\t'),
        ("sep=|", '|'),
        ("\"sep=;\"", ';'),
        ("\"sep=\t\"", '\t'),
        ("SEP=;", ';'),
        ("\u{feff}sep=;", ';'),
    ] {
        for end in ["\n", "\r\n"] {
            let text = format!("{first}\n{}", rows(delimiter)).replace('\n', end);
            assert_eq!(imported(text.as_bytes()), expected, "{text:?}");
        }
    }
    let units: Vec<u16> = format!("\u{feff}{}", rows('\t')).encode_utf16().collect();
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = units.iter().flat_map(|unit| order(*unit)).collect();
        assert_eq!(imported(&bytes), expected);
        // Half a character is an error.
        let folder = Folder::new();
        folder.write("q.csv", &bytes[..bytes.len() - 1]);
        assert!(folder.run(&["import", "q.csv"]).err.contains("invalid UTF-8 at byte 0"));
    }
}

#[test]
fn what_cannot_be_read_says_where_and_why() {
    let check = |name: &str, text: &str, columns: &[&str], status: i32, fault: &str| {
        let folder = Folder::with(&[(name, text)]);
        folder.run(&[&["import", name], columns].concat()).complains(status, [fault]);
        assert_eq!(folder.files().len(), 1, "{text}");
    };
    for (name, text, fault) in [
        ("a.json", "[{ \"question\": \"x\" ]", "line 1, column 19: expected `}`"),
        ("a.jsonl", "{\"question\": \"x\"}\n{\"question\": }\n", "line 2, column 13: expected a value"),
        ("a.yaml", "a: [1, 2\nb: }", "line 2, column "),
        ("a.yaml", "--- 1\n--- 2\n", "several YAML documents"),
        ("a.csv", "question,answer\na,b,c\n", "row 1 has 3 fields, and the first line names 2"),
        ("a.csv", "", "it has no objects in a list or in rows, so it has no cases"),
        ("a.csv", "question,a\n\"x,y\nz,w\n", "a double quote has no partner"),
        ("a.json", "[{ \"prompt\": \"x\",\n \"prompt\": \"y\" }]", "line 2, column 2: the key `prompt` is there twice"),
        ("a.yaml", "- prompt: x\n  prompt: y\n", "the key `prompt` is there twice"),
        ("a.yaml", "- prompt: x\n  must_contain: !include y\n", "the tag `!include` is not supported"),
        ("a.yaml", "- prompt: x\n  must_contain: !x [y]\n", "the tag `!x` is not supported"),
        ("a.yaml", "- !x { prompt: x }\n", "the tag `!x` is not supported"),
        (
            "a.json",
            "{ \"prompts\": [\"{{q}}\"], \"tests\": [{}] }",
            "none of its 1 case has a prompt: the prompt needs",
        ),
        ("a.json", "[{ \"text\": \"x\" }]", "none of its keys is a prompt: `text`; name the one that is"),
        ("a.json", "{}", "it has no objects in a list or in rows"),
        ("a.json", "[]", "it has no objects in a list or in rows"),
        ("a.json", "3", "it has no objects in a list or in rows"),
        ("a.json", CLEAN, "it is a suite already"),
        ("a.json", "{ \"format\": \"eval-ls/transcript@2\" }", "eval-ls has written it"),
    ] {
        check(name, text, &[], 3, fault);
    }
    for (columns, fault) in [
        ("prompt=", "expected the name of a key in the file after `prompt=`"),
        ("say=text", "`say` is not a key of a case; the keys are id, category,"),
        ("text", "expected `KEY=NAME`"),
    ] {
        check("a.json", "[{ \"text\": \"x\" }]", &["--columns", columns], 2, fault);
    }
    Folder::new().run(&["import", "missing.json"]).ends(3);
}

#[test]
fn hostile_files_are_inert() {
    let bomb: String = (1..40).map(|level| format!("a{level}: &a{level} [*a{0}, *a{0}]\n", level - 1)).collect();
    let deep = "[".repeat(100_000);
    let names = r#"[{ "id": "../../up", "question": "\u001b[31m::error::x", "must_contain": ["y"], "response": "y", "\u001b]0;x": 1, "```\n```\n![x](//x.example)": 1 }]"#;
    for (name, text) in [
        ("bomb.yaml", format!("a0: &a0 [x]\n{bomb}")),
        ("deep.yaml", deep.clone()),
        ("deep.json", deep),
        ("names.json", names.to_owned()),
    ] {
        let folder = Folder::new();
        folder.write(format!("inner/{name}"), text);
        let ran = folder.run(&["import", &format!("inner/{name}")]);
        assert_eq!(ran.status, if name == "names.json" { 0 } else { 3 }, "{ran:?}");
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{ran:?}");
        let written = files(&folder);
        assert!(written.keys().all(|path| path.starts_with("inner/")), "{written:?}");
        // Nothing in the list ends the block that a preview of Markdown shows as it is.
        let ends = |list: &String| list.lines().filter(|line| line.trim_start().starts_with("```")).count();
        assert!(written.get("inner/names.import.md").is_none_or(|list| ends(list) == 2), "{written:?}");
    }
}

#[test]
fn check_in_a_folder_names_the_files_that_import_reads() {
    let folder = Folder::with(&[
        ("eval/a.test.json", r#"[{ "query": "x", "expected_tool_use": [] }]"#),
        ("package.json", r#"{ "name": "x" }"#),
        ("node_modules/b.json", r#"[{ "question": "x" }]"#),
    ]);
    let line = "1 file skipped: `eval/a.test.json` (a test file of Google ADK; `eval-ls import eval/a.test.json` makes";
    let ran = folder.run(&["check"]).complains(0, [line]);
    assert!(!ran.err.contains("node_modules") && !ran.err.contains("package.json"), "{ran:?}");
}

#[test]
fn check_says_what_a_named_file_is() {
    let lines = "{\"question\": \"x\"}\n{\"question\": \"y\"}\n";
    let triggers = r#"[{ "query": "x", "should_trigger": true }]"#;
    for (name, text, what) in [
        ("a.json", r#"{ "eval_cases": [] }"#, "an eval set of Google ADK; `eval-ls import a.json` makes a suite of it"),
        ("a b.csv", "question,expectedResponse\nx,y\n", "a test set of Copilot Studio; `eval-ls import 'a b.csv'`"),
        ("a.jsonl", lines, "it is a list of prompts; `eval-ls import a.jsonl`"),
        ("a.json", triggers, "cannot make a suite of it, because it tests whether"),
        ("a.yaml", "prompts: [x]\ntests: []\n", "it is a configuration of promptfoo; `eval-ls import a.yaml`"),
        ("a.json", r#"[{ "colour": "red" }]"#, "it is a list of objects with `colour`"),
    ] {
        let ran = Folder::with(&[(name, text)]).run(&["check", name]);
        assert!(ran.err.contains(what) && !ran.out.contains("did you mean"), "{text}: {ran:?}");
    }
}

#[test]
fn personal_data_is_counted_or_replaced() {
    let cases = json!([
        { "id": "a", "question": "I am CU-004217. When?", "must_contain": ["ada@harbour.io"], "response": "Ten, ada@harbour.io." },
        { "question": "Am I bob@harbour.io?", "must_contain": ["yes"], "response": "Yes, Bob@harbour.io." },
    ]);
    let folder =
        Folder::with(&[("eval-ls.toml", "[redact]\npatterns = ['\\bCU-\\d{6}\\b']\n"), ("q.json", &cases.to_string())]);
    let found = "2 e-mail addresses and 1 match of `[redact] patterns`, in 5 places";
    let ran = folder.run(&["import", "q.json"]);
    assert!(ran.err.contains(&format!("warning: the cases have {found}; `--redact` replaces them\n")), "{ran:?}");

    // An unedited case follows the file. An answer stays, and so does a case that is not in the file any more: its id was its prompt.
    let left = "warning: personal data stays in 3 files, which an import does not replace; edit or delete them, and import again: \
                q.evals.json, transcripts/q.evals/a.json, transcripts/q.evals/am-i-bob-harbour.io.json\n";
    let ran = folder.run(&["import", "q.json", "--redact"]);
    assert!(ran.status == 1 && ran.err.contains(left) && ran.out.contains(&format!("redacted: {found}\n")), "{ran:?}");

    fs::remove_file(folder.join("q.evals.json")).unwrap();
    fs::remove_dir_all(folder.join("transcripts")).unwrap();
    folder.run(&["import", "q.json", "--redact"]).ends(0);
    let mut written = files(&folder);
    written.retain(|path, _| !matches!(&**path, "q.json" | "eval-ls.toml"));
    assert_eq!(written.len(), 5, "{written:?}");
    for (path, text) in &written {
        let all = format!("{path} {text}");
        assert!(["ada", "bob", "harbour", "4217"].iter().all(|part| !all.contains(part)), "{all}");
    }
    folder.run(&["run", "q.evals.json"]).prints(0, ["PASS    a ", "PASS    am-i-person2-example.com "]);

    // What is redacted is imported without a change.
    let names = [
        ("ada@harbour.io", "person1@example.com"),
        ("bob@harbour.io", "person2@example.com"),
        ("CU-004217", "REDACTED-1"),
    ];
    let redacted =
        names.iter().fold(cases.to_string().replace("Bob", "bob"), |text, (from, to)| text.replace(from, to));
    folder.write("again.json", redacted);
    let ran = folder.run(&["import", "again.json", "--redact", "--output", "q.evals.json"]);
    assert!(ran.status == 0 && !ran.out.contains("redacted:") && ran.out.contains("kept   q.evals.json"), "{ran:?}");

    folder.run(&["import", "again.json", "--output", "q.evals.json"]).complains(2, ["personal data was replaced"]);

    folder.write("eval-ls.toml", "[redact]\npatterns = ['(a+']\n");
    let ran = folder.run(&["import", "q.json", "--redact", "--output", "new.evals.json"]);
    ran.complains(2, ["eval-ls.toml` has errors; `eval-ls check` shows them"]);
    assert!(!folder.join("new.evals.json").exists());
    folder.run(&["check", "eval-ls.toml"]).prints(2, ["the pattern `(a+` does not compile, at character 1"]);
}
