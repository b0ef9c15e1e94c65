//! The server's messages to people on standard error. Editors show them as the server's output.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A client may not read standard error, and a full pipe (64 KiB on Linux) would block the writer. So a process writes
/// at most this many lines, each of at most [`MAX_CHARS`] characters.
const MAX_LINES: usize = 100;
/// The longest line of the log, in code points: a message of the server without the text of a document.
const MAX_CHARS: usize = 160;

static LINES: AtomicUsize = AtomicUsize::new(0);

/// Prints one line. `text` may contain text of a client: control characters in it are escaped.
pub(in crate::lsp) fn log(text: &str) {
    let line = match LINES.fetch_add(1, Ordering::Relaxed) {
        n if n < MAX_LINES => shown(text),
        MAX_LINES => "further errors are not listed here".to_owned(),
        _ => return,
    };
    // Standard error may be closed; the server continues.
    let _ = writeln!(std::io::stderr(), "eval-ls: {line}");
}

fn shown(text: &str) -> String {
    let mut shown: String = text.escape_debug().take(MAX_CHARS).collect();
    if text.escape_debug().nth(MAX_CHARS).is_some() {
        shown.push('…');
    }
    // Quotes are harmless, and read better unescaped.
    shown.replace("\\\"", "\"").replace("\\'", "'")
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn nothing_that_steers_a_terminal_gets_through() {
        assert_eq!(shown("plain `text`, it's \"quoted\""), "plain `text`, it's \"quoted\"");
        assert_eq!(shown("a\nb\u{1b}[31m\u{202e}"), "a\\nb\\u{1b}[31m\\u{202e}");
        assert_eq!(shown(&"x".repeat(1000)).chars().count(), 161);
    }
}
