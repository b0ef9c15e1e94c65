use crate::checks::{Evidence, Judged};
use crate::pattern::{self, Case};
use crate::text::Span;

/// How many lines are looked at, and how much of a line, in bytes.
const LINES: usize = 1000;
const LINE: usize = 2 << 10;

/// The line on which the longest start of `pattern` matches, from where it does so to the line's end. Nothing where all of
/// it matches, or where it gets no farther than one character: that is found on nearly any line, and says nothing.
pub(super) fn beginning(judged: &Judged<'_>, pattern: &str, case: Case) -> Option<Evidence> {
    let lines = judged.response.lines().take(LINES);
    let lines: Vec<Span> =
        lines.map(|(start, line)| Span::new(start, start + line.floor_char_boundary(LINE))).collect();
    let texts: Vec<&str> = lines.iter().map(|line| &judged.response.text()[line.range()]).collect();
    let nearest = pattern::nearest(pattern, case, &texts)?;
    let says_something = nearest.span.len() > 1 && nearest.part.len() < pattern.len();
    let line = lines[nearest.line];
    says_something.then(|| judged.response.evidence(Span::new(line.start + nearest.span.start, line.end)))
}
