use serde_json::{Value, json};

use super::*;

fn imported(file: &Value) -> Imported {
    import("suite", &file.to_string(), Syntax::Json, &Columns::default()).unwrap()
}

/// Everything that is written for a file.
fn everything(imported: &Imported) -> String {
    let transcripts: Vec<String> = imported.transcripts.iter().map(Transcript::to_json).collect();
    format!("{}{}{:?}", imported.suite, transcripts.concat(), imported.left_out)
}

#[test]
fn no_key_is_dropped_in_silence() {
    let shapes = [
        json!("WORD"),
        json!(["WORD", "OTHER"]),
        json!({ "KEY": "WORD" }),
        json!([{ "KEY": "WORD" }]),
        json!([{ "name": "WORD", "args": { "a": 1 } }]),
        json!([{ "role": "user", "content": "WORD" }]),
        json!([{ "type": "icontains", "value": "WORD" }]),
        json!([{ "type": "llm-rubric", "value": "WORD" }]),
        json!([["WORD"]]),
        json!(1047),
        json!(true),
    ];
    let mut tried = 0;
    for name in columns::all_names().chain(["unheard_of"]) {
        for shape in &shapes {
            let mut case = json!({ "zz_prompt": "p" });
            case[name] = shape.clone();
            let columns = Columns::default().with("zz_prompt", Role::Prompt(0));
            let Ok(imported) = import("suite", &json!([case]).to_string(), Syntax::Json, &columns) else {
                panic!("{case}")
            };
            let everything = everything(&imported);
            let words: Vec<&str> =
                ["WORD", "OTHER", "1047"].into_iter().filter(|word| shape.to_string().contains(word)).collect();
            let is_said = !words.is_empty() && words.iter().all(|word| everything.contains(word));
            let is_named = everything.contains(&format!("`{name}"));
            let is_role = matches!(shape, Value::Bool(_)) && everything.contains("\"true\"");
            // The type of an assertion is the reason why it is left out.
            assert!(is_said || is_named || is_role || everything.contains("llm-rubric"), "{case} becomes {everything}");
            tried += 1;
        }
    }
    assert!(tried > 1_000, "{tried}");
}

#[test]
fn each_type_of_assertion_is_said_or_listed() {
    let suite = |kind: &str, value: Value| {
        let file = json!([{ "vars": { "question": "q" }, "assert": [{ "type": kind, "value": value }] }]);
        let imported = imported(&file);
        (imported.suite["cases"][0]["expected"].clone(), imported.left_out)
    };
    for (kind, value, expected) in [
        ("icontains", json!("a"), json!({ "must_say_any": ["a"] })),
        ("icontains-any", json!(["a", "b"]), json!({ "must_say_any": ["a", "b"] })),
        ("icontains-all", json!(["a.", "b"]), json!({ "must_match_regex": ["a\\.", "b"] })),
        ("not-icontains", json!("a"), json!({ "must_not_say": ["a"] })),
        ("not-icontains-any", json!(["a", "b"]), json!({ "must_not_say": ["a", "b"] })),
        ("regex", json!("^a+$"), json!({ "must_match_regex": ["(?-i)^a+$"] })),
        ("not-regex", json!("a+"), json!({ "must_not_match_regex": ["(?-i)a+"] })),
        ("trajectory:tool-used", json!("t"), json!({ "tool_calls_any": ["t"] })),
        ("not-trajectory:tool-used", json!(["t", "u"]), json!({ "tool_calls_none": ["t", "u"] })),
    ] {
        assert_eq!(suite(kind, value), (expected, Vec::new()), "{kind}");
    }
    for kind in ["contains", "not-contains", "contains-any", "equals", "not-equals", "starts-with"] {
        let (expected, left_out) = suite(kind, json!("a"));
        assert!(expected != json!({}) && left_out.len() == 1, "{kind}: {expected} {left_out:?}");
    }
    for kind in
        ["not-contains-all", "llm-rubric", "javascript", "cost", "is-json", "rouge-n", "unheard-of", "assert-set"]
    {
        let (expected, left_out) = suite(kind, json!(["a", "b"]));
        assert!(expected == json!({}) && !left_out.is_empty(), "{kind}: {expected} {left_out:?}");
    }
    for value in [json!("{{missing}}"), json!("file://x.txt"), json!({ "a": 1 }), json!(""), Value::Null] {
        let (expected, left_out) = suite("icontains", value);
        assert!(expected == json!({}) && left_out.len() == 1, "{expected} {left_out:?}");
    }
}

#[test]
fn an_answer_without_its_tool_calls_is_not_stored_if_tools_count() {
    let file =
        |calls: Value| json!([{ "question": "q", "response": "r", "expected_tools": ["t"], "tools_called": calls }]);
    assert_eq!(imported(&file(Value::Null)).transcripts, []);
    assert!(imported(&file(Value::Null)).left_out[0].0.starts_with("its answer is not stored"));
    assert_eq!(imported(&file(json!(["t"]))).transcripts[0].telemetry.len(), 1);
}

#[test]
fn numbers_keep_their_digits() {
    let text = r#"[{ "id": 1.50, "question": "q", "expected_numbers": [0.10, 12345678901234567890123] }]"#;
    let imported = import("suite", text, Syntax::Json, &Columns::default()).unwrap();
    let written = suite_text(&imported.suite);
    for number in ["\"1.50\"", "\"0.10\"", "\"12345678901234567890123\""] {
        assert!(written.contains(number), "{written}");
    }
}

#[test]
fn yaml_and_tables_are_read_as_they_are_written() {
    let yaml = Syntax::Yaml.read("a: &x [1.50, true, ~, 'no', yes]\nb: *x\n? c\n: |\n  two\n  lines\n").unwrap();
    let list = json!(["1.50", true, null, "no", "yes"]);
    assert_eq!(yaml, json!({ "a": list, "b": list, "c": "two\nlines\n" }));
    let table = Syntax::Csv.read("\u{feff}a;b;b\r\n\"x;\n\"\"y\"\"\";1,5;\r\n\r\nz").unwrap();
    assert_eq!(table, json!([{ "a": "x;\n\"y\"", "b": "1,5", "b 2": "" }, { "a": "z" }]));
}

#[test]
fn ids_are_distinct_and_selectable() {
    let ids = ["a", "a", "a-2", "", "with, comma", "it's ’fine’", "Ärger/mit:allem", &"long ".repeat(40)];
    let file: Vec<Value> = ids.iter().map(|id| json!({ "id": id, "question": "q" })).collect();
    let imported = imported(&Value::Array(file));
    let cases = imported.suite["cases"].as_array().unwrap();
    let given: Vec<&str> = cases.iter().map(|case| case["id"].as_str().unwrap()).collect();
    let long = ["long"; 12].join("-");
    assert_eq!(given, ["a", "a-2", "a-2-2", "case-4", "with-comma", "its-fine", "ärger-mit-allem", &long]);
}

#[test]
fn the_page_names_every_key() {
    let page = include_str!("../../docs/import.md");
    let known = columns::all_names().chain(KEYS.map(|(key, _)| key));
    let missing: Vec<&str> = known.filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, [""; 0]);
}
