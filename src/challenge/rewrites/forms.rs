//! The rewrites: lines in another form (wrapped, as a list, as a table, in another order), and numbers, labels, quotes and spaces that
//! are written in another way.

use super::{LONGEST_LABEL, label, lines, marker};

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

pub(super) fn bold_numbers(line: &str) -> Option<String> {
    let from = marker(line).len();
    let places = numbers(line).into_iter().filter(|(start, _)| *start >= from);
    let places: Vec<_> = places.map(|(start, end)| (line[..start].trim_end_matches(SIGNS).len(), end)).collect();
    let is_bold = |start: usize| line[..start].ends_with('*');
    if places.iter().any(|(start, _)| is_bold(*start)) {
        return None;
    }
    replaced(line, &places, |number| format!("**{number}**"))
}

pub(super) fn bold_label(line: &str) -> Option<String> {
    let (mark, label, rest) = label(line)?;
    Some(format!("{mark}**{label}:** {rest}"))
}

pub(super) fn curly_quotes(line: &str) -> Option<String> {
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

pub(super) fn no_break_spaces(line: &str) -> Option<String> {
    let from = marker(line).len();
    let spaces = numbers(line).into_iter().filter_map(|(start, end)| {
        let mut rest = line[end..].chars();
        let is_beside = start >= from && rest.next() == Some(' ') && rest.next().is_some_and(char::is_alphabetic);
        is_beside.then_some((end, end + 1))
    });
    replaced(line, &spaces.collect::<Vec<_>>(), |_| "\u{a0}".to_owned())
}

pub(in crate::challenge) fn thousands(line: &str) -> Option<String> {
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

/// The marks before a number that belong to it.
const SIGNS: [char; 6] = ['-', '−', '+', '$', '€', '£'];

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
        let start_of_all = line[..start].trim_end_matches(SIGNS).len();
        let before = line[..start_of_all].chars().next_back();
        let mut rest = line[end..].chars();
        let (after, then) = (rest.next(), rest.next());
        let begins = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '"' | '“'));
        let ends = match after {
            None => true,
            Some(c) if c.is_whitespace() || matches!(c, ')' | '%' | '€' | ';' | '!' | '?' | '"' | '”') => true,
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

/// Whether the word before a number shows that it is a name: `order 1042`.
fn names_something(before: &str) -> bool {
    const NAMED: [&str; 22] = [
        "order", "invoice", "ticket", "number", "no", "nr", "id", "issue", "pr", "case", "room", "code", "version",
        "port", "zip", "page", "line", "section", "build", "step", "account", "orders",
    ];
    let word = before.trim_end().rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    word.is_some_and(|word| NAMED.contains(&&*word.to_lowercase()))
}
