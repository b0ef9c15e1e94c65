//! Which parts of a response the checks refer to.

use serde::Serialize;

use crate::checks::{CheckOutcome, Evidence, EvidencePlace};
use crate::text::{Span, visible};
use crate::transcript::{Event, Transcript};
use crate::verdict::{CheckResult, Status, Term};

use super::run::{PageTerm, page_terms};

/// The most bytes of a response in a page. Browsers scroll longer texts slowly.
const LONGEST: usize = 1 << 20;
/// The most events in a page, and the most code points of one. Browsers scroll longer lists slowly.
const EVENTS: usize = 1000;
/// The most code points of an event in a page: a person reads its start.
const EVENT: usize = 4000;

/// What a page about one answer is made of.
pub(crate) struct TranscriptSource<'a> {
    /// The answer, in the form that was judged; `None` if it cannot be read.
    pub(crate) transcript: Option<&'a Transcript>,
    /// The checks.
    pub(crate) checks: Vec<&'a CheckResult>,
    /// The terms of the soft score; none if the case was not judged.
    pub(crate) terms: &'a [Term],
    /// What the page says beside these.
    pub(crate) head: TranscriptHead,
}

/// The facts about a case that are shown as they are.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TranscriptHead {
    /// The suite and the case, with which an editor asks for the page again.
    pub(crate) uri: String,
    pub(crate) case: String,
    pub(crate) status: Status,
    /// The reasons for the status.
    pub(crate) headline: String,
    /// Where the answer comes from, and how old it is.
    pub(crate) about: Vec<String>,
    /// Why the case could not be judged.
    pub(crate) reason: Option<String>,
    /// Whether it can be accepted as the transcript: it is not stored.
    pub(crate) acceptable: bool,
    /// Whether another answer is stored.
    pub(crate) replaces: bool,
    pub(crate) soft_score: Option<f64>,
    pub(crate) threshold: Option<f64>,
}

/// The data of a page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TranscriptPage {
    #[serde(flatten)]
    head: TranscriptHead,
    setup_prompts: Vec<String>,
    prompt: Option<String>,
    checks: Vec<PageCheck>,
    /// The lines of the response; `None` without an answer.
    lines: Option<Vec<Vec<Part>>>,
    /// How many bytes of the response are left out.
    cut: usize,
    telemetry: Vec<PageEvent>,
    /// How many events are left out.
    cut_events: usize,
    terms: Vec<PageTerm>,
}

#[derive(Clone, Debug, Serialize)]
struct PageCheck {
    id: String,
    outcome: CheckOutcome,
    message: String,
}

#[derive(Clone, Debug, Serialize)]
struct PageEvent {
    /// Milliseconds since the first event with a time.
    at: Option<i64>,
    /// Source and event, as far as they are known.
    name: String,
    level: Option<String>,
    /// The rest, as JSON.
    rest: String,
    marks: Vec<Mark>,
}

impl TranscriptPage {
    /// The page about an answer.
    pub(crate) fn new(source: TranscriptSource<'_>) -> TranscriptPage {
        let TranscriptSource { transcript, checks, terms, head } = source;
        let response = transcript.map(|transcript| shortened(&transcript.response, LONGEST));
        let events = transcript.map_or(&[][..], |transcript| &transcript.telemetry);
        let marks = marks(&checks);
        let marked = response.map(|response| Marked::new(response, &marks));
        TranscriptPage {
            setup_prompts: transcript.and_then(|transcript| transcript.setup_prompts.clone()).unwrap_or_default(),
            prompt: transcript.and_then(|transcript| transcript.prompt.clone()),
            lines: marked.as_ref().map(lines),
            cut: transcript.map_or(0, |transcript| transcript.response.len()) - response.map_or(0, str::len),
            telemetry: telemetry(&events[..events.len().min(EVENTS)], &marks),
            cut_events: events.len().saturating_sub(EVENTS),
            checks: checks
                .iter()
                .map(|check| PageCheck { id: check.id.clone(), outcome: check.outcome, message: check.message.clone() })
                .collect(),
            terms: page_terms(terms, |group| checks.iter().any(|check| check.group == Some(group))),
            head,
        }
    }
}

/// The places to which the checks refer: their evidence, or what comes nearest.
fn marks<'a>(checks: &[&'a CheckResult]) -> Vec<(Mark, &'a Evidence)> {
    let of_check = |(number, check): (usize, &&'a CheckResult)| {
        let mark = move |nearest: bool| move |evidence| (Mark { check: number, nearest }, evidence);
        check.evidence.iter().map(mark(false)).chain(check.nearest.iter().map(mark(true)))
    };
    checks.iter().enumerate().flat_map(of_check).collect()
}

/// The lines of a response, split where a mark begins or ends.
fn lines(marked: &Marked<'_>) -> Vec<Vec<Part>> {
    let mut start = 0;
    let of_line = |line: &str| {
        let here = Span::new(start, start + line.len());
        start = here.end + 1;
        marked.parts(here)
    };
    marked.response.split('\n').map(of_line).collect()
}

fn telemetry(events: &[Event], marks: &[(Mark, &Evidence)]) -> Vec<PageEvent> {
    let first = events.iter().find_map(milliseconds);
    let page = |(index, event): (usize, &Event)| {
        let here = |(_, evidence): &&(Mark, &Evidence)| evidence.place == EvidencePlace::Telemetry { event: index + 1 };
        let field = |name: &str| event.object()?.get(name)?.as_str().map(shown);
        let name = [field("source"), field("event")].into_iter().flatten().collect::<Vec<_>>().join(" ");
        PageEvent {
            at: milliseconds(event).zip(first).map(|(at, first)| at - first),
            level: field("level"),
            rest: shown(shortened(&rest(event), EVENT)),
            name,
            marks: marks.iter().filter(here).map(|(mark, _)| *mark).collect(),
        }
    };
    events.iter().enumerate().map(page).collect()
}

/// When an event took place, in milliseconds since 1970.
fn milliseconds(event: &Event) -> Option<i64> {
    use time::OffsetDateTime;
    use time::format_description::well_known::Rfc3339;
    let at = OffsetDateTime::parse(event.object()?.get("ts")?.as_str()?, &Rfc3339).ok()?;
    i64::try_from(at.unix_timestamp_nanos() / 1_000_000).ok()
}

/// An event without what the page shows separately.
fn rest(event: &Event) -> String {
    let Some(object) = event.object() else { return event.text().into_owned() };
    let named = |(name, value): &(&String, &serde_json::Value)| {
        !(["ts", "source", "event", "level"].contains(&name.as_str()) && value.is_string())
    };
    let rest: serde_json::Map<_, _> =
        object.iter().filter(named).map(|(name, value)| (name.clone(), value.clone())).collect();
    if rest.is_empty() { String::new() } else { serde_json::Value::Object(rest).to_string() }
}

/// The first bytes of a text, up to a whole code point.
fn shortened(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// A part of a text to which the same checks refer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Part {
    pub(super) text: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) marks: Vec<Mark>,
}

/// A check that refers to a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Mark {
    /// The number, from 0.
    pub(super) check: usize,
    /// Whether the text is only the nearest to what the check looks for.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) nearest: bool,
}

/// A response and the places in it to which checks refer.
pub(super) struct Marked<'a> {
    pub(super) response: &'a str,
    spans: Vec<(Mark, Span)>,
    /// Where a span begins or ends, in order.
    ends: Vec<usize>,
}

impl<'a> Marked<'a> {
    pub(super) fn new(response: &'a str, marks: &[(Mark, &Evidence)]) -> Marked<'a> {
        let spans: Vec<(Mark, Span)> = marks
            .iter()
            .filter_map(|(mark, evidence)| Some((*mark, evidence.span_in(response)?)))
            .filter(|(_, span)| span.start < span.end)
            .collect();
        let mut ends: Vec<usize> = spans.iter().flat_map(|(_, span)| [span.start, span.end]).collect();
        ends.sort_unstable();
        ends.dedup();
        Marked { response, spans, ends }
    }

    /// The text of a span, split where a mark begins or ends.
    pub(super) fn parts(&self, span: Span) -> Vec<Part> {
        let first = self.ends.partition_point(|end| *end <= span.start);
        let inside = self.ends[first..].iter().copied().take_while(|end| *end < span.end);
        let mut cuts: Vec<usize> = std::iter::once(span.start).chain(inside).chain([span.end]).collect();
        cuts.dedup();
        let part = |pair: &[usize]| {
            let here = Span::new(pair[0], pair[1]);
            Part { text: shown(&self.response[here.start..here.end]), marks: self.over(here) }
        };
        cuts.windows(2).map(part).collect()
    }

    /// The marks that share a byte with a span.
    pub(super) fn over(&self, here: Span) -> Vec<Mark> {
        let over = |(_, span): &&(Mark, Span)| span.start < here.end && here.start < span.end;
        let mut marks: Vec<Mark> = self.spans.iter().filter(over).map(|(mark, _)| *mark).collect();
        marks.dedup();
        marks
    }
}

/// A text in which all characters but tabs and ends of lines are visible.
pub(super) fn shown(text: &str) -> String {
    let text = text.strip_suffix('\r').unwrap_or(text);
    text.chars().map(|c| if matches!(c, '\t' | '\n') { c } else { visible(c) }).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::text::{LineColumn, visible};

    use super::*;

    fn evidence(line: usize, column: usize, text: &str) -> Evidence {
        let place = EvidencePlace::Response(LineColumn { line, column });
        Evidence { place, text: text.to_owned(), in_prompt: false }
    }

    fn lines_of(response: &str, marks: &[(Mark, &Evidence)]) -> Vec<Vec<Part>> {
        lines(&Marked::new(response, marks))
    }

    #[test]
    fn lines_are_split_where_marks_begin_and_end() {
        let (first, second, third) = (evidence(1, 3, "é c d"), evidence(1, 5, "c"), evidence(2, 1, "f"));
        let mark = |check| Mark { check, nearest: false };
        let found = lines_of("a é c d\nf\r\n\u{202e}", &[(mark(0), &first), (mark(1), &second), (mark(2), &third)]);
        let part = |text: &str, marks: &[usize]| Part {
            text: text.to_owned(),
            marks: marks.iter().map(|check| mark(*check)).collect(),
        };
        assert_eq!(
            found,
            [
                vec![part("a ", &[]), part("é ", &[0]), part("c", &[0, 1]), part(" d", &[0])],
                vec![part("f", &[2]), part("", &[])],
                vec![part(&visible('\u{202e}').to_string(), &[])],
            ]
        );
    }

    #[test]
    fn a_mark_of_several_lines_is_in_each() {
        let both = evidence(1, 2, "b\nc");
        let found = lines_of("ab\ncd", &[(Mark { check: 0, nearest: true }, &both)]);
        let marked: Vec<Vec<usize>> =
            found.iter().map(|line| line.iter().map(|part| part.marks.len()).collect()).collect();
        assert_eq!(marked, [[0, 1], [1, 0]]);
    }

    #[test]
    fn events_have_the_time_since_the_first() {
        let event = |value| Event::from_value(value);
        let events = [
            event(json!("raw")),
            event(json!({ "ts": "2026-01-01T00:00:00.5Z", "source": "tool.a", "event": "start", "data": { "x": 1 } })),
            event(json!({ "ts": "2026-01-01T00:00:02Z", "source": 3 })),
        ];
        let found = telemetry(&events, &[]);
        let shown: Vec<_> = found.iter().map(|event| (event.at, event.name.as_str(), event.rest.as_str())).collect();
        assert_eq!(
            shown,
            [(None, "", "raw"), (Some(0), "tool.a start", r#"{"data":{"x":1}}"#), (Some(1500), "", r#"{"source":3}"#)]
        );
    }

    #[test]
    fn a_long_response_is_cut_between_code_points() {
        assert_eq!(shortened("aé", 2), "a");
        assert_eq!(shortened("aé", 3), "aé");
    }
}
