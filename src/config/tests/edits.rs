use insta::assert_snapshot;
use proptest::prelude::*;

use super::{LINTS, sound};
use crate::config::model::Level;
use crate::config::{
    Config, Reading, TEMPLATE, place_of_ui_hint, with_allowed, with_known_tool, with_setting, with_source,
    with_ui_hints,
};
use crate::diagnostic::Edit;

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edited = text.to_owned();
    for edit in edits.iter().rev() {
        edited.replace_range(edit.span.range(), &edit.text);
    }
    edited
}

/// Each text and what becomes of it, with the `\r` of line breaks as `␍`.
fn edited(texts: &[&str], edit: impl Fn(&str) -> String) -> String {
    let pages = texts.iter().map(|text| format!("{text}\n──▶\n{}", edit(text)).replace('\r', "␍"));
    pages.collect::<Vec<_>>().join("\n════\n")
}

fn off(text: &str) -> Option<Vec<Edit>> {
    with_setting(text, "lints", "vacuous-case", "\"off\"")
}

/// Returns the text after `vacuous-case` is turned off in it. Checks that this takes effect and needs no second edit.
fn lint_off(text: &str) -> String {
    let edited = apply(text, &off(text).expect(text));
    assert_eq!(super::level(&sound(&edited), "vacuous-case"), Some(Level::Off), "{edited}");
    assert_eq!(off(&edited), Some(Vec::new()), "{edited}");
    edited
}

/// Returns the text after that hint is added to it. Checks that the hint is undefined until a phrase is written at its place,
/// and that no second edit is needed.
fn hint_added(text: &str, hint: &str) -> String {
    let edited = apply(text, &with_ui_hints(text, &[hint]).expect(text));
    assert_eq!(with_ui_hints(&edited, &[hint]), Some(Vec::new()), "{edited}");
    let (config, errors) = Config::parse(&edited, &LINTS);
    assert_eq!(
        errors.iter().map(|error| &error.message[..]).collect::<Vec<_>>(),
        ["empty string in `all`"],
        "{edited}"
    );
    assert!(!config.ui_hints.contains_key(hint), "{edited}");
    let mut completed = edited.clone();
    completed.insert_str(place_of_ui_hint(&edited, hint).expect(&edited).start, "Repairs");
    assert_eq!(sound(&completed).ui_hints[hint].all, ["Repairs"], "{completed}");
    edited
}

#[test]
fn a_lint_level_is_written() {
    let texts = [
        "",
        "# c\n[run]\njobs = 1",
        "[run]\r\njobs = 1\r\n",
        "[lints]",
        "[lints] # why\n\n[run]\n",
        "[lints]\n# first\nduplicate-case-id = 'hint' # why\n\n[run]\n",
        "[lints]\nvacuous-case = 'error' # why\n",
        "[lints]\nvacuous-case = 3 # ?\n",
        "[lints]\n\"vacuous-case\"=\"hint\"",
        "[lints]\nvacuous-case = 'off'\n",
        "lints = {}",
        "lints = { duplicate-case-id = 'off' }",
        "lints = { duplicate-case-id = 'off', }",
        "lints = { vacuous-case = 'error' }\n[run]",
        "lints.duplicate-case-id = 'off'\n[run]\n",
        "lints.duplicate-case-id = 'off'",
        "lints.vacuous-case = 'hint'\n",
    ];
    assert_snapshot!("lint_level", edited(&texts, lint_off));
}

#[test]
fn a_hint_is_added_in_the_form_and_the_line_breaks_of_the_file() {
    let texts = [
        "",
        "[run]\njobs = 1",
        "[[ui_hints]]\nhint = 'b' # why\nall = [\n  'x', # x\n]\n# end of hints\n\n[lints]\n",
        "[[ui_hints]]\r\nhint = 'b'\r\nall = ['x']\r\n",
        "ui_hints = []\n[run]\n",
        "ui_hints = [\n  { hint = 'b', all = ['x'] }, # why\n]\n",
    ];
    assert_snapshot!("hint", edited(&texts, |text| hint_added(text, "A list.")));
}

#[test]
fn the_template_accepts_both_edits() {
    let edited = hint_added(&lint_off(TEMPLATE), "A list.");
    assert!(edited.starts_with(TEMPLATE));
}

#[test]
fn a_finding_is_allowed_in_a_case() {
    let allowed = |text: &str, file: Option<&str>| {
        let edited = apply(text, &with_allowed(text, "vacuous-case", "A*1", file).expect(text));
        let entry = sound(&edited).allowed.pop().expect(text);
        assert!(entry.is_about_case(Some("A*1")) && !entry.is_about_case(Some("AB2")), "{edited}");
        assert!(entry.is_about_file(file.or(Some("any.json"))), "{edited}");
        edited
    };
    assert_snapshot!(allowed("[run]\njobs = 1\n", Some("evals/a.json")), @r#"
[run]
jobs = 1

[[allow]]
lint = "vacuous-case"
cases = "A*1"
files = ["evals/a.json"]
reason = "TODO: give the reason"
"#);
    let table = "[[allow]]\nlint = 'vacuous-case'\ncases = 'B'\nreason = 'r'\n";
    assert_eq!(allowed(table, None).matches("[[allow]]").count(), 2);
    let inline = "allow = [{ lint = 'vacuous-case', cases = 'B', reason = 'r' }]\n";
    assert_eq!(allowed(inline, None).matches('{').count(), 2);
    for text in ["[run", "allow = 3", "[allow]\n"] {
        assert_eq!(with_allowed(text, "vacuous-case", "A", None), None, "{text}");
    }
    assert_eq!(with_allowed("", "vacuous-case", "", None), None);
}

#[test]
fn a_tool_is_listed_as_known() {
    for text in [
        "",
        "[run]\njobs = 1",
        "[tools]\n",
        "[tools]\nknown = []\n",
        "[tools]\nknown = [\n  'find', # why\n]\n",
        "tools = {}",
        "tools = { known = ['find'] }",
    ] {
        let edited = apply(text, &with_known_tool(text, "book_slot").expect(text));
        assert!(sound(&edited).known_tools.contains("book_slot"), "{edited}");
        assert_eq!(edited.contains("find"), sound(&edited).known_tools.contains("find"), "{edited}");
        assert_eq!(with_known_tool(&edited, "book_slot"), Some(Vec::new()), "{edited}");
    }
    for text in ["[run", "tools = 3", "tools = { known = 1 }"] {
        assert_eq!(with_known_tool(text, "book_slot"), None, "{text}");
    }
}

#[test]
fn a_file_without_a_place_has_no_edit() {
    for text in ["[run", "lints = 3", "lints = []", "[[lints]]\na = 1", "a = \n"] {
        assert_eq!(off(text), None, "{text}");
    }
    for text in ["[run", "ui_hints = 3", "ui_hints = {}", "[ui_hints]\n", "ui_hints = [1"] {
        assert_eq!(with_ui_hints(text, &["A list."]), None, "{text}");
    }
    for hint in ["", "a\0b"] {
        assert_eq!(with_ui_hints("", &[hint]), None, "{hint:?}");
    }
}

proptest! {
    #[test]
    fn every_hint_can_be_added(hint in "[^\\x00]+", place in 0..PLACES.len()) {
        hint_added(PLACES[place], &hint);
    }
}

const PLACES: [&str; 5] = [
    "",
    "# a comment",
    "ui_hints = []",
    "ui_hints = [{ hint = 'already defined', all = ['x'] }]",
    "[[ui_hints]]\nall = ['x']\nhint = 'already defined'\n[run]\n",
];

#[test]
fn the_place_of_a_hint_is_where_to_write() {
    for text in [
        "[[ui_hints]]\nhint = 'A list.'\nall = ['|']\n",
        "[[ui_hints]]\nhint = 'A list.'\nall = [\"\"\"|\"\"\"]\n",
        "[[ui_hints]]\nhint = 'b'\nall = ['']\n[[ui_hints]]\nall = [ \"|\", 'x' ]\nhint = 'A list.'\n",
        "ui_hints = [{ hint = 'A list.', all = ['|'] }]\n",
        "[[ui_hints]]\nhint = 'A list.'|\nall = ['x', '']\n",
        "[[ui_hints]]\nhint = 'A list.'|\nany = ['x']\n",
        "[[ui_hints]]\nhint = 'A list.'|\nall = 3\n",
        "[[ui_hints]]\nhint = 'b'\n",
        "[[ui_hints]\nhint = 'A list.'\n",
        "ui_hints = 3",
        "",
    ] {
        let place = place_of_ui_hint(&text.replace('|', ""), "A list.");
        assert_eq!(place.map(|place| place.start), text.find('|'), "{text}");
    }
}

#[test]
fn only_the_reply_counts() {
    let texts = [
        "",
        "[run]\njobs = 1\n",
        "[scoring]\n\n[run]\n",
        "[scoring]\nprompt_counts = true # why\n",
        "scoring.prompt_counts = true\n",
        "scoring = {}\n",
    ];
    let with_reply_only = |text: &str| with_setting(text, "scoring", "prompt_counts", "false");
    let in_reply_only = |text: &str| {
        let edited = apply(text, &with_reply_only(text).expect(text));
        assert_eq!(sound(&edited).scoring.prompt_counts, Some(false), "{edited}");
        assert_eq!(with_reply_only(&edited), Some(Vec::new()), "{edited}");
        edited
    };
    assert_snapshot!("reply_only", edited(&texts, in_reply_only));
    assert_eq!([with_reply_only("scoring = 1"), with_reply_only("[")], [None, None]);
}

#[test]
fn the_reading_is_set() {
    let with_plain_reading = |text: &str| with_setting(text, "scoring", "reading", "\"plain\"");
    let plain = |text: &str| {
        let edited = apply(text, &with_plain_reading(text).expect(text));
        assert_eq!(sound(&edited).scoring.reading, Reading::Plain, "{edited}");
        assert_eq!(with_plain_reading(&edited), Some(Vec::new()), "{edited}");
        edited
    };
    assert_snapshot!("reading", edited(&["", "[scoring]\nreading = \"written\" # why\n"], plain));
    assert_eq!(with_plain_reading("scoring = 1"), None);
}

#[test]
fn a_source_is_defined_by_its_phrases() {
    let phrases = ["github".to_owned(), "pull request".to_owned()];
    let texts = [
        "",
        "[sources] # own\ncrm = ['crm']\n",
        "[sources]\ngithub = ['gh'] # why\n",
        "[sources]\ngithub = ['github', 'pull request']\n",
    ];
    let defined = |text: &str| {
        let edited = apply(text, &with_source(text, "github", &phrases).expect(text));
        assert_eq!(sound(&edited).sources["github"].patterns, phrases);
        edited
    };
    assert_snapshot!("source", edited(&texts, defined));
    for text in ["[sources", "sources = 1"] {
        assert_eq!(with_source(text, "github", &phrases), None, "{text}");
    }
}

#[test]
fn several_hints_are_added_at_once() {
    let text = "[[ui_hints]]\nhint = \"One.\"\nall = [\"1\"]\n";
    let edited = apply(text, &with_ui_hints(text, &["Two.", "One.", "Three."]).unwrap());
    assert_eq!(edited.matches("hint = ").count(), 3, "{edited}");
    assert_eq!(with_ui_hints(&edited, &["Two.", "Three."]), Some(Vec::new()));
}
