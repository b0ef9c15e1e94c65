//! Lines in another form: wrapped, as entries of a list, as rows of a table, in another order.

use super::lines::{LONGEST_LABEL, label, lines, marker};

/// The widest line of a wrapped answer, in columns.
const COLUMNS: usize = 60;

pub(super) fn wrapped(line: &str) -> Option<String> {
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

pub(super) fn table_row(line: &str) -> Option<String> {
    let (mark, label, rest) = label(line)?;
    // The number of an entry says its place. A sentence behind a label is not a cell.
    let is_numbered = mark.contains(|c: char| c.is_ascii_digit());
    let is_cell = !is_numbered
        && rest.chars().count() <= LONGEST_LABEL
        && !rest.ends_with(['.', '!', '?'])
        && !rest.contains('|');
    is_cell.then(|| format!("| {label} | {rest} |"))
}

pub(super) fn labelled_line(line: &str) -> Option<String> {
    let cells: Vec<&str> = line.trim().strip_prefix('|')?.strip_suffix('|')?.split('|').map(str::trim).collect();
    let [label, value] = cells[..] else { return None };
    let is_rule = |cell: &str| cell.chars().all(|c| matches!(c, '-' | ':' | ' '));
    (!is_rule(label) && !is_rule(value)).then(|| format!("{}: {value}", label.trim_end_matches(':')))
}

/// Plain lines that follow each other become a list. A line alone is a sentence, and stays.
pub(super) fn bullets(answer: &str) -> String {
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
pub(super) fn other_order(answer: &str) -> String {
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
