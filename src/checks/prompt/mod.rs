//! Where a response shows the prompt itself: a page has the messages of both sides, so what a case asks for may be met by the
//! words with which it asks. `docs/scoring.md` defines which text counts as the prompt's own.

mod needle;
mod words;

use crate::text::Span;

use self::needle::{Needle, Needles};
use self::words::Field;

/// From how many words on a prompt is looked for within other text: fewer are common words that an answer may use.
const WITHIN: usize = 5;

/// From how many words on a text is the prompt's own also if it is a link, a button or an emphasis, if it is one line of
/// several, or if it is cut short.
const DISTINCT: usize = 3;

/// What may precede a prompt on its line.
const SPEAKERS: [&[&str]; 7] =
    [&["you"], &["you", "said"], &["you", "asked"], &["me"], &["user"], &["human"], &["question"]];

/// The places of `response` that are the text of one of the prompts, in their order and apart from each other. A line of
/// which nothing else is left is a place as a whole, with the grammar of the snapshot in it.
pub(super) fn own_text(response: &str, prompts: &[&str]) -> Vec<Span> {
    let needles = Needles::new(prompts);
    if needles.is_empty() {
        return Vec::new();
    }
    let fields = words::fields(response);
    let mut own: Vec<Vec<bool>> = fields.iter().map(|field| vec![false; field.words.len()]).collect();
    // The row of all words, without those that only repeat others: the index of the field and that of the word in it.
    let row: Vec<(usize, usize)> = fields
        .iter()
        .enumerate()
        .filter(|(_, field)| field.repeats.is_none())
        .flat_map(|(at, field)| (0..field.words.len()).map(move |word| (at, word)))
        .collect();
    let text = |at: usize| fields[row[at].0].words[row[at].1].text.as_ref();
    for needle in needles.iter() {
        needle.find(row.len(), text, |start, end| {
            if is_own(&fields, &row[start..end]) {
                row[start..end].iter().for_each(|(field, word)| own[*field][*word] = true);
            }
        });
    }
    for (at, field) in fields.iter().enumerate() {
        if needles.iter().any(|needle| is_cut_short(response, field, needle)) {
            own[at].fill(true);
        }
        if let Some(repeated) = field.repeats {
            own[at] = own[repeated].clone();
        }
    }
    let mut spans = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        // A line has at most two fields.
        let beside = at.saturating_sub(1)..fields.len().min(at + 2);
        let is_own = |at: usize| own[at].iter().all(|own| *own);
        let is_whole_line = beside.filter(|at| fields[*at].line == field.line).all(is_own);
        match () {
            () if is_whole_line => spans.push(field.line),
            () if is_own(at) => spans.push(field.span),
            () => runs(&own[at], field, response, &mut spans),
        }
    }
    let spans = merged(spans);
    merged([words::emptied(response, &spans), spans].concat())
}

/// Whether these words, which are those of a prompt, are the prompt and not words that an answer happens to use.
fn is_own(fields: &[Field<'_>], row: &[(usize, usize)]) -> bool {
    let (Some(first), Some(last)) = (row.first(), row.last()) else { return false };
    if row.len() >= WITHIN {
        return true;
    }
    let (first_field, last_field) = (&fields[first.0], &fields[last.0]);
    let ends = last.1 + 1 == last_field.words.len();
    let before: Vec<&str> = first_field.words[..first.1].iter().map(|word| word.text.as_ref()).collect();
    let begins = before.is_empty() || SPEAKERS.contains(&before.as_slice());
    let is_apart = !(first_field.is_part || last_field.is_part) || row.len() >= DISTINCT;
    begins && ends && is_apart
}

/// Whether a field is the beginning of the prompt with an ellipsis behind it, as titles and long messages are shown.
fn is_cut_short(response: &str, field: &Field<'_>, needle: &Needle) -> bool {
    let text = response[field.span.range()].trim_end();
    if !(text.ends_with('…') || text.ends_with("...")) || field.words.len() < DISTINCT {
        return false;
    }
    let Some((last, whole)) = field.words.split_last() else { return false };
    let expected = needle.words();
    expected.len() >= field.words.len()
        && whole.iter().zip(expected).all(|(word, expected)| word.text == expected.as_str())
        && expected[whole.len()].starts_with(last.text.as_ref())
}

/// The places of the prompt's words within a field, each with the punctuation between and right behind them.
fn runs(own: &[bool], field: &Field<'_>, response: &str, spans: &mut Vec<Span>) {
    let mut at = 0;
    while at < own.len() {
        let len = own[at..].iter().take_while(|own| **own).count();
        if len > 0 {
            let (first, last) = (field.words[at].span, field.words[at + len - 1].span);
            let rest = &response[last.end..field.span.end];
            let punctuation = rest.len() - rest.trim_start_matches(['.', '!', '?', '…', '。', '？', '！']).len();
            spans.push(Span::new(first.start, last.end + punctuation));
        }
        at += len.max(1);
    }
}

fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort();
    let mut merged: Vec<Span> = Vec::new();
    for span in spans {
        match merged.last_mut().filter(|last| span.start <= last.end) {
            Some(last) => last.end = last.end.max(span.end),
            None => merged.push(span),
        }
    }
    merged
}
