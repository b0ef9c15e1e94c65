//! Text around the document. What is found here is the only mistake.

use crate::text::Span;

use super::{Mistake, Repair};

/// The lines of a text with their breaks.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some(Span::new(start, *at))
    })
}

/// A conflict that a merge left.
pub(super) fn conflict(text: &str) -> Option<Mistake> {
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let (mut side, mut first) = (0, None);
    for line in lines(text) {
        let content = text[line.range()].trim_end();
        let next = match (side, content.as_bytes().get(..7)) {
            (0, Some(b"<<<<<<<")) => 1,
            (1, Some(b"|||||||")) => 2,
            (1 | 2, Some(b"=======")) => 3,
            (3, Some(b">>>>>>>")) => 0,
            _ => side,
        };
        let is_other = |own: i32| next != side || (side != 0 && side != own);
        ours.extend(is_other(1).then(|| (line, String::new())));
        theirs.extend(is_other(3).then(|| (line, String::new())));
        first = first.or_else(|| (next == 1).then(|| Span::new(line.start, line.start + content.len())));
        side = next;
    }
    let repair = |title: &str, edits| Repair { title: title.to_owned(), edits, is_safe: false };
    let repairs = vec![repair("keep our side", ours), repair("keep their side", theirs)];
    let mistake = Mistake::new(first?, "unresolved merge conflict; keep one side and remove the markers");
    Some(if side == 0 { Mistake { repairs, ..mistake } } else { mistake })
}

/// A Markdown fence around the document.
pub(super) fn fence(text: &str) -> Option<Mistake> {
    let mut fences = lines(text).filter(|line| text[line.range()].trim_start().starts_with("```")).peekable();
    let first = fences.peek().filter(|first| text[..first.start].trim().is_empty())?;
    let start = first.end - text[first.range()].trim_start().len();
    let mistake = Mistake::new(
        Span::new(start, first.start + text[first.range()].trim_end().len()),
        "a Markdown fence is not part of JSON",
    );
    Some(fences.fold(mistake.titled("remove the fence"), |mistake, line| mistake.replace(line, "")))
}
