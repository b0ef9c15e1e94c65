//! Why a case could not be judged: on one line, and in the few words of a label.

use crate::text::visible;

/// The longest reason in a label, in code points. A label is beside code.
const LONGEST: usize = 50;

/// How many characters of an id a line shows. A longer one could be a text for the program that reads the line.
pub(crate) const SHOWN_ID: usize = 60;

/// The line of a reason that stands alone: the first, without the path of a program that printed it.
pub(crate) fn main_reason(reason: &str) -> String {
    let mut lines = reason.lines().map(str::trim).filter(|line| !line.is_empty());
    without_program(lines.next().unwrap_or_default()).to_owned()
}

/// The lines of a reason below the one that stands alone: hints, and what a program printed.
pub(crate) fn further_reason(reason: &str) -> &str {
    reason.trim_start().split_once('\n').map_or("", |(_, further)| further.trim_end())
}

/// What comes before the reason why the last run got no answer, if there is an earlier answer.
pub(crate) const LAST_RUN_FAILED: &str = "last run failed: ";

/// A reason in a few words: the error that a failed program printed, or the problem without its remedy. Files have their names
/// instead of their paths. It has no backtick and no character that is not visible.
pub(crate) fn short_reason(reason: &str) -> String {
    let main = main_reason(reason);
    let short = printed(&main).unwrap_or_else(|| main.split_once("; ").map_or(&*main, |(problem, _)| problem));
    cut(&plain(&with_file_names(short)), LONGEST)
}

/// A text without backticks in which every character is visible and harmless to a terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| *c != '`').map(visible).collect()
}

/// A text of at most `max` code points; `…` replaces the rest.
pub(crate) fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => text.chars().take(max.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The error that a program printed, if the line ends with how the program ended.
fn printed(line: &str) -> Option<&str> {
    let (error, ended) = line.strip_suffix(')')?.rsplit_once(" (`")?;
    (ended.contains("` failed with ") || ended.contains("` was ended by ")).then_some(error)
}

/// A line that a program printed, without its own path at the start.
fn without_program(line: &str) -> &str {
    match line.split_once(": ") {
        Some((program, rest)) if is_path(program) => rest,
        _ => line,
    }
}

fn is_path(text: &str) -> bool {
    let is_absolute = text.starts_with('/') || text.get(1..3).is_some_and(|start| start == ":\\" || start == ":/");
    is_absolute && !text.contains(char::is_whitespace)
}

/// The text with the names of files instead of their absolute paths, where these are in quotes.
fn with_file_names(text: &str) -> String {
    let mut parts = text.split_inclusive(['\'', '"', '`']);
    let mut named = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let path = part.trim_end_matches(['\'', '"', '`']);
        let is_quoted = path.len() < part.len() && (path.starts_with('/') || path.get(1..3) == Some(":\\"));
        let name = path.rsplit(['/', '\\']).next().unwrap_or_default();
        let start = if is_quoted && !name.is_empty() { path.len() - name.len() } else { 0 };
        named.push_str(&part[start..]);
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    const CRASH: &str =
        "RuntimeError: 503 (`python3` failed with exit status 1)\nstandard error ends with:\n  Traceback:\n";
    const NO_FILE: &str = "/root/.pyenv/versions/3.11.9/bin/python3: can't open file '/tmp/shop/agent.py': [Errno 2] No such \
        file or directory (`python3` failed with exit status 2)";

    #[test]
    fn the_first_line_of_a_reason_stands_alone() {
        for (reason, main, further) in [
            (
                CRASH,
                "RuntimeError: 503 (`python3` failed with exit status 1)",
                "standard error ends with:\n  Traceback:",
            ),
            (
                NO_FILE,
                "can't open file '/tmp/shop/agent.py': [Errno 2] No such file or directory (`python3` failed with exit status 2)",
                "",
            ),
            ("last run failed: a", "last run failed: a", ""),
            ("\n a\nb", "a", "b"),
            ("", "", ""),
        ] {
            assert_eq!((main_reason(reason).as_str(), further_reason(reason)), (main, further));
        }
    }

    #[test]
    fn a_short_reason_starts_with_the_reason() {
        for (reason, short) in [
            (CRASH, "RuntimeError: 503"),
            (NO_FILE, "can't open file 'agent.py': [Errno 2] No such fil…"),
            ("no stored answer; `eval-ls record` asks your assistant and stores one", "no stored answer"),
            ("`agnt` is not on PATH; install it, or correct `command`", "agnt is not on PATH"),
            ("a; b (`sh` was ended by signal 9 (SIGKILL))", "a; b"),
            ("`sh` failed with exit status 3; standard error is empty", "sh failed with exit status 3"),
            ("a: b: c", "a: b: c"),
            ("cannot read 'C:\\shop\\a.json' or \"/\"", "cannot read 'a.json' or \"/\""),
            ("a\u{1b}b", "a\u{241b}b"),
            ("", ""),
        ] {
            assert_eq!(short_reason(reason), short);
        }
    }
}
