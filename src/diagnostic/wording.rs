//! Text of files in messages, and suggestions for misspelled names.

use std::cell::OnceCell;

use strsim::osa_distance;

use crate::text::{is_invisible, visible};

/// The maximum length of a quoted text, in code points. A message has one line.
const SHOWN: usize = 60;

/// `text` in backticks. An empty text becomes two quotes, a long text is cut, and invisible characters and characters that
/// reorder the line become escapes. A combining mark becomes an escape only at the start, where it has no letter.
pub(crate) fn quoted(text: &str) -> String {
    if text.is_empty() {
        return "`\"\"`".to_owned();
    }
    let mut shown = String::with_capacity(text.len().min(SHOWN * 2) + 2);
    for (place, c) in text.chars().take(SHOWN).enumerate() {
        match c {
            '"' | '\'' | '\\' => shown.push(c),
            _ if place > 0 && visible(c) == c => shown.push(c),
            _ if is_invisible(c) => shown.extend(c.escape_unicode()),
            _ => shown.extend(c.escape_debug()),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push('…');
    }
    if shown.contains('`') { fenced(&shown) } else { format!("`{shown}`") }
}

/// The text between backticks that it cannot end: a code span of CommonMark.
pub(crate) fn fenced(code: &str) -> String {
    let runs = code.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    // CommonMark removes a space from both ends of a code span if both ends have one.
    let would_lose = code.starts_with(' ') && code.ends_with(' ');
    let pad = if would_lose || code.starts_with('`') || code.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{code}{pad}{fence}")
}

/// The parts of a message: its words, and the texts that [`quoted`] has put between backticks, each with whether it is such a text.
pub(crate) fn parts_of_message(message: &str) -> Vec<(&str, bool)> {
    let mut parts = Vec::new();
    let mut rest = message;
    while let Some(start) = rest.find('`') {
        let fence = rest[start..].len() - rest[start..].trim_start_matches('`').len();
        let inside = &rest[start + fence..];
        let Some(end) = end_of_code(inside, fence) else { break };
        let code = &inside[..end];
        let is_padded = code.len() > 2 && code.starts_with(' ') && code.ends_with(' ') && code.contains('`');
        parts.push((&rest[..start], false));
        parts.push((if is_padded { &code[1..code.len() - 1] } else { code }, true));
        rest = &inside[end + fence..];
    }
    parts.push((rest, false));
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// Where the next run of exactly so many backticks begins.
fn end_of_code(text: &str, fence: usize) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = text[at..].find('`').map(|start| at + start) {
        let length = text[start..].len() - text[start..].trim_start_matches('`').len();
        if length == fence {
            return Some(start);
        }
        at = start + length;
    }
    None
}

/// The names in backticks, separated by commas, with "or" before the last.
pub(crate) fn alternatives<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// The candidate that `name` is probably a misspelling of. Up to a third of the characters may differ.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length > SHOWN {
        return None;
    }
    let most = (length / 3).max(1);
    // The distance is at least the difference of the lengths, which is quick to find.
    let is_far =
        |candidate: &str| name.is_ascii() && candidate.is_ascii() && name.len().abs_diff(candidate.len()) > most;
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let folded = OnceCell::new();
    let (mut close, mut longer): (Option<(usize, &str)>, Option<&str>) = (None, None);
    for candidate in candidates {
        if length >= BEGINNING && begins_with(candidate, name) && longer.is_none_or(|best| candidate.len() < best.len())
        {
            longer = Some(candidate);
        }
        if is_far(candidate) {
            continue;
        }
        let distance = osa_distance(folded.get_or_init(|| plain(name)), &plain(candidate));
        if distance <= most && close.is_none_or(|(best, _)| distance < best) {
            close = Some((distance, candidate));
        }
    }
    close.map(|(_, candidate)| candidate).or(longer)
}

/// Whether `longer` is `name` and more; case, and `-` or `_`, do not matter.
fn begins_with(longer: &str, name: &str) -> bool {
    let same = |(one, other): (u8, u8)| {
        one.eq_ignore_ascii_case(&other) || matches!((one, other), (b'-', b'_') | (b'_', b'-'))
    };
    longer.len() > name.len() && longer.bytes().zip(name.bytes()).all(same)
}

/// How many code points of a name mean the name that begins with them. Fewer begin too many names.
const BEGINNING: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_escaped() {
        for (text, shown) in [
            ("plain \"text\" é\\", "`plain \"text\" é\\`"),
            ("a\u{202e}b\nc\0\u{1b}[31m\u{feff}", r"`a\u{202e}b\nc\0\u{1b}[31m\u{feff}`"),
        ] {
            assert_eq!(quoted(text), shown);
        }
        assert_eq!(quoted(""), "`\"\"`");
        assert_eq!(quoted("\u{301}e"), r"`\u{301}e`");
        assert_eq!(quoted(&"x".repeat(100_000)), format!("`{}…`", "x".repeat(60)));
    }

    #[test]
    fn combining_marks_are_shown() {
        for text in ["नमस्ते दुनिया", "สวัสดีครับ", "de\u{301}compose\u{301}", "عَرَبِيّ"]
        {
            assert_eq!(quoted(text), format!("`{text}`"));
        }
        assert_eq!(quoted("a\u{200d}\u{200c}b"), r"`a\u{200d}\u{200c}b`");
        assert_eq!(quoted("❤\u{fe0f}\u{3164}\u{2800}"), r"`❤\u{fe0f}\u{3164}\u{2800}`");
    }

    #[test]
    fn the_nearest_name_is_found() {
        let known = ["include", "exclude", "target", "targets", "undefined-ui-hint"];
        for (name, meant) in [
            ("inclde", Some("include")),
            ("Exclude", Some("exclude")),
            ("tragets", Some("targets")),
            ("undefined_ui_hint", Some("undefined-ui-hint")),
            ("colour", None),
            ("", None),
            ("x", None),
        ] {
            assert_eq!(nearest(name, known), meant, "{name}");
        }
        assert_eq!(nearest("", ["a"]), Some("a"));
        assert_eq!(nearest(&"include".repeat(10_000), known), None);
    }

    #[test]
    fn alternatives_end_with_or() {
        for (names, listed) in [(&[][..], ""), (&["a"], "`a`"), (&["a", "b"], "`a` or `b`")] {
            assert_eq!(alternatives(names.iter().copied()), listed);
        }
        assert_eq!(alternatives(["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
