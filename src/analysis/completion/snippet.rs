use crate::syntax::encode;

/// Text to insert, with the places at which the cursor stops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A stop with what may stand there, the first as it comes; nothing where it is empty. Of one number all are alike.
    Stop(usize, Vec<String>),
    /// A list of strings that are still to be written.
    Strings(usize),
    /// A line break, and an indentation so many levels deeper than that of the line that the text begins on.
    Line(usize),
}

/// How the document is laid out where text is inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// What the line is indented with.
    pub indentation: String,
    /// One level of indentation.
    pub level: String,
    /// How lines end.
    pub line_break: &'static str,
}

impl Snippet {
    /// Some text.
    pub(super) fn new(text: impl Into<String>) -> Self {
        Self::default().text(text)
    }

    /// A string of JSON.
    pub(super) fn string(value: &str) -> Self {
        Self::new(encode(value))
    }

    pub(super) fn text(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Text(text.into()));
        self
    }

    /// An empty stop.
    pub(super) fn stop(self) -> Self {
        self.choice(Vec::new())
    }

    pub(super) fn placeholder(self, text: impl Into<String>) -> Self {
        self.choice(vec![text.into()])
    }

    /// A stop at which one of several texts is chosen, the first as it comes.
    pub(super) fn choice(mut self, texts: Vec<String>) -> Self {
        let number = self.stops() + 1;
        self.parts.push(Part::Stop(number, texts));
        self
    }

    /// The stop of that number once more: what is written there is written here too.
    pub(super) fn again(mut self, number: usize) -> Self {
        let texts = self.parts.iter().find_map(|part| match part {
            Part::Stop(known, texts) if *known == number => Some(texts.clone()),
            _ => None,
        });
        self.parts.push(Part::Stop(number, texts.unwrap_or_default()));
        self
    }

    /// A list of strings, the cursor in the first.
    pub(super) fn strings(mut self) -> Self {
        let number = self.stops() + 1;
        self.parts.push(Part::Strings(number));
        self
    }

    /// A string with an empty stop in it.
    pub(super) fn quoted_stop(self) -> Self {
        self.text("\"").stop().text("\"")
    }

    pub(super) fn line(mut self, level: usize) -> Self {
        self.parts.push(Part::Line(level));
        self
    }

    /// Another snippet behind this one. Its stops are others than those of this one.
    pub(super) fn then(mut self, other: Snippet) -> Self {
        let before = self.stops();
        self.parts.extend(other.parts.into_iter().map(|part| match part {
            Part::Stop(number, texts) => Part::Stop(number + before, texts),
            Part::Strings(number) => Part::Strings(number + before),
            other => other,
        }));
        self
    }

    /// The same, so many levels deeper.
    pub(super) fn deeper(mut self, levels: usize) -> Self {
        for part in &mut self.parts {
            if let Part::Line(level) = part {
                *level += levels;
            }
        }
        self
    }

    /// How many stops it has.
    pub fn stops(&self) -> usize {
        let number = |part: &Part| match part {
            Part::Stop(number, _) | Part::Strings(number) => *number,
            _ => 0,
        };
        self.parts.iter().map(number).max().unwrap_or(0)
    }

    /// Whether it is more than one line.
    pub fn spans_lines(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Line(_)))
    }

    /// As text, for an editor that knows no snippets: what may be chosen is chosen, lists are empty.
    pub fn to_plain(&self, layout: &Layout) -> String {
        self.render(layout, |part, text| match part {
            Part::Stop(_, texts) => text.push_str(texts.first().map_or("", String::as_str)),
            Part::Strings(_) => text.push_str("[]"),
            Part::Text(part) => text.push_str(part),
            Part::Line(_) => {}
        })
    }

    /// As a snippet in the syntax of the language server protocol.
    pub fn to_template(&self, layout: &Layout) -> String {
        self.render(layout, |part, text| match part {
            Part::Stop(number, texts) => match &texts[..] {
                [] => text.push_str(&format!("${number}")),
                [one] => text.push_str(&format!("${{{number}:{}}}", escaped(one, &['\\', '$', '}']))),
                several => {
                    let texts: Vec<_> = several.iter().map(|one| escaped(one, &['\\', '$', '}', ',', '|'])).collect();
                    text.push_str(&format!("${{{number}|{}|}}", texts.join(",")));
                }
            },
            Part::Strings(number) => text.push_str(&format!("[\"${number}\"]")),
            Part::Text(part) => text.push_str(&escaped(part, &['\\', '$', '}'])),
            Part::Line(_) => {}
        })
    }

    /// As the text stands once it was accepted, the cursor at the first stop, else at its end.
    #[cfg(test)]
    pub(super) fn accepted(&self, layout: &Layout, cursor: &str) -> String {
        let is_placed = std::cell::Cell::new(false);
        let text = self.render(layout, |part, text| match part {
            Part::Stop(number, texts) => {
                let is_here = *number == 1 && !is_placed.replace(true);
                text.push_str(if is_here { cursor } else { "" });
                text.push_str(texts.first().map_or("", String::as_str));
            }
            Part::Strings(1) => text.push_str(&format!("[\"{cursor}\"]")),
            Part::Strings(_) => text.push_str("[\"\"]"),
            Part::Text(part) => text.push_str(part),
            Part::Line(_) => {}
        });
        if self.stops() == 0 { text + cursor } else { text }
    }

    fn render(&self, layout: &Layout, write: impl Fn(&Part, &mut String)) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                Part::Line(level) => {
                    text.push_str(layout.line_break);
                    text.push_str(&layout.indentation);
                    text.push_str(&layout.level.repeat(*level));
                }
                part => write(part, &mut text),
            }
        }
        text
    }
}

fn escaped(text: &str, special: &[char]) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if special.contains(&c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout() -> Layout {
        Layout { indentation: "\t".to_owned(), level: "  ".to_owned(), line_break: "\n" }
    }

    #[test]
    fn is_written_for_both_kinds_of_editors() {
        let snippet = Snippet::new("{ $}\\").choice(vec!["a,b".to_owned(), "c|".to_owned()]).line(1).strings();
        assert_eq!(snippet.to_template(&layout()), "{ \\$\\}\\\\${1|a\\,b,c\\||}\n\t  [\"$2\"]");
        assert_eq!(snippet.to_plain(&layout()), "{ $}\\a,b\n\t  []");
    }

    #[test]
    fn stops_are_numbered_through() {
        let inner = Snippet::default().placeholder("x").text(" ").again(1).quoted_stop();
        let snippet = Snippet::default().stop().then(inner).deeper(3);
        assert_eq!(snippet.to_template(&layout()), "$1${2:x} ${2:x}\"$3\"");
        assert_eq!(snippet.stops(), 3);
        assert!(!snippet.spans_lines());
    }
}
