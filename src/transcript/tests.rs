use std::path::Path;

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::config::{Config, ResponseFrom};

const SMALL: &str = r#"{ "format": "eval-ls/transcript@1", "case": "B1", "response": "Booked.\n" }"#;

fn full() -> Transcript {
    let telemetry = [json!({"z": 1, "a": {"success": true}, "ä": "é\n"}), json!("a raw line"), json!({})];
    Transcript {
        case: "B1".to_owned(),
        target: Some("agent".to_owned()),
        program: Some("5f1c".to_owned()),
        recorded_at: Some("2026-03-01T09:00:00Z".to_owned()),
        prompt: Some("Book it.".to_owned()),
        setup_prompts: Some(vec!["Open the shop.".to_owned()]),
        duration_ms: Some(8123),
        response: "Größe\r\n\u{2028}😀".to_owned(),
        usage: Some(Usage { input_tokens: Some(1200), output_tokens: None, cost: Some(0.25) }),
        extra: json!({"model": {"name": "m"}}).as_object().unwrap().clone(),
        pages: None,
        telemetry: telemetry.map(Event::from_value).into(),
        last_record: Some(Box::new(LastRecord {
            at: "2026-03-02T09:00:00Z".to_owned(),
            target: "agent".to_owned(),
            status: "FAIL".to_owned(),
        })),
    }
}

fn forms(snapshot: &str, text: &str) -> Forms {
    Forms { snapshot: Some(snapshot.to_owned()), text: Some(text.to_owned()) }
}

/// One whose response is the text of the page, and that has a part of the page, too.
fn with_pages() -> Transcript {
    let part = Part {
        selector: "#log".to_owned(),
        after: forms("- log snapshot", "log text"),
        reply: Some("log reply".to_owned()),
    };
    let pages = Pages {
        form: ResponseFrom::Text,
        of_part: false,
        before: forms("- a\n- z", "b"),
        after: forms("- a\n- new\n- z", "text\nb"),
        reply: Some("reply".to_owned()),
        part: Some(part),
    };
    Transcript {
        target: Some("app".to_owned()),
        response: "text\nb".to_owned(),
        pages: Some(Box::new(pages)),
        ..full()
    }
}

fn wanted(keys: &str) -> Wanted {
    let text = format!("[targets.app]\nkind = \"browser\"\nurl = \"http://localhost/\"\n{keys}");
    let (config, errors) = Config::parse(&text, &[]);
    assert!(errors.is_empty(), "{errors:?}");
    Wanted::by(&config)
}

#[test]
fn a_small_transcript_has_only_the_required_keys() {
    let small = Transcript { case: "B1".to_owned(), response: "Booked.\n".to_owned(), ..Transcript::default() };
    assert_eq!(Transcript::parse(SMALL), Ok(small.clone()));
    assert_eq!(Transcript::parse(&format!("\u{feff}{SMALL}")), Ok(small.clone()));
    assert_eq!(Transcript::parse(&small.to_json()), Ok(small));
}

#[test]
fn a_transcript_is_read_as_it_was_written() {
    let text = full().to_json();
    assert_eq!(Transcript::parse(&text), Ok(full()));
    assert!(text.ends_with("}\n"));
    assert!(text.starts_with("{\n  \"format\": \"eval-ls/transcript@2\",\n  \"case\": \"B1\""), "{text}");
}

#[test]
fn a_transcript_has_each_form_once_and_of_the_page_before_only_what_differs() {
    let value = serde_json::Value::Object(with_pages().to_object());
    assert_eq!(value["response_from"], json!({ "form": "text" }));
    let page = json!({
        "reply": "reply",
        "after": { "snapshot": "- a\n- new\n- z" },
        "before": {
            "snapshot": { "same_start": 1, "same_end": 1 },
            "text": { "same_start": 0, "same_end": 1 },
        },
    });
    assert_eq!(value["page"], page);
    assert_eq!(value["part"]["after"]["text"], "log text");
    assert_eq!(Transcript::parse(&value.to_string()), Ok(with_pages()));
}

#[test]
fn a_transcript_is_read_in_the_form_that_the_configuration_wants() {
    let check = |keys: &str, response: Result<&str, &str>| {
        let viewed = with_pages().viewed(&wanted(keys));
        let found = viewed.as_ref().map(|viewed| viewed.response.as_str()).map_err(NotKept::to_string);
        assert_eq!(found, response.map_err(str::to_owned), "{keys}");
        if let Ok(viewed) = viewed {
            assert_eq!(Transcript::parse(&viewed.to_json()), Ok(viewed.clone()), "{keys}");
            // It is the same answer: the first form can be had from the second.
            assert_eq!(viewed.viewed(&wanted("response = \"text\"")), Ok(with_pages()), "{keys}");
        }
    };
    check("", Ok("reply"));
    check("response = \"snapshot\"", Ok("- a\n- new\n- z"));
    check("response = \"text\"", Ok("text\nb"));
    check("response = \"reply\"", Ok("reply"));
    check("response = \"snapshot\"\nresponse_selector = \"#log\"", Ok("- log snapshot"));
    check("response = \"reply\"\nresponse_selector = \"#log\"", Ok("log reply"));
    let other =
        "the transcript does not have the part of the page that `response_selector` names; record the case again";
    check("response_selector = \"main\"", Err(other));
}

#[test]
fn a_transcript_with_one_form_stays_as_it_is() {
    for transcript in
        [full(), Transcript { target: Some("app".to_owned()), ..full() }, Transcript { target: None, ..with_pages() }]
    {
        assert_eq!(transcript.clone().viewed(&wanted("response = \"text\"")), Ok(transcript));
    }
}

#[test]
fn a_form_that_is_too_long_is_kept_only_as_the_response() {
    let long = "x".repeat((1 << 20) + 1);
    let pages = Pages {
        after: forms(&long, &long),
        before: forms(&long, "b"),
        form: ResponseFrom::Snapshot,
        ..Pages::default()
    };
    let bounded = Transcript { response: long.clone(), pages: Some(Box::new(pages.bounded())), ..with_pages() };
    let read = Transcript::parse(&bounded.to_json()).unwrap();
    let pages = read.pages.as_deref().unwrap();
    assert_eq!((&read.response, &pages.after.snapshot, &pages.after.text), (&long, &Some(long.clone()), &None));
    assert_eq!((&pages.before.snapshot, pages.before.text.as_deref()), (&None, Some("b")));
    let error = read.viewed(&wanted("response = \"text\"")).unwrap_err().to_string();
    assert_eq!(error, "the transcript does not have the response in the form `text`; record the case again");
}

#[test]
fn hostile_pages_are_refused_with_their_place() {
    let with = |from: &str, page: &str| {
        let start = r#"{"format": "eval-ls/transcript@2", "case": "A", "response": "a\nb","#;
        format!("{start}\n\"response_from\": {from},\n{page}}}")
    };
    let from = ["7", r#"{"form": "html"}"#, "{}"].map(|from| with(from, r#""page": {}"#));
    let part = with(r#"{"form": "text", "selector": "x"}"#, r##""page": {}, "part": {"selector": "#log"}"##);
    let page = [r#""page": []"#, r#""page": {"after": {"text": 1}}"#].map(str::to_owned);
    let before = [
        "[]",
        r#"{"same_start": 3}"#,
        r#"{"same_start": 1, "same_end": 2}"#,
        r#"{"same_start": 1e300, "same_end": 1e300}"#,
        r#"{"same_end":  -1}"#,
        r#"{"same_end":  0.5}"#,
        r#"{"same_end":  "1"}"#,
    ];
    let pages = page.into_iter().chain(before.map(|form| format!(r#""page": {{"before": {{"snapshot": {form}}}}}"#)));
    let pages = pages.map(|page| with(r#"{"form": "snapshot"}"#, &page));
    insta::assert_snapshot!("hostile_pages", faults(from.into_iter().chain([part]).chain(pages)));
}

/// Each text and its fault.
fn faults(texts: impl IntoIterator<Item = String>) -> String {
    let fault = |text: String| format!("{text}\n──▶ {}\n", Transcript::parse(&text).unwrap_err());
    texts.into_iter().map(fault).collect::<Vec<_>>().join("\n")
}

#[test]
fn unknown_keys_and_nulls_are_ignored() {
    let with = |more: &str| Transcript::parse(&SMALL.replace(" }", &format!(", {more} }}")));
    let small = Transcript::parse(SMALL);
    assert_eq!(with(r#""note": [1, {}], "prompt": null, "telemetry": null, "duration_ms": null"#), small);
    assert_eq!(with(r#""duration_ms": 12.6"#).unwrap().duration_ms, Some(13));
}

#[test]
fn a_fault_is_reported_with_its_place() {
    let texts = [
        "",
        "[]",
        "{\n  \"é\": 1 2\n}",
        "{}",
        "{\"format\": \"eval-ls/transcript@3\"}",
        r#"{"format": "eval-ls/transcript@1", "case": "B1"}"#,
        &SMALL.replace("\"B1\"", "7"),
    ];
    let more = [r#""case": "B1""#, r#""telemetry": {}"#, r#""setup_prompts": ["a", 1]"#, r#""duration_ms": -1"#];
    let more = more.map(|more| SMALL.replace(" }", &format!(",\n{more} }}")));
    insta::assert_snapshot!("faults", faults(texts.map(str::to_owned).into_iter().chain(more)));
}

#[test]
fn lone_surrogates_are_accepted() {
    let text = SMALL.replace("Booked.", r"cut \ud83d off \udc00");
    assert_eq!(Transcript::parse(&text).unwrap().response, "cut \u{fffd} off \u{fffd}\n");
    assert_eq!(Event::from_line(r#"{"a": "\ud83d"}"#).text(), "{\"a\":\"\u{fffd}\"}");
}

#[test]
fn deep_events_are_read_and_too_deep_ones_are_refused() {
    let nested = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    let text = |depth| SMALL.replace(" }", &format!(r#", "telemetry": [{{"data": {}}}] }}"#, nested(depth)));
    let deep = Transcript::parse(&text(100)).unwrap();
    assert_eq!(deep.telemetry[0].text(), format!(r#"{{"data":{}}}"#, nested(100)));
    assert!(Transcript::parse(&text(100_000)).is_err());
}

#[test]
fn an_events_text_is_compact_and_keeps_the_order_of_keys() {
    for (line, text) in [
        (
            r#"{ "z": 1, "a": [1.0, 1e3, -0.5, 18446744073709551615] }"#,
            r#"{"z":1,"a":[1.0,1e3,-0.5,18446744073709551615]}"#,
        ),
        (r#"{"u": "\u00e9\/\n\u0001", "t": true, "n": null}"#, r#"{"u":"é/\n\u0001","t":true,"n":null}"#),
        (r#"{"twice": 1, "b": 2, "twice": 3}"#, r#"{"twice":3,"b":2}"#),
        ("{}", "{}"),
        ("plain text", "plain text"),
        ("[1, 2]", "[1, 2]"),
        (r#"{"half": "#, r#"{"half": "#),
        ("", ""),
    ] {
        assert_eq!(Event::from_line(line).text(), text, "{line}");
    }
    assert_eq!(Event::from_value(json!([1, {"a": 2}])).text(), r#"[1,{"a":2}]"#);
    assert_eq!(Event::from_value(json!("a \"line\"")).text(), "a \"line\"");
}

#[test]
fn transcripts_are_beside_their_suite() {
    let mut config = Config::default();
    let path = |suite: &str, config: &Config| Store::new(Path::new(suite), config).path("B1");
    for (suite, file) in [
        ("evals/shop.eval-set.json", "evals/transcripts/shop.eval-set/B1.json"),
        ("/abs/shop.v0.1.json", "/abs/transcripts/shop.v0.1/B1.json"),
        ("shop.json", "transcripts/shop/B1.json"),
        ("shop.JSON", "transcripts/shop.JSON/B1.json"),
        ("shop", "transcripts/shop/B1.json"),
        ("x/.json", "x/transcripts/.json/B1.json"),
    ] {
        assert_eq!(path(suite, &config), Path::new(file), "{suite}");
    }
    config.run.transcripts = "../kept".to_owned();
    assert_eq!(path("evals/shop.json", &config), Path::new("evals/../kept/shop/B1.json"));
}

#[test]
fn ids_become_file_names() {
    let ids = ["SYN1", "a-b_C.9", "a..b", ".", "..", ".a.", "", "../../etc/passwd", "a/b\\c:d*e?f", "50% é\0\n", "-rf"];
    insta::assert_snapshot!("file_names", ids.map(|id| format!("{id:?} {}", file_name(id))).join("\n"));
    assert_eq!(file_name(&"a".repeat(250)), format!("{}.json", "a".repeat(250)));
    let (one, two) = (file_name(&"a".repeat(251)), file_name(&"a".repeat(252)));
    assert_eq!((one.len(), two.len()), (255, 255));
    assert_ne!(one, two);
}

proptest! {
    #[test]
    fn no_id_leaves_the_folder(id in any::<String>(), tail in "[./é]{0,90}") {
        let name = file_name(&(id + &tail));
        prop_assert!(name.len() <= 255 && name.ends_with(".json"));
        prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-.%~".contains(&b)), "{name}");
        prop_assert_eq!(Path::new(&name).components().count(), 1);
        prop_assert!(name != "." && name != "..");
    }
}

#[test]
fn the_store_writes_and_finds_transcripts() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(&folder.path().join("shop.json"), &Config::default());
    assert!(store.read("B1").unwrap().is_none());
    assert_eq!(store.write(&full()).unwrap(), store.path("B1"));
    assert_eq!(store.read("B1").unwrap(), Some(full()));
    // A file that a file system returns for another case because it ignores case is not that case's transcript.
    std::fs::copy(store.path("B1"), store.path("B2")).unwrap();
    std::fs::copy(store.path("B1"), store.path("b1")).unwrap();
    let error = store.read("B2").unwrap_err().to_string();
    assert!(error.contains("B2.json is the transcript of the case `B1`; "), "{error}");
    assert_eq!(store.read("b1").unwrap(), None);
    let (config, _) =
        Config::parse("[targets.app]\nkind = \"browser\"\nurl = \"http://x\"\nresponse = \"snapshot\"", &[]);
    let as_snapshot = Store::new(&folder.path().join("shop.json"), &config);
    as_snapshot.write(&with_pages()).unwrap();
    assert_eq!(as_snapshot.read("B1").unwrap().unwrap().response, "- a\n- new\n- z");
    as_snapshot.write(&Transcript { pages: Some(Box::default()), ..with_pages() }).unwrap();
    let error = as_snapshot.read("B1").unwrap_err().to_string();
    assert_eq!(error, format!("{}: {}", as_snapshot.path("B1").display(), NotKept::Form("snapshot")));
}

#[test]
fn errors_name_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(&folder.path().join("shop.json"), &Config::default());
    let check = |id: &str, bytes: &[u8], rest: &str| {
        let path = store.path(id);
        crate::files::replace(&path, bytes).unwrap();
        assert_eq!(store.read(id).unwrap_err().to_string(), format!("{}: {rest}", path.display()));
    };
    check("latin", b"{\"a\": \"\xe9\"}", "not UTF-8, from byte 7 on");
    check("broken", b"{", "line 1, column 2: expected `}`: the `{` is never closed");
    std::fs::create_dir_all(store.path("folder")).unwrap();
    let error = store.read("folder").unwrap_err().to_string();
    assert!(error.starts_with(&format!("cannot read {}: ", store.path("folder").display())), "{error}");
}

#[test]
fn an_answer_with_too_much_or_with_a_repeated_key_is_no_transcript() {
    let transcript =
        |rest: &str| format!(r#"{{"format": "eval-ls/transcript@2", "case": "A", "response": "r"{rest}}}"#);
    let events =
        |event: &str, count: usize| transcript(&format!(r#", "telemetry": [{}]"#, vec![event; count].join(",")));
    for (text, message) in [
        (transcript(r#", "response": "s""#), "has the key `response` twice"),
        (transcript(r#", "telemetry": [{"a": {"b": 1, "\u0062": 2}}]"#), "has the key `b` twice"),
        (events(r#"{"tool": "x"}"#, 100_001), "has more than 100000 events"),
        (events(&format!("[{}]", vec![r#""value""#; 1_000].join(",")), 600), "has more than 500000 values"),
    ] {
        let error = Transcript::parse(&text).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
    assert!(Transcript::parse(&events(r#"{"tool": "x"}"#, 10_000)).is_ok());
}

#[test]
fn numbers_of_telemetry_stay_as_they_are_written() {
    let numbers =
        "10.50 1e5 1E400 -0 -0.0 1.0 0.1e+1 12345678901234567890123 0.1234567890123456789 7 1e400 100000.0 2.50E-3";
    for number in numbers.split(' ') {
        let event = format!(r#"{{"b":[{number},{{"c":{number}}}],"a":"{number}"}}"#);
        let text = format!(r#"{{"format":"{FORMAT}","case":"A","response":"r","telemetry":[{event}]}}"#);
        let transcript = Transcript::parse(&text).unwrap();
        assert_eq!(transcript.telemetry[0].text(), event);
        assert_eq!(Event::from_line(&format!(" {event}")).text(), event);
        let again = Transcript::parse(&transcript.to_json()).unwrap();
        assert_eq!(again, transcript, "{}", transcript.to_json());
    }
    let event = Event::from_line(r#"{ "a": 2.50, "b": "\u00e9\n" }"#);
    assert_eq!(serde_json::to_string(event.object().unwrap()).unwrap(), "{\"a\":2.5,\"b\":\"é\\n\"}");
}

#[test]
fn a_mark_leaves_the_rest_of_the_file_as_it_is() {
    let mark = |at: &str| LastRecord { at: at.to_owned(), target: "agent".to_owned(), status: "FAIL".to_owned() };
    let first = r#""last_record": {"at":"1","target":"agent","status":"FAIL"}"#;
    for (text, marked) in [
        ("{ \"format\": \"f\", \"note\": 1.50 }\n", format!("{{ \"format\": \"f\", \"note\": 1.50, {first} }}\n")),
        ("{\r\n  \"case\": \"A\"\r\n}", format!("{{\r\n  \"case\": \"A\",\r\n  {first}\r\n}}")),
        ("[]", "[]".to_owned()),
    ] {
        assert_eq!(mark("1").written_into(text), marked);
        let again = mark("2").written_into(&marked);
        assert_eq!(again, marked.replace("\"1\"", "\"2\""));
    }
    let folder = tempfile::tempdir().unwrap();
    let store = Store::new(&folder.path().join("s.evals.json"), &Config::default());
    assert!(store.mark("A", &mark("1")).is_err(), "there is no transcript");
    store.write(&Transcript { last_record: None, ..full() }).unwrap();
    store.mark("B1", &mark("1")).unwrap();
    assert_eq!(store.read("B1").unwrap().unwrap().last_record, Some(Box::new(mark("1"))));
}
