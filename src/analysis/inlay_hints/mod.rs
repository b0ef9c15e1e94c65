//! Inlay hints: short notes on verdicts, challenges and scoring after the text of a suite. [`place`] decides where a note stands, and whether it names
//! the text that it is about. The page of a hint is requested separately, by its [`HintSubject`], because people open few of them.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::analysis::verdicts::JudgedCase;
use crate::analysis::verdicts::findings::{PASSED, check_label};
use crate::analysis::weighing::{Weighing, percent};
use crate::cancellation::checkpoint;
use crate::challenge::CaseChallenges;
use crate::checks::{CheckOutcome, expectations};
use crate::config::ChallengeConfig;
use crate::suite::{Group, List, PlacedCase};
use crate::text::{Span, counted, number};
use crate::wording::{Markup, cut, plain};

use super::challenges::{self, challenged_case, challenged_check};
use super::verdicts::pages;
use super::{Answers, Document, hover};

/// A note after a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InlayHint {
    /// The offset of the note, in bytes of the document.
    pub(crate) offset: usize,
    /// One line of plain text, safe to show.
    pub(crate) label: String,
    /// The subject of the note.
    pub(crate) subject: HintSubject,
}

/// The subject of a note. Cases and checks are counted from 0, in the order of the document and of the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum HintSubject {
    /// The verdict on a case.
    Case(usize),
    /// The share of a group in the soft score of a case.
    Group {
        /// The index of the case.
        case: usize,
        /// The group.
        group: Group,
    },
    /// The challenges of a case.
    ChallengedCase(usize),
    /// The challenges of one check of a case.
    ChallengedCheck {
        /// The index of the case.
        case: usize,
        /// The index of the check.
        check: usize,
    },
    /// The verdict on one check of a case.
    Check {
        /// The index of the case.
        case: usize,
        /// The index of the check.
        check: usize,
    },
}

/// The verdicts that have notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictHints {
    /// None.
    None,
    /// The verdicts on cases: what did not pass is a diagnostic.
    Cases,
    /// Also those on checks.
    All,
}

/// The kinds of notes to return.
#[derive(Clone, Copy, Debug)]
pub struct HintsWanted {
    /// Verdicts.
    pub verdicts: VerdictHints,
    /// Checks that are worth nothing, and cases that pass challenges.
    pub challenges: bool,
}

/// The notes within the bytes of `within`, in the order of the text.
pub fn inlay_hints(document: &Document, answers: &Answers, within: Span, wanted: HintsWanted) -> Vec<InlayHint> {
    let mut hints = Vec::new();
    let challenges = wanted.challenges.then(|| document.challenges(answers));
    let suite = document.suite();
    let text = document.text().as_str();
    for index in suite.cases_in(within) {
        checkpoint();
        let placed = &suite.cases[index];
        if wanted.verdicts != VerdictHints::None
            && let Some(verdict) = document.verdict(index, answers)
        {
            let with_checks = wanted.verdicts == VerdictHints::All;
            hints.extend(verdict_hints(text, index, placed, &verdict, with_checks));
        }
        if let Some(judged) = challenges.as_ref().and_then(|challenges| challenges.of(index)) {
            hints.extend(challenge_hints(text, index, placed, &judged, &answers.config().challenge));
        }
        hints.extend(scoring_hints(text, index, placed));
    }
    hints.retain(|hint| within.touches(hint.offset));
    hints.sort_by_key(|hint| hint.offset);
    separate(&mut hints);
    // A note between a value and its comma reads as part of the value.
    let text = text.as_bytes();
    hints.iter_mut().for_each(|hint| hint.offset += usize::from(text.get(hint.offset) == Some(&b',')));
    hints
}

/// Puts a dot between notes at the same place: editors show them side by side.
fn separate(hints: &mut [InlayHint]) {
    for index in 1..hints.len() {
        let follows = hints[index - 1].offset == hints[index].offset;
        let label = &mut hints[index].label;
        if follows && !label.starts_with('·') {
            label.insert_str(0, "· ");
        }
    }
}

/// The page of a note; `None` if its subject no longer exists.
pub(crate) fn hint_page(
    document: &Document,
    answers: &Answers,
    subject: HintSubject,
    now: SystemTime,
) -> Option<Markup> {
    match subject {
        HintSubject::Case(case) => {
            let verdict = document.verdict(case, answers)?;
            let id = document.suite().cases.get(case).and_then(|placed| placed.case.id.as_ref());
            let is_stored = id.is_some_and(|id| answers.is_stored(&id.value));
            Some(pages::case_page(&verdict, is_stored, now))
        }
        HintSubject::ChallengedCase(case) => challenged_case(document, answers, case),
        HintSubject::ChallengedCheck { case, check } => challenged_check(document, answers, case, check),
        HintSubject::Group { case, group } => hover::group_page(document, answers, case, group, now),
        HintSubject::Check { case, check } => {
            let verdict = document.verdict(case, answers)?;
            let judged = verdict.checks().nth(check)?;
            Some(pages::check_page(&verdict, &judged))
        }
    }
}

/// The longest name in a note, in code points. A note is beside code.
const LONGEST_NAME: usize = 24;

/// How far away the end of a list may be, in bytes, if a note comes after it.
const FURTHEST: usize = 4096;

/// The place of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// The offset, in bytes of the document.
    offset: usize,
    /// The name of the subject, in quotes, if the place alone does not show what the note is about.
    name: Option<String>,
}

/// The place of the note on `element`, which ends before the byte `end`. Between the entries of a list, a note reads as if it were
/// about the next entry. So it stands after the list, or at the end of the line if the list continues, and names its entry unless
/// it is the only one there.
fn place(text: &str, element: Span, end: usize) -> Place {
    place_in(b']', text, element, end, || name(text, element))
}

/// The place of the note on a member of an object, from the start of its key. It is called by this name.
fn place_of_member(text: &str, member: Span, end: usize, name: &str) -> Place {
    place_in(b'}', text, member, end, || quoted(name))
}

fn place_in(closing: u8, text: &str, element: Span, end: usize, name: impl FnOnce() -> String) -> Place {
    let directly = Place { offset: element.end, name: None };
    let end = text.floor_char_boundary(end.clamp(element.end, element.end + FURTHEST));
    let line_end = text[element.end..end].find('\n').map_or(end, |at| element.end + at);
    let follows_another = text[..element.start].trim_end_matches([' ', '\t']).ends_with(',');
    // The end of the list is far away if each entry has its line.
    if !follows_another && matches!(text[element.end..line_end].trim(), "" | ",") {
        return directly;
    }
    let Some(list_end) = list_end(closing, text, element, end) else { return directly };
    let rest = text[element.end..line_end.min(list_end)].trim();
    let is_last = matches!(rest, "" | "," | "]" | "}");
    let named = (!is_last || follows_another).then(name);
    if list_end <= line_end {
        return Place { offset: list_end, name: named };
    }
    match is_last {
        true => Place { name: named, ..directly },
        false => Place { offset: text[..line_end].trim_end().len(), name: named },
    }
}

/// The end of the list whose entry is at `element`, after its `closing` bracket; `None` if it is not an entry of such a list.
fn list_end(closing: u8, text: &str, element: Span, end: usize) -> Option<usize> {
    let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
    for (at, byte) in text.as_bytes()[..end].iter().enumerate().skip(element.end) {
        if in_string {
            in_string = is_escaped || *byte != b'"';
            is_escaped = *byte == b'\\' && !is_escaped;
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth == 0 => return (*byte == closing).then_some(at + 1),
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The name of an entry: its text, or what identifies an object.
fn name(text: &str, element: Span) -> String {
    let json = &text[element.range()];
    let name = match serde_json::from_str(json) {
        Ok(Value::String(string)) => string,
        Ok(Value::Object(object)) => {
            let identifying = ["label", "value", "regex"].iter().find_map(|key| object.get(*key));
            identifying.map_or_else(
                || json.to_owned(),
                |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            )
        }
        _ => json.to_owned(),
    };
    quoted(&name)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", cut(&plain(name), LONGEST_NAME))
}

/// The notes on one case of `text`.
fn challenge_hints(
    text: &str,
    index: usize,
    placed: &PlacedCase,
    judged: &CaseChallenges,
    config: &ChallengeConfig,
) -> Vec<InlayHint> {
    let of_case = placed.case.id.as_ref().and_then(|id| {
        let label = challenges::case_label(&id.value, judged, config)?;
        Some(InlayHint { offset: placed.absolute(id.span).end, label, subject: HintSubject::ChallengedCase(index) })
    });
    let of_checks = judged.checks.iter().enumerate().filter_map(|(number, check)| {
        let label = challenges::check_label(check)?;
        let Place { offset, name } = place(text, placed.absolute(check.span), placed.span().end);
        let label = name.map_or_else(|| label.to_owned(), |name| format!("{name} {label}"));
        Some(InlayHint { offset, label, subject: HintSubject::ChallengedCheck { case: index, check: number } })
    });
    of_case.into_iter().chain(of_checks).collect()
}

/// The notes on one case of `text`, and perhaps on its checks.
fn verdict_hints(
    text: &str,
    index: usize,
    placed: &PlacedCase,
    verdict: &JudgedCase,
    with_checks: bool,
) -> Vec<InlayHint> {
    let of_case = placed.case.id.as_ref().map(|id| InlayHint {
        offset: placed.absolute(id.span).end,
        label: verdict.label(),
        subject: HintSubject::Case(index),
    });
    // An implied outcome has no text to put a note after.
    let implied = placed.case.expected.outcome.is_none().then_some("outcome");
    let checks = with_checks.then(|| verdict.checks().enumerate()).into_iter().flatten();
    let written = checks.filter(|(_, check)| Some(check.result.field) != implied);
    let of_checks = written.filter_map(|(number, check)| {
        let Place { offset, name } = place(text, placed.absolute(check.span?), placed.span().end);
        let label = check_label(&check, name.as_deref());
        let subject = HintSubject::Check { case: index, check: number };
        // A check that the prompt alone meets keeps its note.
        let outcome = match check.result.outcome {
            CheckOutcome::Passed if check.result.by_prompt => CheckOutcome::Unknown,
            outcome => outcome,
        };
        Some((InlayHint { offset, label, subject }, name.is_some().then_some(outcome)))
    });
    of_case.into_iter().chain(summed_up(of_checks.collect())).collect()
}

/// Makes one note of those that are named after a list and failed. Leaves out marks of passed checks there: if another check of the list
/// has a note, that is enough; otherwise one mark is.
fn summed_up(notes: Vec<(InlayHint, Option<CheckOutcome>)>) -> Vec<InlayHint> {
    let mut counts: HashMap<usize, [usize; 3]> = HashMap::new();
    for (note, outcome) in &notes {
        let [all, failed, passed] = counts.entry(note.offset).or_default();
        *all += usize::from(outcome.is_some());
        *failed += usize::from(*outcome == Some(CheckOutcome::Failed));
        *passed += usize::from(*outcome == Some(CheckOutcome::Passed));
    }
    let mut summed = HashSet::new();
    let kept = notes.into_iter().filter_map(|(note, outcome)| {
        let [all, failed, passed] = counts[&note.offset];
        let label = match outcome {
            Some(CheckOutcome::Failed) if failed > 1 => format!("✗ {failed} of {all} failed"),
            Some(CheckOutcome::Passed) if passed == all => PASSED.to_owned(),
            Some(CheckOutcome::Passed) => return None,
            _ => return Some(note),
        };
        summed.insert(note.offset).then_some(InlayHint { label, ..note })
    });
    kept.collect()
}

/// The notes of the case with that index of `text`.
fn scoring_hints(text: &str, index: usize, placed: &PlacedCase) -> Vec<InlayHint> {
    let expected = &placed.case.expected;
    if expected.scoring.is_none() {
        return Vec::new();
    }
    let weighing = Weighing::of(&placed.case, &expectations(&placed.case));
    let hint = |Place { offset, name }: Place, group: Group, label: String| InlayHint {
        offset,
        // After a weight, digits would read as part of it.
        label: format!("· {}{label}", name.map(|name| name + " ").unwrap_or_default()),
        subject: HintSubject::Group { case: index, group },
    };
    let count = |group: Group| counted(weighing.group(group).checks, "check");
    // Behind a line with several groups, the notes would be longer than the line. A group without checks is news there, too.
    let is_news = |place: &Place, group: Group| place.name.is_none() || weighing.group(group).checks == 0;
    let end = placed.span().end;
    let mut hints = Vec::new();
    for named in expected.hard_fail().into_iter().flat_map(List::entries) {
        let Some(group) = Group::from_name(&named.value) else { continue };
        let place = place(text, placed.absolute(named.span), end);
        if is_news(&place, group) {
            hints.push(hint(place, group, count(group)));
        }
    }
    let weights = expected.weights().map_or(&[][..], |field| &field.value);
    for (number_of, weight) in weights.iter().enumerate() {
        let Some(group) = Group::from_name(&weight.group.value) else { continue };
        // If a group is named twice, only the last weight counts.
        let counts = weights[number_of + 1..].iter().all(|later| later.group.value != weight.group.value);
        let share = weighing.share(weight.value.value).filter(|_| counts && number(weighing.sum) != "1").map(percent);
        let member = placed.absolute(Span::new(weight.group.span.start, weight.value.span.end));
        let place = place_of_member(text, member, end, &weight.group.value);
        if is_news(&place, group) {
            let parts: Vec<String> = share.into_iter().chain([count(group)]).collect();
            hints.push(hint(place, group, parts.join(" · ")));
        }
    }
    hints
}

#[cfg(test)]
mod unit_tests {
    use super::*;
    use crate::analysis::inlay_hints::{HintsWanted, VerdictHints, hint_page, inlay_hints};
    use crate::analysis::{Answers, Document};
    use crate::text::Text;

    /// The text of the suite with each note in `‹›`.
    fn noted(scoring: &str) -> String {
        let wanted = HintsWanted { verdicts: VerdictHints::None, challenges: false };
        let text = format!(
            r#"{{ "cases": [ {{ "id": "A", "expected": {{ "must_say_any": ["a"], "must_not_say": ["b"], "scoring": {scoring} }} }} ] }}"#
        );
        let document = Document::new(Text::new(&text), None);
        let within = Span::new(0, text.len());
        let hints = inlay_hints(&document, &Answers::default(), within, wanted);
        let mut noted = text.clone();
        for hint in hints.iter().rev() {
            noted.insert_str(hint.offset, &format!("‹{}›", hint.label));
        }
        let start = noted.find("\"scoring\": ").unwrap() + "\"scoring\": ".len();
        noted[start..].strip_suffix(" } } ] }").unwrap().to_owned()
    }

    #[test]
    fn weights_and_groups_have_shares_and_counts() {
        let scoring = r#"{ "hard_fail": ["formatting", "nonsense", "uncertainty"], "soft_score": { "weights": { "formatting": 1, "tool_hygiene": 0.5, "x": 0.5 } } }"#;
        let expected = r#"{ "hard_fail": ["formatting", "nonsense", "uncertainty"],‹· "uncertainty" 0 checks› "soft_score": { "weights": { "formatting": 1, "tool_hygiene": 0.5, "x": 0.5 } } }"#;
        assert_eq!(noted(scoring), expected);
        // Weights that are equal to their shares.
        for weights in [r#"{ "formatting": 0.7, "uncertainty": 0.1, "tool_hygiene": 0.2 }"#, r#"{ "formatting": 0 }"#] {
            let scoring = format!(r#"{{ "soft_score": {{ "weights": {weights} }} }}"#);
            assert!(!noted(&scoring).contains('%'));
        }
        // Only the last weight of a group counts.
        let noted = noted("{ \"soft_score\": { \"weights\": {\n\"formatting\": 9,\n\"formatting\": 2\n} } }");
        assert!(!noted.contains("9‹· 100 %") && noted.contains("2‹· 100 %"), "{noted}");
    }

    #[test]
    fn the_page_of_a_note_is_the_hover_page() {
        let text = r#"{ "cases": [ { "expected": { "must_say_any": ["a"] } } ] }"#;
        let document = Document::new(Text::new(text), None);
        let page = |case| {
            let subject = HintSubject::Group { case, group: Group::Formatting };
            hint_page(&document, &Answers::default(), subject, SystemTime::UNIX_EPOCH)
        };
        assert!(page(0).unwrap().to_plain().starts_with("formatting: Phrases"));
        assert_eq!(page(1), None);
    }
}
