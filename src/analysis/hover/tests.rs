use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use super::*;
use crate::analysis::tests::live;
use crate::analysis::{lint_names, workspace_of};
use crate::text::Text;
use crate::transcript::Transcript;

const CONFIG: &str = r#"
    [sources]
    linear = ["linear", "ticket"]
    [[ui_hints]]
    hint = "The calendar is open."
    all = ["Calendar"]
    any = ["Monday", "Tuesday"]
    all_of = [["Week", "Month"], ["today"]]
    matches = ['\d+ entries']
    none = ["Error"]
"#;

/// A suite with every field, and with a `«name»` before each text that the test hovers over.
const SUITE: &str = r#"{
  "version": "0.3.0",
  «cases»"cases": [
    «case»{
      «id»"id": «id value»"S1",
      "prompt": "Brief me.",
      «unknown»"promt": "",
      «expected»"expected": {
        «outcome»"outcome": «success»"tool_success",
        «any»"tool_calls_any": [«tool»"book", "find"],
        "tool_calls_none": [«never»"cancel"],
        «say»"must_say_any": [«phrase»"booked", ""],
        "must_not_say": [«not said»"I cannot", «empty»""],
        «regexes»"must_match_regex": [«pattern»"total:\\s*[0-9]+", «broken»"[a"],
        "must_not_match_regex": ["free"],
        "required_sources": [«github»"GitHub", «linear»"linear", «own»"wiki", «given»"calendar"],
        "source_patterns": { «given key»"calendar": [«source phrase»"cal"] },
        "must_ground_numbers": [«number»{ «label»"label": "open", «regex»"regex": «regex value»"open: \\d+" }, «bare»12],
        "must_label_assumptions": «assumptions»true,
        «unread»"lever_regex": «lever»"^Option",
        "telemetry": [«start»"tool.book start", «result»"tool.book result success:true", «missing»"success:false with missingFields containing day", «literal»"slow"],
        "ui": [«hint»"The calendar is open.", «undefined»"No one knows."],
        «scoring»"scoring": {
          "hard_fail": [«hard»"formatting", «idle»"uncertainty", «nonsense»"format"],
          "soft_score": { «threshold»"threshold": 0.8, "weights": { «weight key»"formatting": «weight»0.5, "tool_hygiene": 1 } }
        }
      }
    }
  ]
}
"#;

/// The suite without its marks, and the offsets of the marks.
fn marked(source: &str) -> (String, BTreeMap<String, usize>) {
    let mut text = String::new();
    let mut marks = BTreeMap::new();
    let mut rest = source;
    while let Some((before, after)) = rest.split_once('«') {
        text.push_str(before);
        let (name, after) = after.split_once('»').expect("a mark ends");
        assert_eq!(marks.insert(name.to_owned(), text.len()), None, "{name} is marked once");
        rest = after;
    }
    (text + rest, marks)
}

fn hover_at(text: &str, offset: usize) -> Option<Hover> {
    let (config, errors) = Config::parse(CONFIG, &lint_names());
    assert_eq!(errors, []);
    let workspace = Arc::new(workspace_of(&config));
    let answers = Answers::new(Arc::new(config), Arc::default(), HashMap::new());
    hover(&Document::new(Text::new(text), None), &workspace, &answers, offset, SystemTime::UNIX_EPOCH, false)
}

#[test]
fn every_field_is_explained() {
    let (text, marks) = marked(SUITE);
    let mut pages = String::new();
    let mut marks: Vec<_> = marks.into_iter().collect();
    marks.sort_by_key(|(_, offset)| *offset);
    for (name, offset) in marks {
        let hover = hover_at(&text, offset).unwrap_or_else(|| panic!("{name} has a hover"));
        let over = &text[hover.span.range()];
        let over = over.lines().next().unwrap_or_default();
        write!(pages, "=== {name}: {over}\n{}\n\n", hover.page.to_markdown()).unwrap();
    }
    insta::assert_snapshot!(pages);
}

#[test]
fn plain_text_has_no_markdown() {
    let (text, marks) = marked(SUITE);
    let page = hover_at(&text, marks["weight"]).unwrap().page.to_plain();
    assert!(page.starts_with("formatting: ") && !page.contains('`') && !page.contains("**"), "{page}");
}

#[test]
fn white_space_has_no_hover() {
    let (text, _) = marked(SUITE);
    for between in ["\n  \"cases\"", "\n      \"prompt\""] {
        let offset = text.find(between).unwrap();
        assert_eq!(hover_at(&text, offset), None, "{between:?}");
    }
}

#[test]
fn hovers_in_broken_text_are_never_empty() {
    let (text, _) = marked(SUITE);
    let ends: Vec<usize> = (0..=text.len()).step_by(37).filter(|end| text.is_char_boundary(*end)).collect();
    for end in ends {
        let broken = &text[..end];
        for offset in (0..=end).rev().step_by(23) {
            if let Some(hover) = hover_at(broken, offset) {
                assert!(!hover.page.to_markdown().trim().is_empty(), "at {offset} of {broken}");
                assert!(hover.span.touches(offset), "at {offset} of {broken}");
            }
        }
    }
}

#[test]
fn hostile_text_cannot_add_markup() {
    for hostile in ["`x` **b** [l](http://e)", "<img src=x onerror=y>", "\\u202e\\u0000", "```\\n# h"] {
        for field in ["must_say_any", "must_not_say", "ui", "telemetry", "required_sources", "tool_calls_none"] {
            let text = format!(r#"{{ "cases": [ {{ "expected": {{ "{field}": ["{hostile}"], "x": 1 }} }} ] }}"#);
            let hover = hover_at(&text, text.find(hostile).unwrap()).unwrap();
            let markdown = hover.page.to_markdown();
            for event in pulldown_cmark::Parser::new(&markdown) {
                use pulldown_cmark::{Event, Tag};
                let harmless = !matches!(
                    &event,
                    Event::Html(_)
                        | Event::InlineHtml(_)
                        | Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::Heading { .. })
                );
                assert!(harmless, "{event:?} in {markdown}");
            }
            assert!(!markdown.contains(['\u{202e}', '\0']));
        }
    }
}

#[test]
fn a_key_from_a_later_version_is_marked() {
    let text = r#"{ "version": "0.1", "cases": [ { "expected": { "must_match_regex": ["a"] } } ] }"#;
    let page = hover_at(text, text.find("must_match").unwrap()).unwrap().page.to_markdown();
    assert!(page.contains("This suite has version 0.1, which does not support this"), "{page}");
}

#[test]
fn a_finding_adds_the_page_of_its_lint() {
    let text = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_match_regex": ["[a"] } } ] }"#;
    let page = hover_at(text, text.find("[a").unwrap()).unwrap().page.to_markdown();
    assert!(page.contains("**invalid-regex**: "), "{page}");
}

#[test]
fn the_last_answer_is_shown_once_judged() {
    let text = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["booked"], "must_match_regex": ["^total: [0-9]+"], "scoring": { "soft_score": { "threshold": 0.8 } } } } ] }"#;
    let transcript = Transcript { response: "Yes\ntotal: 12 `x`".to_owned(), ..Transcript::default() };
    let answers = live(Arc::default(), [("A", transcript)]);
    let document = Document::new(Text::new(text), None);
    let page = |at: &str| {
        let hover =
            hover(&document, &Arc::default(), &answers, text.find(at).unwrap(), SystemTime::UNIX_EPOCH, false).unwrap();
        hover.page.to_markdown()
    };
    assert!(!page("booked").contains("Last answer"), "a hover does not judge");
    document.verdict(0, &answers);
    let pages = ["\"A\"", "scoring", "0.8", "booked", "^total", "must_say_any"].map(page).join("\n=====\n");
    insta::assert_snapshot!(pages);
}

#[test]
fn a_failed_check_shows_the_lines_of_the_answer_around_what_is_nearest() {
    let text = r#"{ "cases": [ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["git-hub"], "must_not_say": ["x"], "tool_calls_any": ["book"] } } ] }"#;
    let page = |response: String, at: &str| {
        let answers = live(Arc::default(), [("A", Transcript { response, ..Transcript::default() })]);
        let document = Document::new(Text::new(text), None);
        document.verdict(0, &answers);
        let at = text.find(at).unwrap();
        hover(&document, &Arc::default(), &answers, at, SystemTime::UNIX_EPOCH, false).unwrap().page.to_markdown()
    };
    let lines = |range: std::ops::Range<usize>| range.map(|line| format!("line {line}\n")).collect::<String>();
    let long = page(lines(1..40) + "Git hub\n" + &lines(41..100), "git-hub");
    assert!(long.contains("Answer, lines 34 to 45 of 99:\n\n```text\nline 34\n"), "{long}");
    assert!(long.contains("Git hub\nline 41\n") && !long.contains("line 46"), "{long}");
    let end = page(lines(1..40) + "Git hub", "git-hub");
    assert!(end.contains("Answer, lines 29 to 40 of 40:"), "{end}");
    let wide = page("```\n".to_owned() + &"w".repeat(1_000), "git-hub");
    assert!(wide.contains(&format!("Answer:\n\n````text\n```\n{}…\n````", "w".repeat(239))), "{wide}");
    assert!(page(String::new(), "git-hub").contains("The answer is empty."));
    assert!(!page("Git hub".to_owned(), "\"x\"").contains("Answer:"), "the check passed");
    assert!(!page("Git hub".to_owned(), "\"book\"").contains("Answer:"), "the check is about telemetry");
}

#[test]
fn findings_outside_of_one_case_are_explained_too() {
    let text = r#"{ "version": "9.9", "cases": [ { "id": "A", "prompt": "p", "expected": {} }, { "id": "A" } ] }"#;
    for (at, lint) in [("\"A\" }", "duplicate-case-id"), ("\"9.9\"", "unknown-version")] {
        let page = hover_at(text, text.find(at).unwrap() + 1).unwrap().page.to_markdown();
        assert!(page.contains(&format!("**{lint}**: ")), "{page}");
    }
}
