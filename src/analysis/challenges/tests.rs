use std::time::SystemTime;

use super::*;
use crate::analysis::inlay_hints::{HintsWanted, VerdictHints, hint_page, inlay_hints};
use crate::analysis::tests::live;
use crate::analysis::{Workspace, hover};
use crate::text::{Span, Text};

const SUITE: &str = r#"{ "version": "0.2.0", "cases": [
  { "id": "WEAK", "prompt": "List the commits", "expected": { "must_say_any": ["commits"] } },
  { "id": "BROAD", "prompt": "Add a section Signals.", "expected": {
    "must_match_regex": ["Signals"], "must_not_say": ["error"] } },
  { "id": "STRONG", "prompt": "How many?", "expected": { "must_ground_numbers": [{ "value": "12" }] } }
] }"#;

fn document(text: &str) -> Document {
    Document::new(Text::new(text), None)
}

/// The answer of the strong case.
fn answers() -> Answers {
    let (case, prompt, response) = ("STRONG".to_owned(), Some("How many?".to_owned()), "There are 12.".to_owned());
    live(Arc::default(), [("STRONG", Transcript { case, prompt, response, ..Transcript::default() })])
}

/// The text with each note in `‹›`.
fn noted(text: &str, answers: &Answers) -> String {
    let document = document(text);
    let wanted = HintsWanted { verdicts: VerdictHints::None, challenges: true };
    let hints = inlay_hints(&document, answers, Span::new(0, text.len()), wanted);
    let mut noted = text.to_owned();
    for hint in hints.iter().rev() {
        noted.insert_str(hint.offset, &format!("‹{}›", hint.label));
    }
    noted
}

fn titles(text: &str, at: &str) -> Vec<String> {
    let at = text.find(at).unwrap() + 1;
    remedies(&document(text), &Answers::default(), Span::empty(at)).into_iter().map(|remedy| remedy.title).collect()
}

#[test]
fn cases_and_checks_that_prove_nothing_have_a_note() {
    let noted = noted(SUITE, &Answers::default());
    assert!(noted.contains(r#""WEAK",‹passes 3 challenges›"#), "{noted}");
    assert!(noted.contains(r#"["commits"]‹passes on the prompt alone›"#), "{noted}");
    assert!(noted.contains(r#"["Signals"],‹passes on the prompt alone›"#), "{noted}");
    assert_eq!(noted.matches('‹').count(), 4, "{noted}");
}

#[test]
fn the_notes_lead_to_the_rows_and_the_page_has_the_table() {
    use crate::analysis::inlay_hints::HintSubject;
    let (document, answers) = (document(SUITE), Answers::default());
    let page = |subject| hint_page(&document, &answers, subject, SystemTime::UNIX_EPOCH).unwrap().to_plain();
    let case = page(HintSubject::ChallengedCase(0));
    let check = page(HintSubject::ChallengedCheck { case: 1, check: 2 });
    insta::assert_snapshot!([case, check, suite_page(&document, &answers, "a_b*.json")].join("\n\n=====\n\n"));
}

#[test]
fn the_hover_has_the_row_if_it_is_wanted() {
    let document = document(SUITE);
    let page = |at: &str, wanted| {
        let offset = SUITE.find(at).unwrap() + 1;
        let workspace = Arc::<Workspace>::default();
        let hover = hover(&document, &workspace, &Answers::default(), offset, SystemTime::UNIX_EPOCH, wanted);
        hover.unwrap().page.to_plain()
    };
    assert!(page("\"WEAK\"", true).contains("Challenges: fails 2 of 5"), "{}", page("\"WEAK\"", true));
    assert!(page("\"Signals\"", true).contains("Challenges: notices silence and refusal; passes on echo"));
    assert!(!page("\"Signals\"", false).contains("Challenges"));
}

#[test]
fn a_fix_is_offered_where_the_prompt_alone_meets_a_check() {
    let reply = "match it in the reply only: set `prompt_counts = false` under [scoring] in eval-ls.toml";
    assert_eq!(titles(SUITE, "\"Signals\""), [reply, r"anchor the pattern: `^\W*Signals`"]);
    assert_eq!(titles(SUITE, "[\"commits\"]"), [reply]);
    assert_eq!(titles(SUITE, "\"error\""), [""; 0]);
}

#[test]
fn the_fix_makes_the_check_notice_the_prompt() {
    let document = document(SUITE);
    let at = SUITE.find("\"Signals\"").unwrap();
    let fixes = remedies(&document, &Answers::default(), Span::empty(at));
    let edits = fixes.into_iter().find_map(|fix| match fix.change {
        Change::Case(edits) => Some(edits),
        _ => None,
    });
    let edits = edits.unwrap();
    let mut fixed = SUITE.to_owned();
    edits.iter().rev().for_each(|edit| fixed.replace_range(edit.span.range(), &edit.text));
    let noted = noted(&fixed, &Answers::default());
    assert_eq!(noted.matches("passes on the prompt alone").count(), 1, "{noted}");
    assert!(!noted.contains("\"BROAD\"‹"), "{noted}");
}

#[test]
fn an_edit_challenges_only_its_case_again() {
    let mut document = document(SUITE);
    let answers = answers();
    let before: Vec<_> = (0..3).map(|index| document.challenges(&answers).of(index).unwrap()).collect();
    let at = SUITE.find("error").unwrap();
    document.edit(Span::empty(at), "x");
    let after: Vec<_> = (0..3).map(|index| document.challenges(&answers).of(index).unwrap()).collect();
    let same: Vec<bool> = before.iter().zip(&after).map(|(one, other)| Arc::ptr_eq(one, other)).collect();
    assert_eq!(same, [true, false, true]);
    let broken = SUITE.replace(r#"["commits"]"#, r#"["commits""#);
    document.set_text(Text::new(&broken));
    assert!(document.challenges(&answers).of(0).is_none(), "a broken case is not challenged");
}

#[test]
fn a_new_answer_challenges_the_cases_that_it_belongs_to() {
    let document = document(SUITE);
    let names = |answers: &Answers, index| -> Vec<String> {
        let judged = document.challenges(answers).of(index).unwrap();
        judged.attempts.iter().map(|attempt| attempt.challenge.to_string()).collect()
    };
    assert!(!names(&Answers::default(), 0).contains(&"other-answer:STRONG".to_owned()));
    let answers = answers();
    assert!(names(&answers, 0).contains(&"other-answer:STRONG".to_owned()));
    assert!(names(&answers, 2).contains(&"stale".to_owned()));
}
