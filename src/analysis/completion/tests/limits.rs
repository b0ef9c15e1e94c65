//! Triggers that get no answer, and the details of items.

use super::*;

#[test]
fn triggers_are_answered_only_where_text_opens() {
    let world = World::default();
    for (marked, trigger, is_answered) in [
        ("{ \"cases\": [ { \"|\" } ] }", '"', true),
        ("{ \"cases\": [ { \"id\"|: 1 } ] }", '"', false),
        ("{ \"cases\": [ { \"id\": \"\"| } ] }", '"', false),
        ("{ \"version\":| }", ':', true),
        ("{ \"version\": \"0:|\" }", ':', false),
        ("{ \"version\": | }", ' ', true),
        ("{ \"version\":  | }", ' ', false),
        ("{ \"version\": \"0 |\" }", ' ', false),
        ("{ | }", ' ', false),
        ("{ \"cases\": [ | ] }", ' ', false),
    ] {
        let offset = marked.find('|').unwrap();
        let text = marked.replacen('|', "", 1);
        let is_empty = world.complete(&text, offset, Some(trigger)).items.is_empty();
        assert_eq!(!is_empty, is_answered, "{marked} after {trigger:?}");
        let requested = world.complete(&text, offset, None).items;
        assert!(requested.len() == requested.iter().map(|item| &item.label).collect::<HashSet<_>>().len(), "{marked}");
    }
}

#[test]
fn items_have_details_and_documentation() {
    let world = World::default();
    let text = format!("{}{}", EXPECTED.0, EXPECTED.1);
    let items = world.complete(&text, EXPECTED.0.len(), None).items;
    let item = |label: &str| items.iter().find(|item| item.label == label).unwrap();
    assert_eq!(item("must_match_regex").detail.as_deref(), Some("formatting · since 0.2"));
    assert_eq!(item("scoring").detail.as_deref(), Some("since 0.2"));
    let documentation = item("outcome").documentation.as_ref().unwrap();
    assert_eq!(documentation.plain, "What the tools must have done, judged from the telemetry.");
    assert!(documentation.markdown.contains("Scoring group: `tool_hygiene`."));

    let text = "{ \"cases\": [ { \"expected\": { \"tool_calls_any\": [] } } ] }";
    let items = world.complete(text, text.find("[]").unwrap() + 1, None).items;
    let tools: Vec<_> =
        items.iter().map(|item| (item.label.as_str(), item.detail.as_deref().unwrap(), item.kind)).collect();
    let tool = CompletionKind::Tool;
    assert_eq!(tools, [("book_slot", "seen 12 times", tool), ("set_price", "seen 1 time", tool)]);
}

#[test]
fn filters_start_with_the_typed_quote() {
    let world = World::default();
    for (marked, filter) in [
        ("{ \"|\" }", "\"cases\""),
        ("{ ca| }", "cases"),
        ("{ 'ca| }", "'cases"),
        ("{ | }", "cases"),
        ("{ \"cases\": [ { \"expected\": { \"ui\": [\"Th|\"] } } ] }", "\"The \\\"board\\\" is empty.\""),
    ] {
        let text = marked.replacen('|', "", 1);
        let items = world.complete(&text, marked.find('|').unwrap(), None).items;
        assert!(items.iter().any(|item| item.filter == filter), "{marked}: {items:?}");
    }
}

#[test]
fn hostile_text_is_made_visible() {
    let tool = "a\u{202e}b\n\u{1b}[0m";
    let workspace = Workspace { tools: [(tool.to_owned(), 1)].into(), ..Workspace::default() };
    let world = World { workspace, ..World::default() };
    let text = "{ \"cases\": [ { \"expected\": { \"tool_calls_any\": [] } } ] }";
    let Completions { items, layout } = world.complete(text, text.find("[]").unwrap() + 1, None);
    assert_eq!(items[0].label, "a�b␊␛[0m");
    assert_eq!(serde_json::from_str::<String>(&items[0].text.to_plain(&layout)).unwrap(), tool);
}

#[test]
fn nothing_is_offered_in_a_string_with_a_line_break() {
    let world = World::default();
    let text = |value: &str| format!("{}\"outcome\": {value}{}", EXPECTED.0, EXPECTED.1);
    let offset = EXPECTED.0.len() + "\"outcome\": \"tool_".len();
    assert!(!world.complete(&text("\"tool_success\""), offset, None).items.is_empty());
    assert!(world.complete(&text("\"tool_\nsuccess\""), offset, None).items.is_empty());
}

#[test]
fn a_long_string_is_replaced_whole() {
    let world = World::default();
    let long = format!("\"tool_{}\"", "x".repeat(5000));
    let text = format!("{}\"outcome\": {long}{}", EXPECTED.0, EXPECTED.1);
    let start = EXPECTED.0.len() + "\"outcome\": ".len();
    let items = world.complete(&text, start + "\"tool_".len(), None).items;
    assert!(!items.is_empty());
    assert!(items.iter().all(|item| item.span == Span::new(start, start + long.len())), "{items:?}");
}
