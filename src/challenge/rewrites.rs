//! Rewrites: the answer of a case in other words or another form, with the same meaning. A check that passes the answer ought to pass
//! them as well.

use std::fmt;
use std::sync::Arc;

use crate::config::{OwnRewrite, REWRITES, ReplacementPart};

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

/// What a rewrite makes of a line outside of code; `None` if there is no place for it.
type OfLine = fn(&str) -> Option<String>;

/// Why a rewrite leaves an answer out.
const SNAPSHOT: &str = "the answer is the snapshot of a page";
const NO_PLACE: &str = "the answer has no place for it";
const TOO_LONG: &str = "the answer becomes more than twice as long";

const TOO_SLOW: &str = "the answer has too many places for it";

/// How many bytes the matches of an own rewrite may look at together: a few milliseconds.
const MOST_STEPS: usize = 4 << 20;

/// The widest line of a wrapped answer, in columns.
const COLUMNS: usize = 60;

/// The longest label of a line, in code points. Longer text before a colon is a sentence.
const LONGEST_LABEL: usize = 30;

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

/// The answer with each match in a line replaced. A configuration may come from anybody, so this takes limited time and memory.
fn own_rewrite(own: &OwnRewrite, answer: &str) -> Result<String, &'static str> {
    let longest = 2 * answer.len() + 1024;
    let mut rewritten = String::new();
    let mut steps = 0;
    for line in answer.split_inclusive('\n') {
        let content = line.trim_end_matches(['\n', '\r']);
        let mut from = 0;
        steps += content.len();
        for found in own.pattern.captures_iter(content) {
            // Each match may look at the rest of the line.
            steps += content.len();
            if steps > MOST_STEPS {
                return Err(TOO_SLOW);
            }
            let Some(whole) = found.get(0) else { continue };
            rewritten.push_str(&content[from..whole.start()]);
            for part in &own.replacement {
                rewritten.push_str(match part {
                    ReplacementPart::Text(text) => text,
                    ReplacementPart::Group(number) => found.get(*number).map_or("", |group| group.as_str()),
                });
                if rewritten.len() > longest {
                    return Err(TOO_LONG);
                }
            }
            from = whole.end();
        }
        rewritten.push_str(&line[from..]);
    }
    Ok(rewritten)
}

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

/// The numbers that stand alone, as byte ranges: no part of a word, a date, a time, a version or an identifier.
fn numbers(line: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = line[at..].find(|c: char| c.is_ascii_digit()).map(|start| at + start) {
        let run = line[start..]
            .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',')))
            .map_or(line.len(), |end| start + end);
        let end = start + line[start..run].trim_end_matches(['.', ',']).len();
        at = run;
        let before = line[..start].chars().next_back();
        let mut rest = line[end..].chars();
        let (after, then) = (rest.next(), rest.next());
        let begins = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '"' | '“'));
        let ends = match after {
            None => true,
            Some(c) if c.is_whitespace() || matches!(c, ')' | '%' | ';' | '!' | '?' | '"' | '”') => true,
            // The end of a sentence or of a clause, not the middle of a time or of an address.
            Some('.' | ',' | ':') => then.is_none_or(char::is_whitespace),
            Some(_) => false,
        };
        if begins && ends {
            found.push((start, end));
        }
    }
    found
}

fn replaced(line: &str, places: &[(usize, usize)], with: impl Fn(&str) -> String) -> Option<String> {
    let mut text = String::new();
    let mut at = 0;
    for (start, end) in places {
        text.push_str(&line[at..*start]);
        text.push_str(&with(&line[*start..*end]));
        at = *end;
    }
    text.push_str(&line[at..]);
    (text != line).then_some(text)
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

fn bold_numbers(line: &str) -> Option<String> {
    let from = marker(line).len();
    let places: Vec<_> = numbers(line).into_iter().filter(|(start, _)| *start >= from).collect();
    let is_bold = |start: usize| line[..start].ends_with('*');
    if places.iter().any(|(start, _)| is_bold(*start)) {
        return None;
    }
    replaced(line, &places, |number| format!("**{number}**"))
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

fn bold_label(line: &str) -> Option<String> {
    let (mark, label, rest) = label(line)?;
    Some(format!("{mark}**{label}:** {rest}"))
}

fn curly_quotes(line: &str) -> Option<String> {
    // The mark of a list stays.
    let mark = marker(line);
    let mut text = mark.to_owned();
    let mut before: Option<char> = None;
    let line_text = &line[mark.len()..];
    for (at, c) in line_text.char_indices() {
        let after = line_text[at + c.len_utf8()..].chars().next();
        let opens = before.is_none_or(|c| c.is_whitespace() || c == '(');
        text.push(match c {
            '\'' if before.is_some_and(char::is_alphanumeric) => '’',
            '"' if opens => '“',
            '"' => '”',
            '-' if before == Some(' ') && after == Some(' ') => '–',
            c => c,
        });
        before = Some(c);
    }
    (text != line).then_some(text)
}

fn no_break_spaces(line: &str) -> Option<String> {
    let from = marker(line).len();
    let spaces = numbers(line).into_iter().filter_map(|(start, end)| {
        let mut rest = line[end..].chars();
        let is_beside = start >= from && rest.next() == Some(' ') && rest.next().is_some_and(char::is_alphabetic);
        is_beside.then_some((end, end + 1))
    });
    replaced(line, &spaces.collect::<Vec<_>>(), |_| "\u{a0}".to_owned())
}

fn wrapped(line: &str) -> Option<String> {
    if line.chars().count() <= COLUMNS || line.trim_start().starts_with(['|', '#', '>']) {
        return None;
    }
    let mark = marker(line);
    let indent = " ".repeat(mark.chars().count());
    let mut text = mark.to_owned();
    let mut width = mark.chars().count();
    for (number, word) in line[mark.len()..].split(' ').enumerate() {
        let length = word.chars().count();
        if number > 0 && width + 1 + length > COLUMNS {
            text.push('\n');
            text.push_str(&indent);
            width = indent.len();
        } else if number > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    (text != line).then_some(text)
}

fn table_row(line: &str) -> Option<String> {
    let (mark, label, rest) = label(line)?;
    // The number of an entry says its place. A sentence behind a label is not a cell.
    let is_numbered = mark.contains(|c: char| c.is_ascii_digit());
    let is_cell = !is_numbered
        && rest.chars().count() <= LONGEST_LABEL
        && !rest.ends_with(['.', '!', '?'])
        && !rest.contains('|');
    is_cell.then(|| format!("| {label} | {rest} |"))
}

fn labelled_line(line: &str) -> Option<String> {
    let cells: Vec<&str> = line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    let [label, value] = cells[..] else { return None };
    let is_rule = |cell: &str| cell.chars().all(|c| matches!(c, '-' | ':' | ' '));
    (!is_rule(label) && !is_rule(value)).then(|| format!("{}: {value}", label.trim_end_matches(':')))
}

fn thousands(line: &str) -> Option<String> {
    let is_large = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit()) && number.len() >= 4;
    let is_year = |number: &str| number.len() == 4 && (number.starts_with("19") || number.starts_with("20"));
    let is_grouped = |number: &str| {
        let mut groups = number.split(',');
        let head = groups.next().unwrap_or_default();
        let is_head = matches!(head.len(), 1..=3) && head.bytes().all(|byte| byte.is_ascii_digit());
        let mut count = 0;
        let rest = groups.all(|group| {
            count += 1;
            group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit())
        });
        is_head && rest && count > 0
    };
    let places: Vec<_> = numbers(line)
        .into_iter()
        .filter(|(start, end)| {
            let number = &line[*start..*end];
            if names_something(&line[..*start]) {
                return false;
            }
            is_grouped(number) || (is_large(number) && !is_year(number) && !number.starts_with('0'))
        })
        .collect();
    replaced(line, &places, |number| {
        if number.contains(',') {
            return number.replace(',', "");
        }
        let head = number.len() % 3;
        let groups = number.as_bytes()[head..].chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
        let head = Some(number[..head].to_owned()).filter(|head| !head.is_empty());
        head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
    })
}

/// Whether the word before a number shows that it is a name: `order 1042`.
fn names_something(before: &str) -> bool {
    const NAMED: [&str; 22] = [
        "order", "invoice", "ticket", "number", "no", "nr", "id", "issue", "pr", "case", "room", "code", "version",
        "port", "zip", "page", "line", "section", "build", "step", "account", "orders",
    ];
    let word = before.trim_end().rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    word.is_some_and(|word| NAMED.contains(&&*word.to_lowercase()))
}

/// Plain lines that follow each other become a list. A line alone is a sentence, and stays.
fn bullets(answer: &str) -> String {
    let all: Vec<(&str, bool)> = lines(answer).collect();
    let is_plain = |index: usize| {
        all.get(index).is_some_and(|(line, is_code)| {
            let text = line.trim();
            let begins = text.starts_with(|c: char| c.is_alphanumeric() || c == '"');
            !is_code && begins && marker(line).is_empty() && !line.starts_with(' ') && !text.ends_with(':')
        })
    };
    let rewritten = all.iter().enumerate().map(|(index, (line, _))| {
        let is_in_run = is_plain(index) && (is_plain(index + 1) || index.checked_sub(1).is_some_and(is_plain));
        if is_in_run { format!("- {line}") } else { (*line).to_owned() }
    });
    rewritten.collect()
}

/// The entries of each list without numbers in the opposite order. A list with lines between its entries stays.
fn other_order(answer: &str) -> String {
    let mut text = String::new();
    let mut list: Vec<&str> = Vec::new();
    let is_entry = |line: &str| marker(line).starts_with(['-', '*', '+', '•']);
    let all: Vec<(&str, bool)> = lines(answer).collect();
    let has_numbers_of_steps = |entry: &str| {
        let word = entry[marker(entry).len()..].split_whitespace().next().unwrap_or_default().to_lowercase();
        matches!(
            word.trim_end_matches([',', ':']),
            "first" | "second" | "third" | "then" | "next" | "finally" | "last" | "step"
        )
    };
    for (index, (line, is_code)) in all.iter().enumerate() {
        if is_entry(line) && !is_code && line.ends_with('\n') {
            list.push(line);
            if all.get(index + 1).is_some_and(|(next, _)| is_entry(next) && next.ends_with('\n')) {
                continue;
            }
            // A continued entry belongs to the last one.
            let is_continued =
                all.get(index + 1).is_some_and(|(next, _)| next.starts_with(' ') && !next.trim().is_empty());
            if !is_continued && !list.iter().any(|entry| has_numbers_of_steps(entry)) {
                list.reverse();
            }
        }
        list.drain(..).for_each(|entry| text.push_str(entry));
        if !(is_entry(line) && !is_code && line.ends_with('\n')) {
            text.push_str(line);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_rewrite_keeps_the_meaning() {
        for (rewrite, answer, expected) in [
            (
                Rewrite::BoldNumbers,
                "There are 12 (of 1,250), at 10:00 on 2026-11-02; 5%.",
                "There are **12** (of **1,250**), at 10:00 on 2026-11-02; **5**%.",
            ),
            (Rewrite::BoldNumbers, "1. Call 3 people\n#12 v1.2 B2", "1. Call **3** people\n#12 v1.2 B2"),
            (Rewrite::BoldLabels, "- Open PRs: 12\nIt is so. Why: x", "- **Open PRs:** 12\nIt is so. Why: x"),
            (Rewrite::CurlyQuotes, "- It's \"so\" - really", "- It’s “so” – really"),
            (
                Rewrite::NoBreakSpaces,
                "There are 12 commits, 3 of them old.",
                "There are 12\u{a0}commits, 3\u{a0}of them old.",
            ),
            (
                Rewrite::WrappedLines,
                "- The workshop has a free slot on Thursday at 10:00 and another one on Friday.",
                "- The workshop has a free slot on Thursday at 10:00 and\n  another one on Friday.",
            ),
            (
                Rewrite::Bullets,
                "Totals:\nOpen: 1\nClosed: 2\n\nThat is all.",
                "Totals:\n- Open: 1\n- Closed: 2\n\nThat is all.",
            ),
            (Rewrite::TableRows, "Open PRs: 12\nNote: it ends here.", "| Open PRs | 12 |\nNote: it ends here."),
            (
                Rewrite::LabelledLines,
                "| Name | Count |\n| --- | --- |\n| Open | 12 |",
                "Name: Count\n| --- | --- |\nOpen: 12",
            ),
            (Rewrite::Thousands, "1250 bikes in 2026, and 3,500,000 parts", "1,250 bikes in 2026, and 3500000 parts"),
            (Rewrite::Thousands, "Order 1042 has 1042 parts", "Order 1042 has 1,042 parts"),
            (Rewrite::ClosingLine, "Yes.\n", "Yes.\n\nLet me know if there is anything else.\n"),
            (Rewrite::OtherOrder, "Two:\n- a\n- b\nend\n- First, c\n- d\n", "Two:\n- b\n- a\nend\n- First, c\n- d\n"),
        ] {
            assert_eq!(rewrite.of(answer, false).as_deref(), Ok(expected), "{rewrite}");
        }
    }

    proptest! {
        #[test]
        fn a_rewrite_keeps_letters_and_digits(parts in proptest::collection::vec((0..PARTS.len(), any::<char>()), 0..12)) {
            let answer: String = parts.iter().map(|(at, c)| format!("{}{c}", PARTS[*at])).collect();
            let kept = |text: &str| {
                let mut kept: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
                kept.sort_unstable();
                kept
            };
            for rewrite in Rewrite::ALL.into_iter().filter(|rewrite| *rewrite != Rewrite::ClosingLine) {
                if let Ok(rewritten) = rewrite.of(&answer, false) {
                    prop_assert_eq!(kept(&answer), kept(&rewritten), "{} {:?}", rewrite, answer);
                }
            }
        }
    }

    const PARTS: [&str; 16] = [
        "- ",
        "  – ",
        "Open: 1250\n",
        "12 km ",
        "\n",
        "\r\n",
        "\"",
        "'",
        " - ",
        "| a | b |\n",
        "```\n",
        "1. ",
        "1,250 ",
        "a long line of words that goes on and on until it is wrapped somewhere ",
        "é: 5",
        "**",
    ];

    #[test]
    fn a_rewrite_declines_where_it_would_change_more() {
        for rewrite in Rewrite::ALL {
            assert_eq!(rewrite.of("- text: 12", true), Err(SNAPSHOT), "{rewrite}");
            assert_eq!(rewrite.of("", false), Err(NO_PLACE), "{rewrite}");
            let code = "```\nTotal: 1250 \"x\"\nOpen: 2 left\n| a | b |\n- one\n- two\n```\n";
            if rewrite != Rewrite::ClosingLine {
                assert_eq!(rewrite.of(code, false), Err(NO_PLACE), "{rewrite}");
            }
        }
        assert_eq!(Rewrite::BoldNumbers.of("see `f 12` at https://x.org/12 12", false), Err(NO_PLACE));
    }
}
