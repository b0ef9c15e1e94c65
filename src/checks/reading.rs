//! The answer as a person reads it: `reading = "plain"`. `docs/scoring.md` defines it.
//!
//! A reading is made in rounds. Each step of a round replaces parts of the text; the rounds end when no step finds anything. So the reading of
//! a reading is the reading itself. A parser of Markdown would not do: it takes escapes, entities and addresses away, and a reading keeps
//! each letter and digit.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::text::{Mapped, Span};

use super::response::lines;

/// How many rounds there are at most: marks in marks need one for each level. No answer has so many; the limit bounds the work.
const ROUNDS: usize = 32;

/// From how many code points on a line may have been wrapped. Shorter lines are headings, names and entries.
const WRAPPED: usize = 40;

/// Within how many bytes of a line the colon of a label is.
const LABEL: usize = 40;

/// What is read in the place of text of the prompt that does not count. No step takes it away, so nothing is found across it.
pub(super) const HOLE: &str = "\u{c}";

/// A part of a text, and what is read in its place.
type Edit = (Span, &'static str);

/// A step of a round.
type Step = fn(&str) -> Vec<Edit>;

/// The steps, in order.
const STEPS: [Step; 7] = [characters, fences, tables, links, emphasis, spaces, wraps];

/// The steps for a phrase, which is a part of an answer.
const STEPS_OF_PHRASE: [Step; 4] = [characters, links, emphasis, inner_spaces];

/// A text as it is read, and where each place is in the text as it is written.
pub(super) struct PlainText {
    text: String,
    edits: Vec<Mapped>,
}

impl PlainText {
    /// Reads `written` with a [`HOLE`] in each of these places, which are in order.
    pub(super) fn new(written: &str, holes: &[Span]) -> PlainText {
        let holes: Vec<Edit> = holes.iter().map(|hole| (*hole, HOLE)).collect();
        let mut plain = PlainText { text: written.to_owned(), edits: Vec::new() };
        plain.edit(&holes);
        plain.read(&STEPS);
        plain
    }

    fn read(&mut self, steps: &[Step]) {
        for _ in 0..ROUNDS {
            let before = self.edits.len();
            steps.iter().for_each(|step| self.edit(&step(&self.text)));
            if self.edits.len() == before {
                break;
            }
        }
    }

    fn edit(&mut self, edits: &[Edit]) {
        if !edits.is_empty() {
            let edited = Mapped::replaced(&self.text, edits);
            edited.as_str().clone_into(&mut self.text);
            self.edits.push(edited);
        }
    }

    /// The text as it is read.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The place in the written text of a place in this one.
    pub(super) fn original(&self, span: Span) -> Span {
        self.edits.iter().rev().fold(span, |span, edited| edited.original(span))
    }
}

/// A phrase of a suite, read like the answer; `None` if it is only signs. A reading has other signs, so such a phrase is about those that
/// are written.
pub(super) fn plain_phrase(phrase: &str) -> Option<String> {
    let mut plain = PlainText { text: phrase.to_owned(), edits: Vec::new() };
    plain.read(&STEPS_OF_PHRASE);
    Some(plain.text).filter(|plain| plain.contains(char::is_alphanumeric))
}

/// A text with the quotes, dashes and spaces of a reading; `None` if it is only signs.
pub(super) fn plain_characters(text: &str) -> Option<String> {
    text.contains(char::is_alphanumeric).then(|| text.chars().map(|c| folded(c).unwrap_or(c)).collect())
}

/// A pattern that matches in a reading what it matches in the written answer: its quotes, dashes and spaces are those of a reading. `None`
/// if it has such characters and no word: then it is about those that are written.
pub(super) fn plain_pattern(pattern: &str) -> Option<Cow<'_, str>> {
    let mut plain = String::new();
    let (mut is_escaped, mut has_word) = (false, false);
    for c in pattern.chars() {
        has_word |= !is_escaped && c.is_alphanumeric();
        match folded(c) {
            Some('-') if is_escaped => plain.push('-'),
            Some('-') => plain.push_str(r"\-"),
            Some(' ') if is_escaped => plain.push_str("x20"),
            Some(' ') => plain.push_str(r"\x20"),
            folded => plain.push(folded.unwrap_or(c)),
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    match plain == pattern {
        true => Some(Cow::Borrowed(pattern)),
        false => has_word.then_some(Cow::Owned(plain)),
    }
}

/// The character for which a quote, a dash or a space is read, if that is another.
fn folded(c: char) -> Option<char> {
    match c {
        '‘' | '’' | '‚' | '‛' | '′' => Some('\''),
        '“' | '”' | '„' | '‟' | '″' => Some('"'),
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' => Some('-'),
        '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        _ => None,
    }
}

fn characters(text: &str) -> Vec<Edit> {
    let as_str = |c| match c {
        '\'' => "'",
        '"' => "\"",
        '-' => "-",
        _ => " ",
    };
    let all = text.char_indices().filter_map(|(at, c)| Some((at, c, folded(c)?)));
    all.map(|(at, c, read)| (Span::new(at, at + c.len_utf8()), as_str(read))).collect()
}

/// A line without its end, and the end.
struct Line<'t> {
    text: &'t str,
    start: usize,
    /// Where the next line starts.
    next: usize,
}

fn all_lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    lines(text).map(move |(start, line)| {
        let end = start + line.len();
        let rest = &text[end..];
        let length = if rest.starts_with("\r\n") { 2 } else { usize::from(rest.starts_with('\n')) };
        Line { text: line, start, next: end + length }
    })
}

impl Line<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }

    fn whole(&self) -> Span {
        Span::new(self.start, self.next)
    }

    /// The text without the spaces around it.
    fn content(&self) -> Span {
        trimmed(self.text).shifted_by(self.start)
    }
}

/// A space within a line. A [`HOLE`] is none.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t')
}

/// The place of a text without the spaces around it.
fn trimmed(text: &str) -> Span {
    let start = text.len() - text.trim_start_matches(is_space).len();
    Span::new(start, start + text.trim_matches(is_space).len())
}

/// The marks of fences. A fence without a word is left out.
fn fences(text: &str) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for line in all_lines(text) {
        let content = line.content();
        let shown = &text[content.range()];
        let word = ['`', '~'].into_iter().find_map(|mark| {
            let word = shown.trim_start_matches(mark);
            (shown.len() - word.len() >= 3 && !word.contains(mark)).then_some(word.trim())
        });
        match word {
            None => {}
            Some("") => edits.push((line.whole(), "")),
            Some(word) => {
                // It is the end of the line, which has no space behind it.
                edits.push((Span::new(line.start, content.end - word.len()), ""));
            }
        }
    }
    edits
}

/// The marks of tables: a row is `first: second, third`, and the line below the head is left out.
fn tables(text: &str) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    for line in all_lines(text) {
        let content = line.content();
        let shown = &text[content.range()];
        let pipes: Vec<usize> =
            shown.match_indices('|').map(|(at, _)| at).filter(|at| !shown[..*at].ends_with('\\')).collect();
        let is_row = pipes.len() >= 2 && pipes[0] == 0 && pipes.last() == Some(&(shown.len() - 1));
        if !is_row {
            continue;
        }
        if shown.contains('-') && shown.chars().all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t')) {
            edits.push((line.whole(), ""));
            continue;
        }
        let cells = pipes.windows(2).map(|pair| {
            let cell = &shown[pair[0] + 1..pair[1]];
            trimmed(cell).shifted_by(content.start + pair[0] + 1)
        });
        let cells: Vec<Span> = cells.filter(|cell| !cell.is_empty()).collect();
        let mut end = line.start;
        for (number, cell) in cells.iter().enumerate() {
            let separator = match number {
                0 => "",
                1 if text[cells[0].range()].ends_with(':') => " ",
                1 => ": ",
                _ => ", ",
            };
            edits.push((Span::new(end, cell.start), separator));
            end = cell.end;
        }
        edits.push((Span::new(end, line.end()), ""));
    }
    edits
}

/// The marks of links and pictures: `[text](address)` is `text (address)`, `<https://…>` is the address.
fn links(text: &str) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut floor = 0;
    for (middle, _) in text.match_indices("](") {
        let before = &text[floor..middle];
        let Some(open) = before.rfind(['[', ']', '\n']).filter(|at| before[*at..].starts_with('[')) else { continue };
        let open = floor + open;
        let rest = &text[middle + 2..];
        let Some(close) = rest.find([')', '(', '\n']).filter(|at| rest[*at..].starts_with(')')) else { continue };
        let start = if text[floor..open].ends_with('!') { open - 1 } else { open };
        edits.push((Span::new(start, open + 1), ""));
        edits.push((Span::new(middle, middle + 2), " ("));
        floor = middle + 2 + close;
    }
    for (open, _) in text.match_indices("<http") {
        let address = &text[open + 1..];
        let length = address.find(|c: char| matches!(c, '<' | '>') || c.is_whitespace());
        if let Some(length) = length.filter(|length| address[*length..].starts_with('>')) {
            edits.push((Span::new(open, open + 1), ""));
            edits.push((Span::new(open + 1 + length, open + 2 + length), ""));
        }
    }
    edits.sort_by_key(|(span, _)| *span);
    edits.dedup_by(|next, before| next.0.start < before.0.end);
    edits
}

/// The marks of emphasis and code: a run of `*`, `_` or `` ` `` before a word, and the next run of the same length behind one. Beside them is
/// no letter and no digit.
fn emphasis(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    for line in all_lines(text) {
        let mut open = Openers::default();
        let mut at = 0;
        while let Some(found) = line.text[at..].find(['*', '_', '`']) {
            let start = at + found;
            let mark = line.text[start..].chars().next().unwrap_or_default();
            let length = line.text[start..].len() - line.text[start..].trim_start_matches(mark).len();
            at = start + length;
            let before = line.text[..start].chars().next_back();
            let after = line.text[at..].chars().next();
            let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let is_gap = |c: Option<char>| c.is_none_or(char::is_whitespace);
            let is_escaped = before == Some('\\');
            let closes = !is_gap(before) && !is_word(after) && !is_escaped;
            let partner = if closes { open.close((mark, length)) } else { None };
            match partner {
                Some(begun) => {
                    edits.push((Span::new(line.start + begun, line.start + begun + length), ""));
                    edits.push((Span::new(line.start + start, line.start + at), ""));
                }
                None if !is_word(before) && !is_gap(after) && !is_escaped => open.open((mark, length), start),
                None => {}
            }
        }
    }
    edits.sort_by_key(|(span, _)| *span);
    edits
}

/// A mark of emphasis and the length of its run.
type Mark = (char, usize);

/// The runs of a line that wait for their end. Each is opened and closed once, however many there are.
#[derive(Default)]
struct Openers {
    /// Each with its place, the innermost last.
    open: Vec<(Mark, usize)>,
    /// The places in `open` of each mark. Those that are closed by an outer one stay until they are looked at.
    of_mark: HashMap<Mark, Vec<usize>>,
}

impl Openers {
    fn open(&mut self, mark: Mark, place: usize) {
        self.of_mark.entry(mark).or_default().push(self.open.len());
        self.open.push((mark, place));
    }

    /// Closes the innermost run of this mark, and those within it. Returns its place.
    fn close(&mut self, mark: Mark) -> Option<usize> {
        let of_mark = self.of_mark.get_mut(&mark)?;
        while let Some(index) = of_mark.pop() {
            let place = self.open.get(index).filter(|(other, _)| *other == mark).map(|(_, place)| *place);
            if place.is_some() {
                self.open.truncate(index);
                return place;
            }
        }
        None
    }
}

/// Several spaces within a line, and spaces at its end. The indentation stays.
fn spaces(text: &str) -> Vec<Edit> {
    all_lines(text).flat_map(|line| spaces_of(text, line, true)).collect()
}

/// Several spaces within a line.
fn inner_spaces(text: &str) -> Vec<Edit> {
    all_lines(text).flat_map(|line| spaces_of(text, line, false)).collect()
}

fn spaces_of(text: &str, line: Line<'_>, with_end: bool) -> Vec<Edit> {
    let content = line.text.trim_end_matches(is_space);
    let mut edits: Vec<Edit> = Vec::new();
    let mut at = line.text.len() - line.text.trim_start_matches(is_space).len();
    while let Some(found) = content.get(at..).and_then(|rest| rest.find(is_space)) {
        let start = at + found;
        let length = content[start..].len() - content[start..].trim_start_matches(is_space).len();
        at = start + length;
        let span = Span::new(line.start + start, line.start + at);
        if &text[span.range()] != " " {
            edits.push((span, " "));
        }
    }
    if with_end && content.len() < line.text.len() {
        edits.push((Span::new(line.start + content.len(), line.end()), ""));
    }
    edits
}

/// The ends of lines that were wrapped.
fn wraps(text: &str) -> Vec<Edit> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut before: Option<Line<'_>> = None;
    let (mut length, mut is_text) = (0, false);
    for line in all_lines(text) {
        let content = line.content();
        let here = &text[content.range()];
        let end = before.as_ref().map(|before| before.text.trim_end());
        let is_wrapped = is_text && length >= WRAPPED && end.is_some_and(|end| !ends_sentence(end)) && continues(here);
        if is_wrapped && let Some(before) = &before {
            edits.push((Span::new(before.end(), content.start), " "));
            length += 1 + here.chars().count();
        } else {
            length = line.text.trim_end().chars().count();
            is_text = !here.starts_with(['#', '|']);
        }
        before = Some(line);
    }
    edits
}

/// Whether a line ends where a sentence, a label or a row does.
fn ends_sentence(line: &str) -> bool {
    line.trim_end_matches(['"', '\'', ')', ']']).ends_with(['.', '!', '?', ':', ';', '|'])
}

/// Whether a line may continue the one before it: it is not an entry of a list or a heading, and does not begin with a label.
fn continues(line: &str) -> bool {
    let begins = line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '"' | '\'' | '(' | '$' | '€' | '£'));
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_entry = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    let head = &line[..line.floor_char_boundary(LABEL.min(line.len()))];
    let is_label = head.contains(": ") || head.ends_with(':') && head.len() == line.len();
    begins && !is_entry && !is_label
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> String {
        PlainText::new(text, &[]).as_str().to_owned()
    }

    #[test]
    fn marks_are_not_read() {
        let texts = [
            "There are **12** open _pull requests_.",
            "***both*** and **_nested_** and `code`",
            "**Open PRs:** 12",
            "snake_case 2*3*4 a * b * c **open",
            r"\*not\* emphasis",
            "* one\n* two",
            "it’s “so” — 5\u{a0}km\u{202f}– −3",
            "a   b \t c  ",
            "    indented",
            "see [the docs](/docs/intro) and ![x](y.png)",
            "[1] and [a] (b) and a](b)",
            "at <https://x.org/a>.",
            "```json\n{ \"a\": 1 }\n```\nend",
            "~~~\nx\n~~~",
            "| Name | Count |\n| --- | ---: |\n| Open PRs | 12 |\n| Age: | 3 | days |",
            "a | b\n|x|",
            "The workshop has a free slot on Thursday at 10:00 and another\none on Friday at 14:00, both with Ada.",
            "- The workshop has a free slot on Thursday, at ten\n  o'clock.\n- Next",
            "Status: ok\nTotal 12",
            "Evidence of the last week from the calendar of Ada\nRecommendation: book it",
            "This line is long enough to be wrapped, but it ends.\nThen another begins",
        ]
        .map(|written| format!("{written}\n──▶\n{}\n", read(written)));
        insta::assert_snapshot!(texts.join("\n").replace(['\u{a0}', '\u{202f}'], "⍽"));
    }

    #[test]
    fn phrases_and_patterns_are_read_alike() {
        assert_eq!(plain_phrase("it’s **12**").unwrap(), "it's 12");
        assert_eq!(plain_phrase(" PR ").unwrap(), " PR ");
        assert_eq!(["**", "—", "’", "“ "].map(plain_phrase), [const { None }; 4]);
        assert_eq!(plain_pattern("it[’']s 3–5\u{a0}km\\–[a–z]").unwrap(), "it['']s 3\\-5\\x20km\\-[a\\-z]");
        assert_eq!(plain_pattern(r"\d+ open").unwrap(), r"\d+ open");
        assert_eq!(["[–—]", r"\s—\s", "“.*”"].map(plain_pattern), [const { None }; 3]);
    }

    /// Without limits on time: with quadratic work this would take minutes.
    #[test]
    fn a_hostile_line_takes_linear_time() {
        for (opens, closes) in [(" *a", "b_ "), ("[a", "](b"), (" **a _b", "c* "), ("<http", " >"), ("|", "|")] {
            let line = format!("{}{}", opens.repeat(100_000), closes.repeat(100_000));
            assert!(read(&line).len() <= line.len() * 2);
        }
    }

    const HTTPS: &str = "<https://";
    const LONG: &str = "a longer run of words that may be wrapped here";
    const PARTS: [&str; 30] = [
        "**", "*", "_", "__", "`", "```", "\n", "\r\n", "| ", " |", "[", "](", ")", HTTPS, ">", "word", "12", "’", "–",
        "\u{a0}", "  ", "- ", "# ", ": ", ". ", "\\", "é", LONG, "~~~", "|---|",
    ];

    proptest! {
        #[test]
        fn a_reading_is_read_as_itself(parts in proptest::collection::vec(0..PARTS.len(), 0..30)) {
            let written: String = parts.iter().map(|at| PARTS[*at]).collect();
            let plain = PlainText::new(&written, &[]);
            prop_assert_eq!(read(plain.as_str()), plain.as_str(), "{:?}", written);
            let kept = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            prop_assert_eq!(kept(&written), kept(plain.as_str()), "{:?}", written);
            let mut last = 0;
            for (at, c) in plain.as_str().char_indices() {
                let span = plain.original(Span::new(at, at + c.len_utf8()));
                prop_assert!(span.start >= last && span.end <= written.len(), "{:?} {:?}", written, span);
                if c.is_alphanumeric() {
                    prop_assert_eq!(&written[span.range()], c.to_string(), "{:?}", written);
                }
                prop_assert!(written.is_char_boundary(span.start) && written.is_char_boundary(span.end));
                last = span.start;
            }
        }
    }
}
