//! Reads `eval-ls.toml` into a [`Config`]. The readable parts are used, and each error is reported at its place.
//!
//! [`keys`] knows what the file may contain: what the published schema says. [`check`] compares a file with it. What is valid is then deserialized.

mod check;
mod entries;
mod keys;

use std::borrow::Cow;
use std::collections::BTreeMap;

use check::{Errors, Value, unknown_name};
use keys::{Keys, Shape, always_error};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use toml::de::DeTable;

use crate::diagnostic::quoted;
use crate::text::Span;

use super::{ChallengeConfig, Config, ConfigError, FileSet, LintLevel, Source};

impl Config {
    /// Reads the text of an `eval-ls.toml`. `known_lints` are the names that `[lints]` may contain.
    ///
    /// Every text gives a configuration: faulty parts are reported and then ignored. The errors are in the order of the
    /// file. After a syntax error the parser guesses, so from there on only syntax errors are reported, and missing
    /// keys are not reported at all.
    pub(crate) fn parse(text: &str, known_lints: &[&str]) -> (Config, Vec<ConfigError>) {
        let (text, half_written) = readable(text);
        let (tree, found) = DeTable::parse_recoverable(&text);
        let mut errors = Errors::default();
        let config = read(tree.get_ref(), known_lints, &mut errors);

        // The parser does not need to guess after a duplicate key.
        let guessed = found.iter().filter(|error| error.message() != DUPLICATE_KEY);
        if let Some(first) = guessed.map(|error| syntax_error(&text, error).span.start).min() {
            let trusted = line_around(&text, first).start;
            errors.present.retain(|error| error.span.end < trusted);
        }
        let is_whole = half_written.is_empty() && found.is_empty();
        let absent = if is_whole { errors.absent } else { Vec::new() };
        let found = found.iter().map(|error| syntax_error(&text, error)).collect();
        let mut all = [half_written, found, errors.present, absent].concat();
        all.sort_by_key(|error| error.span);
        all.dedup();
        (config, all)
    }
}

fn read(root: &DeTable<'_>, known_lints: &[&str], errors: &mut Errors) -> Config {
    let valid = errors.table("this file", Span::default(), root, &Keys::of("", Shape::at("")));
    let table = |name: &str| root.get(name).and_then(|value| value.get_ref().as_table());
    let mut config = Config {
        run: part(&valid["run"]),
        scoring: part(&valid["scoring"]),
        known_tools: part(&valid["tools"]["known"]),
        redacted: part(&valid["redact"]["patterns"]),
        preconditions: entries::preconditions(root, errors),
        ui_hints: entries::ui_hints(root, errors),
        sources: sources(root, errors),
        lints: levels(root.get("lints"), known_lints, errors),
        ..Config::default()
    };
    if let Some(files) = table("files") {
        let include = errors.patterns(files, "include");
        let exclude = errors.patterns(files, "exclude").unwrap_or_else(FileSet::default_exclude);
        config.files = FileSet::new(include, exclude);
    }
    config.allowed = entries::allowed(root, known_lints, errors);
    config.policies = entries::policies(root, errors);
    config.run.results_span = table("run").and_then(|run| Some(run.get("results")?.span().into()));
    if let Some(challenge) = table("challenge") {
        config.challenge = ChallengeConfig { exceptions: entries::exceptions(challenge, errors) };
    }
    entries::targets(root, &mut config, errors);
    config
}

/// Returns what a valid part of the file means; the default if it is missing.
fn part<T: DeserializeOwned + Default>(valid: &Json) -> T {
    T::deserialize(valid).unwrap_or_default()
}

fn sources(root: &DeTable<'_>, errors: &mut Errors) -> BTreeMap<String, Source> {
    let table = root.get("sources").and_then(|value| errors.as_table("sources", value));
    let read = table.into_iter().flatten().filter_map(|(name, phrases)| {
        let patterns = errors.sound(|errors| {
            errors.check(name.get_ref(), phrases, Shape::at("/properties/sources/additionalProperties"))
        })?;
        let source = Source { span: name.span().into(), patterns: Vec::deserialize(patterns).ok()? };
        Some((name.get_ref().to_string(), source))
    });
    read.collect()
}

/// Reads the levels of lints.
fn levels(value: Option<&Value<'_>>, known: &[&str], errors: &mut Errors) -> BTreeMap<String, LintLevel> {
    let Some(table) = value.and_then(|value| errors.as_table("lints", value)) else { return BTreeMap::new() };
    let read = table.iter().filter_map(|(name, value)| {
        if !known.contains(&&**name.get_ref()) {
            let message = format!("unknown lint {}", quoted(name.get_ref()));
            let help = || "`eval-ls explain` lists all lints; a newer eval-ls may know it".to_owned();
            errors.report(unknown_name(name, message, known, table, help));
            return None;
        }
        if keys::is_always_error(name.get_ref()) && value.get_ref().as_str() != Some("error") {
            errors.report(ConfigError::new(value.span().into(), always_error(name.get_ref())));
            return None;
        }
        let level = errors.check(name.get_ref(), value, keys::level(name.get_ref()))?;
        let level = LintLevel { span: name.span().into(), level: Deserialize::deserialize(level).ok()? };
        Some((name.get_ref().to_string(), level))
    });
    read.collect()
}

/// The parser's message for a duplicate key.
const DUPLICATE_KEY: &str = "duplicate key";

/// How often [`readable`] searches for another half-written line.
/// A person writes one line at a time, and each search parses the file again.
const MAX_BLANKED: usize = 20;

/// Returns the text with every half-written line (only a key) blanked, and the errors on those lines.
///
/// The parser recovers from every other syntax error, but at a key without a value it gives up on the rest of the file.
/// Each new line is such a key while it is being typed.
fn readable(text: &str) -> (Cow<'_, str>, Vec<ConfigError>) {
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
fn syntax_error(text: &str, error: &toml::de::Error) -> ConfigError {
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
fn line_around(text: &str, offset: usize) -> Span {
    let start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[offset..].find(['\r', '\n']).map_or(text.len(), |newline| offset + newline);
    Span::new(start, end)
}
