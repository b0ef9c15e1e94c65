use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use super::visible::is_ignorable;
use super::{Span, fold_char};

/// A text that was made of another one, and maps its offsets to it.
pub(crate) struct Mapped {
    text: String,
    /// Where the lengths begin to differ otherwise, in order.
    shifts: Vec<Shift>,
}

/// A place behind which the lengths differ otherwise, in bytes.
struct Shift {
    /// The place in this text.
    at: usize,
    /// Where text that ends here ends in the original.
    end: usize,
    /// Where text that begins here begins in the original.
    start: usize,
}

impl Shift {
    /// A shift without text between the two places.
    fn new(at: usize, original: usize) -> Shift {
        Shift { at, end: original, start: original }
    }
}

impl Mapped {
    /// The text as [`fold`](super::fold()) makes it.
    pub(crate) fn folded(original: &str) -> Mapped {
        let mut mapped = Mapped { text: String::with_capacity(original.len()), shifts: Vec::new() };
        // Characters that may become one: a first one, and those that change it.
        let mut joined: Vec<char> = Vec::new();
        let mut end = 0;
        let mut at = 0;
        while let Some(c) = original[at..].chars().next() {
            let lone = lone_ascii(&original[at..]);
            let next = at + lone.len().max(c.len_utf8());
            if !lone.is_empty() {
                mapped.push_joined(&mut joined, end);
                mapped.skip_to(at);
                let start = mapped.text.len();
                mapped.text.push_str(lone);
                mapped.text[start..].make_ascii_lowercase();
            } else if !is_ignorable(c) && !original[at..].starts_with("\r\n") {
                if is_first(c) {
                    mapped.push_joined(&mut joined, end);
                }
                if joined.is_empty() {
                    mapped.skip_to(at);
                }
                joined.push(c);
                end = next;
            }
            at = next;
        }
        mapped.push_joined(&mut joined, end);
        mapped.skip_to(original.len());
        mapped
    }

    /// The text on one line: each end of a line is a space.
    pub(crate) fn on_one_line(original: &str) -> Mapped {
        let mut mapped = Mapped { text: original.replace("\r\n", "\n").replace('\n', " "), shifts: Vec::new() };
        let ends = original.match_indices("\r\n").enumerate();
        mapped.shifts = ends.map(|(before, (at, _))| Shift::new(at + 1 - before, at + 2)).collect();
        mapped
    }

    /// The text with these parts, in order and apart from each other, replaced by other text. A place within that text is the start of
    /// the part.
    pub(crate) fn replaced(original: &str, parts: &[(Span, &str)]) -> Mapped {
        let mut mapped = Mapped { text: String::with_capacity(original.len()), shifts: Vec::new() };
        let mut end = 0;
        for (part, with) in parts {
            mapped.text.push_str(&original[end..part.start]);
            for c in with.chars() {
                mapped.skip_to(part.start);
                mapped.text.push(c);
            }
            end = part.end;
            // What is left out belongs to no text beside it.
            let ends = if with.is_empty() { part.start } else { end };
            mapped.shifts.push(Shift { at: mapped.text.len(), end: ends, start: end });
        }
        mapped.text.push_str(&original[end..]);
        mapped
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// The span in the original of a span in this text, which must start and end at characters.
    pub(crate) fn original(&self, span: Span) -> Span {
        let start = self.original_offset(span.start);
        if span.is_empty() {
            return Span::empty(start);
        }
        let before = self.shifts.partition_point(|shift| shift.at < span.end);
        let end = match self.shifts.get(before).filter(|shift| shift.at == span.end) {
            Some(shift) => shift.end,
            None => self.original_offset(span.end),
        };
        Span::new(start, end.max(start))
    }

    fn original_offset(&self, offset: usize) -> usize {
        let before = self.shifts.partition_point(|shift| shift.at <= offset);
        let (at, original) =
            before.checked_sub(1).map_or((0, 0), |last| (self.shifts[last].at, self.shifts[last].start));
        original + (offset - at)
    }

    /// Adds the characters, composed and folded. They end at `end` in the original.
    fn push_joined(&mut self, joined: &mut Vec<char>, end: usize) {
        if joined.is_empty() {
            return;
        }
        let start = self.text.len();
        let length: usize = joined.iter().map(|c| c.len_utf8()).sum();
        self.text.extend(joined.drain(..).nfc().map(fold_char));
        let added = &self.text[start..];
        // What became one has no place within the original.
        let places: Vec<usize> = added.char_indices().map(|(at, c)| start + at + c.len_utf8()).collect();
        match places.as_slice() {
            [only] if *only - start == length => self.skip_to(end),
            places => places.iter().for_each(|place| self.shifts.push(Shift::new(*place, end))),
        }
    }

    /// The next character is at this place in the original.
    fn skip_to(&mut self, original: usize) {
        if self.original_offset_of_end() != original {
            let shift = Shift::new(self.text.len(), original);
            match self.shifts.last_mut().filter(|last| last.at == shift.at) {
                Some(last) => *last = shift,
                None => self.shifts.push(shift),
            }
        }
    }

    fn original_offset_of_end(&self) -> usize {
        let (at, original) = self.shifts.last().map_or((0, 0), |shift| (shift.at, shift.start));
        original + (self.text.len() - at)
    }
}

/// The characters at the start of a text that no other one changes: ASCII before ASCII, up to a carriage return.
fn lone_ascii(text: &str) -> &str {
    let length = text.bytes().take_while(|byte| byte.is_ascii() && *byte != b'\r').count();
    // A mark may follow the last one.
    &text[..if length == text.len() { length } else { length.saturating_sub(1) }]
}

/// Whether no character before this one can change with it.
fn is_first(c: char) -> bool {
    // Three vowel signs of Tibetan are made of marks, though they are none.
    let begins_with_mark = matches!(c, '\u{f73}' | '\u{f75}' | '\u{f81}');
    let may_compose = || is_nfc_quick([c].into_iter()) == IsNormalized::Maybe;
    c.is_ascii() || !(begins_with_mark || canonical_combining_class(c) != 0 || may_compose())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::text::fold;

    const TEXTS: [&str; 9] = [
        "GitHub",
        "\u{212a}elvin\r\n",
        "STRA\u{1e9e}E",
        "\u{130}stanbul e\u{301}\u{ad}\u{323}x",
        "ΣΑΣ ς\u{200b}",
        "\u{13a0}\u{ab70}",
        "中文 😀\r\n\u{feff}",
        "\u{1100}\u{1161}\u{11a8}\u{3099}",
        "a\u{17f}é\u{23a}z\r",
    ];

    #[test]
    fn places_are_found_again() {
        let original = "a\u{212a}b\u{1e9e}\u{17f}é\u{23a}z";
        let mapped = Mapped::folded(original);
        let starts = |text: &str| text.char_indices().map(|(at, _)| at).chain([text.len()]).collect::<Vec<_>>();
        for (original, at) in starts(original).iter().zip(starts(mapped.as_str())) {
            assert_eq!(mapped.original_offset(at), *original);
        }
        let original = "x e\u{301}\u{ad}y\r\nz";
        let mapped = Mapped::folded(original);
        assert_eq!(mapped.as_str(), "x éy\nz");
        let found = |part: &str| {
            let start = mapped.as_str().find(part).unwrap();
            &original[mapped.original(Span::new(start, start + part.len())).range()]
        };
        assert_eq!(found("é"), "e\u{301}\u{ad}");
        assert_eq!(found("y"), "y\r");
        assert_eq!(found("z"), "z");
        let line = Mapped::on_one_line("a\r\nb\nc\r\nd");
        assert_eq!(line.as_str(), "a b c d");
        assert_eq!(line.original(Span::new(2, 7)), Span::new(3, 9));
        let replaced = Mapped::replaced("say \\\"hi\\\" now", &[(Span::new(4, 6), "\""), (Span::new(8, 10), "\"")]);
        assert_eq!(replaced.as_str(), "say \"hi\" now");
        assert_eq!(replaced.original(Span::new(4, 8)), Span::new(4, 10));
    }

    proptest! {
        #[test]
        fn a_mapped_text_is_the_folded_one_and_each_place_is_one_of_the_original(
            parts in proptest::collection::vec((0..TEXTS.len(), any::<char>()), 0..6)
        ) {
            let original: String = parts.iter().map(|(at, c)| format!("{}{c}", TEXTS[*at])).collect();
            let mapped = Mapped::folded(&original);
            prop_assert_eq!(mapped.as_str(), &*fold(&original));
            let mut last = 0;
            for at in mapped.as_str().char_indices().map(|(at, _)| at).chain([mapped.as_str().len()]) {
                let place = mapped.original_offset(at);
                prop_assert!(original.is_char_boundary(place) && place >= last && place <= original.len());
                last = place;
            }
        }
    }
}
