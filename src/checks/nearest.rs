//! The nearest match in the transcript, for a check that failed because something is missing.
//!
//! Nearest matches explain a failure to people; they never affect a verdict. Only the start of a long response is searched,
//! and slow patterns are given up early.

use memchr::memmem;
use strsim::osa_distance;

use crate::checks::events::Tool;
use crate::checks::keys::{Expectation, View};
use crate::checks::{Evidence, Judged};
use crate::config::Config;
use crate::diagnostic;
use crate::pattern::{self, Budget, Case};
use crate::text::{Span, bare, fold, is_ignorable, is_mark, is_within_a_word};

/// The nearest matches for a failed check; empty if nothing is near, or if nothing is missing. Takes some milliseconds.
pub(crate) fn nearest(expectation: &Expectation<'_>, judged: &Judged<'_>, config: &Config) -> Vec<Evidence> {
    let view = View { judged, config, budget: &Budget::default() };
    expectation.rule.nearest(&view).into_iter().collect()
}

/// A called tool with a name similar to one of these.
pub(super) fn called(judged: &Judged<'_>, wanted: &[&str]) -> Option<Evidence> {
    let tools = judged.events.tools();
    let names: Vec<&str> =
        tools.iter().filter(|(_, tool)| seen(*tool).is_some()).map(|(name, _)| name).take(MOST).collect();
    let near = wanted.iter().take(MOST).find_map(|tool| diagnostic::nearest(tool, names.iter().copied()))?;
    seen(tools.get(near)).map(|event| judged.events.evidence(event))
}

/// Another result of one of these tools, or else a tool with a similar name. Without names, another result of any tool.
pub(super) fn result(judged: &Judged<'_>, wanted: &[&str]) -> Option<Evidence> {
    let tools = judged.events.tools();
    let own = if wanted.is_empty() { tools.first(last) } else { tools.first_of(wanted, last) };
    own.map(|event| judged.events.evidence(event)).or_else(|| called(judged, wanted))
}

/// The number of names that are compared.
const MOST: usize = 200;

fn seen(tool: Tool) -> Option<usize> {
    tool.started.or_else(|| last(tool))
}

fn last(tool: Tool) -> Option<usize> {
    tool.failed.or(tool.succeeded).or(tool.started)
}

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
pub(super) fn prefix_match(judged: &Judged<'_>, pattern: &str, case: Case) -> Option<Evidence> {
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

/// The part of a response that is searched for other spaces, dashes or punctuation, in bytes.
const SQUEEZED: usize = 64 << 10;
/// The part of a response that is searched for misspellings, in bytes.
const MISSPELT: usize = 16 << 10;
/// The number of phrases that are searched for.
const PHRASES: usize = 8;
/// The longest phrase that many words start with by chance, in letters and digits.
const SHORT: usize = 3;
/// The longest phrase that is searched for misspellings, in code points.
const LONGEST: usize = 60;

/// One of the phrases in another notation or misspelt.
pub(super) fn said(judged: &Judged<'_>, phrases: &[&str]) -> Option<Evidence> {
    let phrases = &phrases[..phrases.len().min(PHRASES)];
    let text = judged.response.text();
    let squeezed = Squeezed::new(start_of(text, SQUEEZED));
    let otherwise = phrases.iter().find_map(|phrase| squeezed.find(phrase));
    let misspelt = || {
        let words = words(start_of(text, MISSPELT));
        let near = phrases.iter().filter_map(|phrase| misspelt(text, &words, phrase));
        near.min_by_key(|(distance, _)| *distance).map(|(_, span)| span)
    };
    otherwise.or_else(misspelt).map(|span| judged.response.evidence(span))
}

/// An event that contains `text` with other spaces, quotes or punctuation.
pub(super) fn logged(judged: &Judged<'_>, text: &str) -> Option<Evidence> {
    let mut left = SQUEEZED;
    for (number, event) in judged.events.texts().iter().enumerate() {
        let event = start_of(event, left);
        if Squeezed::new(event).find(text).is_some() {
            return Some(judged.events.evidence(number));
        }
        left -= event.len();
        if left == 0 {
            break;
        }
    }
    None
}

/// The first number after `phrase` on its line, or else the first number on that line.
pub(super) fn number_beside(judged: &Judged<'_>, phrase: &str) -> Option<Evidence> {
    let text = judged.response.text();
    let said = judged.response.says(phrase)?;
    let start = text[..said.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[said.end..].find('\n').map_or(text.len(), |at| said.end + at);
    let number =
        first_number(text, Span::new(said.end, end)).or_else(|| first_number(text, Span::new(start, said.start)))?;
    Some(judged.response.evidence(number))
}

fn first_number(text: &str, within: Span) -> Option<Span> {
    let part = &text[within.range()];
    let start = part.find(|c: char| c.is_ascii_digit())?;
    let end =
        part[start..].find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').map_or(part.len(), |end| start + end);
    let number = part[start..end].trim_end_matches(['.', ',']);
    Some(Span::new(start, start + number.len()).shifted_by(within.start))
}

/// The letters and digits of a text, bare.
struct Squeezed<'a> {
    original: &'a str,
    text: String,
    /// The start of each character in this text, and its span in the original.
    places: Vec<(usize, Span)>,
}

impl<'a> Squeezed<'a> {
    fn new(original: &'a str) -> Squeezed<'a> {
        let mut squeezed = Squeezed { original, text: String::with_capacity(original.len()), places: Vec::new() };
        for (at, c) in original.char_indices() {
            let span = Span::new(at, at + c.len_utf8());
            // A mark belongs to the letter before it.
            if is_mark(c)
                && let Some((_, last)) = squeezed.places.last_mut().filter(|(_, last)| last.end == at)
            {
                last.end = span.end;
            }
            for bare in bare(c).filter(|c| c.is_alphanumeric()) {
                squeezed.places.push((squeezed.text.len(), span));
                squeezed.text.push(bare);
            }
        }
        squeezed
    }

    /// The first place of the phrase that starts a word. A short phrase also ends one.
    fn find(&self, phrase: &str) -> Option<Span> {
        let phrase: String = phrase.chars().flat_map(bare).filter(|c| c.is_alphanumeric()).collect();
        let length = phrase.chars().count();
        let says_something = length > 1;
        if !says_something {
            return None;
        }
        let at = |squeezed: usize| self.places.partition_point(|(place, _)| *place < squeezed);
        let original = |start: usize| {
            let first = self.places[at(start)].1;
            first.join(self.places[at(start + phrase.len()) - 1].1)
        };
        let is_near = |span: &Span| {
            !is_within_a_word(self.original, span.start)
                && (length > SHORT || !is_within_a_word(self.original, span.end))
        };
        memmem::find_iter(self.text.as_bytes(), phrase.as_bytes()).map(original).find(is_near)
    }
}

fn words(text: &str) -> Vec<Span> {
    let mut words = Vec::new();
    let mut open: Option<usize> = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_alphanumeric(), open) {
            // An accent, or a place to break a long word, ends no word.
            (false, Some(_)) if is_mark(c) || is_ignorable(c) => {}
            (true, None) => open = Some(at),
            (false, Some(start)) => {
                words.push(Span::new(start, at));
                open = None;
            }
            _ => {}
        }
    }
    words
}

/// The words of `text` that differ least from `phrase`, and the number of differences; `None` above a quarter of `phrase`.
fn misspelt(text: &str, text_words: &[Span], phrase: &str) -> Option<(usize, Span)> {
    let folded = fold(phrase);
    let phrase_words = words(&folded);
    let length = folded.chars().count();
    if phrase_words.is_empty() || !(4..=LONGEST).contains(&length) {
        return None;
    }
    let most = (length / 4).max(1);
    let windows = text_words.windows(phrase_words.len()).filter_map(|window| {
        let span = window[0].join(window[window.len() - 1]);
        // Folding at most doubles or halves the length of a character.
        let near = span.len() <= 2 * (folded.len() + 4 * most) && 2 * span.len() + 4 * most >= folded.len();
        let distance = near.then(|| osa_distance(&folded, &fold(&text[span.range()])))?;
        (distance <= most).then_some((distance, span))
    });
    windows.min_by_key(|(distance, _)| *distance)
}

fn start_of(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}
