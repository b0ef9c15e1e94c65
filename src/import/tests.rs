use serde_json::{Value, json};

use super::*;
use crate::pattern::whole_number;

fn import(name: &str, text: &str, syntax: Syntax, columns: &Columns) -> Result<Imported, ImportError> {
    let files = |name: &str| Err(format!("`{name}` is not there"));
    super::import(
        name,
        &[Source { name, text, syntax, files: &files }],
        columns,
        &BTreeSet::new(),
        None,
        &mut Redactor::default(),
    )
}

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
            let mut of_case = json!({ "zz_prompt": "p" });
            of_case[name] = shape.clone();
            // The key of a turn that is read as its text or as its speaker is another thing.
            let mut turn = json!({ "role": "user", "content": "p" });
            turn[name] = shape.clone();
            let is_of_turn = !matches!(name, "id" | "name");
            let of_turn = is_of_turn.then(|| json!({ "messages": [turn], "zz_prompt": null }));
            for case in [of_case].into_iter().chain(of_turn) {
                let columns = Columns::default().with("zz_prompt", Role::Prompt(0));
                let Ok(imported) = import("suite", &json!([case]).to_string(), Syntax::Json, &columns) else {
                    panic!("{case}")
                };
                let everything = everything(&imported);
                let words: Vec<&str> =
                    ["WORD", "OTHER", "1047"].into_iter().filter(|word| shape.to_string().contains(word)).collect();
                let is_said = !words.is_empty() && words.iter().all(|word| everything.contains(word));
                let is_named =
                    everything.contains(&format!("`{name}")) || everything.contains(&format!("`messages.{name}"));
                let is_role = matches!(shape, Value::Bool(_)) && everything.contains("true\"");
                // The type of an assertion is the reason why it is left out.
                assert!(
                    is_said || is_named || is_role || everything.contains("llm-rubric"),
                    "{case} becomes {everything}"
                );
                tried += 1;
            }
        }
    }
    assert!(tried > 1_000, "{tried}");
}

#[test]
fn each_type_of_assertion_is_said_or_listed() {
    let suite = |kind: &str, value: Value| {
        let file = json!([{ "vars": { "question": "q" }, "assert": [{ "type": kind, "value": value }] }]);
        only(&file)
    };
    for (kind, value, expected) in [
        ("icontains", json!("a"), json!({ "must_say_any": ["a"] })),
        ("icontains-any", json!(["a", "b"]), json!({ "must_say_any": ["a", "b"] })),
        ("icontains-all", json!(["a.", "b"]), json!({ "must_match_regex": ["a\\.", "b"] })),
        ("not-icontains", json!("a"), json!({ "must_not_say": ["a"] })),
        ("contains", json!("a."), json!({ "must_match_regex": ["(?-i)a\\."] })),
        ("contains-any", json!(["a", "b"]), json!({ "must_match_regex": ["(?-i)(?:a|b)"] })),
        ("not-contains", json!("a"), json!({ "must_not_match_regex": ["(?-i)a"] })),
        ("tool_called", json!("t"), json!({ "tool_calls_any": ["t"] })),
        ("trajectory:tool-used", json!({ "name": "t" }), json!({ "tool_calls_any": ["t"] })),
        ("not-icontains-any", json!(["a", "b"]), json!({ "must_not_say": ["a", "b"] })),
        ("regex", json!("a|b"), json!({ "must_match_regex": ["(?-i)a|b"] })),
        ("not-regex", json!("a+"), json!({ "must_not_match_regex": ["(?-i)a+"] })),
        ("trajectory:tool-used", json!("t"), json!({ "tool_calls_any": ["t"] })),
        ("trajectory:tool-used", json!(["t", "u"]), json!({ "telemetry": ["tool.t start", "tool.u start"] })),
        ("not-trajectory:tool-used", json!("t"), json!({ "tool_calls_none": ["t"] })),
    ] {
        assert_eq!(suite(kind, value), (expected, Vec::new()), "{kind}");
    }
    for kind in ["not-equals", "not-starts-with"] {
        let (expected, left_out) = suite(kind, json!("a"));
        assert!(expected == json!({}) && left_out.len() == 1, "{kind}: {expected} {left_out:?}");
    }
    for kind in ["equals", "starts-with"] {
        let (expected, left_out) = suite(kind, json!("a"));
        assert!(expected != json!({}) && left_out.len() == 1, "{kind}: {expected} {left_out:?}");
    }
    let unread =
        "not-contains-all llm-rubric javascript cost is-json rouge-n unheard-of assert-set contains regex tool_called";
    for kind in unread.split(' ').chain(["not-trajectory:tool-used"]) {
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
fn a_case_without_an_id_keeps_it_when_rows_are_inserted() {
    let long = "Translate into French what the guest says, and nothing else: ";
    let rows = ["Hi", "Hi!", "Where is it?", &format!("{long}a"), &format!("{long}b"), "?"].map(str::to_owned);
    let ids = |rows: &[String]| {
        let cases: Vec<Value> = rows.iter().map(|prompt| json!({ "prompt": prompt })).collect();
        let suite = imported(&Value::Array(cases)).suite;
        let cases = suite["cases"].as_array().unwrap().iter();
        cases.map(|case| (case["prompt"].to_string(), case["id"].to_string())).collect::<Vec<_>>()
    };
    let first = ids(&rows);
    assert_eq!(first[2].1, "\"where-is-it\"");
    let inserted = ["New".to_owned()].into_iter().chain(rows.into_iter().rev()).collect::<Vec<_>>();
    let second = ids(&inserted);
    assert!(first[..5].iter().all(|case| second.contains(case)), "{first:?} {second:?}");
}

#[test]
fn numbers_keep_their_digits() {
    let text = r#"[{ "id": 1.50, "question": "q", "must_ground_numbers": [0.10, 12345678901234567890123] }]"#;
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
    assert_eq!(table("expected_tools", r#"["a", "b"]"#).0, json!({ "tool_calls_any": ["a", "b"] }));
    assert_eq!(table("required_tools", r#"["a", "b"]"#).0, json!({ "telemetry": ["tool.a start", "tool.b start"] }));
    assert_eq!(table("expected_tools", r#"{"name": "search"}"#).0, json!({ "tool_calls_any": ["search"] }));
    assert_eq!(table("expected_tools", "['a', 'b']"), (json!({}), 1));
    assert_eq!(table("must_say_any", "['a', 'b']"), (json!({}), 1));
    let turns = "messages\n\"[{\"\"role\"\":\"\"user\"\",\"\"content\"\":\"\"hi\"\"}]\"\n";
    let imported = import("suite", turns, Syntax::Csv, &Columns::default()).unwrap();
    assert_eq!(imported.suite["cases"][0]["prompt"], "hi");
}

#[test]
fn patterns_that_look_across_lines_are_listed() {
    let listed = |pattern: &str, key: &str| {
        let (expected, reasons) = only(&json!([{ "question": "q", key: pattern }]));
        assert!(reasons.iter().any(|reason| reason.contains("each line")), "{pattern}: {reasons:?}");
        expected != json!({})
    };
    for (pattern, is_wanted, is_unwanted) in [
        ("^a", true, false),
        ("a$", true, false),
        (r"\Aa", true, false),
        (r"a\s+b", true, true),
        (r"foo\D+bar", true, true),
        (r"a\W+b", true, true),
        ("[\\s\\S]", false, true),
        (r"a\s*|b", false, true),
        (r"(?=a)\W+b", false, true),
        ("(?is)foo.*bar", false, true),
        ("a\nb", true, true),
        (r"a\Rb", false, true),
    ] {
        assert_eq!(listed(pattern, "expected_regex"), is_wanted, "{pattern}");
        assert_eq!(listed(pattern, "forbidden_regex"), is_unwanted, "{pattern}");
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
    assert_eq!(given, ["a", "a-3", "a-2", "q", "with-comma", "its-fine", "ärger-mit-allem", &long]);
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
    let of_cases = imported.left_out.into_iter().filter(|(_, of)| of[0] != FILE);
    (imported.suite["cases"][0]["expected"].clone(), of_cases.map(|(reason, _)| reason).collect())
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
        "tool_calls_any": ["search", "lookup"],
        "must_say_any": ["a", "b"],
        "must_match_regex": ["yes|no"]
    });
    assert_eq!(*expected, written);
    for text in ["the answer says this, and then that", "1,5 Liter", "1,204.50 EUR", "Paris, France"] {
        let table = format!("question,must_contain\nq,\"{text}\"\n");
        let imported = import("suite", &table, Syntax::Csv, &Columns::default()).unwrap();
        assert_eq!(imported.suite["cases"][0]["expected"], json!({}));
        assert!(imported.left_out[0].0.contains("has a comma"), "{:?}", imported.left_out);
    }
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
    assert_eq!(imported.suite["cases"][1]["expected"], json!({}));
    let reasons: Vec<&str> = imported.left_out.iter().map(|(reason, _)| reason.as_str()).collect();
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(
        reasons[0].starts_with("`defaultTest.threshold` accepts") && reasons[1] == "an assertion is in another file",
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
fn numbers_sources_and_phrases_mean_what_they_say() {
    let (expected, _) = only(&json!([{
        "question": "q", "expected_number": 42, "required_sources": ["github"], "must_contain": ["Cafe\u{301}", " x "]
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
    assert_eq!(imported.renamed, [("q-1-2".to_owned(), "q/1".to_owned())]);
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

/// Forms that people have. Each has its syntax and its text, in which `⏎` is a line break, each case and its expectations
/// after `=`, and after `~` a part of the reasons or of the error.
const FORMS: &str = r#"
# The speaker.
json [{"messages":[{"speaker":"bot","text":"Hello!"},{"speaker":"customer","text":"Sizes?"}],"must_contain":["38"]}]
= Sizes? {"must_say_any":["38"]}
~ the role `bot`

json [{"prompt":"p","must_contain":["x"]},{"turns":[{"from":"zara","text":"Hi"}],"must_contain":["x"]}]
= p {"must_say_any":["x"]}
~ the speaker of a turn is not known (`from: zara`)

json [{"prompt":"p","must_contain":["x"]},{"turns":[{"from_me":true,"text":"Hi"}],"must_contain":["x"]}]
= p {"must_say_any":["x"]}
~ the speaker of a turn is not known

json [{"turns":[{"type":"ai","content":"Hi"},{"type":"human","content":"Ho"}],"must_contain":["x"]}]
= Ho {"must_say_any":["x"]}
~ the role `ai`

json [{"turns":[{"sender":"agent","text":"Hi"},{"text":"Ho"}],"must_contain":["x"]},{"prompt":"p"}]
= p {}
~ the speaker of a turn is not known

json [{"conversation":[{"text":"Hi","is_user":true},{"text":"Hello","is_user":false}],"must_contain":["x"]},{"prompt":"p"}]
= p {}
~ `is_user` may name the speaker

json [{"conversation":[["Hi","Hello"],["Ho","It is there."]],"must_contain":["x"]},{"prompt":"p"}]
= p {}
~ the speaker of a turn is not known

json [{"turns":["User: hi","Assistant: hello","User: bye"]},{"prompt":"p"}]
= p {}
~ is not known

json [{"messages":[{"role":"user","content":"hi"},{"role":"user","content":[{"type":"image_url"}]}]},{"prompt":"p"}]
= p {}
~ a message of the user that is not text

# An expectation is not a part of the question or of a recorded answer.
json [{"user_message":"Book a table","expected":{"question":"How many?","response":"ok","tools_called":["x"]}}]
= Book a table {}
~ `expected.question` is an expectation

# Documents of a retrieval, and tools that are none.
json [{"question":"q","expected_tool_calls":2},{"question":"r","expected_tool":"any"}]
= q {}
= r {}
~ not a tool: `2`

json [{"question":"q","expected_tools":["look(id=5)"],"no_tool_errors":true}]
= q {}
~ not a tool: `look(id=5)`

csv question,must_contain⏎q,N/A
= q {}
~ which is read as: nothing

json [{"question":"q","must_cite":["page-4"]}]
= q {}
~ names what a retrieval finds

json [{"question":"q","expected_tool":"N/A"}]
= q {}
~ name those that there are in `tool_calls_none`

json [{"question":"q","expected_tool":""},{"question":"r","expected_tool":"look"}]
= q {"tool_calls_none":["look"]}
= r {"tool_calls_any":["look"]}
~ a new one is not covered

json [{"question":"q","no_tools":true},{"question":"r","forbidden_tools":["wipe"]}]
= q {"tool_calls_none":["wipe"]}
= r {"tool_calls_none":["wipe"]}
~ a new one is not covered

json [{"question":"q","expected_tools":["none","look"]}]
= q {}
~ a word that means no tool

json [{"question":"q","expected_tools":"look or ask"}]
= q {}
~ a text that is not a tool: `look or ask`

# The weaker reading.
json [{"question":"q","keywords":["a","b"]}]
= q {"must_say_any":["a","b"]}
~ must_say_all=keywords

json [{"question":"q","required_keywords":["a","b"]}]
= q {"must_match_regex":["a","b"]}

json [{"question":"q","patterns":["a+","b+"]}]
= q {"must_match_regex":["(?-i)(?:a+)|(?:b+)"]}
~ must_match_regex=patterns

json [{"question":"q","must_contain":[["12","twelve"],["o'clock"]]}]
= q {"must_say_any":["12","twelve"],"must_match_regex":["o'clock"]}

json [{"question":"q","phrases":[["12","twelve"],["noon"]]}]
= q {"must_say_any":["12","twelve","noon"]}
~ must_say_all=phrases

csv question,must_not_contain⏎q,"left, right"
= q {}
~ has a comma

# Keys that are not known.
json [{"question":"q","tool_expected":"look"}]
= q {}
~ `--columns tool_calls_any=tool_expected`

json [{"question":"q","must_avoid":["x"]}]
= q {}
~ `--columns must_not_say=must_avoid`

json [{"question":"q","answer_contains_any":["x"]}]
= q {}
~ `--columns must_say_any=answer_contains_any`

json [{"question":"q","required_terms":["x"]}]
= q {}
~ `--columns must_say_all=required_terms`

json [{"question":"q","level":"easy"}]
= q {}
~ define it: `--columns KEY=level`

json [{"question":"q","points":3}]
= q {}
~ `points`: a case has no key for it

json [{"question":"q","expected":"approve"}]
= q {}
~ `--columns must_say_any=expected`

# What changes the meaning of others.
json [{"question":"q","must_contain":["x"],"negate":true},{"question":"r","must_contain":["x"],"negate":false}]
= q {}
= r {"must_say_any":["x"]}
~ `negate` may change what its expectations mean

json [{"question":"q","expected":{"phrases":["x"],"match_mode":"all"}},{"question":"r","regex":"x","should_match":false}]
= q {}
= r {}
~ `expected.match_mode` may change

json [{"question":"q","must_call":[{"name":"look","times":0},{"name":"ask"}]}]
= q {"tool_calls_any":["ask"]}
~ `must_call`: a tool with `times` is left out

# Patterns are tried on each line.
json [{"question":"q","regex":"Total:\\s*\\$[0-9]+"}]
= q {"must_match_regex":["(?-i)Total:","(?-i)\\$[0-9]+"]}
~ it is read as its parts within lines

# Lists in objects of the file.
json {"suites":{"a":[{"prompt":"p","must_contain":["x"]}],"note":"n"}}
= p {"must_say_any":["x"]}
~ `suites.note` of the file

# Answers that are none, or not the last.
json [{"question":"q","actual_output":""}]
= q {}
~ is empty, so no answer is stored

json [{"turns":[{"user":"a","response":"r"},{"user":"b"}]}]
= b {}
~ an answer before the last prompt is not stored

# Turns.
json [{"input":{"messages":[{"role":"user","content":"a"}]}}]
= a {}

json [{"turns":[{"query":"a"},{"query":"b"}],"must_contain":["x"]}]
= b {"must_say_any":["x"]}

json [{"turns":[{"user":"a","must_contain":["x"]},{"user":"b","must_contain":["y"]}]}]
= a {"must_say_any":["x"]}
= b {"must_say_any":["y"]}

json [{"turns":["a","b"],"expected":{"per_turn":[{"must_contain":["x"]},{"must_contain":["y"]}]}}]
= a {"must_say_any":["x"]}
= b {"must_say_any":["y"]}

json [{"turns":["a","b"],"expected":{"per_turn":[{"must_contain":["x"]}]}}]
= b {}
~ `expected.per_turn`: the case does not have as many turns

json [{"question":[[{"role":"user","content":"a"}],[{"role":"user","content":"b"}]],"must_contain":["x"]}]
= b {"must_say_any":["x"]}

json [{"inputs":[{"role":"user","content":"a"}],"must_contain":["x"]}]
= a {"must_say_any":["x"]}

# Wrappers, mixed lists, one case, empty prompts.
lines {"item":{"prompt":"a"}}
~ `--columns prompt=item.prompt`

lines {"prompt":"a","must_contain":["x"]}⏎{"target":"b","other":1}
= a {"must_say_any":["x"]}
~ it has no prompt

json [{"prompt":"a"},{"b":1},{"b":2},{"b":3}]
~ only 1 of its 4 objects have a prompt

json {"id":"one","prompt":"a","must_contain":["x"]}
= a {"must_say_any":["x"]}

json [{"prompt":"","must_contain":["x"]}]
=  {"must_say_any":["x"]}
~ its prompt is empty

json {"cases":[{"id":"a","prompt":"p","expected":{"verdict":"STOP","must_include":["x"]}}]}
= p {"must_say_any":["x"]}
~ `expected.verdict` is not known

json [{"prompt":"a","shouldTrigger":true}]
~ it tests whether a skill is chosen

# promptfoo.
yaml tests: [{vars: {q: a}, options: {transform: up}, assert: [{type: equals, value: b}]}]⏎providers: [x]⏎prompts: ['{{q}}']
= a {}
~ a `transform` changes the answer

yaml tests: [{vars: {q: a}}, {vars: {q: 'b {{x}}'}}]⏎providers: [x]⏎prompts: ['{{q}}']
= a {}
~ needs `x`

yaml tests: [{vars: {q: a}, options: {transformVars: up}}, {vars: {q: b}}]⏎providers: [x]⏎prompts: ['{{q}}']
= b {}
~ `options.transformVars`

yaml tests: [a.py, 'file://b.js', 'https://c.d/e.csv']⏎providers: [x]⏎prompts: ['{{q}}']
~ these are not read: `a.py`, `b.js`, `https://c.d/e.csv`

yaml tests: 'file://a.yaml'⏎providers: [x]⏎prompts: ['{{q}}']
~ `a.yaml` is not read

yaml tests: [{vars: {q: a}, threshold: 0.5, assert: [{type: icontains, value: b}, {type: icontains, value: c}]}]⏎providers: [x]⏎prompts: ['{{q}}']
= a {}
~ `threshold` accepts answers that fail assertions

yaml tests: [{vars: {q: a}, assertScoringFunction: 'file://s.js', assert: [{type: icontains, value: b}]}]⏎providers: [x]⏎prompts: ['{{q}}']
= a {}
~ `assertScoringFunction` accepts

csv question,__expected,__prefix,__suffix⏎q,contains-all(0.5): a,Please: ,!
= Please: q! {}
~ `contains-all` with `threshold` is not supported

yaml targets: [{id: x}]⏎redteam: {plugins: [y]}
~ it has no tests

# Copilot Studio.
csv Question,Expected response,Testing method⏎q,blue,Keyword match⏎r,red,Exact match⏎s,green,General quality
= q {"must_say_any":["blue"]}
= r {"must_match_regex":["(?-i)^\\s*red\\s*$"]}
= s {}
~ by `General quality`
"#;

#[test]
fn each_form_is_right_or_named_or_refused() {
    for form in FORMS.split("\n\n").map(|form| form.trim_start_matches('\n')) {
        let after = |mark: &str| -> Vec<&str> { form.lines().filter_map(|line| line.strip_prefix(mark)).collect() };
        let source = form.lines().find(|line| !line.starts_with("# ")).unwrap();
        let (syntax, text) = source.split_once(' ').unwrap();
        let syntax = match syntax {
            "json" => Syntax::Json,
            "lines" => Syntax::JsonLines,
            "yaml" => Syntax::Yaml,
            "csv" => Syntax::Csv,
            other => panic!("{other}"),
        };
        let (cases, said) = match import("suite", &text.replace('⏎', "\n"), syntax, &Columns::default()) {
            Ok(imported) => {
                let cases = imported.suite["cases"].as_array().unwrap().iter();
                let cases = cases.map(|case| format!("{} {}", case["prompt"].as_str().unwrap(), case["expected"]));
                (cases.collect(), format!("{:?}", imported.left_out))
            }
            Err(error) => (Vec::new(), error.to_string()),
        };
        assert_eq!(cases, after("= "), "{text}: {said}");
        assert!(after("~ ").iter().all(|part| said.contains(part)), "{text}: {said}");
    }
}

#[test]
fn an_answer_beside_a_reference_is_the_recorded_one() {
    for reference in ["ground_truth", "truth", "reference", "expected_answer", "expected_output", "expected"] {
        let recorded = imported(&json!([{ "question": "q", "answer": "a", reference: "b" }]));
        assert_eq!(recorded.transcripts[0].response, "a", "{reference}");
    }
    assert_eq!(imported(&json!([{ "question": "q", "answer": "a" }])).transcripts, []);
}

#[test]
fn files_that_a_configuration_names_are_read() {
    let text = "prompts: [file://p.txt]\nproviders: [x]\ndefaultTest: file://d.yaml\ntests: ['file://t/*', {vars: {q: file://q.md}}]";
    let files = |name: &str| {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        match name {
            "p.txt" => Ok(vec![file(name, "Say {{q}}\n---\nSing {{q}}\n")]),
            "d.yaml" => Ok(vec![file(name, "assert: [{type: icontains, value: file://v.txt}]")]),
            "v.txt" => Ok(vec![file(name, "la\n")]),
            "q.md" => Ok(vec![file(name, "a song\n")]),
            "t/*" => Ok(vec![file("t/a.csv", "q,__expected\nho,icontains:ho\n"), file("t/b.py", "")]),
            _ => Err("it is not there".to_owned()),
        }
    };
    let source = Source { name: "c.yaml", text, syntax: Syntax::Yaml, files: &files };
    let imported =
        super::import("suite", &[source], &Columns::default(), &BTreeSet::new(), None, &mut Redactor::default())
            .unwrap();
    let cases = imported.suite["cases"].as_array().unwrap();
    let prompts: Vec<&str> = cases.iter().map(|case| case["prompt"].as_str().unwrap()).collect();
    assert_eq!(prompts, ["Say ho", "Sing ho", "Say a song", "Sing a song"]);
    assert_eq!(cases[0]["expected"], json!({ "must_match_regex": ["la", "ho"] }));
    assert_eq!(cases[2]["expected"], json!({ "must_say_any": ["la"] }));
    assert!(imported.left_out[0].0.ends_with("`t/b.py`"), "{:?}", imported.left_out);
}

#[test]
fn a_second_import_keeps_what_a_person_has_edited() {
    let suite = |cases: &Value| imported(cases).suite;
    let case = |id: &str, phrase: &str| json!({ "id": id, "prompt": "p", "must_contain": [phrase] });
    let first = suite(&json!([
        case("same", "a"),
        case("follows", "a"),
        case("edited", "a"),
        case("gone", "a"),
        case("both", "a")
    ]));
    let here = suite_text(&first).replace("\"id\": \"edited\",", "\"id\": \"edited\", \"category\": \"mine\",");
    let here = here.replace("\"id\": \"both\",", "\"id\": \"both\", \"category\": \"mine\",");
    let second = suite(&json!([
        case("new", "n"),
        case("same", "a"),
        case("follows", "b"),
        case("edited", "a"),
        case("both", "b")
    ]));
    let merged = merge(&here, &base_text(&first, false), &suite_text(&second)).unwrap();
    assert_eq!((merged.added, merged.changed), (vec!["new".to_owned()], vec!["follows".to_owned()]));
    assert_eq!((merged.gone, merged.removed), (vec!["gone".to_owned()], vec![]));
    let differences = ["category: not in the file", "expected.must_say_any: [\"b\"] in the file"].map(str::to_owned);
    assert_eq!(merged.kept, [("both".to_owned(), differences.to_vec())]);
    let text: Value = serde_json::from_str(&merged.text).unwrap();
    let ids: Vec<&str> = text["cases"].as_array().unwrap().iter().map(|case| case["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["same", "follows", "edited", "gone", "both", "new"]);
    assert_eq!(text["cases"][1]["expected"], json!({ "must_say_any": ["b"] }));
    assert_eq!((&text["cases"][2]["category"], &text["cases"][4]["category"]), (&json!("mine"), &json!("mine")));
    // A removed case stays removed, and the next import changes nothing.
    let again = merge(&merged.text, &base_text(&second, false), &suite_text(&second)).unwrap();
    assert_eq!((again.text, again.kept.len()), (merged.text, 0));
    let emptied = merge("{\"cases\": []}", &base_text(&first, false), &suite_text(&first)).unwrap();
    assert_eq!((emptied.removed.len(), emptied.text.as_str()), (5, "{\"cases\": []}"));
}

#[test]
fn templates_and_aliases_do_not_fill_the_memory() {
    let many = |name: &str, count: usize| format!("{{{{{name}}}}}").repeat(count);
    let vars = format!("{{a: '{}', b: '{}', c: '{}'}}", many("b", 2000), many("c", 2000), "x".repeat(2000));
    let nested = format!("prompts: ['{}']\nproviders: [x]\ntests: [{{vars: {vars}}}]", many("a", 2000));
    let list = |count: usize, text: &str| vec![text; count].join(", ");
    let products =
        format!("providers: [x]\nprompts: [{}]\ntests: [{}]", list(2500, "'a'"), list(2500, "{vars: {q: a}}"));
    let aliases = format!("[&a {}, {}]", "x".repeat(200_000), list(100_000, "*a"));
    for (text, part) in [(nested, "more than 64 MiB"), (products, "more than 50000 cases"), (aliases, "more than")] {
        let error = import("suite", &text, Syntax::Yaml, &Columns::default()).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}
