//! Draws findings for a terminal: the underlined line, related places, and the titles of the fixes.
//!
//! No text of a file reaches the terminal unescaped, see [`crate::text::visible`].

use std::borrow::Cow;

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Finding, Severity};
use crate::lints::lint;
use crate::text::{Encoding, Span, Text, visible, visible_text};

/// Draws findings.
#[derive(Clone, Debug)]
pub(crate) struct Painter {
    renderer: Renderer,
    color: bool,
}

impl Painter {
    /// Creates a painter with or without colour.
    pub(crate) fn new(color: bool) -> Self {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        Self { renderer, color }
    }

    /// Draws a finding in the text of the file called `name`: some lines, the last one with a line break.
    pub(crate) fn paint(&self, name: &str, text: &Text, finding: &Finding) -> String {
        let primary = Mark { span: finding.span, label: "", is_primary: true };
        let related = finding.related.iter();
        let related = related.map(|place| Mark { span: place.span, label: &place.message, is_primary: false });
        let marks: Vec<Mark<'_>> = std::iter::once(primary).chain(related).collect();
        let excerpt = Excerpt::new(text, &marks);

        let snippet = Snippet::source(&excerpt.source).line_start(excerpt.first_line);
        let annotations = marks.iter().zip(&excerpt.places).filter_map(|(mark, place)| {
            let kind = if mark.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let label = (!mark.label.is_empty()).then(|| printable(mark.label));
            place.map(|place| kind.span(place.range()).label(label))
        });
        let mut body = Group::with_level(level(finding.severity)).element(snippet.annotations(annotations));
        for (mark, _) in marks.iter().zip(&excerpt.places).filter(|(_, place)| place.is_none()) {
            let place = location(name, text, mark.span);
            body = body.element(Level::NOTE.message(printable(&format!("{}: {place}", mark.label)).into_owned()));
        }
        for help in &finding.help {
            body = body.element(Level::HELP.message(printable(help).into_owned()));
        }
        // The best one comes first, and an editor offers them all.
        for fix in finding.fixes.iter().take(if finding.fixes.len() > FEW_FIXES { 1 } else { FEW_FIXES }) {
            let how = if fix.safe { " (`--fix` applies it)" } else { "" };
            body = body.element(Level::HELP.message(printable(&format!("{}{how}", fix.title)).into_owned()));
        }

        let title = level(finding.severity).primary_title(printable(&finding.message)).id(finding.lint);
        // Terminals that know hyperlinks open the page of the lint.
        let address = self.color.then(|| lint(finding.lint)?.address()).flatten();
        let title = match &address {
            Some(address) => title.id_url(address),
            None => title,
        };
        let title = self.renderer.render(&[Group::with_title(title)]);
        let body = self.renderer.render(&[body]);
        let arrow = self.arrow(excerpt.first_line + excerpt.source.matches('\n').count() - 1);
        let place = location(name, text, finding.span);
        format!("{title}\n{arrow}{}\n{body}\n", printable(&place))
    }

    /// Writes the arrow before the location, above a number as wide as that of `last_line`.
    ///
    /// The renderer would count the column in the excerpt, which may be cut, so the location is written here.
    fn arrow(&self, last_line: usize) -> String {
        let gutter = " ".repeat(last_line.to_string().len());
        let style = if self.color { DEFAULT_LINE_NUM_STYLE } else { annotate_snippets::renderer::Style::new() };
        format!("{gutter}{style}--> {style:#}")
    }
}

/// How many fixes of a finding are listed. More of them are a choice, in which the message names the best.
const FEW_FIXES: usize = 2;

/// Writes a place for people and their editors: file, line and column from 1, the column in code points.
fn location(name: &str, text: &Text, span: Span) -> String {
    let start = text.position(span.start, Encoding::Utf32);
    format!("{name}:{}:{}", start.line + 1, start.column + 1)
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::INFO.with_name(Some("hint")),
    }
}

/// Returns the text as one line that is safe for a terminal.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| c == visible(c)) { Cow::Borrowed(text) } else { Cow::Owned(visible_text(text)) }
}

/// A place to underline.
struct Mark<'a> {
    span: Span,
    label: &'a str,
    is_primary: bool,
}

/// The lines of a text with underlined parts, and the lines between them. The text between shown lines is empty,
/// because it is not drawn. The excerpt is small even if the file and its lines are long.
struct Excerpt {
    /// The number of its first line, from 1.
    first_line: usize,
    /// The lines, safe for a terminal.
    source: String,
    /// For each mark the bytes of `source` to underline; `None` if it is too far from the first mark.
    places: Vec<Option<Span>>,
}

/// How far a line may be from the line of the first mark and still be shown.
/// Farther away, a reader no longer sees the connection.
const FARTHEST: usize = 2_000;
/// How much of a line is shown, in code points. The frame around it takes ten columns of 120.
const WIDTH: usize = 110;
/// How much of the line before the mark is shown if the line is too long.
const BEFORE: usize = 30;

impl Excerpt {
    /// Creates the excerpt around `marks`; the first one is always shown.
    fn new(text: &Text, marks: &[Mark<'_>]) -> Excerpt {
        let lines: Vec<usize> = marks.iter().map(|mark| text.line_of(mark.span.start)).collect();
        let Some(&main) = lines.first() else {
            return Excerpt { first_line: 1, source: String::new(), places: Vec::new() };
        };
        let is_near = |line: &&usize| line.abs_diff(main) <= FARTHEST;
        let first = lines.iter().filter(is_near).copied().min().unwrap_or(main);
        let last = lines.iter().filter(is_near).copied().max().unwrap_or(main);

        let mut source = String::new();
        let mut places = vec![None; marks.len()];
        for line in first..=last {
            let here = (0..marks.len()).filter(|mark| lines[*mark] == line).collect::<Vec<_>>();
            // A single line between two marked lines is shown too.
            let is_drawn = !here.is_empty() || lines.contains(&(line + 1)) && lines.contains(&line.wrapping_sub(1));
            if is_drawn {
                let start = here.first().map_or(0, |mark| marks[*mark].span.start);
                let window = Window::new(text, line, start);
                let origin = source.len();
                source.push_str(&window.shown);
                for mark in here {
                    places[mark] = window.place(text, marks[mark].span).map(|span| span.shifted_by(origin));
                }
            }
            source.push('\n');
        }
        Excerpt { first_line: first + 1, source, places }
    }
}

/// The part of a line that is shown.
struct Window {
    /// The bytes of the text that it shows.
    span: Span,
    /// The shown characters.
    shown: String,
    cut: bool,
}

const ELLIPSIS: char = '…';

impl Window {
    /// Returns the part of the line around the byte at `start`.
    fn new(text: &Text, line: usize, start: usize) -> Window {
        let line = text.line_span(line);
        let whole = text.slice(line);
        // Bytes are cut first, because a line may be as long as the largest file.
        let fits = whole.len() <= 4 * WIDTH && whole.chars().count() <= WIDTH;
        let before = &whole[..start.clamp(line.start, line.end) - line.start];
        let from = match before.char_indices().nth_back(BEFORE) {
            Some((from, _)) if !fits => from,
            _ => 0,
        };
        let to = whole[from..].char_indices().nth(WIDTH).map_or(whole.len(), |(to, _)| from + to);
        let mut shown = String::new();
        shown.extend((from > 0).then_some(ELLIPSIS));
        // The renderer widens a tab.
        shown.extend(whole[from..to].chars().map(|c| if c == '\t' { c } else { visible(c) }));
        shown.extend((to < whole.len()).then_some(ELLIPSIS));
        Window { span: Span::new(from, to).shifted_by(line.start), shown, cut: from > 0 }
    }

    /// Returns the bytes of the shown text for `span`, which is cut to the window.
    fn place(&self, text: &Text, span: Span) -> Option<Span> {
        let is_inside = self.span.touches(span.start);
        let shown_bytes = |offset: usize| {
            let characters = text.slice(Span::new(self.span.start, offset.clamp(self.span.start, self.span.end)));
            let characters = characters.chars().count() + usize::from(self.cut);
            self.shown.char_indices().nth(characters).map_or(self.shown.len(), |(byte, _)| byte)
        };
        is_inside.then(|| {
            let start = shown_bytes(span.start);
            Span::new(start, shown_bytes(span.end).max(start))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the excerpt around the spans, with carets below the marked parts of each line.
    fn draw(text: &str, spans: &[Span]) -> String {
        let text = Text::new(text);
        let marks: Vec<_> = spans.iter().map(|span| Mark { span: *span, label: "", is_primary: true }).collect();
        let excerpt = Excerpt::new(&text, &marks);
        let mut drawn = String::new();
        let mut start = 0;
        for (line, number) in excerpt.source.split_inclusive('\n').zip(excerpt.first_line..) {
            let end = start + line.len();
            for span in excerpt.places.iter().flatten().filter(|span| start <= span.start && span.start < end) {
                let column = excerpt.source[start..span.start].chars().count();
                let width = excerpt.source[span.range()].chars().count();
                drawn += &format!("{number} {}{}{}\n", line, " ".repeat(column + 2), "^".repeat(width.max(1)));
            }
            start = end;
        }
        drawn
    }

    #[test]
    fn marks_are_right_after_any_text() {
        assert_eq!(draw("a\nbcd\n", &[Span::new(3, 4)]), "2 bcd\n   ^\n");
        assert_eq!(draw("é\u{202e}\u{1b}x", &[Span::new(6, 7)]), "1 é�␛x\n     ^\n");
        assert_eq!(draw("a\r\nb", &[Span::empty(1)]), "1 a\n   ^\n");
        assert_eq!(draw("", &[Span::empty(0)]), "1 \n  ^\n");
        assert_eq!(draw("a\n", &[Span::empty(2)]), "2 \n  ^\n");
    }

    #[test]
    fn a_mark_is_cut_at_its_line() {
        assert_eq!(draw("ab\ncd", &[Span::new(1, 4)]), "1 ab\n   ^\n");
    }

    #[test]
    fn a_long_line_is_cut_around_the_mark() {
        let text = format!("{}😀{}", "é".repeat(1_000_000), "x".repeat(1_000_000));
        let offset = text.find('😀').unwrap();
        let drawn = draw(&text, &[Span::new(offset, offset + 4), Span::new(0, 2)]);
        let shown = format!("…{}😀{}…", "é".repeat(31), "x".repeat(78));
        assert_eq!(drawn, format!("1 {shown}\n{}^\n", " ".repeat(34)));
    }

    #[test]
    fn distant_marks_are_omitted() {
        let text = "\n".repeat(1_000_000);
        let marks = [500_000, 0, 500_002].map(|at| Mark { span: Span::empty(at), label: "", is_primary: true });
        let excerpt = Excerpt::new(&Text::new(&text), &marks);
        assert_eq!(excerpt.places.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!((excerpt.first_line, excerpt.source.as_str()), (500_001, "\n\n\n"));
    }
}
