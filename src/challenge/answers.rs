//! The answers of a challenge: those that ought to fail, and their telemetry.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value};

use crate::checks::{Forbidden, expectations};
use crate::suite::{Case, List};
use crate::transcript::{Event, Transcript};

use super::catalog::Challenge;

/// What the challenges of one case are made from, beside the case.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surroundings<'a> {
    /// The case's transcript.
    pub(crate) transcript: Option<&'a Transcript>,
    /// The transcripts of the suite's other cases. Those with the case's own prompt are ignored.
    pub(crate) others: Vec<&'a Transcript>,
}

/// What an assistant prints when something breaks.
const APOLOGY: &str = "Sorry, something went wrong.";
/// A refusal whose everyday words contain phrases like `pr`, `insight` and `message`.
const REFUSAL: &str =
    "Sorry, I cannot help with that. I propose to improve the product in April; no insight, no message.";

/// What an assistant says instead of a result.
const DONE: &str = "Done.\n";

/// The challenges of a case, each with the answer that it consists of. A challenge that cannot be made is left out.
pub(super) fn answers<'a>(case: &Case, around: &Surroundings<'a>) -> Vec<(Challenge, Cow<'a, Transcript>)> {
    let mut list = vec![
        (Challenge::Silence, owned(case, String::new())),
        (Challenge::Echo, owned(case, echo(case))),
        (Challenge::Apology, owned(case, format!("{}{APOLOGY}\n", echo(case)))),
        (Challenge::Refusal, owned(case, format!("{REFUSAL}\n"))),
        (Challenge::KeywordSoup, owned(case, keyword_soup(case))),
    ];
    let prompt = prompt(case);
    // A transcript need not say its prompt; then the caller knows that the cases differ.
    let others = || around.others.iter().filter(|other| other.prompt.as_deref().is_none_or(|other| other != prompt));
    if let Some(transcript) = around.transcript {
        list.extend(from_transcript(case, transcript));
        list.extend(other_words(transcript, others().copied()));
    }
    list.extend(others().map(|other| (Challenge::OtherAnswer(other.case.clone()), Cow::Borrowed(*other))));
    list.extend(forbidden_answer(case, &echo(case)).map(|(response, events)| {
        let transcript = Transcript { telemetry: events, ..blank(case, response) };
        (Challenge::Forbidden, Cow::Owned(transcript))
    }));
    list
}

fn from_transcript<'a>(case: &Case, transcript: &'a Transcript) -> Vec<(Challenge, Cow<'a, Transcript>)> {
    let mut list = Vec::new();
    if let Some(response) = page_before(transcript) {
        list.push((Challenge::PageBefore, owned(case, response)));
    }
    if let Some(response) = with_changed_numbers(case, &transcript.response) {
        list.push((Challenge::Stale, Cow::Owned(Transcript { response, ..without_pages(transcript) })));
    }
    if has_tools(&transcript.telemetry) {
        let with = |events| Cow::Owned(Transcript { telemetry: events, ..without_pages(transcript) });
        list.push((Challenge::RenamedTool, with(renamed(&transcript.telemetry))));
        list.push((Challenge::FailedTool, with(with_success(&transcript.telemetry, false))));
        let succeeded = with_success(&transcript.telemetry, true);
        if succeeded != transcript.telemetry {
            list.push((Challenge::SucceededTool, with(succeeded)));
        }
        list.push((Challenge::NoTool, with(Vec::new())));
    }
    list
}

/// The transcript with other responses, if it has tools: the answers of an assistant with the right tools and invented words.
fn other_words<'a>(
    transcript: &'a Transcript,
    mut others: impl Iterator<Item = &'a Transcript>,
) -> Vec<(Challenge, Cow<'a, Transcript>)> {
    if !has_tools(&transcript.telemetry) {
        return Vec::new();
    }
    let other = others.find(|other| !other.response.is_empty() && other.response != transcript.response);
    let of_other = other.map(|other| (other.case.as_str(), other.response.as_str()));
    let with = |response: &str| Cow::Owned(Transcript { response: response.to_owned(), ..without_pages(transcript) });
    let all = [("nothing", ""), ("done", DONE)].into_iter().chain(of_other);
    all.map(|(words, response)| (Challenge::OtherWords(words.to_owned()), with(response))).collect()
}

/// The page before the prompt in the form of the response; `None` if the response is a part of the page.
fn page_before(transcript: &Transcript) -> Option<String> {
    let pages = transcript.pages.as_ref().filter(|pages| !pages.of_part)?;
    pages.before.get(pages.form).clone()
}

/// The transcript without the stored pages, which no check reads.
pub(super) fn without_pages(transcript: &Transcript) -> Transcript {
    Transcript {
        case: transcript.case.clone(),
        prompt: transcript.prompt.clone(),
        setup_prompts: transcript.setup_prompts.clone(),
        response: transcript.response.clone(),
        telemetry: transcript.telemetry.clone(),
        ..Transcript::default()
    }
}

fn owned<'a>(case: &Case, response: String) -> Cow<'a, Transcript> {
    Cow::Owned(blank(case, response))
}

/// A transcript of the case's own prompts with this response and no telemetry.
fn blank(case: &Case, response: String) -> Transcript {
    Transcript {
        case: case.id.as_ref().map_or_else(String::new, |id| id.value.clone()),
        prompt: Some(prompt(case).to_owned()),
        setup_prompts: Some(setup_prompts(case).map(str::to_owned).collect()),
        response,
        ..Transcript::default()
    }
}

fn prompt(case: &Case) -> &str {
    case.prompt.as_ref().map_or("", |prompt| &prompt.value)
}

fn setup_prompts(case: &Case) -> impl Iterator<Item = &str> {
    case.setup_prompts.iter().flat_map(List::entries).map(|prompt| prompt.value.as_str())
}

/// The prompts as a page shows them: a line each.
fn echo(case: &Case) -> String {
    let prompts = setup_prompts(case).chain([prompt(case)]).filter(|prompt| !prompt.is_empty());
    prompts.flat_map(|prompt| [prompt, "\n"]).collect()
}

/// The words of the prompt and the names of the sources, sorted, each once: no sentence is left.
fn keyword_soup(case: &Case) -> String {
    let sources = case.expected.required_sources.iter().flat_map(List::entries).map(|source| source.value.as_str());
    let words = prompt(case).split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    let words: BTreeSet<&str> = words.chain(sources).filter(|word| !word.is_empty()).collect();
    words.into_iter().collect::<Vec<_>>().join(" ") + "\n"
}

/// `response` with every number changed, so that none of the values that the case asks for is left in it; `None` if the
/// response has no number, or every change leaves such a value.
///
/// A number is a run of ASCII digits. Each digit is shifted and a leading `9` makes the number larger, so that an age
/// becomes older too.
pub(super) fn with_changed_numbers(case: &Case, response: &str) -> Option<String> {
    if !response.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let items = case.expected.must_ground_numbers.iter().flat_map(|field| &field.value);
    let values: Vec<&str> = items
        .filter(|item| item.regex.is_none())
        .filter_map(|item| item.value.as_ref())
        .map(|value| value.value.as_str())
        .filter(|value| value.bytes().any(|byte| byte.is_ascii_digit()))
        .collect();
    (1..=9).map(|shift| shifted(response, shift)).find(|text| values.iter().all(|value| !text.contains(value)))
}

fn shifted(response: &str, shift: u8) -> String {
    let mut text = String::with_capacity(response.len() * 2);
    let mut in_number = false;
    for c in response.chars() {
        match c.to_digit(10) {
            Some(digit) => {
                if !in_number {
                    text.push('9');
                }
                text.push(char::from(b'0' + (digit as u8 + shift) % 10));
            }
            None => text.push(c),
        }
        in_number = c.is_ascii_digit();
    }
    text
}

/// `echo`, then everything that the case forbids: phrases, a text for each forbidden pattern, calls of forbidden tools,
/// and a success if the outcome rules one out. `None` if the case forbids nothing.
///
/// A pattern that `regex-syntax` cannot read (look-around, back-references) has no text here.
pub(super) fn forbidden_answer(case: &Case, echo: &str) -> Option<(String, Vec<Event>)> {
    let mut lines = Vec::new();
    let mut events = Vec::new();
    for forbidden in expectations(case).iter().flat_map(|asked| asked.rule.forbid()) {
        match forbidden {
            Forbidden::Phrase(phrase) => lines.push(phrase.to_owned()),
            Forbidden::Pattern(pattern) => lines.extend(sample(pattern)),
            Forbidden::Call(tool) => events.push(start(tool)),
            Forbidden::Success(tool) => events.push(success(tool)),
        }
    }
    if lines.is_empty() && events.is_empty() {
        return None;
    }
    Some((echo.to_owned() + &lines.join("\n") + "\n", events))
}

/// A short line that the pattern most likely matches. The verdict decides whether it does.
fn sample(pattern: &str) -> Option<String> {
    let hir = regex_syntax::ParserBuilder::new().utf8(true).build().parse(pattern).ok()?;
    let mut line = String::new();
    write(&hir, &mut line);
    Some(line).filter(|line| !line.contains('\n'))
}

/// How many repetitions are written at most; a pattern that needs more has no short text.
const REPETITIONS: u32 = 200;
/// How long a text becomes at most, in bytes. A pattern can ask for any length, and nobody reads more.
const LONGEST: usize = 4096;

fn write(hir: &Hir, line: &mut String) {
    if line.len() > LONGEST {
        return;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => line.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(class) => line.extend(member(class)),
        HirKind::Repetition(repetition) => {
            let least = if repetition.max == Some(0) { 0 } else { repetition.min.clamp(1, REPETITIONS) };
            (0..least).for_each(|_| write(&repetition.sub, line));
        }
        HirKind::Capture(capture) => write(&capture.sub, line),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, line)),
        HirKind::Alternation(parts) => parts.first().into_iter().for_each(|part| write(part, line)),
    }
}

/// A letter or digit of the class if it has one, else its first printable character.
fn member(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let holds = |c: char| class.ranges().iter().any(|range| range.start() <= c && c <= range.end());
    let common = ('a'..='z').chain('0'..='9').chain('A'..='Z').chain(' '..='~').find(|c| holds(*c));
    common.or_else(|| class.ranges().iter().map(|range| range.start()).find(|c| !c.is_control()))
}

/// Whether a tool wrote one of the events.
pub(super) fn has_tools(events: &[Event]) -> bool {
    events.iter().any(|event| event.object().and_then(tool).is_some())
}

/// The events with every tool under another name, also if the name is part of a string elsewhere in an event.
pub(super) fn renamed(events: &[Event]) -> Vec<Event> {
    let mut names = BTreeMap::new();
    for name in events.iter().filter_map(|event| event.object().and_then(tool)) {
        let next = format!("unrelated_{}", names.len() + 1);
        names.entry(name.to_owned()).or_insert(next);
    }
    let rename = |text: &str| names.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from.as_str(), to));
    events.iter().map(|event| rewritten(event, &mut |text| rename(text), &mut |_, _| {})).collect()
}

/// The events with every result a success, or every one a failure.
pub(super) fn with_success(events: &[Event], success: bool) -> Vec<Event> {
    let mut turn = |key: &str, value: &mut Value| {
        if key == "success" && value.is_boolean() {
            *value = Value::Bool(success);
        }
    };
    events.iter().map(|event| rewritten(event, &mut str::to_owned, &mut turn)).collect()
}

/// The start of a tool, as a tool logs it.
pub(super) fn start(tool: &str) -> Event {
    event(tool, "start", Value::Object(Map::new()))
}

/// A successful result of a tool, as a tool logs it.
pub(super) fn success(tool: &str) -> Event {
    event(tool, "result", Value::Object(Map::from_iter([("success".to_owned(), Value::Bool(true))])))
}

fn event(tool: &str, name: &str, data: Value) -> Event {
    Event::from_value(serde_json::json!({ "source": format!("tool.{tool}"), "event": name, "data": data }))
}

fn tool(event: &Map<String, Value>) -> Option<&str> {
    event.get("source")?.as_str()?.strip_prefix("tool.").filter(|name| !name.is_empty())
}

/// The event with every string replaced by `text(string)`, and every member passed to `member`.
fn rewritten(event: &Event, text: &mut impl FnMut(&str) -> String, member: &mut impl FnMut(&str, &mut Value)) -> Event {
    match event {
        Event::Raw(line) => Event::Raw(text(line)),
        Event::Object(_) => {
            let mut root = event.to_value();
            // A list instead of recursion: events may be nested deeper than the stack.
            let mut open = vec![&mut root];
            while let Some(value) = open.pop() {
                match value {
                    Value::String(string) => *string = text(string),
                    Value::Array(elements) => open.extend(elements),
                    Value::Object(members) => {
                        for (key, value) in members {
                            member(key, value);
                            open.push(value);
                        }
                    }
                    _ => {}
                }
            }
            // What is not rewritten keeps the spelling of its numbers.
            if root == event.to_value() { event.clone() } else { Event::from_value(root) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_changes_and_grows() {
        assert_eq!(shifted("12 commits, 3.5 %", 1), "923 commits, 94.96 %");
        assert_eq!(with_changed_numbers(&Case::default(), "no digit"), None);
    }

    #[test]
    fn samples_match_their_patterns() {
        for (pattern, text) in [
            ("Halluci(nated|nation)Source", "HallucinatedSource"),
            (r"GitHub:\s*[0-9]{2,}", "GitHub: 00"),
            (r"(?i)as an ai\b", "as an ai"),
            ("^a?$", "a"),
        ] {
            assert_eq!(sample(pattern).as_deref(), Some(text), "{pattern}");
        }
        assert_eq!(sample(r"(?<=a)b"), None);
    }

    fn events(lines: &[&str]) -> Vec<Event> {
        lines.iter().map(|line| Event::from_line(line)).collect()
    }

    #[test]
    fn renaming_reaches_every_string() {
        let before = events(&[
            r#"{"source":"tool.add","event":"start","data":{"call":["add","b"]}}"#,
            r#"{"source":"app","event":"add"}"#,
            "add raw",
        ]);
        let after: Vec<String> = renamed(&before).iter().map(|event| event.text().into_owned()).collect();
        assert_eq!(
            after,
            [
                r#"{"source":"tool.unrelated_1","event":"start","data":{"call":["unrelated_1","b"]}}"#,
                r#"{"source":"app","event":"unrelated_1"}"#,
                "unrelated_1 raw",
            ]
        );
    }

    #[test]
    fn failing_reaches_nested_results() {
        let before = events(&[r#"{"source":"tool.a","event":"result","data":{"r":[{"success":true}]}}"#]);
        assert_eq!(
            with_success(&before, false)[0].text(),
            r#"{"source":"tool.a","event":"result","data":{"r":[{"success":false}]}}"#
        );
        assert!(has_tools(&before) && !has_tools(&events(&["tool.a start", "{}"])));
    }
}
