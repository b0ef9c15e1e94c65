//! The wording of findings. Text from suites and answers is quoted, so that it cannot change the meaning of a message.

use crate::text::Span;

use super::Judged;
use super::judged::Decision;
use super::response::Response;

pub(super) use crate::diagnostic::quoted;

/// The number of names that a message lists.
const LISTED: usize = 4;

/// A message that a statement is true of none of the names: `` `a` is not said ``, `` none of `a`, `b` is said ``. `not_so`
/// follows a single name, and `so` several names.
pub(super) fn none(names: &[&str], not_so: &str, so: &str) -> String {
    match names {
        [name] => format!("{} {not_so}", quoted(name)),
        _ => format!("none of {} {so}", list(names)),
    }
}

/// The names, separated by commas. Many names end with the number of the others.
pub(super) fn list(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(LISTED).map(|name| quoted(name)).collect();
    match names.len().saturating_sub(LISTED) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

pub(super) fn said(judged: &Judged<'_>, phrase: &str, span: Span, decision: fn(String) -> Decision) -> Decision {
    said_in(&judged.response, phrase, span, decision)
}

pub(super) fn said_in(text: &Response<'_>, phrase: &str, span: Span, decision: fn(String) -> Decision) -> Decision {
    found(text, &format!("{} is said", quoted(phrase)), span, decision)
}

pub(super) fn matched(judged: &Judged<'_>, pattern: &str, span: Span, decision: fn(String) -> Decision) -> Decision {
    found(&judged.response, &format!("{} matches", quoted(pattern)), span, decision)
}

pub(super) fn shown(judged: &Judged<'_>, value: &str, span: Span) -> Decision {
    let line = judged.response.line_column(span.start).line;
    Decision::passed(format!("{} is shown on line {line}", quoted(value)))
}

fn found(text: &Response<'_>, what: &str, span: Span, decision: fn(String) -> Decision) -> Decision {
    let line = text.line_column(span.start).line;
    decision(format!("{what} on line {line}{}", text.of_page())).with([text.evidence(span)])
}
