//! What the server and the person tell each other beside the protocol: the client's settings (`initializationOptions`, overridden by the
//! section `eval-ls` of its configuration), messages on standard error, which editors show as the server's output, and the client's
//! capabilities that matter here.

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use ls_types::{
    ClientCapabilities, CodeActionClientCapabilities, CompletionClientCapabilities, CompletionOptions,
    InlayHintClientCapabilities, InsertTextMode, MarkupKind, PositionEncodingKind, ResourceOperationKind,
    WorkspaceEditClientCapabilities,
};
use serde_json::Value;

use crate::analysis::TRIGGER_CHARACTERS;
use crate::analysis::inlay_hints::VerdictHints;
use crate::text::Encoding;

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
    /// Where verdicts are shown, beside lenses. Without any, failed checks are not diagnostics either.
    pub(crate) verdicts: VerdictHints,
    /// Whether the file shows how cases stand up to their challenges.
    pub(crate) challenges: bool,
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

/// The client's capabilities, read when the session begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Support {
    /// The unit of a column.
    pub(crate) encoding: Encoding,
    /// The support for completions.
    pub(crate) completion: CompletionSupport,
    /// Whether a code action may be an edit instead of a command.
    pub(crate) code_actions: bool,
    /// Whether the client requests the edit of a code action only when a person chooses it.
    pub(crate) resolves_edits: bool,
    /// Whether the client first requests what can be renamed.
    pub(crate) prepares_rename: bool,
    /// Whether an edit may contain the version of its document.
    pub(crate) versioned_edits: bool,
    /// Whether an edit may create a file.
    pub(crate) creates_files: bool,
    /// Whether an edit may rename a file.
    pub(crate) renames_files: bool,
    /// Whether a hover may be Markdown; otherwise it is plain text.
    pub(crate) hover_markdown: bool,
    /// Whether the server can ask the client to watch files.
    pub(crate) watches_files: bool,
    /// Whether the client shows code lenses.
    pub(crate) shows_lenses: bool,
    /// Whether the client requests the tooltip of an inlay hint only when a person looks at it.
    pub(crate) resolves_hint_tooltips: bool,
    /// Whether the server can ask the client to request inlay hints again.
    pub(crate) refreshes_inlay_hints: bool,
    /// Whether the server can ask the client for its configuration.
    pub(crate) has_configuration: bool,
    /// Whether the server can ask the client for notifications about its configuration.
    pub(crate) watches_settings: bool,
    /// Whether the client shows progress.
    pub(crate) work_done_progress: bool,
    /// Whether the server can ask the client to show a document.
    pub(crate) shows_documents: bool,
    /// Whether the server can ask the client to request code lenses again.
    pub(crate) refreshes_code_lenses: bool,
}

impl Default for Support {
    fn default() -> Self {
        Self::of(&ClientCapabilities::default())
    }
}

impl Support {
    /// Reads the capabilities of a client.
    pub(crate) fn of(client: &ClientCapabilities) -> Self {
        let workspace = client.workspace.clone().unwrap_or_default();
        let window = client.window.clone().unwrap_or_default();
        let text_document = client.text_document.clone().unwrap_or_default();
        let edits = workspace.workspace_edit.clone().unwrap_or_default();
        let inlay_hint = text_document.inlay_hint;
        let actions = text_document.code_action.unwrap_or_default();
        let watched = workspace.did_change_watched_files.unwrap_or_default();
        let settings = workspace.did_change_configuration.unwrap_or_default();
        Support {
            encoding: encoding(client),
            completion: text_document.completion.as_ref().map(CompletionSupport::of).unwrap_or_default(),
            code_actions: actions.code_action_literal_support.is_some(),
            resolves_edits: resolves_edits(&actions),
            prepares_rename: text_document.rename.is_some_and(|rename| rename.prepare_support == Some(true)),
            creates_files: may(&edits, &ResourceOperationKind::Create),
            renames_files: may(&edits, &ResourceOperationKind::Rename),
            versioned_edits: edits.document_changes == Some(true),
            hover_markdown: text_document.hover.is_some_and(|hover| {
                hover.content_format.is_some_and(|formats| formats.contains(&MarkupKind::Markdown))
            }),
            watches_files: watched.dynamic_registration == Some(true),
            shows_lenses: text_document.code_lens.is_some(),
            resolves_hint_tooltips: inlay_hint.as_ref().is_some_and(resolves_tooltips),
            refreshes_inlay_hints: workspace.inlay_hint.is_some_and(|hints| hints.refresh_support == Some(true)),
            has_configuration: workspace.configuration == Some(true),
            watches_settings: settings.dynamic_registration == Some(true),
            work_done_progress: window.work_done_progress == Some(true),
            shows_documents: window.show_document.is_some_and(|show| show.support),
            refreshes_code_lenses: workspace.code_lens.is_some_and(|lenses| lenses.refresh_support == Some(true)),
        }
    }
}

/// UTF-8 if the client offers it, because text is UTF-8 here. Otherwise UTF-16, which every client supports, unless the
/// client offers only UTF-32.
fn encoding(client: &ClientCapabilities) -> Encoding {
    let offered = client.general.as_ref().and_then(|general| general.position_encodings.as_deref()).unwrap_or_default();
    if offered.contains(&PositionEncodingKind::UTF8) {
        Encoding::Utf8
    } else if offered == [PositionEncodingKind::UTF32] {
        Encoding::Utf32
    } else {
        Encoding::Utf16
    }
}

/// Some clients, such as Neovim, do not announce `documentChanges`. They support it, because only it can contain operations.
fn may(edits: &WorkspaceEditClientCapabilities, operation: &ResourceOperationKind) -> bool {
    edits.resource_operations.as_ref().is_some_and(|operations| operations.contains(operation))
}

fn resolves_tooltips(hints: &InlayHintClientCapabilities) -> bool {
    let resolved = hints.resolve_support.iter().flat_map(|support| &support.properties);
    resolved.into_iter().any(|property| property == "tooltip")
}

fn resolves_edits(actions: &CodeActionClientCapabilities) -> bool {
    let resolved = actions.resolve_support.iter().flat_map(|support| &support.properties);
    actions.data_support == Some(true) && resolved.into_iter().any(|property| property == "edit")
}

/// The client's support for completions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CompletionSupport {
    /// Whether it supports snippets.
    pub(crate) snippets: bool,
    /// Whether it can leave the indentation of further lines unchanged.
    pub(crate) as_is: bool,
    /// Whether it can indent further lines on request.
    pub(crate) adjusts: bool,
    /// Whether it shows a short text beside the label.
    pub(crate) label_details: bool,
    /// How it shows documentation.
    pub(crate) documentation: DocumentationFormat,
}

/// The form in which documentation is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DocumentationFormat {
    Markdown,
    PlainText,
    /// As a plain string, for a client that names no formats.
    #[default]
    String,
}

impl CompletionSupport {
    /// Reads the capabilities of a client.
    pub(crate) fn of(client: &CompletionClientCapabilities) -> Self {
        let item = client.completion_item.clone().unwrap_or_default();
        let formats = item.documentation_format.unwrap_or_default();
        let modes = item.insert_text_mode_support.map(|modes| modes.value_set).unwrap_or_default();
        CompletionSupport {
            snippets: item.snippet_support == Some(true),
            as_is: modes.contains(&InsertTextMode::AS_IS),
            adjusts: modes.contains(&InsertTextMode::ADJUST_INDENTATION),
            label_details: item.label_details_support == Some(true),
            documentation: match formats.first() {
                _ if formats.contains(&MarkupKind::Markdown) => DocumentationFormat::Markdown,
                Some(_) => DocumentationFormat::PlainText,
                None => DocumentationFormat::String,
            },
        }
    }
}

/// The announced options for clients with completions.
pub(crate) fn completion_options() -> CompletionOptions {
    CompletionOptions {
        trigger_characters: Some(TRIGGER_CHARACTERS.map(String::from).to_vec()),
        ..CompletionOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            "challenges": false,
        });
        let first = Settings::initial(&first);
        let expected = Settings {
            trusted: false,
            run_events: true,
            asks: true,
            target: Some("agent".to_owned()),
            verdicts: VerdictHints::All,
            challenges: false,
        };
        assert_eq!(first, expected);
        let later = json!({ "trusted": true, "runEvents": false, "target": "", "verdicts": "off" });
        let expected = Settings { target: None, verdicts: VerdictHints::None, ..expected };
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
