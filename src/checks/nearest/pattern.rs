use crate::checks::{Evidence, Judged};
use crate::pattern::{self, Case};
use crate::text::{Span, is_within_a_word};

/// The part of a response that is searched, in bytes.
const BYTES: usize = 64 << 10;
/// The size of a block of lines in bytes. A longer line is a block by itself.
/// Small enough to show, and large enough that most answers have a few.
const BLOCK: usize = 1 << 10;

/// The fewest characters of a match that ends within a word: nearly every text has a word with the same two characters.
const START_OF_A_WORD: usize = 3;

/// The match of the longest prefix of `pattern` that starts at the start of a word, up to the end of the line. If the whole
/// pattern matches across a line break, which a check does not accept, the whole match. `None` if the whole pattern matches
/// within a line, or if the match has only one character or only the start of a word.
pub(super) fn beginning(judged: &Judged<'_>, pattern: &str, case: Case) -> Option<Evidence> {
    let text = judged.response.text();
    let blocks = blocks(&text[..text.floor_char_boundary(BYTES)]);
    // Searching a block is much faster than searching each line, and the result only has to be near.
    let texts: Vec<&str> = blocks.iter().map(|block| &text[block.range()]).collect();
    let nearest = pattern::nearest(pattern, case, &texts)?;
    let found = nearest.span.shifted_by(blocks[nearest.line].start);
    let says_something = found.len() > 1
        && (!is_within_a_word(text, found.end) || text[found.range()].chars().count() >= START_OF_A_WORD);
    let is_a_match = nearest.part.len() == pattern.len() && !text[found.range()].contains('\n');
    let line_end = text[found.end..].find('\n').map_or(text.len(), |at| found.end + at);
    (says_something && !is_a_match).then(|| judged.response.evidence(Span::new(found.start, line_end)))
}

/// The text in blocks of whole lines.
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
