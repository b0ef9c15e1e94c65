use std::cell::OnceCell;

use memchr::{memchr_iter, memmem};

use crate::text::{LineColumn, Span, fold};

use super::fold::Folded;
use super::{Evidence, EvidencePlace};

/// A response, prepared for searches. The preparation is lazy.
pub(super) struct Response<'t> {
    text: &'t str,
    folded: OnceCell<Folded>,
    flat: OnceCell<String>,
    line_breaks: OnceCell<Vec<usize>>,
}

/// The longest text of evidence, in code points.
const SHOWN: usize = 160;

impl<'t> Response<'t> {
    pub(super) fn new(text: &'t str) -> Response<'t> {
        Response { text, folded: OnceCell::new(), flat: OnceCell::new(), line_breaks: OnceCell::new() }
    }

    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// `says`: the first place of `phrase`, literally, ignoring case.
    pub(super) fn says(&self, phrase: &str) -> Option<Span> {
        let folded = self.folded.get_or_init(|| Folded::new(self.text));
        let phrase = fold(phrase);
        let start = memmem::find(folded.as_str().as_bytes(), phrase.as_bytes())?;
        Some(folded.original(Span::new(start, start + phrase.len())))
    }

    /// `shows`: the first place of `value`, literally, with every `\n` as a space.
    pub(super) fn shows(&self, value: &str) -> Option<Span> {
        let flat = self.flat.get_or_init(|| self.text.replace('\n', " "));
        // A space is as long as a `\n`, so the offsets do not change.
        let start = memmem::find(flat.as_bytes(), value.as_bytes())?;
        Some(Span::new(start, start + value.len()))
    }

    /// The lines with their offsets. Only `\n` separates lines, and empty lines at the end are dropped. There is at least
    /// one line.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &'t str)> {
        let mut start = 0;
        self.text.trim_end_matches('\n').split('\n').map(move |line| {
            let at = start;
            start += line.len() + 1;
            (at, line)
        })
    }

    /// The line and column of the byte at `offset`. Only `\n` ends a line.
    pub(super) fn line_column(&self, offset: usize) -> LineColumn {
        let breaks = self.line_breaks.get_or_init(|| memchr_iter(b'\n', self.text.as_bytes()).collect());
        let before = breaks.partition_point(|at| *at < offset);
        let line_start = before.checked_sub(1).map_or(0, |last| breaks[last] + 1);
        LineColumn { line: before + 1, column: self.text[line_start..offset].chars().count() + 1 }
    }

    pub(super) fn evidence(&self, span: Span) -> Evidence {
        let place = EvidencePlace::Response(self.line_column(span.start));
        Evidence { place, text: excerpt(&self.text[span.range()]) }
    }
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

    #[test]
    fn lines_are_parted_at_line_feeds_alone() {
        for (text, lines) in [
            ("", &[(0, "")][..]),
            ("\n\n", &[(0, "")]),
            ("a", &[(0, "a")]),
            ("a\n\n", &[(0, "a")]),
            ("\na\n\nb\n", &[(0, ""), (1, "a"), (3, ""), (4, "b")]),
            ("a\r\nb\rc\u{2028}d\u{85}e\u{b}f", &[(0, "a\r"), (3, "b\rc\u{2028}d\u{85}e\u{b}f")]),
            ("a\r\n\r\n", &[(0, "a\r"), (3, "\r")]),
        ] {
            assert_eq!(Response::new(text).lines().collect::<Vec<_>>(), lines, "{text:?}");
        }
    }

    #[test]
    fn evidence_counts_lines_and_code_points_from_one() {
        let response = Response::new("😀 one\nzwei Ä\u{212a}b\n");
        let evidence = |span: Option<Span>| response.evidence(span.unwrap());
        let at = |line, column, text: &str| {
            let place = EvidencePlace::Response(LineColumn { line, column });
            Evidence { place, text: text.to_owned() }
        };
        assert_eq!(evidence(response.says("ONE")), at(1, 3, "one"));
        assert_eq!(evidence(response.says("ä\u{6b}B")), at(2, 6, "Ä\u{212a}b"));
        assert_eq!(evidence(response.says("one\nZwei")), at(1, 3, "one\nzwei"));
        assert_eq!(evidence(response.shows("one zwei")), at(1, 3, "one\nzwei"));
        assert_eq!(response.shows("One"), None);
        assert_eq!(response.shows("one\nzwei"), None);
        let long = "é".repeat(1000);
        let text = Response::new(&long).evidence(Span::new(0, long.len())).text;
        assert_eq!(text, format!("{}…", "é".repeat(SHOWN)));
    }
}
