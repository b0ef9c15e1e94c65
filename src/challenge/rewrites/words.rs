//! Numbers, labels, quotes and spaces, written in another way.

use super::lines::{label, marker};

pub(super) fn bold_numbers(line: &str) -> Option<String> {
    let from = marker(line).len();
    let places: Vec<_> = numbers(line).into_iter().filter(|(start, _)| *start >= from).collect();
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

pub(super) fn thousands(line: &str) -> Option<String> {
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

/// Whether the word before a number shows that it is a name: `order 1042`.
fn names_something(before: &str) -> bool {
    const NAMED: [&str; 22] = [
        "order", "invoice", "ticket", "number", "no", "nr", "id", "issue", "pr", "case", "room", "code", "version",
        "port", "zip", "page", "line", "section", "build", "step", "account", "orders",
    ];
    let word = before.trim_end().rsplit(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
    word.is_some_and(|word| NAMED.contains(&&*word.to_lowercase()))
}
