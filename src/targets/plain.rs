//! Text from outside, made safe to show.

use std::fmt::Write;
use std::path::Path;

use crate::text::is_invisible;

/// `text` without characters that control a terminal or reorder a line: control characters, bidirectional controls
/// and zero-width characters become escapes (`\u{1b}`), a tab four spaces. `\n` stays, and `\r\n` counts as one.
pub(super) fn plain(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' => shown.push('\n'),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\t' => shown.push_str("    "),
            _ if c.is_control() || is_invisible(c) => {
                // Writing into a string cannot fail.
                let _ = write!(shown, "{}", c.escape_default());
            }
            _ => shown.push(c),
        }
    }
    shown
}

/// A path, safe to show.
pub(super) fn path(path: &Path) -> String {
    plain(&path.display().to_string()).replace('\n', "\\n")
}

/// The first line of `text` in backticks, cut after `most` code points.
pub(super) fn beginning(text: &str, code_points: usize) -> String {
    let shown = plain(text.trim_start());
    let line = shown.lines().next().unwrap_or_default();
    match line.char_indices().nth(code_points) {
        Some((cut, _)) => format!("`{}…`", &line[..cut]),
        None => format!("`{line}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_shown_as_escapes() {
        for (text, shown) in [
            ("plain é 🚀 \\ \"'", "plain é 🚀 \\ \"'"),
            ("a\r\nb\nc\rd\te", "a\nb\nc\\rd    e"),
            ("\u{1b}[31mred\u{7}\0\u{9b}", r"\u{1b}[31mred\u{7}\u{0}\u{9b}"),
            ("a\u{202e}b\u{200b}c\u{2028}d", r"a\u{202e}b\u{200b}c\u{2028}d"),
        ] {
            assert_eq!(plain(text), shown);
        }
    }

    #[test]
    fn a_path_is_one_line() {
        assert_eq!(path(Path::new("a\u{1b}/b\nc d")), r"a\u{1b}/b\nc d");
    }

    #[test]
    fn a_beginning_is_one_short_line() {
        for (text, shown) in
            [("", "``"), ("\n\n  abc\ndef", "`abc`"), ("abcdef", "`abcde…`"), ("\u{1b}[1mé", "`\\u{1b…`")]
        {
            assert_eq!(beginning(text, 5), shown);
        }
    }
}
