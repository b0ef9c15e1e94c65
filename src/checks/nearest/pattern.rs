use crate::checks::{Evidence, Judged};
use crate::pattern::{self, Case};
use crate::text::Span;

/// How much of a response is looked at, in bytes.
const BYTES: usize = 64 << 10;
/// How long a block of lines is, in bytes, where one line is not longer.
const BLOCK: usize = 1 << 10;

/// Where the longest start of `pattern` matches, up to the line's end; all of it where it matches over a line break, which
/// no check may. Nothing where all of it matches within a line, or where it gets no farther than one character: that is
/// found on nearly any line, and says nothing.
pub(super) fn beginning(judged: &Judged<'_>, pattern: &str, case: Case) -> Option<Evidence> {
    let text = judged.response.text();
    let blocks = blocks(&text[..text.floor_char_boundary(BYTES)]);
    // Many lines at once cost much less than each alone, and what is found need only be near.
    let texts: Vec<&str> = blocks.iter().map(|block| &text[block.range()]).collect();
    let nearest = pattern::nearest(pattern, case, &texts)?;
    let found = nearest.span.from_origin(blocks[nearest.line].start);
    let says_something = found.len() > 1;
    let is_a_match = nearest.part.len() == pattern.len() && !text[found.range()].contains('\n');
    let line_end = text[found.end..].find('\n').map_or(text.len(), |at| found.end + at);
    (says_something && !is_a_match).then(|| judged.response.evidence(Span::new(found.start, line_end)))
}

/// The text in pieces of whole lines.
fn blocks(text: &str) -> Vec<Span> {
    let mut blocks = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let least = text.floor_char_boundary(start + BLOCK);
        let end = text[least..].find('\n').map_or(text.len(), |at| least + at);
        blocks.push(Span::new(start, end));
        start = end + 1;
    }
    blocks
}
