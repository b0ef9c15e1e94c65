use insta::assert_snapshot;
use proptest::prelude::*;

use super::{LINTS, sound};
use crate::config::{
    Config, Level, Reading, TEMPLATE, place_of_ui_hint, with_allowed, with_known_tool, with_lint_level,
    with_plain_reading, with_reply_only, with_source, with_source_renamed, with_ui_hints,
};
use crate::diagnostic::Edit;

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut edited = text.to_owned();
    for edit in edits.iter().rev() {
        edited.replace_range(edit.span.range(), &edit.text);
    }
    edited
}

/// Returns the text after `vacuous-case` is turned off in it. Checks that this takes effect and needs no second edit.
fn lint_off(text: &str) -> String {
    let edited = apply(text, &with_lint_level(text, "vacuous-case", Level::Off).expect(text));
    assert_eq!(super::level(&sound(&edited), "vacuous-case"), Some(Level::Off), "{edited}");
    assert_eq!(with_lint_level(&edited, "vacuous-case", Level::Off), Some(Vec::new()), "{edited}");
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
    for (text, edited) in [
        ("", "[lints]\nvacuous-case = \"off\"\n"),
        ("# c\n[run]\njobs = 1", "# c\n[run]\njobs = 1\n\n[lints]\nvacuous-case = \"off\"\n"),
        ("[run]\r\njobs = 1\r\n", "[run]\r\njobs = 1\r\n\r\n[lints]\r\nvacuous-case = \"off\"\r\n"),
        ("[lints]", "[lints]\nvacuous-case = \"off\"\n"),
        ("[lints] # why\n\n[run]\n", "[lints] # why\nvacuous-case = \"off\"\n\n[run]\n"),
        (
            "[lints]\n# first\nduplicate-case-id = 'hint' # why\n\n[run]\n",
            "[lints]\n# first\nduplicate-case-id = 'hint' # why\nvacuous-case = \"off\"\n\n[run]\n",
        ),
        ("[lints]\nvacuous-case = 'error' # why\n", "[lints]\nvacuous-case = \"off\" # why\n"),
        ("[lints]\n\"vacuous-case\"=\"hint\"", "[lints]\n\"vacuous-case\"=\"off\"\n"),
        ("[lints]\nvacuous-case = 'off'\n", "[lints]\nvacuous-case = 'off'\n"),
        ("lints = {}", "lints = { vacuous-case = \"off\" }\n"),
        ("lints = { duplicate-case-id = 'off' }", "lints = { duplicate-case-id = 'off', vacuous-case = \"off\" }\n"),
        ("lints = { duplicate-case-id = 'off', }", "lints = { duplicate-case-id = 'off', vacuous-case = \"off\", }\n"),
        ("lints = { vacuous-case = 'error' }\n[run]", "lints = { vacuous-case = \"off\" }\n[run]\n"),
        (
            "lints.duplicate-case-id = 'off'\n[run]\n",
            "lints.duplicate-case-id = 'off'\nlints.vacuous-case = \"off\"\n[run]\n",
        ),
        ("lints.duplicate-case-id = 'off'", "lints.duplicate-case-id = 'off'\nlints.vacuous-case = \"off\"\n"),
        ("lints.vacuous-case = 'hint'\n", "lints.vacuous-case = \"off\"\n"),
    ] {
        assert_eq!(lint_off(text), edited, "{text}");
    }
}

#[test]
fn a_broken_level_is_replaced() {
    let text = "[lints]\nvacuous-case = 3 # ?\n";
    assert_eq!(lint_off(text), "[lints]\nvacuous-case = \"off\" # ?\n");
}

#[test]
fn a_hint() {
    assert_snapshot!(hint_added("", "A list."), @r#"
[[ui_hints]]
hint = "A list."
all = [""]  # the phrases that are on the page if the hint is met
"#);
    assert_snapshot!(hint_added("[run]\njobs = 1", "A list."), @r#"
[run]
jobs = 1

[[ui_hints]]
hint = "A list."
all = [""]  # the phrases that are on the page if the hint is met
"#);
    assert_snapshot!(
        hint_added("[[ui_hints]]\nhint = 'b' # why\nall = [\n  'x', # x\n]\n# end of hints\n\n[lints]\n", "A list."),
        @r#"
[[ui_hints]]
hint = 'b' # why
all = [
  'x', # x
]

[[ui_hints]]
hint = "A list."
all = [""]  # the phrases that are on the page if the hint is met
# end of hints

[lints]
"#
    );
    assert_snapshot!(hint_added("ui_hints = []\n[run]\n", "A list."), @r#"
ui_hints = [{ hint = "A list.", all = [""] }]
[run]
"#);
    assert_snapshot!(hint_added("ui_hints = [\n  { hint = 'b', all = ['x'] }, # why\n]\n", "A list."), @r#"
ui_hints = [
  { hint = 'b', all = ['x'] }, { hint = "A list.", all = [""] }, # why
]
"#);
}

#[test]
fn a_hint_keeps_the_line_endings_of_the_file() {
    let edited = hint_added("[[ui_hints]]\r\nhint = 'b'\r\nall = ['x']\r\n", "A list.");
    assert_eq!(edited.matches('\n').count(), edited.matches("\r\n").count(), "{edited:?}");
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
        assert_eq!(with_lint_level(text, "vacuous-case", Level::Off), None, "{text}");
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
fn a_source_is_renamed_in_place() {
    for (before, after) in [
        ("[sources]\n# ours\ndesk = [\"t\"] # x\n", Some("[sources]\n# ours\nhelp = [\"t\"] # x\n")),
        ("sources.desk = [\"t\"]\r\n", Some("sources.help = [\"t\"]\r\n")),
        ("sources = { \"desk\" = [\"t\"] }", Some("sources = { help = [\"t\"] }")),
        ("[sources]\ndesk = [\"t\"]\nhelp = [\"h\"]\n", None),
        ("[sources]\nDesk = [\"t\"]\n", None),
        ("[sources\n", None),
        ("", None),
    ] {
        let edits = with_source_renamed(before, "desk", "help");
        let edited = edits.map(|edits| {
            let mut text = before.to_owned();
            edits.iter().for_each(|edit| text.replace_range(edit.span.range(), &edit.text));
            text
        });
        assert_eq!(edited.as_deref(), after, "{before}");
    }
}

#[test]
fn only_the_reply_counts() {
    for (text, edited) in [
        ("", "[scoring]\nprompt_counts = false\n"),
        ("[run]\njobs = 1\n", "[run]\njobs = 1\n\n[scoring]\nprompt_counts = false\n"),
        ("[scoring]\n\n[run]\n", "[scoring]\nprompt_counts = false\n\n[run]\n"),
        ("[scoring]\nprompt_counts = true # why\n", "[scoring]\nprompt_counts = false # why\n"),
        ("scoring.prompt_counts = true\n", "scoring.prompt_counts = false\n"),
        ("scoring = {}\n", "scoring = { prompt_counts = false }\n"),
    ] {
        assert_eq!(apply(text, &with_reply_only(text).expect(text)), edited);
        assert!(sound(edited).scoring.prompt_counts == Some(false), "{edited}");
        assert_eq!(with_reply_only(edited), Some(Vec::new()), "{edited}");
    }
    assert_eq!(with_reply_only("scoring = 1"), None);
    assert_eq!(with_reply_only("["), None);
}

#[test]
fn the_reading_is_set() {
    for (text, edited) in [
        ("", "[scoring]\nreading = \"plain\"\n"),
        ("[scoring]\nreading = \"written\" # why\n", "[scoring]\nreading = \"plain\" # why\n"),
    ] {
        assert_eq!(apply(text, &with_plain_reading(text).expect(text)), edited);
        assert_eq!(sound(edited).scoring.reading, Reading::Plain, "{edited}");
        assert_eq!(with_plain_reading(edited), Some(Vec::new()), "{edited}");
    }
    assert_eq!(with_plain_reading("scoring = 1"), None);
}

#[test]
fn a_source_is_defined_by_its_phrases() {
    let phrases = ["github".to_owned(), "pull request".to_owned()];
    for (text, edited) in [
        ("", "[sources]\ngithub = [\"github\", \"pull request\"]\n"),
        (
            "[sources] # own\ncrm = ['crm']\n",
            "[sources] # own\ncrm = ['crm']\ngithub = [\"github\", \"pull request\"]\n",
        ),
        ("[sources]\ngithub = ['gh'] # why\n", "[sources]\ngithub = [\"github\", \"pull request\"] # why\n"),
        ("[sources]\ngithub = ['github', 'pull request']\n", "[sources]\ngithub = ['github', 'pull request']\n"),
    ] {
        let after = apply(text, &with_source(text, "github", &phrases).expect(text));
        assert_eq!(after, edited);
        assert_eq!(sound(&after).sources["github"].patterns, phrases);
    }
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
