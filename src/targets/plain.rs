//! What a program writes as plain text, without secrets in addresses.

use std::fmt::{self, Write};
use std::path::Path;
use std::process::ExitStatus;

use url::{Origin, Url};

use crate::config::BrowserTarget;
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

/// How much a reason quotes: lines, and code points in all. The error and the whole stack of Node.js fit.
const QUOTED_LINES: usize = 16;
/// The most code points of standard error in a message: the end of a stack trace.
const QUOTED_CODE_POINTS: usize = 2_000;

/// The longest line that states an error, in code points.
const LONGEST_ERROR: usize = 300;

/// The length of an error that fits into a line of each report with the name of the program, in code points.
const SHORT: usize = 100;

/// The end of standard error, harmless to show.
#[derive(Debug)]
pub(super) struct StandardError {
    /// The line that states the error; `None` if there are no lines.
    error: Option<String>,
    /// The last lines, without empty ones around them.
    lines: Vec<String>,
}

impl StandardError {
    /// The end of `text`, which contains no secrets.
    pub(super) fn of(text: &str) -> Self {
        let text = plain(text);
        Self { error: error_line(&text).map(|line| shortened(line.trim())), lines: last_lines(&text) }
    }

    /// How `program` failed: the error that it printed, then its exit status.
    pub(super) fn failure(&self, program: &str, status: ExitStatus) -> String {
        let ended = ended(status);
        match &self.error {
            Some(error) => format!("{error} (`{program}` {ended})"),
            None => format!("`{program}` {ended}; standard error is empty"),
        }
    }

    /// Whether there are no lines.
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Whether the line that states the error is all, and short enough for every report.
    pub(super) fn is_error_only(&self) -> bool {
        let error = self.error.as_deref().filter(|error| error.chars().count() <= SHORT);
        self.lines.len() == 1 && error == self.lines.first().map(|line| line.trim())
    }

    /// The words that have the form of a variable's name.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        let lines = self.error.iter().chain(&self.lines);
        let words = lines.flat_map(|line| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
        words.filter(|word| {
            word.len() > 2
                && !word.contains(|c: char| c.is_ascii_lowercase())
                && !word.starts_with(|c: char| c.is_ascii_digit())
        })
    }
}

/// The last lines, each on a separate line and indented.
impl fmt::Display for StandardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard error ends with:")?;
        self.lines.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

/// How a program ended that did not succeed.
fn ended(status: ExitStatus) -> String {
    let text = status.to_string();
    match text.split_once(": ") {
        Some(("exit status" | "exit code", code)) => format!("failed with exit status {code}"),
        Some((kind, what)) => format!("was ended by {kind} {what}"),
        None => format!("failed: {text}"),
    }
}

/// The line that states the error. Python ends with it, unless its message has several lines. Node.js prints the stack and
/// its version below it, and Rust a note.
fn error_line(text: &str) -> Option<&str> {
    const TRACEBACK: &str = "Traceback (most recent call last):";
    let has_words = |line: &&str| line.contains(char::is_alphanumeric);
    let stands_out = |line: &&str| has_words(line) && !line.starts_with(char::is_whitespace);
    if let Some((_, after)) = text.rsplit_once(&format!("{TRACEBACK}\n"))
        && let Some(line) = after.lines().find(stands_out)
    {
        return Some(line);
    }
    let is_extra = |line: &str| line.starts_with("Node.js v") || line.starts_with("note: run with `RUST_BACKTRACE");
    let mut lines = text.lines().rev();
    let found = lines.clone().filter(stands_out).find(|line| !is_extra(line));
    found.or_else(|| lines.clone().find(has_words)).or_else(|| lines.find(|line| !line.trim().is_empty()))
}

fn shortened(line: &str) -> String {
    match line.char_indices().nth(LONGEST_ERROR) {
        Some((cut, _)) => format!("{}…", &line[..cut]),
        None => line.to_owned(),
    }
}

fn last_lines(text: &str) -> Vec<String> {
    let text = text.trim_end();
    let cut = text.char_indices().rev().nth(QUOTED_CODE_POINTS).map(|(at, c)| at + c.len_utf8());
    let mut lines: Vec<String> = text[cut.unwrap_or(0)..].lines().map(|line| line.trim_end().to_owned()).collect();
    if let Some(first) = lines.first_mut().filter(|_| cut.is_some()) {
        first.insert(0, '…');
    }
    let first = lines.len().saturating_sub(QUOTED_LINES);
    lines.drain(..first);
    let blank = lines.iter().take_while(|line| line.is_empty()).count();
    lines.drain(..blank);
    lines
}

/// What replaces a value of a query.
const STRUCK_OUT: &str = "redacted";

/// The address without its password and user, and without the values of its query. The names of the query stay. A text that is
/// not an address becomes empty: it could hold anything.
pub(crate) fn struck_out(address: &str) -> String {
    let Ok(mut url) = Url::parse(address) else { return String::new() };
    // Both fail only for addresses that cannot have a user.
    let _ = (url.set_username(""), url.set_password(None));
    if url.query().is_some() {
        let names: Vec<String> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
        url.query_pairs_mut().clear().extend_pairs(names.iter().map(|name| (name, STRUCK_OUT)));
    }
    url.set_fragment(None);
    url.into()
}

/// The password in an address, decoded.
pub(crate) fn password(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let password = percent_encoding::percent_decode_str(url.password()?);
    Some(password.decode_utf8_lossy().into_owned())
}

/// The values of the query, and the fragment, as they are in the address and decoded.
pub(crate) fn query_values(address: &str) -> Vec<String> {
    let Ok(url) = Url::parse(address) else { return Vec::new() };
    let raw = url.query().into_iter().flat_map(|query| query.split('&'));
    let raw = raw.filter_map(|pair| pair.split_once('=')).map(|(_, value)| value.to_owned());
    let decoded = url.query_pairs().map(|(_, value)| value.into_owned());
    raw.chain(decoded).chain(url.fragment().map(str::to_owned)).collect()
}

/// The origins (scheme, host and port) that belong to the app.
#[derive(Clone, Debug)]
pub(super) struct Addresses {
    origins: Vec<Origin>,
}

impl Addresses {
    /// The origins that the target's table names.
    pub(super) fn of(config: &BrowserTarget) -> Self {
        let named = [&config.url].into_iter().chain(&config.space_url).chain(&config.allow);
        Self { origins: named.filter_map(|address| origin(address)).collect() }
    }

    /// Whether a page at `address` belongs to the app.
    pub(super) fn allow(&self, address: &str) -> bool {
        origin(address).is_some_and(|origin| self.origins.contains(&origin))
    }
}

/// The origin of an address; `None` if the text is not an address, or if such addresses have no origin (`data:`, `about:`,
/// `file:`).
fn origin(address: &str) -> Option<Origin> {
    Url::parse(address).ok().map(|url| url.origin()).filter(Origin::is_tuple)
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

    #[test]
    fn the_line_that_states_the_error_is_found() {
        const NODE: &str = "node:internal/modules/esm/resolve:873\n  throw new ERR_MODULE_NOT_FOUND(packageName);\n        ^\n\n\
             Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'openai' imported from /x/agent.mjs\n    \
             at packageResolve (node:internal/modules/esm/resolve:873:9) {\n  code: 'ERR_MODULE_NOT_FOUND'\n}\n\n\
             Node.js v20.11.1\n";
        for (text, error) in [
            ("", None),
            (" \n\n", None),
            ("oops", Some("oops")),
            (
                "starting\nTraceback (most recent call last):\n  File \"a.py\", line 1\nKeyError: 'KEY'\n",
                Some("KeyError: 'KEY'"),
            ),
            (
                "Traceback (most recent call last):\n  a\nFirst: 1\n\nDuring handling of the above exception:\n\n\
                 Traceback (most recent call last):\n  b\nValidationError: 2 fields\nname\n  required\n",
                Some("ValidationError: 2 fields"),
            ),
            (NODE, Some("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'openai' imported from /x/agent.mjs")),
            (
                "thread 'main' panicked at src/main.rs:2:5:\nboom\nnote: run with `RUST_BACKTRACE=1` for a backtrace\n",
                Some("boom"),
            ),
            ("  indented\n  | ValueError: 1\n  +----\n", Some("| ValueError: 1")),
            ("---\n", Some("---")),
        ] {
            assert_eq!(StandardError::of(text).error.as_deref(), error, "{text}");
        }
        let long = StandardError::of(&"x".repeat(1_000)).error.unwrap();
        assert_eq!(long.chars().count(), LONGEST_ERROR + 1);
    }

    #[test]
    fn names_of_variables_are_found() {
        let error =
            StandardError::of("KeyError: 'MY_KEY'\nset OPENAI_API_KEY, or $TOKEN2 (not Path, OK, 2FA_X or 1234)");
        let mut names: Vec<_> = error.variables().collect();
        names.dedup();
        assert_eq!(names, ["OPENAI_API_KEY", "TOKEN2", "MY_KEY", "OPENAI_API_KEY", "TOKEN2"]);
    }

    #[test]
    fn addresses_lose_what_may_be_secret() {
        for (address, plain, secret) in [
            ("http://localhost:3000/", "http://localhost:3000/", None),
            ("http://a.example/b?token=x%20y&c=1#y", "http://a.example/b?token=redacted&c=redacted", None),
            ("https://user:p%40ss@app.example/", "https://app.example/", Some("p@ss")),
            ("not an address", "", None),
        ] {
            assert_eq!(struck_out(address), plain);
            assert_eq!(password(address).as_deref(), secret);
        }
        assert_eq!(query_values("http://a/?t=x%20y&c&d=1#z"), ["x%20y", "1", "x y", "", "1", "z"]);
    }

    #[test]
    fn an_address_belongs_to_the_app_by_its_origin() {
        let config = BrowserTarget {
            space_url: Some("https://space.example/board".to_owned()),
            allow: vec!["http://127.0.0.1:8080/login".to_owned(), "no address".to_owned()],
            ..BrowserTarget::new("http://localhost:3000/app")
        };
        let addresses = Addresses::of(&config);
        for (address, is_allowed) in [
            ("http://localhost:3000", true),
            ("http://LOCALHOST:3000/other?x#y", true),
            ("https://space.example:443/", true),
            ("http://127.0.0.1:8080/", true),
            ("http://localhost:3001/", false),
            ("https://localhost:3000/", false),
            ("http://localhost:3000@evil.example/", false),
            ("http://localhost.evil.example:3000/", false),
            ("https://space.example.evil/", false),
            ("about:blank", false),
            ("data:text/html,hello", false),
            ("file:///etc/passwd", false),
            ("chrome-error://chromewebdata/", false),
            ("no address", false),
            ("", false),
        ] {
            assert_eq!(addresses.allow(address), is_allowed, "{address}");
        }
    }
}
