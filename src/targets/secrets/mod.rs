mod forms;
#[cfg(test)]
mod tests;

use std::ops::Range;

use memchr::memmem;
use serde_json::Value;

use self::forms::forms_of;
use super::plain;
use forms::Streams;

/// Values that must not be stored or shown anywhere; `[redacted NAME]` replaces them.
///
/// A value is found as it is, trimmed, as JSON writers put it between quotes (also in a JSON string within another),
/// percent-encoded, as text of HTML, in Base64 (also within a longer text that was encoded) and in hexadecimal, and, where it
/// has several lines, line by line. Upper and lower case of ASCII are the same, so a form may be written in either. Line breaks
/// within any of these forms do not hide it. Values and lines shorter than [`MIN_LENGTH`](Self::MIN_LENGTH) are not
/// looked for: many texts contain them, and removing them would change verdicts without hiding anything. Encodings within
/// others, and values that were cut, are not found.
#[derive(Clone, Default)]
pub(crate) struct Secrets {
    /// The longest first, without repetitions.
    needles: Vec<Needle>,
}

#[derive(Clone)]
struct Needle {
    finder: memmem::Finder<'static>,
    /// The variable whose value it is.
    name: String,
}

impl Secrets {
    /// The shortest value that is looked for, in code points.
    pub(crate) const MIN_LENGTH: usize = 6;

    /// Whether there is nothing to hide.
    pub(crate) fn is_empty(&self) -> bool {
        self.needles.is_empty()
    }

    /// The secrets with these names and values.
    pub(crate) fn new<'a>(values: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut forms: Vec<(String, String)> = Vec::new();
        for (name, value) in values {
            forms.extend(forms_of(value).into_iter().map(|form| (form.to_ascii_lowercase(), plain::plain(name))));
        }
        forms.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup_by(|(a, _), (b, _)| a == b);
        let needle = |(form, name): (String, String)| Needle { finder: memmem::Finder::new(&form).into_owned(), name };
        Self { needles: forms.into_iter().map(needle).collect() }
    }

    /// `text` without secrets.
    pub(crate) fn redact(&self, mut text: String) -> String {
        self.redact_pieces(&mut [&mut text]);
        text
    }

    /// Removes the secrets from all strings, keys and numbers in the elements of a list, also those that a stream has cut into pieces:
    /// strings with the same path of keys count as one text.
    pub(crate) fn redact_values(&self, values: &mut [Value]) {
        if self.is_empty() {
            return;
        }
        Streams::of(values).for_each(&mut |pieces| self.redact_pieces(pieces));
        values.iter_mut().for_each(|value| self.redact_names(value));
    }

    /// Removes the secrets from keys and numbers.
    fn redact_names(&self, value: &mut Value) {
        // Recursion is bounded by the depth that the parser of the value allowed.
        match value {
            Value::Array(list) => list.iter_mut().for_each(|value| self.redact_names(value)),
            Value::Object(map) => {
                let members = std::mem::take(map).into_iter().map(|(key, mut value)| {
                    self.redact_names(&mut value);
                    (self.redact(key), value)
                });
                *map = members.collect();
            }
            Value::Number(number) => {
                let written = number.to_string();
                let redacted = self.redact(written.clone());
                if redacted != written {
                    *value = Value::String(redacted);
                }
            }
            Value::String(_) | Value::Null | Value::Bool(_) => {}
        }
    }

    /// Removes the secrets from the text of which these are the pieces. The piece in which a secret begins shows its name.
    fn redact_pieces(&self, pieces: &mut [&mut String]) {
        let joined;
        let text: &str = match pieces {
            [piece] => piece,
            _ => {
                joined = pieces.iter().map(|piece| piece.as_str()).collect::<String>();
                &joined
            }
        };
        let found = self.found(text);
        if found.is_empty() {
            return;
        }
        let mut start = 0;
        for piece in pieces {
            let end = start + piece.len();
            let mut kept = String::with_capacity(piece.len());
            let mut done = start;
            let first = found.partition_point(|(place, _)| place.end <= start);
            for (place, name) in found[first..].iter().take_while(|(place, _)| place.start < end) {
                if place.start >= start {
                    kept.push_str(&piece[done - start..place.start - start]);
                    kept.push_str("[redacted ");
                    kept.push_str(name);
                    kept.push(']');
                }
                done = place.end.min(end);
            }
            kept.push_str(&piece[done - start..]);
            **piece = kept;
            start = end;
        }
    }

    /// The parts of the text to remove, in their order. If secrets overlap, everything that one of them covers is one part.
    fn found(&self, text: &str) -> Vec<(Range<usize>, &str)> {
        let mut places: Vec<(Range<usize>, &str)> = self.places(text);
        if text.contains('\n') {
            let joined = Joined::new(text);
            let of_joined = self.places(&joined.text).into_iter();
            places.extend(
                of_joined.map(|(place, name)| (joined.before(place.start)..joined.before(place.end - 1) + 1, name)),
            );
        }
        places.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
        places.dedup_by(|(later, _), (earlier, _)| {
            let overlaps = later.start < earlier.end;
            if overlaps {
                earlier.end = earlier.end.max(later.end);
            }
            overlaps
        });
        places
    }

    /// Where the secrets are, in any case, with the names of their variables.
    fn places(&self, text: &str) -> Vec<(Range<usize>, &str)> {
        if self.is_empty() {
            return Vec::new();
        }
        // Only ASCII, so that places stay the same.
        let text = text.to_ascii_lowercase();
        let of_needle = |needle: &'_ Needle| -> Vec<Range<usize>> {
            let len = needle.finder.needle().len();
            needle.finder.find_iter(text.as_bytes()).map(|start| start..start + len).collect()
        };
        let needles = self.needles.iter();
        needles.flat_map(|needle| of_needle(needle).into_iter().map(|place| (place, needle.name.as_str()))).collect()
    }
}

impl std::fmt::Debug for Secrets {
    /// Shows only the names: the values must never be seen.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.needles.iter().map(|needle| &needle.name)).finish()
    }
}

/// A text without its line breaks, as terminals and encoders of Base64 add them.
struct Joined {
    text: String,
    /// Where each line starts: in `text`, and before.
    lines: Vec<(usize, usize)>,
}

impl Joined {
    fn new(text: &str) -> Self {
        let mut joined = Joined { text: String::with_capacity(text.len()), lines: Vec::new() };
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            joined.lines.push((joined.text.len(), start));
            joined.text.push_str(line.trim_end_matches(['\r', '\n']));
            start += line.len();
        }
        joined
    }

    /// Where the byte at `at` was before.
    fn before(&self, at: usize) -> usize {
        let line = self.lines.partition_point(|(start, _)| *start <= at).saturating_sub(1);
        let (start, before) = self.lines[line];
        before + at - start
    }
}
