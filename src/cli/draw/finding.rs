use std::borrow::Cow;

use annotate_snippets::renderer::DEFAULT_LINE_NUM_STYLE;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::diagnostic::{Finding, Severity};
use crate::lints::lint;
use crate::text::{Encoding, Span, Text, visible, visible_text};

use super::excerpt::{Excerpt, Mark};

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
