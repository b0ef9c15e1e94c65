//! A file as a tree in which every key and value knows its span, and the reader of one of its tables. Each method returns a value, or
//! reports an error and returns nothing.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

use crate::config::{ConfigError, HumanDuration, removed};
use crate::diagnostic::{alternatives, nearest, quoted};
use crate::text::Span;

use super::{LISTS, REQUIRED_VERSION, SECTIONS};

/// The errors so far.
#[derive(Default)]
pub(super) struct Errors {
    /// Errors in text that is in the file.
    pub(super) present: Vec<ConfigError>,
    /// Errors about missing text. A syntax error may have hidden it.
    pub(super) absent: Vec<ConfigError>,
    /// The error about the version of this program. It replaces all others.
    pub(super) wrong_version: Option<ConfigError>,
    /// The number of patterns for files and cases so far.
    patterns: usize,
    /// The sum of their lengths, in bytes.
    pattern_bytes: usize,
    /// The number of errors, also of those that are not reported.
    count: usize,
}

/// The most errors that are reported.
const MOST_ERRORS: usize = 200;

/// The most bytes that these patterns may have together.
const MOST_PATTERN_BYTES: usize = 32 << 10;

/// The most patterns for files and cases that a configuration may have: each is compiled when the file is read.
const MOST_PATTERNS: usize = 500;

/// A table being read.
pub(super) struct Section<'s, 't, 'i> {
    /// The keys and values.
    pub(super) table: &'t DeTable<'i>,
    /// The place of an error about the table as a whole.
    pub(super) head: Span,
    /// All errors, also those of other sections.
    pub(super) errors: &'s mut Errors,
    errors_before: usize,
}

impl Errors {
    /// Returns the number of errors.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Reports an error in text that is in the file.
    pub(super) fn report(&mut self, error: ConfigError) {
        self.count += 1;
        if self.present.len() < MOST_ERRORS {
            self.present.push(error);
        }
    }

    /// Reports missing text.
    pub(super) fn report_absent(&mut self, error: ConfigError) {
        self.count += 1;
        if self.absent.len() < MOST_ERRORS {
            self.absent.push(error);
        }
    }

    /// Counts a pattern for files or cases. Returns whether it may be compiled; the first one too many is reported.
    pub(super) fn admits_pattern(&mut self, span: Span) -> bool {
        let had_too_many = self.has_too_many_patterns();
        self.patterns += 1;
        self.pattern_bytes += span.len();
        if !had_too_many && self.has_too_many_patterns() {
            let message = format!(
                "more than {MOST_PATTERNS} patterns for files and cases, or more than {} KiB of them; the rest is ignored",
                MOST_PATTERN_BYTES >> 10
            );
            self.report(ConfigError::new(span, message).help("combine them with `*`, `**` or `{a,b}`"));
        }
        !self.has_too_many_patterns()
    }

    /// Returns whether patterns were left out.
    pub(super) fn has_too_many_patterns(&self) -> bool {
        self.patterns > MOST_PATTERNS || self.pattern_bytes > MOST_PATTERN_BYTES
    }

    /// Returns the value as a table, or reports an error.
    pub(super) fn table<'t, 'i>(&mut self, key: &str, value: &'t Value<'i>) -> Option<&'t DeTable<'i>> {
        value.get_ref().as_table().or_else(|| self.expected("a table", key, value))
    }

    /// Returns the text with its place, unless it has a NUL: paths, arguments, variables and pages cannot contain one.
    fn without_nul<'t>(&mut self, text: &'t str, span: Span) -> Option<(&'t str, Span)> {
        if text.contains('\0') {
            self.report(ConfigError::new(span, "a string cannot hold the NUL character here"));
            return None;
        }
        Some((text, span))
    }

    /// Reports a value of the wrong type; always returns `None`.
    pub(super) fn expected<T>(&mut self, what: &str, key: &str, value: &Value<'_>) -> Option<T> {
        let found = type_of(value.get_ref());
        let key = quoted(key);
        let error = ConfigError::new(value.span().into(), format!("expected {what} for {key}, found {found}"));
        self.report(match value.get_ref() {
            DeValue::Datetime(day) if what == "a string" => error.help(format!("write it in quotes: \"{day}\"")),
            _ => error,
        });
        None
    }
}

impl<'s, 't, 'i> Section<'s, 't, 'i> {
    /// Reads `table`, which may contain only the keys in `known`. `place` is its name in messages.
    pub(super) fn new(
        table: &'t DeTable<'i>,
        head: Span,
        place: &str,
        known: &[&str],
        errors: &'s mut Errors,
    ) -> Section<'s, 't, 'i> {
        let section = Section::of_any_keys(table, head, errors);
        let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        for key in unknown.take(MOST_ERRORS) {
            let message = format!("unknown key {} in {place}", quoted(key.get_ref()));
            let help = format!("expected {}; a newer eval-ls may know it", alternatives(known.iter().copied()));
            section.errors.report(match of_the_file(key.get_ref()).or_else(|| removed(key.get_ref())) {
                Some(help) => ConfigError::new(key.span().into(), message).help(help),
                None => unknown_name(key, message, known, table).unwrap_or_else(|error| error.help(help)),
            });
        }
        section
    }

    /// Reads `table`, whose keys are names that the author of the file chose.
    pub(super) fn of_any_keys(table: &'t DeTable<'i>, head: Span, errors: &'s mut Errors) -> Section<'s, 't, 'i> {
        let errors_before = errors.count();
        Section { table, head, errors, errors_before }
    }

    /// Returns whether this table has no error so far.
    pub(super) fn is_sound(&self) -> bool {
        self.errors.count() == self.errors_before
    }

    /// Returns the value of `key`.
    pub(super) fn get(&self, key: &str) -> Option<&'t Value<'i>> {
        self.table.get(key)
    }

    /// Returns `read`, the result for `key`, and reports a missing key.
    pub(super) fn required<T>(&mut self, key: &str, read: Option<T>) -> Option<T> {
        if self.get(key).is_none() {
            self.errors.report_absent(ConfigError::new(self.head, format!("the key `{key}` is missing")));
        }
        read
    }

    /// Returns a table in this one.
    pub(super) fn section(&mut self, key: &str, known: &[&str]) -> Option<Section<'_, 't, 'i>> {
        let value = self.get(key)?;
        let table = self.errors.table(key, value)?;
        Some(Section::new(table, value.span().into(), &format!("`{key}`"), known, self.errors))
    }

    /// Returns a string, which may be empty.
    pub(super) fn string(&mut self, key: &str) -> Option<(&'t str, Span)> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => self.errors.without_nul(text, value.span().into()),
            _ => self.errors.expected("a string", key, value),
        }
    }

    /// Returns a string that is not empty.
    pub(super) fn text(&mut self, key: &str) -> Option<String> {
        let (text, span) = self.string(key)?;
        self.not_empty(key, text, span)
    }

    /// Returns the value of one of the given words.
    pub(super) fn one_of<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Option<T> {
        let (text, span) = self.string(key)?;
        if let Some((_, meaning)) = words.iter().find(|(word, _)| *word == text) {
            return Some(*meaning);
        }
        self.errors.report(not_one_of(key, text, span, words.iter().map(|(word, _)| *word)));
        None
    }

    /// Returns a duration.
    pub(super) fn duration(&mut self, key: &str) -> Option<HumanDuration> {
        let value = self.get(key)?;
        let error = match value.get_ref() {
            DeValue::String(text) => match text.parse() {
                Ok(duration) => return Some(duration),
                Err(error) => ConfigError::new(value.span().into(), format!("`{key}`: {error}")),
            },
            DeValue::Integer(number) if number.as_str().len() <= 9 => {
                let message = format!("expected a duration in quotes for `{key}`, found an integer");
                let with_unit = format!("\"{}s\"", number.as_str());
                ConfigError::new(value.span().into(), message).did_you_mean(&with_unit, with_unit.as_str())
            }
            _ => return self.errors.expected("a duration such as `\"60s\"`", key, value),
        };
        self.errors.report(error);
        None
    }

    /// A string that is read as another value; the error of the reading is reported.
    pub(super) fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(&mut self, key: &str) -> Option<T> {
        let (text, span) = self.string(key)?;
        let read = text.parse();
        read.map_err(|error| self.errors.report(ConfigError::new(span, format!("`{key}`: {error}")))).ok()
    }

    /// The strings of a table, by name; nothing if the key is missing.
    pub(super) fn table_of_texts(&mut self, key: &str) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        let Some(value) = self.get(key) else { return texts };
        let Some(table) = self.errors.table(key, value) else { return texts };
        let mut section = Section::of_any_keys(table, value.span().into(), self.errors);
        for name in table.keys() {
            if let Some((text, _)) = section.string(name.get_ref()) {
                texts.insert(name.get_ref().to_string(), text.to_owned());
            }
        }
        texts
    }

    /// Returns a whole number from 1.
    pub(super) fn positive(&mut self, key: &str) -> Option<NonZeroUsize> {
        let value = self.get(key)?;
        let DeValue::Integer(number) = value.get_ref() else {
            return self.errors.expected("a whole number", key, value);
        };
        let read = as_usize(number).and_then(NonZeroUsize::new);
        if read.is_none() {
            let message = format!("expected a whole number from 1 for `{key}`, found {}", quoted(&number.to_string()));
            self.errors.report(ConfigError::new(value.span().into(), message));
        }
        read
    }

    /// Returns a whole number from `least` to `most`.
    pub(super) fn within(&mut self, key: &str, least: usize, most: usize) -> Option<usize> {
        let value = self.get(key)?;
        let DeValue::Integer(number) = value.get_ref() else {
            return self.errors.expected("a whole number", key, value);
        };
        let read = as_usize(number).filter(|number| (least..=most).contains(number));
        if read.is_none() {
            let found = quoted(&number.to_string());
            let message = format!("expected a whole number from {least} to {most} for `{key}`, found {found}");
            self.errors.report(ConfigError::new(value.span().into(), message));
        }
        read
    }

    /// Returns `true` or `false`.
    pub(super) fn boolean(&mut self, key: &str) -> Option<bool> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Boolean(read) => Some(*read),
            _ => self.errors.expected("`true` or `false`", key, value),
        }
    }

    /// Returns the strings of a list with their places. Other elements are reported and omitted.
    pub(super) fn strings(&mut self, key: &str) -> Option<Vec<(&'t str, Span)>> {
        let value = self.get(key)?;
        strings_of(key, value, self.errors)
    }

    /// Returns the strings of a list, none of them empty; an empty list if the key is missing.
    pub(super) fn texts(&mut self, key: &str) -> Vec<String> {
        let strings = self.strings(key).unwrap_or_default();
        strings.into_iter().filter_map(|(text, span)| self.not_empty(key, text, span)).collect()
    }

    pub(super) fn not_empty(&mut self, key: &str, text: &str, span: Span) -> Option<String> {
        if text.is_empty() {
            self.errors.report(ConfigError::new(span, format!("empty string in {}", quoted(key))));
            return None;
        }
        Some(text.to_owned())
    }
}

/// Returns the elements of the array of tables under `key`; `one` is the name of an element in messages.
pub(super) fn tables<'t, 'i>(root: &mut Section<'_, 't, 'i>, key: &str, one: &str) -> &'t [Value<'i>] {
    let Some(value) = root.get(key) else { return &[] };
    if let DeValue::Array(list) = value.get_ref() {
        return list;
    }
    let message = format!("expected a list of tables for `{key}`, found {}", type_of(value.get_ref()));
    let help = format!("start each {one} with `[[{key}]]`");
    root.errors.report(ConfigError::new(value.span().into(), message).help(help));
    &[]
}

/// Returns the error for an unknown key: `Ok` if a known key is similar, and `Err` if the caller must add the help.
pub(super) fn unknown_name(
    key: &Spanned<DeString<'_>>,
    message: String,
    known: &[&str],
    table: &DeTable<'_>,
) -> Result<ConfigError, ConfigError> {
    let error = ConfigError::new(key.span().into(), message);
    match nearest(key.get_ref(), known.iter().copied()) {
        // If it were renamed, the key would be a duplicate.
        Some(meant) if table.contains_key(meant) => Ok(error.help(format!("did you mean `{meant}`?"))),
        Some(meant) => Ok(error.did_you_mean(meant, meant)),
        None => Err(error),
    }
}

/// The error for a name in a value that is none of those known: with the nearest one, or with that help.
pub(super) fn unknown_word(what: &str, name: &str, span: Span, known: &[&str], help: &str) -> ConfigError {
    let error = ConfigError::new(span, format!("unknown {what} {}", quoted(name)));
    match nearest(name, known.iter().copied()) {
        Some(meant) => error.did_you_mean(meant, format!("\"{meant}\"")),
        None => error.help(help),
    }
}

/// Returns the strings of the list `value`; see [`Section::strings`].
pub(super) fn strings_of<'t>(key: &str, value: &'t Value<'_>, errors: &mut Errors) -> Option<Vec<(&'t str, Span)>> {
    let DeValue::Array(list) = value.get_ref() else {
        return errors.expected("a list of strings", key, value);
    };
    let mut strings = Vec::with_capacity(list.len());
    for element in list {
        match element.get_ref() {
            DeValue::String(text) => strings.extend(errors.without_nul(text, element.span().into())),
            other => {
                let message = format!("expected only strings in the list {}, found {}", quoted(key), type_of(other));
                let error = ConfigError::new(element.span().into(), message);
                errors.report(match of_the_file(key).filter(|_| other.is_table()) {
                    Some(help) => error.help(help),
                    None => error,
                });
            }
        }
    }
    Some(strings)
}

/// Returns how to write a key of the file as a whole that is within a table.
fn of_the_file(key: &str) -> Option<String> {
    let header = match *SECTIONS.iter().find(|section| **section == key)? {
        REQUIRED_VERSION => return Some(format!("`{key}` belongs before the first table of the file")),
        list if LISTS.contains(&list) => format!("[[{key}]]"),
        _ => format!("[{key}]"),
    };
    Some(format!("`{key}` belongs before the first table of the file, or write `{header}`"))
}

/// Returns the error for a word that `key` does not accept.
pub(super) fn not_one_of<'w>(
    key: &str,
    text: &str,
    span: Span,
    words: impl Iterator<Item = &'w str> + Clone,
) -> ConfigError {
    let message = format!("expected {} for {}, found {}", alternatives(words.clone()), quoted(key), quoted(text));
    let error = ConfigError::new(span, message);
    match nearest(text, words) {
        Some(meant) => error.did_you_mean(meant, format!("\"{meant}\"")),
        None => error,
    }
}

fn as_usize(number: &DeInteger<'_>) -> Option<usize> {
    usize::from_str_radix(number.as_str(), number.radix()).ok()
}

/// A value with its place.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

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

/// Returns the type of a value, with its article.
pub(super) fn type_of(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "an integer",
        DeValue::Float(_) => "a float",
        DeValue::Boolean(_) => "a boolean",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
