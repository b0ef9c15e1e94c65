use crate::text::{Span, Text, visible};

/// A place to underline.
pub(super) struct Mark<'a> {
    pub(super) span: Span,
    pub(super) label: &'a str,
    pub(super) is_primary: bool,
}

/// The lines of a text that have something underlined, and those between; all that is between the marked lines is empty,
/// because nobody draws it. No longer than is drawn, however long the file and its lines are.
pub(super) struct Excerpt {
    /// The number of its first line, from 1.
    pub(super) first_line: usize,
    /// Its lines, fit for a terminal.
    pub(super) source: String,
    /// For each mark the bytes of `source` to underline; `None` where it is too far from the first mark to be shown.
    pub(super) places: Vec<Option<Span>>,
}

/// How far a line may be from that of the first mark and still be drawn with it.
const FARTHEST: usize = 2_000;
/// How much of a line is drawn, in code points.
const WIDTH: usize = 110;
/// How much of it before the mark, where it does not fit whole.
const BEFORE: usize = 30;

impl Excerpt {
    /// The lines around `marks`, of which the first one is certainly shown.
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
            // A single line between two marked ones is drawn, too.
            let is_drawn = !here.is_empty() || lines.contains(&(line + 1)) && lines.contains(&line.wrapping_sub(1));
            if is_drawn {
                let start = here.first().map_or(0, |mark| marks[*mark].span.start);
                let window = Window::new(text, line, start);
                let origin = source.len();
                source.push_str(&window.shown);
                for mark in here {
                    places[mark] = window.place(text, marks[mark].span).map(|span| span.from_origin(origin));
                }
            }
            source.push('\n');
        }
        Excerpt { first_line: first + 1, source, places }
    }
}

/// The part of a line that is drawn.
struct Window {
    /// Which bytes of the text it shows.
    span: Span,
    /// How they are shown.
    shown: String,
    cut: bool,
}

const ELLIPSIS: char = '…';

impl Window {
    /// The part of the line that has the byte at `start` in it.
    fn new(text: &Text, line: usize, start: usize) -> Window {
        let line = text.line_span(line);
        let whole = text.slice(line);
        // Bytes first, because a line may be as long as the largest file.
        let fits = whole.len() <= 4 * WIDTH && whole.chars().count() <= WIDTH;
        let before = &whole[..start.clamp(line.start, line.end) - line.start];
        let from = match before.char_indices().nth_back(BEFORE) {
            Some((from, _)) if !fits => from,
            _ => 0,
        };
        let to = whole[from..].char_indices().nth(WIDTH).map_or(whole.len(), |(to, _)| from + to);
        let mut shown = String::new();
        shown.extend((from > 0).then_some(ELLIPSIS));
        // A tab is widened by whoever draws it.
        shown.extend(whole[from..to].chars().map(|c| if c == '\t' { c } else { visible(c) }));
        shown.extend((to < whole.len()).then_some(ELLIPSIS));
        Window { span: Span::new(from, to).from_origin(line.start), shown, cut: from > 0 }
    }

    /// The bytes of what is shown that stand for `span`, which is cut to the window.
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

    /// The excerpt around the spans, and below each of its lines carets under what is marked.
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
    fn marks_what_is_meant_whatever_is_before_it() {
        assert_eq!(draw("a\nbcd\n", &[Span::new(3, 4)]), "2 bcd\n   ^\n");
        assert_eq!(draw("é\u{202e}\u{1b}x", &[Span::new(6, 7)]), "1 é�␛x\n     ^\n");
        assert_eq!(draw("a\r\nb", &[Span::empty(1)]), "1 a\n   ^\n");
        assert_eq!(draw("", &[Span::empty(0)]), "1 \n  ^\n");
        assert_eq!(draw("a\n", &[Span::empty(2)]), "2 \n  ^\n");
    }

    #[test]
    fn cuts_a_mark_at_its_line() {
        assert_eq!(draw("ab\ncd", &[Span::new(1, 4)]), "1 ab\n   ^\n");
    }

    #[test]
    fn shows_of_a_long_line_what_is_near() {
        let text = format!("{}😀{}", "é".repeat(1_000_000), "x".repeat(1_000_000));
        let offset = text.find('😀').unwrap();
        let drawn = draw(&text, &[Span::new(offset, offset + 4), Span::new(0, 2)]);
        let shown = format!("…{}😀{}…", "é".repeat(31), "x".repeat(78));
        assert_eq!(drawn, format!("1 {shown}\n{}^\n", " ".repeat(34)));
    }

    #[test]
    fn leaves_out_what_is_far() {
        let text = "\n".repeat(1_000_000);
        let marks = [500_000, 0, 500_002].map(|at| Mark { span: Span::empty(at), label: "", is_primary: true });
        let excerpt = Excerpt::new(&Text::new(&text), &marks);
        assert_eq!(excerpt.places.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
        assert_eq!((excerpt.first_line, excerpt.source.as_str()), (500_001, "\n\n\n"));
    }
}
