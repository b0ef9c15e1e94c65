use crate::text::{Span, fold_char};

/// A folded text that maps its offsets to the original text.
pub(super) struct Folded {
    text: String,
    /// For each character whose length changed: its end in the folded text and in the original text.
    shifts: Vec<(usize, usize)>,
}

impl Folded {
    pub(super) fn new(original: &str) -> Folded {
        if original.is_ascii() {
            return Folded { text: original.to_ascii_lowercase(), shifts: Vec::new() };
        }
        let mut text = String::with_capacity(original.len());
        let mut shifts = Vec::new();
        for (at, c) in original.char_indices() {
            let folded = fold_char(c);
            text.push(folded);
            if folded.len_utf8() != c.len_utf8() {
                shifts.push((text.len(), at + c.len_utf8()));
            }
        }
        Folded { text, shifts }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    /// The span in the original of a span in the folded text. The span must start and end at characters.
    pub(super) fn original(&self, folded: Span) -> Span {
        Span::new(self.original_offset(folded.start), self.original_offset(folded.end))
    }

    fn original_offset(&self, folded: usize) -> usize {
        let before = self.shifts.partition_point(|(end, _)| *end <= folded);
        let (folded_end, original_end) = before.checked_sub(1).map_or((0, 0), |last| self.shifts[last]);
        original_end + (folded - folded_end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::fold;

    #[test]
    fn folds_as_phrases_are_folded() {
        for text in
            ["GitHub", "\u{212a}elvin", "STRA\u{1e9e}E", "\u{130}stanbul", "ΣΑΣ ς", "\u{13a0}\u{ab70}", "中文 😀\r\n"]
        {
            assert_eq!(Folded::new(text).as_str(), fold(text), "{text}");
        }
    }

    #[test]
    fn finds_the_original_place_again() {
        let original = "a\u{212a}b\u{1e9e}\u{17f}é\u{23a}z";
        let folded = Folded::new(original);
        let starts: Vec<usize> = original.char_indices().map(|(at, _)| at).chain([original.len()]).collect();
        let folded_starts: Vec<usize> =
            folded.as_str().char_indices().map(|(at, _)| at).chain([folded.as_str().len()]).collect();
        for (original, at) in starts.iter().zip(&folded_starts) {
            assert_eq!(folded.original_offset(*at), *original);
        }
    }
}
