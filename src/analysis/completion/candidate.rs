use crate::syntax::encode;
use crate::text::visible_text;

/// The kind of a completion, shown by editors as an icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "each is what its name says")]
pub(crate) enum CompletionKind {
    Key,
    /// A value from a closed list, a number or a boolean.
    Value,
    Group,
    Tool,
    Source,
    Phrase,
    Pattern,
    /// A whole structure.
    Structure,
}

/// The explanation of a completion, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Documentation {
    /// For editors that do not support Markdown.
    pub(crate) plain: String,
    /// In Markdown.
    pub(crate) markdown: String,
}

impl Documentation {
    /// A text that is the same in both forms. It must not contain anything that Markdown reads as markup.
    pub(super) fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { plain: text.clone(), markdown: text }
    }
}

/// A suggestion before it is adapted to the text around the cursor.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) label: String,
    pub(super) kind: CompletionKind,
    pub(super) detail: Option<String>,
    pub(super) documentation: Option<Documentation>,
    /// The JSON to insert; for a key, the JSON of its value.
    pub(super) json: Snippet,
    pub(super) form: Form,
}

/// How a candidate is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A key, and its value if there is none yet.
    Member,
    /// All members of an empty object.
    Members,
    /// A value.
    Value,
    /// The only element of a list that must be inserted too.
    OnlyElement,
}

impl Candidate {
    pub(super) fn new(label: &str, kind: CompletionKind, json: Snippet) -> Self {
        Self { label: visible_text(label), kind, detail: None, documentation: None, json, form: Form::Value }
    }

    /// A string whose label is its value.
    pub(super) fn string(value: &str, kind: CompletionKind) -> Self {
        Self::new(value, kind, Snippet::string(value))
    }

    pub(super) fn detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into()).filter(|detail| !detail.is_empty());
        self
    }

    pub(super) fn documentation(mut self, documentation: Option<Documentation>) -> Self {
        self.documentation = documentation;
        self
    }

    pub(super) fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }
}

/// Text to insert, with tab stops.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Snippet {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A tab stop with its number and its choices, of which the first is the default. Stops with the same number are linked.
    Stop(usize, Vec<String>),
    /// An empty list of strings, with a stop for its first entry.
    Strings(usize),
    /// A line break, then the indentation of the first line plus this number of levels.
    Line(usize),
}

/// The layout of the document where text is inserted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The indentation of the line.
    pub(crate) indentation: String,
    /// One level of indentation.
    pub(crate) level: String,
    /// The line break of the document.
    pub(crate) line_break: &'static str,
}

impl Snippet {
    /// Some text.
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self::default().text(text)
    }

    /// A JSON string.
    pub(super) fn string(value: &str) -> Self {
        Self::new(encode(value))
    }

    pub(crate) fn text(mut self, text: impl Into<String>) -> Self {
        self.parts.push(Part::Text(text.into()));
        self
    }

    /// An empty stop.
    pub(crate) fn stop(self) -> Self {
        self.choice(Vec::new())
    }

    pub(crate) fn placeholder(self, text: impl Into<String>) -> Self {
        self.choice(vec![text.into()])
    }

    /// A stop with several choices, of which the first is the default.
    pub(crate) fn choice(mut self, texts: Vec<String>) -> Self {
        let number = self.stops() + 1;
        self.parts.push(Part::Stop(number, texts));
        self
    }

    /// Repeats the stop with that number: editors fill both with the same text.
    pub(super) fn again(mut self, number: usize) -> Self {
        let texts = self.parts.iter().find_map(|part| match part {
            Part::Stop(known, texts) if *known == number => Some(texts.clone()),
            _ => None,
        });
        self.parts.push(Part::Stop(number, texts.unwrap_or_default()));
        self
    }

    /// A list of strings, with the cursor in the first.
    pub(super) fn strings(mut self) -> Self {
        let number = self.stops() + 1;
        self.parts.push(Part::Strings(number));
        self
    }

    /// A string with an empty stop in it.
    pub(crate) fn quoted_stop(self) -> Self {
        self.text("\"").stop().text("\"")
    }

    pub(crate) fn line(mut self, level: usize) -> Self {
        self.parts.push(Part::Line(level));
        self
    }

    /// Appends another snippet. Its stops get new numbers.
    pub(crate) fn then(mut self, other: Snippet) -> Self {
        let before = self.stops();
        self.parts.extend(other.parts.into_iter().map(|part| match part {
            Part::Stop(number, texts) => Part::Stop(number + before, texts),
            Part::Strings(number) => Part::Strings(number + before),
            other => other,
        }));
        self
    }

    /// Indents all lines by `levels` more.
    pub(super) fn deeper(mut self, levels: usize) -> Self {
        for part in &mut self.parts {
            if let Part::Line(level) = part {
                *level += levels;
            }
        }
        self
    }

    /// The number of stops.
    pub(crate) fn stops(&self) -> usize {
        let number = |part: &Part| match part {
            Part::Stop(number, _) | Part::Strings(number) => *number,
            _ => 0,
        };
        self.parts.iter().map(number).max().unwrap_or(0)
    }

    /// Whether the text has more than one line.
    pub(crate) fn spans_lines(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Line(_)))
    }

    /// As text, for editors without snippets: stops have their default, lists are empty.
    pub(crate) fn to_plain(&self, layout: &Layout) -> String {
        self.render(layout, |part, text| match part {
            Part::Stop(_, texts) => text.push_str(texts.first().map_or("", String::as_str)),
            Part::Strings(_) => text.push_str("[]"),
            Part::Text(part) => text.push_str(part),
            Part::Line(_) => {}
        })
    }

    /// In the snippet syntax of LSP.
    pub(crate) fn to_template(&self, layout: &Layout) -> String {
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

    impl Snippet {
        /// The text after it was accepted, with `cursor` at the first stop, or at the end if there are no stops.
        pub(in crate::analysis::completion) fn accepted(&self, layout: &Layout, cursor: &str) -> String {
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

        /// The text after a person has typed a word at each empty stop.
        pub(in crate::analysis::completion) fn filled(&self, layout: &Layout) -> String {
            self.render(layout, |part, text| match part {
                Part::Stop(number, texts) => {
                    text.push_str(&texts.first().cloned().unwrap_or_else(|| format!("word{number}")));
                }
                Part::Strings(number) => text.push_str(&format!("[\"word{number}\"]")),
                Part::Text(part) => text.push_str(part),
                Part::Line(_) => {}
            })
        }
    }

    fn layout() -> Layout {
        Layout { indentation: "\t".to_owned(), level: "  ".to_owned(), line_break: "\n" }
    }

    #[test]
    fn snippets_render_as_template_and_as_text() {
        let snippet = Snippet::new("{ $}\\").choice(vec!["a,b".to_owned(), "c|".to_owned()]).line(1).strings();
        assert_eq!(snippet.to_template(&layout()), "{ \\$\\}\\\\${1|a\\,b,c\\||}\n\t  [\"$2\"]");
        assert_eq!(snippet.to_plain(&layout()), "{ $}\\a,b\n\t  []");
    }

    #[test]
    fn appended_stops_get_new_numbers() {
        let inner = Snippet::default().placeholder("x").text(" ").again(1).quoted_stop();
        let snippet = Snippet::default().stop().then(inner).deeper(3);
        assert_eq!(snippet.to_template(&layout()), "$1${2:x} ${2:x}\"$3\"");
        assert_eq!(snippet.stops(), 3);
        assert!(!snippet.spans_lines());
    }
}
