use serde_json::{Value, json};

use super::*;
use crate::pattern::whole_number;

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
    for name in crate::foreign::columns::all_names().chain(["unheard_of"]) {
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
            let is_role = matches!(shape, Value::Bool(_)) && everything.contains("true\"");
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
        ("regex", json!("a|b"), json!({ "must_match_regex": ["(?-i)a|b"] })),
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
fn an_answer_whose_tool_calls_cannot_all_be_read_is_not_stored() {
    let file =
        |calls: Value| json!([{ "question": "q", "response": "r", "forbidden_tools": ["del"], "tools_called": calls }]);
    let read = imported(&file(json!([{ "type": "function", "function": { "name": "del", "arguments": "{}" } }])));
    assert_eq!(read.transcripts[0].telemetry[0].object().unwrap()["source"], "tool.del");
    assert_eq!(imported(&file(json!("a, b"))).transcripts[0].telemetry.len(), 2);
    assert_eq!(imported(&file(json!(["Get Weather"]))).transcripts[0].telemetry.len(), 1);
    assert_eq!(imported(&file(json!([]))).transcripts[0].telemetry.len(), 0);
    let unread = imported(&file(json!([{ "name": "a" }, { "what": "del" }])));
    assert!(unread.transcripts.is_empty() && unread.left_out.len() == 2, "{:?}", unread.left_out);
    let turns = json!([{ "query": "q", "expected_tool_use": [{ "title": "t" }], "reference": "r" }]);
    let unread = imported(&turns);
    assert!(
        unread.transcripts.is_empty()
            && unread.left_out.iter().any(|(reason, _)| reason.contains("an unsupported form"))
    );
}

#[test]
fn results_without_their_test_have_its_assertions() {
    let graded = json!({ "componentResults": [{ "assertion": { "type": "icontains", "value": "z" }, "pass": false }] });
    let result = json!({ "prompt": { "raw": "p" }, "response": { "output": "hello" }, "gradingResult": graded });
    let (expected, _) = only(&json!({ "results": [result] }));
    assert_eq!(expected, json!({ "must_say_any": ["z"] }));
    let (_, reasons) =
        only(&json!({ "results": [{ "prompt": "p", "response": { "output": "o" }, "gradingResult": {} }] }));
    assert_eq!(reasons, ["the result does not have the assertions of its test"]);
}

#[test]
fn no_test_of_promptfoo_vanishes() {
    let file = json!({
        "prompts": [{ "raw": "{{q}} {{u.name}}", "label": "one" }],
        "tests": [
            { "description": "ok", "vars": { "q": "a {{b}}", "b": "b {{c}}", "c": "c", "u": { "name": "Bob" } } },
            { "description": "filter", "vars": { "q": "a" }, "prompts": ["two"] },
            { "description": "none", "vars": { "q": [] } },
            { "description": "file", "vars": { "q": "file://q.txt", "u": { "name": "x" } } }
        ]
    });
    let imported = imported(&file);
    assert_eq!(imported.suite["cases"][0]["prompt"], "a b c Bob");
    assert_eq!((imported.cases, imported.lost.len()), (1, 3), "{:?}", imported.left_out);
}

#[test]
fn a_truth_value_is_not_a_text() {
    let case = json!({
        "question": "q", "must_cite": true, "forbidden": false, "expected_tools": [false], "contains": true, "regex": false,
        "numbers": [true, { "label": 1, "value": true }]
    });
    let (expected, reasons) = only(&json!([case]));
    assert_eq!((expected, reasons.len()), (json!({}), 6), "{reasons:?}");
}

#[test]
fn a_cell_is_json_or_a_list_of_texts() {
    let table = |name: &str, cell: &str| {
        let text = format!("question,{name}\nq,\"{}\"\n", cell.replace('"', "\"\""));
        let imported = import("suite", &text, Syntax::Csv, &Columns::default()).unwrap();
        (imported.suite["cases"][0]["expected"].clone(), imported.left_out.len())
    };
    assert_eq!(table("expected_tools", r#"["a", "b"]"#).0, json!({ "telemetry": ["tool.a start", "tool.b start"] }));
    assert_eq!(table("expected_tools", r#"{"name": "search"}"#).0, json!({ "tool_calls_any": ["search"] }));
    assert_eq!(table("expected_tools", "['a', 'b']"), (json!({}), 1));
    assert_eq!(table("must_say_any", "['a', 'b']"), (json!({}), 1));
    let turns = "messages\n\"[{\"\"role\"\":\"\"user\"\",\"\"content\"\":\"\"hi\"\"}]\"\n";
    let imported = import("suite", turns, Syntax::Csv, &Columns::default()).unwrap();
    assert_eq!(imported.suite["cases"][0]["prompt"], "hi");
}

#[test]
fn patterns_that_look_across_lines_are_listed() {
    for pattern in ["^a", "a$", r"a\s+b", r"foo\D+bar", r"a\W+b", "(?is)foo.*bar", "a\nb", r"\Aa", "[\\s\\S]", r"a\Rb"]
    {
        let (_, reasons) = only(&json!([{ "question": "q", "expected_regex": pattern }]));
        assert!(
            reasons.iter().any(|reason| reason.contains("looks at the whole answer there")),
            "{pattern}: {reasons:?}"
        );
    }
    let (expected, reasons) = only(&json!([{ "question": "q", "must_match_regex": "^a" }]));
    assert_eq!((expected, reasons.len()), (json!({ "must_match_regex": ["^a"] }), 0));
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
    assert_eq!(given, ["a", "a-3", "a-2", "case-4", "with-comma", "its-fine", "ärger-mit-allem", &long]);
}

#[test]
fn the_page_names_every_key() {
    let page = include_str!("../../docs/import.md");
    let known = crate::foreign::columns::all_names().chain(KEYS.map(|(key, _)| key));
    let missing: Vec<&str> = known.filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert_eq!(missing, [""; 0]);
}

/// What becomes of the only case of a file: its expectations, its answer, and what is left out.
fn only(file: &Value) -> (Value, Vec<String>) {
    let imported = imported(file);
    assert_eq!(imported.cases, 1, "{imported:?}");
    let reasons = imported.left_out.into_iter().map(|(reason, _)| reason).collect();
    (imported.suite["cases"][0]["expected"].clone(), reasons)
}

#[test]
fn what_changes_an_assertion_in_an_unknown_way_leaves_it_out() {
    for assertion in [
        json!({ "type": "contains", "value": "error", "negate": true }),
        json!({ "type": "regex", "value": "foo", "flags": "i" }),
        json!({ "type": "icontains", "value": "x", "weight": 0 }),
        json!({ "type": "icontains", "value": "x", "transform": "output.toLowerCase()" }),
        json!({ "type": "icontains", "value": "{% if a %}x{% endif %}" }),
    ] {
        let (expected, reasons) = only(&json!([{ "question": "q", "checks": [assertion] }]));
        assert_eq!((expected, reasons.len()), (json!({}), 1), "{assertion}: {reasons:?}");
    }
}

#[test]
fn lists_in_texts_are_split_as_their_program_splits_them() {
    let (expected, _) = only(
        &json!([{ "vars": { "q": "q" }, "assert": [{ "type": "icontains-any", "value": "red, \"a, b\", \"c \"\"d\"\"\"" }] }]),
    );
    assert_eq!(expected, json!({ "must_say_any": ["red", "a, b", "c \"d\""] }));
    let table = "question,must_match_regex,expected_tools,keywords\nq,yes|no,\"search, lookup\",\"a, b\"\n";
    let imported = import("suite", table, Syntax::Csv, &Columns::default()).unwrap();
    let expected = &imported.suite["cases"][0]["expected"];
    let written = json!({
        "telemetry": ["tool.search start", "tool.lookup start"],
        "must_say_any": ["a, b"],
        "must_match_regex": ["yes|no"]
    });
    assert_eq!(*expected, written);
    assert!(imported.left_out[0].0.contains("has a comma and is read as one text"), "{:?}", imported.left_out);
}

#[test]
fn cells_of_promptfoo_have_known_types_only() {
    for (cell, kind, value) in [
        ("similar(0.8):Hello world", "similar", "Hello world"),
        ("levenshtein(5): abc", "levenshtein", "abc"),
        ("latency(1000)", "latency", ""),
        ("is-json", "is-json", ""),
        ("not-icontains: x: y", "not-icontains", "x: y"),
        ("trajectory:tool-used: search", "trajectory:tool-used", "search"),
        ("grade: is polite", "llm-rubric", "is polite"),
        ("file://check.py", "javascript", "file://check.py"),
        ("paris: capital", "equals", "paris: capital"),
        ("well-known", "equals", "well-known"),
        ("contains", "contains", ""),
        ("4", "equals", "4"),
    ] {
        let assertion = assertions::from_cell(cell);
        assert_eq!((&assertion["type"], &assertion["value"]), (&json!(kind), &json!(value)), "{cell}");
    }
}

#[test]
fn prompts_of_promptfoo_are_sent_as_it_sends_them() {
    let suite = |prompts: Value, test: Value| {
        let imported = imported(&json!({ "prompts": prompts, "providers": ["p"], "tests": [test] }));
        let cases = imported.suite["cases"].as_array().unwrap().clone();
        let prompts: Vec<String> = cases.iter().map(|case| case["prompt"].as_str().unwrap().to_owned()).collect();
        (prompts, imported.left_out)
    };
    let chat = r#"[{"role":"system","content":"s"},{"role":"user","content":"{{q}}"}]"#;
    let vars = |q: Value| json!({ "vars": { "q": q } });
    let quoted = "Say \"hi\"\ntwice";
    assert_eq!(suite(json!([chat]), vars(json!(quoted))).0, [quoted]);
    assert_eq!(suite(json!(["- role: user\n  content: 'Hi {{q}}'\n"]), vars(json!("you"))).0, ["Hi you"]);
    assert_eq!(suite(json!(["Ask {{q}}"]), vars(json!(["a", "b"]))).0, ["Ask a", "Ask b"]);
    assert_eq!(suite(json!(["A {{q}}", "B {{q}}"]), vars(json!("x"))).0, ["A x", "B x"]);
    let filtered = json!({ "vars": { "q": "x" }, "prompts": ["two"] });
    let labelled = json!([{ "raw": "A {{q}}", "label": "one" }, { "raw": "B {{q}}", "label": "two" }]);
    assert_eq!(suite(labelled, filtered).0, ["B x"]);
    for template in ["{% if q %}a{% endif %} {{q}}", "{# c #}{{q}}", "{{q | upper}}", "{{missing}}"] {
        let file = json!({ "prompts": [template, "{{q}}"], "tests": [vars(json!("x"))] });
        let imported = self::imported(&file);
        assert_eq!((imported.cases, imported.lost.len()), (1, 1));
        let is_named = imported.left_out.iter().any(|(reason, _)| reason.starts_with("the prompt "));
        assert!(is_named, "{:?}", imported.left_out);
    }
    let alone = json!({
        "prompts": ["{{q}}"], "defaultTest": { "assert": [{ "type": "icontains", "value": "default" }], "threshold": 0.5 },
        "tests": [
            { "vars": { "q": "x" }, "options": { "disableDefaultAsserts": true } },
            { "vars": { "q": "y" }, "assert": ["file://more.yaml"] }
        ]
    });
    let imported = imported(&alone);
    assert_eq!(imported.suite["cases"][0]["expected"], json!({}));
    assert_eq!(imported.suite["cases"][1]["expected"], json!({ "must_say_any": ["default"] }));
    let reasons: Vec<&str> = imported.left_out.iter().map(|(reason, _)| reason.as_str()).collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(
        reasons[0].starts_with("`defaultTest.threshold`") && reasons[1] == "an assertion is in another file",
        "{reasons:?}"
    );
}

#[test]
fn results_with_other_tests_are_other_cases() {
    let result = |word: &str, output: Value| {
        json!({
            "prompt": { "raw": "p" }, "provider": { "id": "x" }, "response": { "output": output }, "error": "timeout",
            "testCase": { "assert": [{ "type": "icontains", "value": word }] }
        })
    };
    let file = json!({ "results": { "results": [result("yes", json!("yes")), result("no", Value::Null)] } });
    let imported = imported(&file);
    assert_eq!((imported.cases, imported.transcripts.len()), (2, 1));
    assert_eq!(imported.left_out[0].0, "the result has no answer: timeout");
}

#[test]
fn every_list_with_prompts_is_read_and_other_keys_are_named() {
    let file = json!({
        "name": "shop", "description": "d", "tools": [{ "name": "search" }], "defaults": { "must_not_contain": ["x"] },
        "smoke": [{ "question": "a" }], "regression": [{ "question": "b" }]
    });
    let imported = imported(&file);
    assert_eq!(
        (imported.cases, &imported.suite["name"], &imported.suite["description"]),
        (2, &json!("shop"), &json!("d"))
    );
    let named: Vec<&str> = imported.left_out.iter().map(|(reason, _)| reason.as_str()).collect();
    assert_eq!(
        named,
        ["`tools` of the file: a suite has no key for it", "`defaults` of the file: a suite has no key for it"]
    );
}

#[test]
fn expectations_in_turns_are_named() {
    let turns = json!([{ "role": "user", "content": "bye", "must_contain": ["goodbye"] }]);
    let (expected, reasons) = only(&json!([{ "id": "a", "turns": turns, "prompt": null }]));
    assert_eq!(expected, json!({}));
    assert_eq!(reasons, ["`turns`: a turn has `must_contain`, and only the last answer is judged"]);
}

#[test]
fn numbers_sources_and_phrases_mean_what_they_say() {
    let (expected, _) = only(&json!([{
        "question": "q", "expected_number": 42, "expected_sources": ["github"], "must_contain": ["Cafe\u{301}", " x "]
    }]));
    assert_eq!(expected["must_ground_numbers"], json!([{ "label": "42", "regex": whole_number("42") }]));
    assert_eq!(expected["source_patterns"], json!({ "github": ["github"] }));
    assert_eq!(expected["must_match_regex"], json!(["Caf\u{e9}", " x "]));
}

#[test]
fn an_id_that_changes_is_named_and_takes_no_other() {
    let imported = imported(&json!([{ "id": "q/1", "question": "a" }, { "id": "q-1", "question": "b" }]));
    let ids = [&imported.suite["cases"][0]["id"], &imported.suite["cases"][1]["id"]];
    assert_eq!(ids, [&json!("q-1-2"), &json!("q-1")]);
    assert_eq!(imported.left_out, [("its id is `q/1` in the file".to_owned(), vec!["q-1-2".to_owned()])]);
}

#[test]
fn the_first_form_of_eval_sets_is_read() {
    let file = json!([{
        "name": "dice", "initial_session": {},
        "data": [{ "query": "Roll.", "expected_tool_use": [{ "name": "roll", "args": { "sides": 6 } }], "reference": "4", "odd": 1 }]
    }]);
    let imported = imported(&file);
    assert_eq!(imported.suite["cases"][0]["id"], "dice-1");
    assert_eq!(imported.suite["cases"][0]["expected"], json!({ "tool_calls_any": ["roll"] }));
    assert_eq!(imported.transcripts[0].telemetry.len(), 1);
    assert!(imported.left_out.iter().any(|(reason, _)| reason.starts_with("`odd`")), "{:?}", imported.left_out);
}
