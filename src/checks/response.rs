use std::borrow::Cow;
use std::cell::OnceCell;
use std::rc::Rc;

use memchr::{memchr_iter, memmem};

use crate::config::Reading;
use crate::pattern::Budget;
use crate::text::{LineColumn, Mapped, Span, fold};

use super::prompt::escapes;
use super::reading::{HOLE, PlainText, plain_phrase};
use super::search::first_match;
use super::{Evidence, EvidencePlace};

/// A response, prepared for searches. The preparation is lazy.
pub(crate) struct Response<'t> {
    /// The text as it was answered; places count in it.
    original: &'t str,
    /// The text that is searched: each byte at its place, with blanks in place of text that does not count.
    text: Cow<'t, str>,
    /// The prompt's own text, in order.
    own: Rc<[Span]>,
    /// Whether it is the page that shows the answer, and not the answer.
    is_page: bool,
    folded: OnceCell<Mapped>,
    on_one_line: OnceCell<Mapped>,
    /// In which forms it is searched.
    reading: Reading,
    /// The answer as a person reads it.
    plain: OnceCell<(PlainText, Box<Response<'static>>)>,
    /// If it is a snapshot with escaped characters in quoted names: the text with those characters.
    unescaped: OnceCell<Option<(Mapped, Box<Response<'static>>)>>,
    line_breaks: OnceCell<Vec<usize>>,
}

/// The longest text of evidence, in code points. Two lines of a terminal.
const SHOWN: usize = 160;

impl<'t> Response<'t> {
    /// A response that is only this text.
    pub(crate) fn of_text(text: &'t str, reading: Reading) -> Response<'t> {
        Response::new(text, Rc::new([]), reading)
    }

    /// A response of which `own` is the prompt's own text; all of it is searched.
    pub(super) fn new(text: &'t str, own: Rc<[Span]>, reading: Reading) -> Response<'t> {
        Response {
            original: text,
            text: Cow::Borrowed(text),
            own,
            is_page: false,
            folded: OnceCell::new(),
            on_one_line: OnceCell::new(),
            reading,
            plain: OnceCell::new(),
            unescaped: OnceCell::new(),
            line_breaks: OnceCell::new(),
        }
    }

    /// The response without the prompt's own text: it is blanked out, and lines that were nothing else are left out.
    pub(super) fn without_prompt(&self) -> Response<'t> {
        let mut blanked = self.original.as_bytes().to_vec();
        for span in self.own.iter() {
            blanked[span.range()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        }
        let blanked = String::from_utf8(blanked).expect("whole characters were replaced by blanks");
        Response { text: Cow::Owned(blanked), ..self.whole() }
    }

    /// The page that shows the answer, of which `own` is the prompt's own text.
    pub(super) fn page(text: &'t str, own: Rc<[Span]>, reading: Reading) -> Response<'t> {
        Response { is_page: true, ..Response::new(text, own, reading) }
    }

    /// The response with all of its text.
    pub(super) fn whole(&self) -> Response<'t> {
        Response { is_page: self.is_page, ..Response::new(self.original, Rc::clone(&self.own), self.reading) }
    }

    /// What a message adds to a line of it.
    pub(super) fn of_page(&self) -> &'static str {
        if self.is_page { " of the page" } else { "" }
    }

    /// Whether it shows the prompt.
    pub(super) fn has_own_text(&self) -> bool {
        !self.own.is_empty()
    }

    /// The text that is searched.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The text as it was answered.
    pub(super) fn original(&self) -> &'t str {
        self.original
    }

    /// `says`: the first place of `phrase`, literally but for case, line ends, the encoding of accents, and characters that show nothing. In
    /// a snapshot, a quoted name is also read as its text. In a plain reading, both are looked for as a person reads them, too.
    pub(crate) fn says(&self, phrase: &str) -> Option<Span> {
        let wanted = fold(phrase);
        // A phrase of characters that show nothing is nowhere.
        if wanted.is_empty() && !phrase.is_empty() {
            return None;
        }
        let folded = self.folded.get_or_init(|| Mapped::folded(&self.text));
        found(folded, &wanted)
            .or_else(|| self.in_unescaped(|text| text.says(phrase)))
            .or_else(|| self.in_plain(|text| text.says(&plain_phrase(phrase)?)))
    }

    /// `shows`: the first place of `value`, literally, with every end of a line as a space.
    pub(crate) fn shows(&self, value: &str) -> Option<Span> {
        let line = self.on_one_line.get_or_init(|| Mapped::on_one_line(&self.text));
        found(line, value)
            .or_else(|| self.in_unescaped(|text| text.shows(value)))
            .or_else(|| self.in_plain(|text| text.shows(&plain_phrase(value)?)))
    }

    /// Whether a line `matches` the pattern, if that can be judged.
    pub(crate) fn matches(&self, pattern: &str, budget: &Budget) -> bool {
        matches!(first_match(self, pattern, budget), Ok(Some(_)))
    }

    /// A text that was made of a response, and is searched as it is.
    fn made(text: &str) -> Response<'static> {
        Response { text: Cow::Owned(text.to_owned()), ..Response::of_text("", Reading::Written) }
    }

    /// The answer as a person reads it, and how it is searched; `None` if it is only searched as it is written.
    pub(super) fn plain(&self) -> Option<&(PlainText, Box<Response<'static>>)> {
        (self.reading == Reading::Plain).then(|| {
            self.plain.get_or_init(|| {
                let plain = PlainText::new(&self.text, &self.holes());
                let response = Response::made(plain.as_str());
                (plain, Box::new(response))
            })
        })
    }

    /// A place in the answer as a person reads it.
    fn in_plain(&self, find: impl FnOnce(&Response<'static>) -> Option<Span>) -> Option<Span> {
        let (plain, text) = self.plain()?;
        Some(plain.original(find(text)?))
    }

    /// The text of the prompt that does not count, line by line.
    fn holes(&self) -> Vec<Span> {
        if matches!(self.text, Cow::Borrowed(_)) {
            return Vec::new();
        }
        let of_lines = |own: &Span| {
            let own = *own;
            lines(&self.original[own.range()])
                .map(move |(at, line)| Span::new(own.start + at, own.start + at + line.len()))
        };
        self.own.iter().flat_map(of_lines).filter(|hole| !hole.is_empty()).collect()
    }

    /// Whether a line is blank, and has text of the prompt in the answer.
    fn is_blanked(&self, at: usize, line: &str) -> bool {
        matches!(self.text, Cow::Owned(_)) && line.trim().is_empty() && {
            let original = self.original.get(at..at + line.len()).unwrap_or_default();
            !original.trim().is_empty() || (self.original.is_empty() && line.contains(HOLE))
        }
    }

    /// A place in the text with the escaped characters of a snapshot.
    pub(super) fn in_unescaped(&self, find: impl FnOnce(&Response<'static>) -> Option<Span>) -> Option<Span> {
        let unescaped = self.unescaped.get_or_init(|| {
            let escapes = escapes(&self.text);
            let escapes: Vec<(Span, String)> = escapes.into_iter().map(|(span, c)| (span, c.to_string())).collect();
            let parts: Vec<(Span, &str)> = escapes.iter().map(|(span, c)| (*span, c.as_str())).collect();
            let mapped = (!parts.is_empty()).then(|| Mapped::replaced(&self.text, &parts))?;
            // What it says is not a snapshot any more, so nothing is unescaped twice.
            let text = Response::made(mapped.as_str());
            text.unescaped.set(None).ok();
            Some((mapped, Box::new(text)))
        });
        let (mapped, text) = unescaped.as_ref()?;
        Some(mapped.original(find(text)?))
    }

    /// The lines that are searched and where they start: split at `\n` or `\r\n`, empty ones at the end dropped. Without the
    /// prompt's lines there may be none; else there always is one.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        lines(without_last_breaks(&self.text)).filter(|(at, line)| !self.is_blanked(*at, line))
    }

    /// The line and column of the byte at `offset`. Only `\n` ends a line.
    pub(super) fn line_column(&self, offset: usize) -> LineColumn {
        let breaks = self.line_breaks.get_or_init(|| memchr_iter(b'\n', self.original.as_bytes()).collect());
        let before = breaks.partition_point(|at| *at < offset);
        let line_start = before.checked_sub(1).map_or(0, |last| breaks[last] + 1);
        LineColumn { line: before + 1, column: self.original[line_start..offset].chars().count() + 1 }
    }

    pub(super) fn evidence(&self, span: Span) -> Evidence {
        let place = self.line_column(span.start);
        let place = if self.is_page { EvidencePlace::Page { page: place } } else { EvidencePlace::Response(place) };
        // The `\r` of a line break is a part of no line.
        let (text, rest) = self.original[span.start..].split_at(span.len());
        let text = if rest.starts_with('\n') { text.strip_suffix('\r').unwrap_or(text) } else { text };
        Evidence { place, text: excerpt(&text.replace("\r\n", "\n")), in_prompt: self.is_in_prompt(span) }
    }

    /// Whether a place that was found has text of the prompt in it. It never has where the prompt does not count.
    fn is_in_prompt(&self, span: Span) -> bool {
        let next = self.own.partition_point(|own| own.end <= span.start);
        matches!(self.text, Cow::Borrowed(_)) && self.own.get(next).is_some_and(|own| own.start < span.end)
    }
}

/// The first place of `wanted`.
fn found(text: &Mapped, wanted: &str) -> Option<Span> {
    let start = memmem::find(text.as_str().as_bytes(), wanted.as_bytes())?;
    Some(text.original(Span::new(start, start + wanted.len())))
}

/// The lines of a text and where they start, split at `\n` or `\r\n`.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let at = start;
        start += line.len() + 1;
        // The last line has no end, so a `\r` at its end is a character of it.
        let is_last = start > text.len();
        (at, if is_last { line } else { line.strip_suffix('\r').unwrap_or(line) })
    })
}

/// A text without the line breaks at its end.
pub(super) fn without_last_breaks(mut text: &str) -> &str {
    while let Some(rest) = text.strip_suffix('\n') {
        text = rest.strip_suffix('\r').unwrap_or(rest);
    }
    text
}

/// `text`, shortened if it is long.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(text: &str) -> Response<'_> {
        Response::of_text(text, Reading::Written)
    }

    #[test]
    fn lines_end_with_a_line_feed() {
        for (text, lines) in [
            ("", &[(0, "")][..]),
            ("\n\n", &[(0, "")]),
            ("a", &[(0, "a")]),
            ("a\n\n", &[(0, "a")]),
            ("\na\n\nb\n", &[(0, ""), (1, "a"), (3, ""), (4, "b")]),
            ("a\r\nb\rc\u{2028}d\u{85}e\u{b}f", &[(0, "a"), (3, "b\rc\u{2028}d\u{85}e\u{b}f")]),
            ("a\r\n\r\n", &[(0, "a")]),
            ("a\r", &[(0, "a\r")]),
            ("\ra\r\r\n\n", &[(0, "\ra\r")]),
        ] {
            assert_eq!(whole(text).lines().collect::<Vec<_>>(), lines, "{text:?}");
        }
    }

    #[test]
    fn evidence_counts_lines_and_code_points_from_one() {
        let response = whole("😀 one\nzwei Ä\u{212a}b\n");
        let evidence = |span: Option<Span>| response.evidence(span.unwrap());
        let at = |line, column, text: &str| {
            let place = EvidencePlace::Response(LineColumn { line, column });
            Evidence { place, text: text.to_owned(), in_prompt: false }
        };
        assert_eq!(evidence(response.says("ONE")), at(1, 3, "one"));
        assert_eq!(evidence(response.says("ä\u{6b}B")), at(2, 6, "Ä\u{212a}b"));
        assert_eq!(evidence(response.says("one\nZwei")), at(1, 3, "one\nzwei"));
        assert_eq!(evidence(response.shows("one zwei")), at(1, 3, "one\nzwei"));
        assert_eq!(response.shows("One"), None);
        assert_eq!(response.shows("one\nzwei"), None);
        let long = "é".repeat(1000);
        let text = whole(&long).evidence(Span::new(0, long.len())).text;
        assert_eq!(text, format!("{}…", "é".repeat(SHOWN)));
    }
}
