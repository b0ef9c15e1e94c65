//! What the server and the person tell each other beside the protocol: the client's settings (`initializationOptions`, overridden by the
//! section `eval-ls` of its configuration), and messages on standard error, which editors show as the server's output.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::analysis::inlay_hints::VerdictHints;
use crate::analysis::lint_names;
use crate::config::Level;

/// This program's section of the client's configuration.
pub(crate) const SECTION: &str = env!("CARGO_PKG_NAME");

/// The settings; `docs/lsp-extensions.md` has a table of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Whether targets may run at all.
    pub(crate) trusted: bool,
    /// Whether the client wants notifications about tests, verdicts and runs.
    pub(crate) run_events: bool,
    /// Whether the client asks questions itself: it handles `eval-ls/ask`.
    pub(crate) asks: bool,
    /// The target for runs; it overrides `eval-ls.toml`.
    pub(crate) target: Option<String>,
    /// Which verdicts are inlay hints. Without any, failed checks are not diagnostics either.
    pub(crate) verdicts: VerdictHints,
    /// Whether the file shows how cases stand up to their challenges.
    pub(crate) challenges: bool,
    /// Whether the findings of suites that are not open are reported. Clients must ask for it: with these reports, Neovim
    /// 0.12 does not refresh those of open documents.
    pub(crate) workspace_diagnostics: bool,
    /// Levels of lints that `eval-ls.toml` does not set.
    pub(crate) lints: BTreeMap<String, Level>,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            trusted: true,
            run_events: false,
            asks: false,
            target: None,
            verdicts: VerdictHints::Cases,
            challenges: true,
            workspace_diagnostics: false,
            lints: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// The settings of `initialize`.
    pub(crate) fn initial(options: &Value) -> Self {
        let mut settings = Settings::default();
        let mut read = Reader { options, place: "initializationOptions" };
        settings.trusted = read.boolean(options, "trusted").unwrap_or(settings.trusted);
        settings.run_events = read.boolean(options, "runEvents").unwrap_or(settings.run_events);
        settings.asks = read.boolean(options, "asks").unwrap_or(settings.asks);
        settings.read(&mut read);
        settings
    }

    /// The settings, overridden by the section `eval-ls` of the client's configuration.
    #[must_use]
    pub(crate) fn overridden(&self, section: &Value) -> Self {
        let mut settings = self.clone();
        settings.read(&mut Reader { options: section, place: "the client's configuration" });
        settings
    }

    fn read(&mut self, read: &mut Reader<'_>) {
        let options = read.options;
        if let Some(target) = read.text(options, "target") {
            self.target = Some(target.to_owned()).filter(|target| !target.is_empty());
        }
        if let Some(shown) = read.text(options, "verdicts") {
            self.verdicts = match shown {
                "failures" => VerdictHints::Cases,
                "all" => VerdictHints::All,
                "off" => VerdictHints::None,
                _ => read.complain("verdicts", "\"failures\", \"all\" or \"off\"").unwrap_or(self.verdicts),
            };
        }
        self.challenges = read.boolean(options, "challenges").unwrap_or(self.challenges);
        self.workspace_diagnostics =
            read.boolean(options, "workspaceDiagnostics").unwrap_or(self.workspace_diagnostics);
        if let Some(Value::Object(levels)) = read.object(options, "lints") {
            self.lints =
                levels.iter().filter_map(|(lint, level)| Some((lint.clone(), read.level(lint, level)?))).collect();
        }
    }
}

/// Reads options one by one. Invalid options are logged and ignored.
struct Reader<'a> {
    options: &'a Value,
    place: &'a str,
}

impl<'a> Reader<'a> {
    fn boolean(&mut self, from: &Value, name: &str) -> Option<bool> {
        let value = present(from, name)?;
        value.as_bool().or_else(|| self.complain(name, "true or false"))
    }

    fn text(&mut self, from: &'a Value, name: &str) -> Option<&'a str> {
        let value = present(from, name)?;
        value.as_str().or_else(|| self.complain(name, "a string"))
    }

    fn object(&mut self, from: &'a Value, name: &str) -> Option<&'a Value> {
        let value = present(from, name)?;
        if value.is_object() { Some(value) } else { self.complain(name, "an object") }
    }

    fn level(&mut self, lint: &str, level: &Value) -> Option<Level> {
        if !lint_names().contains(&lint) {
            return self.complain(&format!("lints.{lint}"), "the name of a lint");
        }
        let level_named = level.as_str().and_then(Level::from_name);
        level_named.or_else(|| self.complain(&format!("lints.{lint}"), "\"error\", \"warning\", \"hint\" or \"off\""))
    }

    fn complain<T>(&self, name: &str, expected: &str) -> Option<T> {
        log(&format!("ignored the option `{name}` in {}: expected {expected}", self.place));
        None
    }
}

/// The value of an option; `None` for null.
fn present<'a>(from: &'a Value, name: &str) -> Option<&'a Value> {
    from.get(name).filter(|value| !value.is_null())
}

/// A client may not read standard error, and a full pipe (64 KiB on Linux) would block the writer. So a process writes
/// at most this many lines, each of at most [`MAX_CHARS`] characters.
const MAX_LINES: usize = 100;
/// The longest line of the log, in code points: a message of the server without the text of a document.
const MAX_CHARS: usize = 160;

static LINES: AtomicUsize = AtomicUsize::new(0);

/// Prints one line. `text` may contain text of a client: control characters in it are escaped.
pub(crate) fn log(text: &str) {
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
    use serde_json::json;

    use super::*;

    #[test]
    fn missing_options_have_their_default() {
        for options in [json!(null), json!({}), json!([]), json!({ "verdicts": null, "more": 1 })] {
            assert_eq!(Settings::initial(&options), Settings::default(), "{options}");
        }
    }

    #[test]
    fn the_configuration_overrides_the_initialization_options() {
        let first = json!({
            "trusted": false, "runEvents": true, "asks": true, "target": "agent", "verdicts": "all",
            "challenges": false, "workspaceDiagnostics": true,
            "lints": { "unknown-tool": "off" },
        });
        let first = Settings::initial(&first);
        let expected = Settings {
            trusted: false,
            run_events: true,
            asks: true,
            target: Some("agent".to_owned()),
            verdicts: VerdictHints::All,
            challenges: false,
            workspace_diagnostics: true,
            lints: BTreeMap::from([("unknown-tool".to_owned(), Level::Off)]),
        };
        assert_eq!(first, expected);
        let later = json!({ "trusted": true, "runEvents": false, "target": "", "verdicts": "off", "lints": {} });
        let expected = Settings { target: None, verdicts: VerdictHints::None, lints: BTreeMap::new(), ..expected };
        assert_eq!(first.overridden(&later), expected);
    }

    #[test]
    fn options_of_a_wrong_type_are_ignored() {
        let options = json!({
            "trusted": "no", "runEvents": 1, "target": 3, "verdicts": "some", "challenges": "yes",
            "lints": { "unknown-tool": "loud", "no-such-lint": "off", "duplicate-key": 3 },
        });
        assert_eq!(Settings::initial(&options), Settings::default());
    }

    #[test]
    fn nothing_that_steers_a_terminal_gets_through() {
        assert_eq!(shown("plain `text`, it's \"quoted\""), "plain `text`, it's \"quoted\"");
        assert_eq!(shown("a\nb\u{1b}[31m\u{202e}"), "a\\nb\\u{1b}[31m\\u{202e}");
        assert_eq!(shown(&"x".repeat(1000)).chars().count(), 161);
    }
}
