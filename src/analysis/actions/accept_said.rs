//! What an answer offers to a case: failed checks that change to what the answer says, like the update of a snapshot, and new checks.
//! Each change is tried before it is offered: with it, the check passes on the answer, and fails on an empty answer and on one that
//! only repeats the prompts.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::iter;
use std::sync::Arc;
use std::time::SystemTime;

use crate::analysis::verdicts::JudgedCase;
use crate::analysis::{Answer, Answers, Document};
use crate::checks::{Answered, CheckOutcome, expectations};
use crate::diagnostic::{Edit, quoted};
use crate::suite::Case;
use crate::text::{Span, counted, fold};
use crate::transcript::Transcript;

use super::{Action, ActionKind};

/// The changes of the failed checks that a selection touches. None if the answer was given to other prompts.
pub(crate) fn accept_said(document: &Document, answers: &Answers, at: Span) -> Vec<Action> {
    let found = document.suite().case_at(at.start);
    let Some((index, placed)) = found else { return Vec::new() };
    let Some(verdict) = document.verdict(index, answers).filter(|it| !(it.outdated || it.is_stale())) else {
        return Vec::new();
    };
    let Ok(transcript) = &verdict.answer.transcript else { return Vec::new() };
    let is_here = |span: Span| {
        let span = placed.absolute(span);
        span.start <= at.end && at.start <= span.end
    };
    let asked = expectations(&placed.case);
    let source = document.text().slice(placed.span());
    let mut trial = Trial { document, index, answers, vacuous: vacuous(&placed.case, answers) };
    let mut offered = Vec::new();
    for (number, (asked, check)) in asked.iter().zip(verdict.checks()).enumerate() {
        if check.result.outcome != CheckOutcome::Failed || !is_here(asked.span) {
            continue;
        }
        // Long evidence is shortened, and the shortened text is not what the answer says.
        let near = check.result.nearest.first().map(|near| near.text.as_str());
        let near = near.filter(|near| transcript.response.contains(near) && !near.trim().is_empty());
        let written = document.text().slice(placed.absolute(asked.span));
        let is_text = !["tool_calls_any", "must_ground_numbers", "required_sources"].contains(&asked.key);
        let pieces = if is_text { pieces(&transcript.response, written) } else { Vec::new() };
        let enough = offered.len() + PIECES;
        for (text, is_piece) in iter::once((near, false)).chain(pieces.into_iter().map(|piece| (Some(piece), true))) {
            for offer in asked.rule.propose(&Answered { near: text, transcript, source }) {
                let edits = vec![Edit::replace(placed.absolute(offer.edit.span), offer.edit.text)];
                let is_new = offered.len() < enough && offered.iter().all(|known: &Action| known.edits != edits);
                if is_new && trial.holds(&verdict, number, &edits[0]) {
                    let piece = text.filter(|_| is_piece).map(quoted);
                    let title = piece.map_or(offer.title, |piece| format!("pick from the answer: {piece}"));
                    offered.push(Action { title, kind: ActionKind::Rewrite, edits });
                }
            }
        }
    }
    offered
}

/// The most pieces of an answer that are offered for a check. More are tried.
const PIECES: usize = 4;

/// The sentences of an answer, those first that have most words of the expectation.
fn pieces<'a>(answer: &'a str, written: &str) -> Vec<&'a str> {
    let written = fold(written);
    let words: Vec<_> = written.split(|char: char| !char.is_alphanumeric()).filter(|word| word.len() > 2).collect();
    let lines = answer[..answer.floor_char_boundary(LONGEST.min(answer.len()))].lines();
    let sentences = lines.flat_map(|line| line.split(". ")).flat_map(|line| line.split("; "));
    let is_mark = |char: char| " \t*_#>|-.;:,!".contains(char);
    let mut pieces: Vec<_> = sentences.map(|piece| piece.trim_matches(is_mark)).collect();
    // A longer piece would not be found in another answer.
    pieces.retain(|piece| (2..=80).contains(&piece.len()));
    pieces.sort_by_cached_key(|piece| {
        let piece = fold(piece);
        Reverse(words.iter().filter(|word| piece.contains(**word)).count())
    });
    pieces.truncate(3 * PIECES);
    pieces
}

/// What changes are tried with.
struct Trial<'a> {
    document: &'a Document,
    index: usize,
    answers: &'a Answers,
    /// The empty answer, and the one that repeats the prompts.
    vacuous: [Answers; 2],
}

impl Trial<'_> {
    /// Whether the check with that number passes after an edit, no other check fails instead, and the check notices answers that say
    /// nothing.
    fn holds(&mut self, before: &JudgedCase, number: usize, edit: &Edit) -> bool {
        let mut changed = self.document.clone();
        changed.edit(edit.span, &edit.text);
        let outcome = |answers: &Answers| {
            let verdict = changed.verdict(self.index, answers)?;
            let outcome = verdict.checks().nth(number)?.result.outcome;
            Some((outcome, verdict.count(CheckOutcome::Failed), verdict.count(CheckOutcome::NotJudged)))
        };
        let failed = before.count(CheckOutcome::Failed);
        let passes = outcome(self.answers)
            .is_some_and(|(outcome, now, broken)| outcome == CheckOutcome::Passed && now < failed && broken == 0);
        passes
            && self
                .vacuous
                .iter()
                .all(|answers| outcome(answers).is_some_and(|(outcome, ..)| outcome == CheckOutcome::Failed))
    }
}

fn vacuous(case: &Case, answers: &Answers) -> [Answers; 2] {
    let id = case.id.as_ref().map_or("", |id| &id.value);
    let prompt = case.prompt.as_ref().map_or("", |prompt| &prompt.value);
    ["", prompt].map(|response| {
        let transcript = Transcript { case: id.to_owned(), response: response.to_owned(), ..Transcript::default() };
        let answer = Arc::new(Answer::live(transcript, SystemTime::UNIX_EPOCH));
        Answers::new(Arc::clone(answers.config()), Arc::default(), HashMap::from([(id.to_owned(), answer)]))
    })
}

/// The longest answer that is tried, in bytes: each of some sixty candidates is judged with it and with its rewrites.
const LONGEST: usize = 64 << 10;

/// Adds the fewest checks with which the case at `at` fails every answer that it ought to fail. `None` if it has no answer to its
/// prompt, if the answer is too long for an editor that waits, or if nothing is to be added.
pub(crate) fn propose_checks(document: &Document, answers: &Answers, at: Span) -> Option<Action> {
    let (index, placed) = document.suite().case_at(at.start)?;
    let verdict = document.verdict(index, answers)?;
    let transcript = verdict.answer.transcript.as_ref().ok()?;
    if verdict.outdated || verdict.is_stale() || transcript.response.len() > LONGEST {
        return None;
    }
    let samples = placed.case.id.as_ref().and_then(|id| answers.around.samples.get(&id.value));
    let proposal = document.challenges(answers).proposal(index, samples.map_or(&[], |samples| samples))?;
    if proposal.checks.is_empty() {
        return None;
    }
    let count = counted(proposal.checks.len(), "check");
    let title = match &proposal.open[..] {
        [] => format!("add {count} from the answer: then all {} fail", counted(proposal.wrong_answers, "wrong answer")),
        open => format!(
            "add {count} from the answer: then only {} of {} pass",
            open.len(),
            counted(proposal.wrong_answers, "wrong answer")
        ),
    };
    let edits = proposal.edits.into_iter().map(|edit| Edit::replace(placed.absolute(edit.span), edit.text));
    Some(Action { title, kind: ActionKind::Add, edits: edits.collect() })
}

#[cfg(test)]
mod tests {
    use crate::analysis::tests::live;
    use crate::text::Text;

    use super::*;

    const CURSOR: char = '‸';

    /// The actions at the cursor of a case's expectations, and the texts after them. The answer is from the transcript's JSON.
    fn offered(expected: &str, answer: &str) -> String {
        let suite = format!(
            r#"{{ "version": "0.2.0", "cases": [{{ "id": "A", "prompt": "Name the month.", "expected": {{ {expected} }} }}] }}"#
        );
        let at = suite.find(CURSOR).unwrap();
        let suite = suite.replacen(CURSOR, "", 1);
        let document = Document::new(Text::new(&suite), None);
        let answers = live(Arc::default(), [("A", Transcript::parse(answer).unwrap())]);
        let applied = |action: Action| {
            let mut text = suite.clone();
            let edit = &action.edits[0];
            text.replace_range(edit.span.range(), &edit.text);
            let start = text.find("\"expected\": { ").unwrap() + 14;
            format!("  {}:\n      {}\n", action.title, &text[start..text.rfind(" } }").unwrap()])
        };
        let offers = accept_said(&document, &answers, Span::empty(at)).into_iter().map(applied);
        format!("{expected}\n{}\n", offers.collect::<String>())
    }

    /// What is offered for an answer with that response.
    fn said((expected, response): (&str, &str)) -> String {
        let answer = serde_json::json!({ "format": "eval-ls/transcript@1", "case": "A", "response": response });
        offered(expected, &answer.to_string())
    }

    #[test]
    fn a_check_becomes_what_the_answer_says() {
        let offers = [
            (r#""must_match_regex": ["open ‸pull requests: \\d+"]"#, "- open PRs (all): 12, 3 of them old"),
            (r#""must_match_regex": ["open p‸ull requests: 12"]"#, "- open PRs: 12"),
            (r#""must_say_any": ["closed on Sun‸day"]"#, "We open at 9.\n- It stays shut on Sundays. Name the month."),
            (r#""must_match_regex": ["^N‸o"]"#, "We open at 9."),
            (r#""must_say_any": ["Git‸ hub"]"#, "On GitHub."),
            (r#""must_say_any": ["Git‸ hub", "x"]"#, "On GitHub."),
            (r#""required_sources": ["Git‸ hub"]"#, "On GitHub."),
            (r#""must_ground_numbers": [{ "label": "orders", "val‸ue": 12 }]"#, "orders: 14 open"),
            (r#""must_ground_numbers": [{ "label": "orders", "val‸ue": "12" }]"#, "orders: 14.5 open"),
        ]
        .map(said);
        insta::assert_snapshot!(offers.concat());
    }

    #[test]
    fn no_change_is_offered_without_a_failure_and_a_cursor() {
        for (expected, response) in [
            (r#""must_say_any": ["Git‸Hub"]"#, "On GitHub."),
            (r#""must_not_say": ["x‸"], "must_say_any": ["Git hub"]"#, "On GitHub."),
            // The prompt alone meets the change.
            (r#""must_match_regex": ["Name th‸e year"]"#, "Name the month."),
        ] {
            assert_eq!(said((expected, response)), format!("{expected}\n\n"));
        }
    }

    #[test]
    fn a_tool_becomes_one_that_was_called() {
        let answer = r#"{ "format": "eval-ls/transcript@1", "case": "A", "response": "x", "telemetry": [
            { "source": "tool.find", "event": "start" }, { "source": "tool.book", "event": "start" }] }"#;
        insta::assert_snapshot!(offered(r#""tool_calls_any": ["sear‸ch"]"#, answer));
    }
}
