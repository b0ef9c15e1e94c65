use crate::text::{Span, Text, visible};

/// A place to underline.
pub(super) struct Mark<'a> {
    pub(super) span: Span,
    pub(super) label: &'a str,
    pub(super) is_primary: bool,
}

/// The lines of a text with underlined parts, and the lines between them. The text between shown lines is empty,
/// because it is not drawn. The excerpt is small even if the file and its lines are long.
pub(super) struct Excerpt {
    /// The number of its first line, from 1.
    pub(super) first_line: usize,
    /// Its lines, safe for a terminal.
    pub(super) source: String,
    /// For each mark the bytes of `source` to underline; `None` if it is too far from the first mark.
    pub(super) places: Vec<Option<Span>>,
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
    pub(super) fn new(text: &Text, marks: &[Mark<'_>]) -> Excerpt {
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
