//! Rewrites: the answer of a case in other words or another form, with the same meaning. A check that passes the answer ought to pass
//! them as well.

mod forms;
#[cfg(test)]
mod tests;

use std::fmt;

use forms::{
    bold_label, bold_numbers, bullets, curly_quotes, labelled_line, no_break_spaces, other_order, table_row, wrapped,
};

pub(super) use forms::thousands;

/// A rewrite of an answer that keeps its meaning. The names are used in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rewrite {
    /// Numbers in bold: `**12**`.
    BoldNumbers,
    /// The labels of lines in bold: `**Open:** 12`.
    BoldLabels,
    /// Curly quotes and long dashes.
    CurlyQuotes,
    /// A no-break space behind each number.
    NoBreakSpaces,
    /// Lines wrapped at 60 columns.
    WrappedLines,
    /// Lines as entries of a list.
    Bullets,
    /// `Label: x` as a row of a table.
    TableRows,
    /// A row of a table with two cells as `Label: x`.
    LabelledLines,
    /// Separators of thousands, or none where there are some.
    Thousands,
    /// A line of politeness at the end.
    ClosingLine,
    /// The entries of each list in the opposite order.
    OtherOrder,
}

/// Why a rewrite leaves an answer out.
const SNAPSHOT: &str = "the answer is the snapshot of a page";
const NO_PLACE: &str = "the answer has no place for it";
/// What assistants say at the end.
const CLOSING: &str = "Let me know if there is anything else.";

impl Rewrite {
    /// All, in the order of reports.
    pub(crate) const ALL: [Rewrite; 11] = [
        Rewrite::BoldNumbers,
        Rewrite::BoldLabels,
        Rewrite::CurlyQuotes,
        Rewrite::NoBreakSpaces,
        Rewrite::WrappedLines,
        Rewrite::Bullets,
        Rewrite::TableRows,
        Rewrite::LabelledLines,
        Rewrite::Thousands,
        Rewrite::ClosingLine,
        Rewrite::OtherOrder,
    ];

    /// The name in reports.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Rewrite::BoldNumbers => "bold-numbers",
            Rewrite::BoldLabels => "bold-labels",
            Rewrite::CurlyQuotes => "curly-quotes",
            Rewrite::NoBreakSpaces => "no-break-spaces",
            Rewrite::WrappedLines => "wrapped-lines",
            Rewrite::Bullets => "bullets",
            Rewrite::TableRows => "table-rows",
            Rewrite::LabelledLines => "labelled-lines",
            Rewrite::Thousands => "thousands",
            Rewrite::ClosingLine => "closing-line",
            Rewrite::OtherOrder => "other-order",
        }
    }

    /// Whether it changes the form of lines, and not only how words and numbers are written.
    pub(super) fn is_of_lines(&self) -> bool {
        matches!(self, Rewrite::Bullets | Rewrite::TableRows | Rewrite::LabelledLines | Rewrite::OtherOrder)
    }

    /// The answer in the other form. `is_snapshot`: it is the snapshot of a page.
    ///
    /// # Errors
    /// Why the answer is left out, as a lower-case sentence.
    pub(crate) fn of(&self, answer: &str, is_snapshot: bool) -> Result<String, &'static str> {
        if is_snapshot {
            return Err(SNAPSHOT);
        }
        let rewritten = match self {
            Rewrite::BoldNumbers => by_line(answer, bold_numbers),
            Rewrite::BoldLabels => by_line(answer, bold_label),
            Rewrite::CurlyQuotes => by_line(answer, curly_quotes),
            Rewrite::NoBreakSpaces => by_line(answer, no_break_spaces),
            Rewrite::WrappedLines => by_line(answer, wrapped),
            Rewrite::TableRows => by_line(answer, table_row),
            Rewrite::LabelledLines => by_line(answer, labelled_line),
            Rewrite::Thousands => by_line(answer, thousands),
            Rewrite::Bullets => bullets(answer),
            Rewrite::ClosingLine => format!("{}\n\n{CLOSING}\n", answer.trim_end()),
            Rewrite::OtherOrder => other_order(answer),
        };
        if answer.trim().is_empty() || rewritten == answer { Err(NO_PLACE) } else { Ok(rewritten) }
    }
}

impl fmt::Display for Rewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a rewrite makes of a line outside of code; `None` if there is no place for it.
type OfLine = fn(&str) -> Option<String>;

/// The longest label of a line, in code points. Longer text before a colon is a sentence.
const LONGEST_LABEL: usize = 30;

/// The lines of an answer, each with its end, and whether it is code: a fence, what is in it, or what is indented by four spaces.
fn lines(answer: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut is_fenced = false;
    answer.split_inclusive('\n').map(move |line| {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        is_fenced ^= is_fence;
        (line, is_fence || is_fenced || line.starts_with("    "))
    })
}

/// The answer with each line outside of code rewritten.
fn by_line(answer: &str, of_line: OfLine) -> String {
    let rewritten = lines(answer).map(|(line, is_code)| {
        let text = line.trim_end_matches(['\n', '\r']);
        // A line with code or an address in it is matched for its characters.
        let is_literal = is_code || text.contains('`') || text.contains("://");
        match of_line(text).filter(|_| !is_literal) {
            Some(other) => format!("{other}{}", &line[text.len()..]),
            None => line.to_owned(),
        }
    });
    rewritten.collect()
}

/// The mark of an entry of a list, with the space around it; the number of an ordered list is one. Empty if there is none.
fn marker(line: &str) -> &str {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = number.len() < text.len() && (number.starts_with(". ") || number.starts_with(") "));
    let length = match () {
        () if text.starts_with("- ") || text.starts_with("* ") || text.starts_with("+ ") => 2,
        () if text.starts_with("• ") => "• ".len(),
        () if is_numbered => text.len() - number.len() + 2,
        () => 0,
    };
    if length == 0 { "" } else { &line[..indent + length] }
}

/// The label at the start of a line and what follows its colon, behind the mark of a list.
fn label(line: &str) -> Option<(&str, &str, &str)> {
    let mark = marker(line);
    let (label, rest) = line[mark.len()..].split_once(": ")?;
    let is_label = label.starts_with(char::is_alphabetic)
        && label.chars().count() <= LONGEST_LABEL
        && !label.contains(['.', ',', '*', '_', '|', '"', '!', '?']);
    (is_label && !rest.trim().is_empty()).then_some((mark, label, rest))
}
