use proptest::prelude::*;

use super::completion::{completions, layout};
use super::*;

const CURSOR: char = '‸';

fn at_cursor(text: &str) -> (String, usize) {
    let offset = text.find(CURSOR).expect(text);
    (text.replace(CURSOR, ""), offset)
}

/// The labels of the suggestions, separated by spaces.
fn labels(text: &str) -> String {
    let (text, offset) = at_cursor(text);
    completions(&text, offset).into_iter().map(|completion| completion.label).collect::<Vec<_>>().join(" ")
}

/// The text after a suggestion was accepted by a client with snippets.
fn accepted(label: &str, text: &str) -> String {
    let (mut text, offset) = at_cursor(text);
    let found = completions(&text, offset).into_iter().find(|completion| completion.label == label);
    let found = found.unwrap_or_else(|| panic!("`{label}` is not suggested in {text}"));
    text.replace_range(found.span.range(), &found.text.to_template(&layout(&text, offset)));
    text
}

fn starts(text: &str, expected: &str) {
    let found = labels(text);
    assert!(found.starts_with(expected), "{text}\n{found}");
}

#[test]
fn an_empty_file_has_keys_and_headers() {
    let sections = "[files] [run] [scoring] [targets.agent] [[preconditions]] [[ui_hints]] [sources] [challenge] \
                    [tools] [[allow]] [[policy]] [lints]";
    assert_eq!(labels("‸"), sections);
    assert_eq!(labels("[‸"), sections);
    assert_eq!(labels("[‸]"), sections);
    assert_eq!(labels("# a comment ‸"), "");
    // Tables that exist are not suggested; further targets and hints are.
    let rest = labels("[files]\n[run]\njobs = 2\n[targets.a]\n[[ui_hints]]\n[lints]\n\n[‸");
    let left = "[scoring] [targets.agent] [[preconditions]] [[ui_hints]] [sources] [challenge] [tools] [[allow]] \
                [[policy]]";
    assert_eq!(rest, left);
}

#[test]
fn a_table_has_the_keys_that_it_lacks() {
    starts("[run]\n‸", "target jobs timeout retry_errors results transcripts keep labels stale flaky [files] ");
    starts("[run]\njobs = 2\n‸\ntarget = 'a'", "timeout retry_errors ");
    starts("run.‸", "target jobs ");
    starts("[run]\njo‸", "target jobs ");
    starts("[targets.agent]\n‸", "kind command cwd env ");
    starts("[[ui_hints]]\nhint = 'a'\n\n[[ui_hints]]\n‸", "hint all any at_least ");
    starts(
        "[challenge]\n‸",
        "answers control [challenge.levels] [[challenge.rewrites]] [[challenge.exceptions]] [files] ",
    );
    starts("[[challenge.exceptions]]\ncases = 'A'\n[[challenge.exceptions]]\n‸", "cases reason challenges [");
    assert_eq!(labels("[challenge.‸"), "[challenge.levels] [[challenge.rewrites]] [[challenge.exceptions]]");
    assert_eq!(labels("[targets.agent]\nchat_input = { role = 'a', ‸ }"), "name");
    assert_eq!(labels("[nothing]\nlike = { ‸ }"), "");
    starts("[targets.a]\nkind = 'command'\n‸", "command cwd env pass_env timeout [files] ");
    starts("[targets.a]\nkind = 'browser'\n‸", "url chat_input send ");
    starts("[targets.a]\nkind = 'replay'\n‸", "[files] ");
    starts("[[preconditions]]\nsteps = []\n‸", "text [files] ");
    starts("[lints]\n‸", "invalid-json duplicate-key ");
}

#[test]
fn a_value_has_its_closed_list_default_and_example() {
    for (text, expected) in [
        ("[targets.agent]\nkind = ‸", "command browser replay"),
        ("[targets.agent]\nkind = \"‸\"", "command browser replay"),
        ("[targets.agent]\nkind = \"comm‸", "command browser replay"),
        ("targets.agent = { kind = ‸ }", "command browser replay"),
        ("[lints]\nunknown-key = ‸", "error warning hint off"),
        ("[scoring]\nprompt_counts =‸", "true false"),
        ("[run]\ntimeout = ‸\njobs = 2", "60s 90s 2m"),
        ("[run]\ntarget = ‸\n[targets.app]\nkind = 'browser'\n[targets.b]\n", "app b replay agent"),
        ("[files]\nexclude = [\n  '**/a/**', ‸\n]", "**/drafts/**"),
        ("[run]\njobs = ‸ 2", ""),
        ("[run]\njobs = 2 ‸", ""),
        ("[run]\njobs ‸", ""),
        ("[run\n‸", "target jobs timeout retry_errors results transcripts keep labels stale flaky"),
        ("[unknown]\nkey = ‸", ""),
    ] {
        let found = labels(text);
        assert_eq!(found.split(" [").next().unwrap(), expected, "{text}");
    }
    starts("[[allow]]\nlint = \"‸\"", "invalid-json duplicate-key ");
    starts("[[challenge.exceptions]]\nchallenges = [\"‸\"]", "silence echo apology ");
}

#[test]
fn an_accepted_suggestion_needs_no_more_punctuation() {
    for (label, text, after) in [
        ("jobs", "[run]\n‸", "[run]\njobs = ${1:1}"),
        ("jobs", "[run]\njo‸ = 4", "[run]\njobs = 4"),
        ("timeout", "[run]\nti‸\n", "[run]\ntimeout = \"${1:60s}\"\n"),
        ("stale", "[run]\n‸", "[run]\nstale = \"${1|warn,fail,ignore|}\""),
        ("prompt_counts", "[scoring]\n‸", "[scoring]\nprompt_counts = ${1|true,false|}"),
        ("command", "[targets.a]\n‸", "[targets.a]\ncommand = [\"$1\"]"),
        ("before", "[targets.a]\n‸", "[targets.a]\nbefore = [[\"$1\"]]"),
        ("env", "[targets.a]\n‸", "[targets.a]\nenv = { $1 \\}"),
        ("chat_input", "[targets.a]\n‸", "[targets.a]\nchat_input = { role = \"${1:textbox}\", name = \"$2\" \\}"),
        ("command", "[targets.a]\nkind =‸", "[targets.a]\nkind = \"command\""),
        ("command", "[targets.a]\nkind = \"co‸\"", "[targets.a]\nkind = \"command\""),
        ("true", "[scoring]\nprompt_counts = ‸", "[scoring]\nprompt_counts = true"),
        ("[run]", "‸", "[run]"),
        ("[run]", "[‸]", "[run]"),
        ("[targets.agent]", "[ta‸\n", "[targets.${1:agent}]\nkind = \"${2|command,browser,replay|}\"\n"),
        ("[targets.agent]", "ta‸\r\n", "[targets.${1:agent}]\r\nkind = \"${2|command,browser,replay|}\"\r\n"),
        ("[[ui_hints]]", "[[‸]]", "[[ui_hints]]\nhint = \"$1\""),
        ("[[ui_hints]]", "[‸]\nhint = 'a'\n", "[[ui_hints]]\nhint = 'a'\n"),
        ("[[challenge.exceptions]]", "[challenge.ex‸]", "[[challenge.exceptions]]\ncases = \"$1\"\nreason = \"$2\""),
    ] {
        assert_eq!(accepted(label, text), after, "{label} in {text}");
    }
}

#[test]
fn a_typed_character_opens_a_list_only_before_a_value() {
    let found = |text: &str, trigger| {
        let (text, offset) = at_cursor(text);
        configuration_completions(&Text::from(text), offset, Some(trigger)).items.len()
    };
    assert_eq!(found("[targets.a]\nkind = \"‸\"", '"'), 3);
    assert_eq!(found("[targets.a]\nkind = \"browser\"‸", '"'), 0);
    assert_eq!(found("[targets.a]\nkind = ‸", ' '), 3);
    assert_eq!(found("[targets.a]\n ‸", ' '), 0);
    assert_eq!(found("[targets.a]\n:‸", ':'), 0);
}

fn hovered(text: &str) -> String {
    let (text, offset) = at_cursor(text);
    match configuration_hover(&Text::new(&text), offset) {
        Some(hover) => format!("{}: {}", &text[hover.span.range()], hover.page.to_markdown()),
        None => String::new(),
    }
}

#[test]
fn keys_headers_and_values_are_explained() {
    insta::assert_snapshot!(
        [
            "[r‸un]\n",
            "[run]\nti‸meout = '90s'\n",
            "[run]\nstale = 'wa‸rn'\n",
            "[targets.ag‸ent]\n",
            "[targets.agent]\nchat_input = { ro‸le = 'textbox' }\n",
            "[[ui_hints]]\nall_of = [['A', 'B‸']]\n",
            "[lints]\nvacuous-ca‸se = 'off'\n",
        ]
        .map(hovered)
        .join("\n=====\n")
    );
    for text in ["‸\n[run]\n", "[run]\nunknown‸ = 1\n", "[nothing‸]\n", "# [run‸]\n"] {
        assert_eq!(hovered(text), "", "{text}");
    }
}

#[test]
fn errors_have_their_fixes() {
    let findings = configuration_findings(&Text::new("[run]\njob = 2\n"));
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].fixes[0].edits[0].text, "jobs");
}

#[test]
fn a_huge_file_is_not_read() {
    let text = Text::from(format!("[run]\n{}", "#\n".repeat(200_000)));
    assert_eq!(configuration_findings(&text)[0].message, "this file has more than 256 KiB, so it is not read");
    assert!(configuration_hover(&text, 2).is_none());
    assert!(configuration_completions(&text, 6, None).items.is_empty());
}

#[test]
fn deep_nesting_is_read_in_part() {
    let text = format!("[run]\na = {}", "[{b=".repeat(20_000));
    let at = text.len();
    completions(&text, at);
    assert!(configuration_hover(&Text::new(&text), 2).is_some());
}

proptest! {
    #[test]
    fn no_text_is_a_problem(text in "([\\[\\]{}=.,\"'#\n \\\\]|run|targets|a|jobs|é|'''|\"\"\"|1){0,40}", part in 0.0..1.0) {
        let text: String = text;
        let mut offset = (text.len() as f64 * part) as usize;
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let whole = Text::new(&text);
        configuration_hover(&whole, offset);
        for completion in configuration_completions(&whole, offset, None).items {
            prop_assert!(completion.span.end <= text.len() && completion.span.start <= offset);
            prop_assert!(!text[completion.span.range()].contains('\n'));
        }
    }
}
