use std::time::Duration;

use crate::checks::{Evidence, Judged};
use crate::pattern::{Budget, Case, Limits, Pattern};
use crate::text::Span;

/// Longer patterns are not looked at, in bytes.
const LONGEST_PATTERN: usize = 400;
/// How many lines are looked at, and how much of a line, in bytes.
const LINES: usize = 500;
const LINE: usize = 2 << 10;
/// How many beginnings are tried at most, the longest first.
const TRIES: usize = 80;

const LIMITS: Limits = Limits {
    steps: 20_000,
    steps_per_byte: 4,
    line_time: Duration::from_millis(5),
    case_time: Duration::from_millis(30),
};

/// The line that the longest beginning of `pattern` matches which matches anything, from where it does so.
pub(super) fn beginning(judged: &Judged<'_>, pattern: &str, case: Case) -> Option<Evidence> {
    if pattern.len() > LONGEST_PATTERN {
        return None;
    }
    let budget = Budget::new(LIMITS);
    let ends = pattern.char_indices().map(|(at, _)| at).skip(1).collect::<Vec<_>>();
    // A cut may fall into a group or an escape; such a beginning does not compile and is passed over.
    let beginnings = ends.into_iter().rev().take(TRIES).filter_map(|end| Pattern::compile(&pattern[..end], case).ok());
    beginnings.into_iter().find_map(|beginning| matched_line(judged, &beginning, &budget))
}

fn matched_line(judged: &Judged<'_>, pattern: &Pattern, budget: &Budget) -> Option<Evidence> {
    for (start, line) in judged.response.lines().take(LINES) {
        let line = &line[..line.floor_char_boundary(LINE)];
        // A single character is found on nearly any line, and says nothing.
        let found = pattern.matches(line, budget).map_while(Result::ok).find(|found| found.len() > 1);
        if let Some(found) = found {
            return Some(judged.response.evidence(Span::new(found.start, line.len()).from_origin(start)));
        }
    }
    None
}
