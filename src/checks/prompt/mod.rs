//! Where a response shows the prompt itself: a page has the messages of both sides, so what a case asks for may be met by the
//! words with which it asks. `docs/scoring.md` defines which text counts as the prompt's own.

mod needle;
mod words;

use crate::text::Span;

use self::needle::{Needle, Needles};
use self::words::{Field, Row};

pub(super) use self::words::{escapes, is_page};

/// From how many words on a prompt is looked for within other text: fewer are common words that an answer may use.
const WITHIN: usize = 5;

/// From how many words on a text is the prompt's own also if it is a link, a button or an emphasis, if it is one line of
/// several, or if it is cut short.
const DISTINCT: usize = 3;

/// How many fields before its end the beginning of a prompt is looked for that is cut short: each link or emphasis is a field.
const CUT: usize = 16;

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
    // A page may show an emoji as a picture, whose name the prompt does not have.
    let rows = [
        Some(Row::new(&fields, |_| true)),
        fields.iter().any(|field| field.place.is_picture).then(|| Row::new(&fields, |field| !field.place.is_picture)),
    ];
    for row in rows.iter().flatten() {
        for needle in needles.iter() {
            needle.find(row, |start, end| {
                let found = &row.words[start..end];
                let (Some((first, _)), Some((last, _))) = (found.first(), found.last()) else { return };
                if is_own(&fields, found) {
                    found.iter().for_each(|(field, word)| own[*field][*word] = true);
                    let pictures = (*first..=*last).filter(|at| fields[*at].place.is_picture);
                    pictures.for_each(|at| own[at].fill(true));
                }
            });
        }
    }
    for at in 0..fields.len() {
        if let Some(start) = needles.iter().find_map(|needle| cut_short(response, &fields, at, needle)) {
            own[start..=at].iter_mut().for_each(|own| own.fill(true));
        }
    }
    for (at, field) in fields.iter().enumerate() {
        if let Some(repeated) = field.repeats {
            own[at] = own[repeated].clone();
        }
    }
    let mut spans = Vec::new();
    for (at, field) in fields.iter().enumerate() {
        // A line has at most two fields.
        let beside = at.saturating_sub(1)..fields.len().min(at + 2);
        let is_own = |at: usize| own[at].iter().all(|own| *own);
        let is_whole_line = beside.filter(|at| fields[*at].place.line == field.place.line).all(is_own);
        match () {
            () if is_whole_line => spans.push(field.place.line),
            () if is_own(at) => spans.push(field.place.span),
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
    let is_apart = !(first_field.place.is_part || last_field.place.is_part) || row.len() >= DISTINCT;
    begins && ends && is_apart
}

/// The first of the fields up to `at` that are the beginning of the prompt with an ellipsis behind it, as titles and long messages are
/// shown.
fn cut_short(response: &str, fields: &[Field<'_>], at: usize, needle: &Needle) -> Option<usize> {
    let text = response[fields[at].place.span.range()].trim_end();
    if !(text.ends_with('…') || text.ends_with("...")) {
        return None;
    }
    let (mut text, mut count) = (String::new(), 0);
    for start in (at.saturating_sub(CUT)..=at).rev() {
        let field = &fields[start];
        if field.repeats.is_none() || start == at {
            let words: String = field.words.iter().map(|word| word.text.as_ref()).collect();
            text.insert_str(0, &words);
            count += field.words.len();
        }
        if count >= DISTINCT && needle.begins_with(&text) {
            return Some(start);
        }
    }
    None
}

/// The places of the prompt's words within a field, each with the punctuation between and right behind them.
fn runs(own: &[bool], field: &Field<'_>, response: &str, spans: &mut Vec<Span>) {
    let mut at = 0;
    while at < own.len() {
        let len = own[at..].iter().take_while(|own| **own).count();
        if len > 0 {
            let (first, last) = (field.words[at].span, field.words[at + len - 1].span);
            let rest = &response[last.end..field.place.span.end];
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
