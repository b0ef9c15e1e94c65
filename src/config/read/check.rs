//! Compares values with what they must be. Faulty parts are reported and left out of the result.

use std::collections::HashSet;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use crate::config::{ConfigError, Pattern};
use crate::diagnostic::{alternatives, nearest, quoted};
use crate::text::Span;

use super::keys::{Keys, Rule, Shape};

/// Returns the error of a text at a key, with its place.
pub(super) type Form = fn(&str, &str, Span) -> Result<(), ConfigError>;

/// Returns the error of a list at a key, with its place.
pub(super) type ListForm = fn(&str, &[Json], Span) -> Result<(), ConfigError>;

/// A value with its place.
pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// The errors so far.
#[derive(Default)]
pub(super) struct Errors {
    /// Errors in text that is in the file.
    pub(super) present: Vec<ConfigError>,
    /// Errors about missing text. A syntax error may have hidden it.
    pub(super) absent: Vec<ConfigError>,
    /// The number of patterns for files and cases so far.
    patterns: usize,
    /// The sum of their lengths, in bytes.
    pattern_bytes: usize,
    /// The number of errors, also of those that are not reported.
    count: usize,
}

/// An entry of a list of tables.
pub(super) struct Entry<'t, 'i> {
    pub(super) table: &'t DeTable<'i>,
    /// The place of an error about the entry as a whole.
    pub(super) head: Span,
    /// What is valid of it.
    json: Json,
}

/// The most errors that are reported.
const MOST_ERRORS: usize = 200;

/// The most bytes that these patterns may have together.
const MOST_PATTERN_BYTES: usize = 32 << 10;

/// The most patterns for files and cases that a configuration may have: each is compiled when the file is read.
const MOST_PATTERNS: usize = 500;

impl Errors {
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

    /// Returns the result of `read` if it reports no error.
    pub(super) fn sound<T>(&mut self, read: impl FnOnce(&mut Errors) -> Option<T>) -> Option<T> {
        let before = self.count;
        read(self).filter(|_| self.count == before)
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

    /// Returns the patterns for files under a key that compile.
    pub(super) fn patterns(&mut self, table: &DeTable<'_>, key: &str) -> Option<Vec<Pattern>> {
        let mut patterns = Vec::new();
        for value in table.get(key)?.get_ref().as_array()?.iter() {
            let (Some(glob), span) = (value.get_ref().as_str(), value.span().into()) else { continue };
            if !self.admits_pattern(span) {
                break;
            }
            match Pattern::new(glob) {
                Ok(pattern) => patterns.push(pattern),
                Err(error) => self.report(ConfigError::new(span, format!("{}: {error}", quoted(glob)))),
            }
        }
        Some(patterns)
    }

    /// Returns what is valid of a value that must be of this kind.
    pub(super) fn check(&mut self, key: &str, value: &Value<'_>, shape: Shape) -> Option<Json> {
        let span = value.span().into();
        if shape.is_read_apart(key) {
            return None;
        }
        let read = match (shape.type_name(), value.get_ref()) {
            ("string", DeValue::String(text)) if text.contains('\0') => {
                Err(ConfigError::new(span, "a string cannot hold the NUL character here"))
            }
            ("string", DeValue::String(text)) => match shape.words() {
                Some(words) if !words.contains(&&**text) => Err(not_one_of(key, text, span, &words)),
                Some(_) => Ok(Json::from(&**text)),
                None => shape.form(key)(key, text, span).map(|()| Json::from(&**text)),
            },
            ("boolean", DeValue::Boolean(read)) => Ok(Json::from(*read)),
            ("integer", DeValue::Integer(number)) => {
                let (least, most) = shape.range();
                let read = usize::from_str_radix(number.as_str(), number.radix()).ok();
                let read = read.filter(|read| (least..=most).contains(read)).map(Json::from);
                read.ok_or_else(|| {
                    let found = quoted(&number.to_string()).to_string();
                    ConfigError::new(span, format!("expected {} for `{key}`, found {found}", shape.expected()))
                })
            }
            ("array", DeValue::Array(list)) => {
                let before = self.count;
                let elements: Vec<_> = list.iter().filter_map(|element| self.element(key, element, shape)).collect();
                let is_sound = self.count == before;
                (if is_sound { shape.list_form(key)(key, &elements, span) } else { Ok(()) })
                    .map(|()| Json::from(elements))
            }
            ("object", DeValue::Table(table)) => match shape.named() {
                None => Ok(self.table(&format!("`{key}`"), span, table, &Keys::of(key, shape))),
                Some(one) => {
                    let named = table.iter().filter_map(|(name, value)| {
                        let text = name.get_ref();
                        let form = shape.form_of_names();
                        form(key, text, name.span().into()).unwrap_or_else(|error| self.report(error));
                        Some((text.to_string(), self.check(text, value, one)?))
                    });
                    Ok(named.collect::<Map<_, _>>().into())
                }
            },
            (_, found) => {
                let message = format!("expected {} for {}, found {}", shape.expected(), quoted(key), type_of(found));
                let error = ConfigError::new(span, message);
                Err(match (shape.type_name(), found) {
                    ("string", DeValue::Datetime(day)) => error.help(format!("write it in quotes: \"{day}\"")),
                    ("string", DeValue::Integer(number)) if shape.is_duration() && number.as_str().len() <= 9 => {
                        let with_unit = format!("\"{}s\"", number.as_str());
                        error.did_you_mean(&with_unit, &*with_unit)
                    }
                    ("array", DeValue::String(_)) if key == "command" => error.help(
                        "no shell reads it: write the program and each argument as a separate string, \
                         as in `[\"node\", \"agent.mjs\"]`",
                    ),
                    _ => error,
                })
            }
        };
        read.map_err(|error| self.report(error)).ok()
    }

    fn element(&mut self, key: &str, element: &Value<'_>, list: Shape) -> Option<Json> {
        let (one, found) = (list.element(), element.get_ref());
        match (one.type_name(), found) {
            ("string", DeValue::String(_)) | ("array", DeValue::Array(_)) => self.check(key, element, one),
            _ => {
                let (plural, found_type) = (list.plural(), type_of(found));
                let message = format!("expected only {plural} in the list {}, found {found_type}", quoted(key));
                let error = ConfigError::new(element.span().into(), message);
                self.report(match of_the_file(key).filter(|_| found.is_table()) {
                    Some(help) => error.help(help),
                    None => error,
                });
                None
            }
        }
    }

    /// Returns the value as a table.
    pub(super) fn as_table<'t, 'i>(&mut self, key: &str, value: &'t Value<'i>) -> Option<&'t DeTable<'i>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            let message = format!("expected a table for {}, found {}", quoted(key), type_of(value.get_ref()));
            self.report(ConfigError::new(value.span().into(), message));
        }
        table
    }

    /// Returns what is valid of a table with these keys. `place` is its name in messages, and `head` the place of an error about the
    /// table as a whole.
    pub(super) fn table(&mut self, place: &str, head: Span, table: &DeTable<'_>, keys: &Keys) -> Json {
        let before = self.count;
        let known = &keys.names;
        let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
        for key in unknown.take(MOST_ERRORS) {
            let message = format!("unknown key {} in {place}", quoted(key.get_ref()));
            self.report(match of_the_file(key.get_ref()) {
                Some(help) => ConfigError::new(key.span().into(), message).help(help),
                None => unknown_name(key, message, known, table, || {
                    format!("expected {}; a newer eval-ls may know it", alternatives(known.iter().copied()))
                }),
            });
        }
        for key in keys.required.iter().filter(|key| !table.contains_key(**key)) {
            self.report_absent(ConfigError::new(head, format!("the key `{key}` is missing")));
        }
        let shape_of = |key: &str| keys.shape.key(key).filter(|_| known.contains(&key));
        let valid = table.iter().filter_map(|(key, value)| {
            let key = key.get_ref();
            Some((key.to_string(), self.check(key, value, shape_of(key)?)?))
        });
        let valid = valid.collect::<Map<_, _>>().into();
        let is_sound = self.count == before;
        keys.rules.iter().for_each(|rule| self.obey(*rule, head, table, is_sound));
        valid
    }

    fn obey(&mut self, rule: Rule, head: Span, table: &DeTable<'_>, is_sound: bool) {
        let span = |key: &str| table.get(key).map(|value| Span::from(value.span()));
        let is_given = |key: &&str| {
            table.get(*key).is_some_and(|value| value.get_ref().as_array().is_none_or(|list| !list.is_empty()))
        };
        match rule {
            Rule::AnyOf(keys, message, help) if is_sound && !keys.iter().any(is_given) => {
                self.report_absent(ConfigError::new(head, message).help(help));
            }
            Rule::NotBoth(key, other) => {
                if let (Some(_), Some(span)) = (span(key), span(other)) {
                    let error = ConfigError::new(span, format!("`{key}` and `{other}` exclude each other"));
                    self.report(error.help("remove one of them, or define two entries"));
                }
            }
            Rule::Needs(key, other, help) => {
                if let (Some(span), None) = (span(key), span(other)) {
                    let error = ConfigError::new(span, format!("`{key}` needs the key `{other}`"));
                    self.report_absent(error.help(help));
                }
            }
            Rule::AnyOf(..) => {}
        }
    }

    /// Reads the list of tables under `[[place]]`. An entry with an error is left out. No two entries have the same text under the key
    /// `name`.
    pub(super) fn entries<'t, 'i, T>(
        &mut self,
        place: &str,
        list: Option<&'t Value<'i>>,
        name: Option<&str>,
        mut read: impl FnMut(&mut Errors, &Entry<'t, 'i>) -> Option<T>,
    ) -> Vec<T> {
        let key = place.rsplit('.').next().unwrap_or(place);
        let Some(value) = list else { return Vec::new() };
        let DeValue::Array(list) = value.get_ref() else {
            let message = format!("expected a list of tables for `{key}`, found {}", type_of(value.get_ref()));
            let error = ConfigError::new(value.span().into(), message);
            self.report(error.help(format!("start each entry with `[[{place}]]`")));
            return Vec::new();
        };
        let pointer = format!("/properties/{}/items", place.replace('.', "/properties/"));
        let keys = Keys::of(place, Shape::at(&pointer));
        let mut seen = HashSet::new();
        let mut one = |errors: &mut Errors, element: &'t Value<'i>| {
            let (table, head) = (errors.as_table(key, element)?, element.span().into());
            let json = errors.table(&format!("`[[{place}]]`"), head, table, &keys);
            let entry = Entry { table, head, json };
            if let Some(name) = name
                && let Some((text, span)) = entry.text(name).filter(|(text, _)| !seen.insert(*text))
            {
                errors.report(ConfigError::new(span, format!("the {name} {} is defined twice", quoted(text))));
            }
            read(errors, &entry)
        };
        list.iter().filter_map(|element| self.sound(|errors| one(errors, element))).collect()
    }
}

impl<'t> Entry<'t, '_> {
    /// Returns the value of a key, if it is valid.
    pub(super) fn get<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        T::deserialize(self.json.get(key)?).ok()
    }

    /// Returns all values.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Option<T> {
        T::deserialize(&self.json).ok()
    }

    /// Returns the string under a key, with its place.
    pub(super) fn text(&self, key: &str) -> Option<(&'t str, Span)> {
        let value = self.table.get(key)?;
        Some((value.get_ref().as_str()?, value.span().into()))
    }

    /// Returns the place of the value of a key.
    pub(super) fn span(&self, key: &str) -> Span {
        self.table.get(key).map_or(self.head, |value| value.span().into())
    }
}

/// Returns the error for an unknown key, with the similar known one, or else with that help.
pub(super) fn unknown_name(
    key: &Spanned<DeString<'_>>,
    message: String,
    known: &[&str],
    table: &DeTable<'_>,
    help: impl FnOnce() -> String,
) -> ConfigError {
    let error = ConfigError::new(key.span().into(), message);
    match nearest(key.get_ref(), known.iter().copied()) {
        // If it were renamed, the key would be a duplicate.
        Some(meant) if table.contains_key(meant) => error.help(format!("did you mean `{meant}`?")),
        Some(meant) => error.did_you_mean(meant, meant),
        None => error.help(help()),
    }
}

/// Returns the error for a word that `key` does not accept.
pub(super) fn not_one_of(key: &str, text: &str, span: Span, words: &[&str]) -> ConfigError {
    let expected = alternatives(words.iter().copied());
    let error = ConfigError::new(span, format!("expected {expected} for {}, found {}", quoted(key), quoted(text)));
    match nearest(text, words.iter().copied()) {
        Some(meant) => error.did_you_mean(meant, format!("\"{meant}\"")),
        None => error,
    }
}

/// Returns how to write a key of the file as a whole that is within a table.
fn of_the_file(key: &str) -> Option<String> {
    let is_list = Shape::at("").key(key)?.type_name() == "array";
    let header = if is_list { format!("[[{key}]]") } else { format!("[{key}]") };
    Some(format!("`{key}` belongs before the first table of the file, or write `{header}`"))
}

/// Returns the type of a value, with its article.
fn type_of(value: &DeValue<'_>) -> &'static str {
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
