//! Rewrites: the answer of a case in other words or another form, with the same meaning. A check that passes the answer ought to pass
//! them as well.

mod forms;
mod lines;
mod own;
mod words;

use std::fmt;
use std::sync::Arc;

use crate::config::{OwnRewrite, REWRITES};

use forms::{bullets, labelled_line, other_order, table_row, wrapped};
use lines::by_line;
use own::own_rewrite;
use words::{bold_label, bold_numbers, curly_quotes, no_break_spaces, thousands};

/// A rewrite of an answer that keeps its meaning. The names are used in reports.
#[derive(Clone, Debug, PartialEq)]
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
    /// One that `[challenge]` in `eval-ls.toml` lists.
    Own(Arc<OwnRewrite>),
}

/// Why a rewrite leaves an answer out.
const SNAPSHOT: &str = "the answer is the snapshot of a page";
const NO_PLACE: &str = "the answer has no place for it";
/// What assistants say at the end.
const CLOSING: &str = "Let me know if there is anything else.";

impl Rewrite {
    /// The built-in rewrites, in the order of reports.
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
    pub(crate) fn name(&self) -> &str {
        match self {
            Rewrite::Own(own) => &own.name,
            built_in => {
                let place = Rewrite::ALL.iter().position(|rewrite| rewrite == built_in);
                place.map_or("", |place| REWRITES[place])
            }
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
            Rewrite::Own(own) => own_rewrite(own, answer)?,
        };
        if answer.trim().is_empty() || rewritten == answer { Err(NO_PLACE) } else { Ok(rewritten) }
    }
}

impl fmt::Display for Rewrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests;
