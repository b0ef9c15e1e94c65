//! A response as Markdown is rendered: a tree of plain data, from which the script of the page makes elements.
//!
//! Nothing in it acts: HTML stays text, links and images are their texts and addresses.

use pulldown_cmark::{Alignment, Event, HeadingLevel, Options, Parser, Tag};
use serde::Serialize;

use super::marks::{Marked, Part, shown};
use crate::text::Span;

/// How deep elements may be nested. Deeper ones are left out, and their texts stay.
const DEEPEST: usize = 32;

/// A piece of a rendered response.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(super) enum Node {
    Text(Part),
    Element(Element),
}

/// An element of a page.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Element {
    /// The name of an HTML element without behavior.
    tag: &'static str,
    /// A class of the page's style.
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<&'static str>,
    /// The number of the first item of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<u64>,
    nodes: Vec<Node>,
}

/// The response as a list of blocks.
pub(super) fn rendered(marked: &Marked<'_>) -> Vec<Node> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut tree =
        Tree { marked, open: vec![Element::default()], left_out: 0, columns: Vec::new(), addresses: Vec::new() };
    for (event, range) in Parser::new_ext(marked.response, options).into_offset_iter() {
        tree.add(event, Span::new(range.start, range.end));
    }
    while tree.open.len() > 1 {
        tree.close();
    }
    tree.open.swap_remove(0).nodes
}

struct Tree<'a> {
    marked: &'a Marked<'a>,
    /// The elements that have no end yet. The first one holds the blocks.
    open: Vec<Element>,
    /// How many open elements are left out, because they are too deep.
    left_out: usize,
    /// The alignments of the columns of the table.
    columns: Vec<Alignment>,
    /// The addresses of open links and images.
    addresses: Vec<String>,
}

impl Tree<'_> {
    fn add(&mut self, event: Event<'_>, span: Span) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(end) => {
                if matches!(end, pulldown_cmark::TagEnd::Link | pulldown_cmark::TagEnd::Image) {
                    self.address(span);
                }
                self.close();
            }
            Event::Text(text) => self.text(&text, span),
            Event::Code(text) => {
                self.open("code", None);
                self.text(&text, inner(&self.marked.response[span.start..span.end], &text, span));
                self.close();
            }
            Event::Html(text) => self.text(&text, span),
            Event::InlineHtml(text) => {
                self.open("code", Some("html"));
                self.text(&text, span);
                self.close();
            }
            Event::SoftBreak => self.text("\n", span),
            Event::HardBreak => self.empty("br"),
            Event::Rule => self.empty("hr"),
            Event::TaskListMarker(done) => self.text(if done { "☑ " } else { "☐ " }, span),
            Event::InlineMath(text) | Event::DisplayMath(text) | Event::FootnoteReference(text) => {
                self.text(&text, span)
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        let plain = |tag| Element { tag, ..Element::default() };
        let classed = |tag, class| Element { tag, class: Some(class), ..Element::default() };
        let element = match tag {
            Tag::Paragraph => plain("p"),
            Tag::Heading { level, .. } => plain(heading(level)),
            Tag::BlockQuote(_) => plain("blockquote"),
            Tag::CodeBlock(_) => plain("pre"),
            Tag::HtmlBlock => classed("pre", "html"),
            Tag::List(None) => plain("ul"),
            Tag::List(start) => Element { tag: "ol", start, ..Element::default() },
            Tag::Item => plain("li"),
            Tag::Table(columns) => {
                self.columns = columns;
                plain("table")
            }
            Tag::TableHead | Tag::TableRow => plain("tr"),
            Tag::TableCell => self.cell(),
            Tag::Emphasis => plain("em"),
            Tag::Strong => plain("strong"),
            Tag::Strikethrough => plain("s"),
            Tag::Link { dest_url, .. } => {
                self.addresses.push(dest_url.into_string());
                classed("span", "link")
            }
            Tag::Image { dest_url, .. } => {
                self.addresses.push(dest_url.into_string());
                classed("span", "image")
            }
            // Extensions that are not enabled.
            _ => plain("div"),
        };
        self.push(element);
    }

    /// A cell of the first row is a heading of its column.
    fn cell(&self) -> Element {
        let [.., table, row] = &self.open[..] else { return Element { tag: "td", ..Element::default() } };
        let class = match self.columns.get(row.nodes.len()) {
            Some(Alignment::Right) => Some("right"),
            Some(Alignment::Center) => Some("center"),
            _ => None,
        };
        Element { tag: if table.nodes.is_empty() { "th" } else { "td" }, class, ..Element::default() }
    }

    /// The address of a link or an image, unless its text is the address.
    fn address(&mut self, span: Span) {
        let Some(address) = self.addresses.pop() else { return };
        let source = &self.marked.response[span.start..span.end];
        if address.is_empty() || source.trim_matches(['<', '>']) == address {
            return;
        }
        let written = source.rfind(&address).map(|at| Span::new(span.start + at, span.start + at + address.len()));
        self.open("span", Some("address"));
        match written {
            Some(written) => self.text(&address, written),
            // The address is written elsewhere, or with escapes.
            None => self.push_text(Part { text: shown(&address), marks: Vec::new() }),
        }
        self.close();
    }

    /// A text that stands for a span: with exact marks if it is written like that, else with those of the span.
    fn text(&mut self, text: &str, span: Span) {
        let source = &self.marked.response[span.start..span.end];
        if source == text {
            self.marked.parts(span).into_iter().for_each(|part| self.push_text(part));
        } else {
            self.push_text(Part { text: shown(text), marks: self.marked.over(span) });
        }
    }

    fn push_text(&mut self, part: Part) {
        if !part.text.is_empty() {
            self.nodes().push(Node::Text(part));
        }
    }

    fn empty(&mut self, tag: &'static str) {
        self.nodes().push(Node::Element(Element { tag, ..Element::default() }));
    }

    fn open(&mut self, tag: &'static str, class: Option<&'static str>) {
        self.push(Element { tag, class, ..Element::default() });
    }

    fn push(&mut self, element: Element) {
        if self.open.len() > DEEPEST {
            self.left_out += 1;
        } else {
            self.open.push(element);
        }
    }

    fn close(&mut self) {
        if self.left_out > 0 {
            self.left_out -= 1;
        } else if self.open.len() > 1 {
            let element = self.open.pop().expect("it has more than one");
            self.nodes().push(Node::Element(element));
        }
    }

    fn nodes(&mut self) -> &mut Vec<Node> {
        &mut self.open.last_mut().expect("the first element stays open").nodes
    }
}

fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "h1",
        HeadingLevel::H2 => "h2",
        HeadingLevel::H3 => "h3",
        HeadingLevel::H4 => "h4",
        HeadingLevel::H5 => "h5",
        HeadingLevel::H6 => "h6",
    }
}

/// The text of inline code without its backticks, or all of it if the text is written differently.
fn inner(source: &str, text: &str, span: Span) -> Span {
    source.find(text).map_or(span, |at| Span::new(span.start + at, span.start + at + text.len()))
}

#[cfg(test)]
mod tests {
    use super::super::marks::Mark;
    use super::*;
    use crate::checks::{Evidence, EvidencePlace};
    use crate::text::LineColumn;

    /// The tree as text: `p(words, em(marked[check]))`.
    fn drawn(nodes: &[Node]) -> String {
        let node = |node: &Node| match node {
            Node::Text(part) => {
                let marks: String = part.marks.iter().map(|mark| format!("[{}]", mark.check)).collect();
                format!("{:?}{marks}", part.text)
            }
            Node::Element(element) => {
                let class = element.class.map(|class| format!(".{class}")).unwrap_or_default();
                let start = element.start.map(|start| format!("#{start}")).unwrap_or_default();
                format!("{}{class}{start}({})", element.tag, drawn(&element.nodes))
            }
        };
        nodes.iter().map(node).collect::<Vec<_>>().join(" ")
    }

    /// The tree of a response, with marks on evidence: line, column and text.
    fn tree(response: &str, evidence: &[(usize, usize, &str)]) -> String {
        let evidence = evidence.iter().map(|(line, column, text)| Evidence {
            place: EvidencePlace::Response(LineColumn { line: *line, column: *column }),
            text: (*text).to_owned(),
            in_prompt: false,
        });
        let evidence: Vec<Evidence> = evidence.collect();
        let marks: Vec<(Mark, &Evidence)> =
            evidence.iter().enumerate().map(|(check, one)| (Mark { check, nearest: false }, one)).collect();
        drawn(&rendered(&Marked::new(response, &marks)))
    }

    #[test]
    fn marks_are_on_the_exact_phrases() {
        assert_eq!(
            tree(
                "## Week 12\n\nAll **orders** are\nopen.",
                &[(1, 1, "## Week 12"), (3, 7, "orders** are\nopen"), (3, 7, "orders")]
            ),
            r#"h2("Week 12"[0]) p("All " strong("orders"[1][2]) " are"[1] "\n"[1] "open"[1] ".")"#
        );
        assert_eq!(tree("a `b c` d", &[(1, 4, "b")]), r#"p("a " code("b"[0] " c") " d")"#);
        assert_eq!(tree("é &amp; \\* x", &[(1, 3, "&amp;"), (1, 10, "*")]), r#"p("é " "&"[0] " " "*"[1] " x")"#);
    }

    #[test]
    fn blocks_keep_their_structure() {
        assert_eq!(
            tree("3. a\n   - [x] b\n\n> q\n\n---\n", &[(2, 10, "b")]),
            r#"ol#3(li("a" ul(li("☑ " "b"[0])))) blockquote(p("q")) hr()"#
        );
        assert_eq!(
            tree("| d | n |\n| :-: | --: |\n| Mo | 3 |\n", &[(3, 8, "3")]),
            r#"table(tr(th.center("d") th.right("n")) tr(td.center("Mo") td.right("3"[0])))"#
        );
        assert_eq!(tree("```js\r\na\r\nbc\r\n```", &[(3, 2, "c")]), r#"pre("a" "\nb" "c"[0] "\n")"#);
        assert_eq!(tree("a  \nb", &[]), r#"p("a" br() "b")"#);
    }

    #[test]
    fn nothing_acts() {
        assert_eq!(
            tree("<img src=x onerror=y> <b>\n\n<script>\nz\n</script>\n", &[(4, 1, "z")]),
            r#"p(code.html("<img src=x onerror=y>") " " code.html("<b>")) pre.html("<script>\n" "z"[0] "\n" "</script>\n")"#
        );
        assert_eq!(
            tree("[a](javascript:b) ![c](https://d/e.png) <https://f>", &[(1, 24, "https://d")]),
            concat!(
                r#"p(span.link("a" span.address("javascript:b")) " " "#,
                r#"span.image("c" span.address("https://d"[0] "/e.png")) " " span.link("https://f"))"#
            )
        );
        assert_eq!(
            tree("[a][r]\n\n[r]: data:b", &[(3, 6, "data:b")]),
            r#"p(span.link("a" span.address("data:b")))"#,
            "a definition is only in the source"
        );
        assert_eq!(tree("a\u{202e}b", &[]), format!("p({:?})", shown("a\u{202e}b")));
    }

    #[test]
    fn deep_nesting_keeps_the_text() {
        let deep = format!("{}words", "> ".repeat(100_000));
        let found = tree(&deep, &[]);
        assert!(found.matches("blockquote").count() == DEEPEST && found.contains("words"), "{found}");
    }

    proptest::proptest! {
        #[test]
        fn every_text_is_rendered(pieces in proptest::collection::vec(0..PIECES.len(), 0..40)) {
            let response: String = pieces.into_iter().map(|piece| PIECES[piece]).collect();
            tree(&response, &[(1, 1, &response), (1, 2, "a")]);
        }
    }

    const PIECES: [&str; 25] = [
        "a", " ", "\t", "\n", "\r\n", "é", "😀", "\u{202e}", "# ", "- ", "1. ", "> ", "`", "```", "*", "__", "~~", "|",
        "[", "](x)", "![", "<b>", "<!--", "&amp;", "\\",
    ];
}
