//! Syntax errors of a file. The parser recovers from most of them.

use std::borrow::Cow;

use toml::de::DeTable;

use crate::config::ConfigError;
use crate::diagnostic::quoted;
use crate::text::Span;

/// The parser's message for a duplicate key.
pub(super) const DUPLICATE_KEY: &str = "duplicate key";

/// How often [`readable`] searches for another half-written line.
/// A person writes one line at a time, and each search parses the file again.
const MAX_BLANKED: usize = 20;

/// Returns the text with every half-written line (only a key) blanked, and the errors on those lines.
///
/// The parser recovers from every other syntax error, but at a key without a value it gives up on the rest of the file.
/// Each new line is such a key while it is being typed.
pub(super) fn readable(text: &str) -> (Cow<'_, str>, Vec<ConfigError>) {
    let mut text = Cow::Borrowed(text);
    let mut errors = Vec::new();
    for _ in 0..MAX_BLANKED {
        let (_, found) = DeTable::parse_recoverable(&text);
        let Some(error) = found.iter().find(|error| error.message().starts_with("key with no value")) else { break };
        let error = syntax_error(&text, error);
        let line = line_around(&text, error.span.start);
        if text[line.range()].trim().is_empty() {
            break;
        }
        errors.push(error);
        text.to_mut().replace_range(line.range(), &" ".repeat(line.len()));
    }
    (text, errors)
}

/// Converts an error of the parser.
pub(super) fn syntax_error(text: &str, error: &toml::de::Error) -> ConfigError {
    // Only an error about the whole file has no span.
    let span = error.span().unwrap_or_default();
    let span = if text.get(span.clone()).is_some() { span.into() } else { Span::default() };
    match error.message() {
        DUPLICATE_KEY => {
            let is_header = text[line_around(text, span.start).range()].trim_start().starts_with('[');
            let help = if is_header { "move its keys to the first one" } else { "remove one of them" };
            ConfigError::new(span, format!("{} is defined twice here", quoted(&text[span.range()]))).help(help)
        }
        message => ConfigError::new(span, message),
    }
}

/// Returns the bytes of the line at `offset`, without its line break.
pub(super) fn line_around(text: &str, offset: usize) -> Span {
    let start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[offset..].find(['\r', '\n']).map_or(text.len(), |newline| offset + newline);
    Span::new(start, end)
}
