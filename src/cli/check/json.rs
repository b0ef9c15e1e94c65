use serde::Serialize;

use crate::cli::Console;
use crate::diagnostic::{Edit, Finding, Fix, Related};
use crate::text::{Encoding, Span, Text};

use super::Checked;

/// Prints the findings of all files as one JSON array.
pub(super) fn print(all: &[Checked], console: &mut Console) {
    let findings: Vec<JsonFinding<'_>> = all
        .iter()
        .flat_map(|checked| checked.findings.iter().map(|finding| JsonFinding::new(checked, finding)))
        .collect();
    serde_json::to_writer_pretty(&mut console.out, &findings)
        .expect("findings are plain data, and the output takes all");
    console.out.write_text("\n");
}

#[derive(Serialize)]
struct JsonFinding<'a> {
    file: &'a str,
    lint: &'static str,
    severity: &'static str,
    message: &'a str,
    range: Range,
    related: Vec<JsonRelated<'a>>,
    fixes: Vec<JsonFix<'a>>,
}

/// From where to where, the end not included.
#[derive(Serialize)]
pub(super) struct Range {
    pub(super) start: Place,
    pub(super) end: Place,
}

/// A place as people count it: both from 1, the column in code points.
#[derive(Serialize)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) column: usize,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    message: &'a str,
    range: Range,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonEdit<'a> {
    range: Range,
    new_text: &'a str,
}

impl<'a> JsonFinding<'a> {
    fn new(checked: &'a Checked, finding: &'a Finding) -> Self {
        let range = |span| Range::new(&checked.text, span);
        let related = |place: &'a Related| JsonRelated { message: &place.message, range: range(place.span) };
        let edit = |edit: &'a Edit| JsonEdit { range: range(edit.span), new_text: &edit.text };
        let fix =
            |fix: &'a Fix| JsonFix { title: &fix.title, safe: fix.safe, edits: fix.edits.iter().map(edit).collect() };
        Self {
            file: &checked.name,
            lint: finding.lint,
            severity: finding.severity.as_str(),
            message: &finding.message,
            range: range(finding.span),
            related: finding.related.iter().map(related).collect(),
            fixes: finding.fixes.iter().map(fix).collect(),
        }
    }
}

impl Range {
    pub(super) fn new(text: &Text, span: Span) -> Self {
        let place = |offset| {
            let position = text.position(offset, Encoding::Utf32);
            Place { line: position.line + 1, column: position.column + 1 }
        };
        Self { start: place(span.start), end: place(span.end) }
    }
}
