use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Lines of a response; in JSON an array of strings. They are one text in memory, because a run holds the lines of all its
/// cases.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Excerpt {
    text: String,
    /// Where each line ends in `text`.
    ends: Vec<usize>,
}

impl Excerpt {
    /// The number of lines.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The lines.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        let ends = self.ends.iter().copied();
        let starts = std::iter::once(0).chain(ends.clone());
        starts.zip(ends).map(|(start, end)| &self.text[start..end])
    }
}

impl<L: AsRef<str>> FromIterator<L> for Excerpt {
    fn from_iter<I: IntoIterator<Item = L>>(lines: I) -> Self {
        let mut excerpt = Excerpt::default();
        for line in lines {
            excerpt.text.push_str(line.as_ref());
            excerpt.ends.push(excerpt.text.len());
        }
        excerpt.text.shrink_to_fit();
        excerpt.ends.shrink_to_fit();
        excerpt
    }
}

impl Serialize for Excerpt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.lines())
    }
}

impl<'de> Deserialize<'de> for Excerpt {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Lines;

        impl<'de> Visitor<'de> for Lines {
            type Value = Excerpt;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array of strings")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut lines: A) -> Result<Excerpt, A::Error> {
                std::iter::from_fn(|| lines.next_element::<String>().transpose()).collect()
            }
        }

        deserializer.deserialize_seq(Lines)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_an_array_of_its_lines() {
        for lines in [&[][..], &[""], &["", ""], &["é", "", "two\nlines", "x"]] {
            let excerpt: Excerpt = lines.iter().collect();
            assert_eq!((excerpt.len(), excerpt.lines().collect::<Vec<_>>()), (lines.len(), lines.to_vec()));
            let json = serde_json::to_string(&excerpt).unwrap();
            assert_eq!(json, serde_json::to_string(lines).unwrap());
            assert_eq!(serde_json::from_str::<Excerpt>(&json).unwrap(), excerpt);
        }
        let fault = serde_json::from_str::<Excerpt>("7").unwrap_err().to_string();
        assert!(fault.contains("expected an array of strings"), "{fault}");
    }
}
