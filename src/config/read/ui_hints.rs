use std::collections::{BTreeMap, BTreeSet};

use toml::de::DeValue;

use crate::config::{ConfigError, UiHint};
use crate::diagnostic::quoted;
use crate::pattern::{Case, compile_cached};
use crate::text::Span;

use super::section::{Section, strings_of, tables, type_of};

const KEYS: [&str; 7] = ["hint", "all", "any", "at_least", "all_of", "matches", "none"];

/// The hints of `[[ui_hints]]` without an error; the first of each sentence counts.
pub(super) fn read(root: &mut Section<'_, '_, '_>) -> BTreeMap<String, UiHint> {
    let mut hints = BTreeMap::new();
    // Hints with an error are included, so that a second definition is reported as a duplicate.
    let mut seen = BTreeSet::new();
    for element in tables(root, "ui_hints", "hint") {
        let Some(table) = root.errors.table("ui_hints", element) else { continue };
        let mut section = Section::new(table, element.span().into(), "`[[ui_hints]]`", &KEYS, root.errors);
        let sentence = section.string("hint");
        let sentence = section.required("hint", sentence);
        if let Some((sentence, span)) = sentence {
            if sentence.is_empty() {
                section.errors.report(ConfigError::new(span, "empty string in `hint`"));
            }
            if !seen.insert(sentence) {
                let message = format!("the hint {} is defined twice", quoted(sentence));
                section.errors.report(ConfigError::new(span, message));
            }
        }
        let span = sentence.map_or(section.head, |(_, span)| span);
        if let (Some(hint), Some((sentence, _))) = (one(section, span), sentence) {
            hints.insert(sentence.to_owned(), hint);
        }
    }
    hints
}

fn one(mut section: Section<'_, '_, '_>, span: Span) -> Option<UiHint> {
    let [all, any, none] = ["all", "any", "none"].map(|key| section.texts(key));
    let all_of = all_of(&mut section);
    let matches = matches(&mut section);
    let at_least = section.positive("at_least").map_or(1, |number| number.get());
    if !section.is_sound() {
        return None;
    }
    if let Some(value) = section.get("at_least").filter(|_| at_least > any.len().max(1)) {
        let message = format!("`at_least` requires {at_least} of `any`, which has {}", any.len());
        section.errors.report_absent(ConfigError::new(value.span().into(), message));
    }
    if all.is_empty() && any.is_empty() && none.is_empty() && all_of.is_empty() && matches.is_empty() {
        let error = ConfigError::new(span, "the hint has no condition, so it is not defined");
        let help = "give phrases in `all`, `any`, `all_of` or `none`, or patterns in `matches`";
        section.errors.report_absent(error.help(help));
    }
    section.is_sound().then_some(UiHint { span, all, any, at_least, all_of, matches, none })
}

/// Groups of alternatives, none of them empty.
fn all_of(section: &mut Section<'_, '_, '_>) -> Vec<Vec<String>> {
    let Some(value) = section.get("all_of") else { return Vec::new() };
    let DeValue::Array(list) = value.get_ref() else {
        return section.errors.expected("a list of lists of phrases", "all_of", value).unwrap_or_default();
    };
    let mut groups = Vec::new();
    for group in list {
        match group.get_ref() {
            DeValue::Array(phrases) if !phrases.is_empty() => {
                let phrases = strings_of("all_of", group, section.errors).unwrap_or_default();
                let phrases = phrases.into_iter();
                groups.push(phrases.filter_map(|(text, span)| section.not_empty("all_of", text, span)).collect());
            }
            DeValue::Array(_) => {
                let error = ConfigError::new(group.span().into(), "empty group in `all_of`: it can never be met");
                section.errors.report(error.help("give alternatives, or remove the group"));
            }
            other => {
                let message = format!("expected a list of phrases in `all_of`, found {}", type_of(other));
                let error = ConfigError::new(group.span().into(), message);
                let help = "each entry is a list of alternatives, as in `[[\"A\", \"B\"], [\"C\"]]`";
                section.errors.report(error.help(help));
            }
        }
    }
    groups
}

/// Patterns that compile.
fn matches(section: &mut Section<'_, '_, '_>) -> Vec<String> {
    let mut patterns = Vec::new();
    for (pattern, span) in section.strings("matches").unwrap_or_default() {
        let Some(pattern) = section.not_empty("matches", pattern, span) else { continue };
        match compile_cached(&pattern, Case::Ignored) {
            Ok(_) => patterns.push(pattern),
            Err(error) => {
                let column = pattern[..error.span.start].chars().count() + 1;
                let message =
                    format!("the pattern {} does not compile, at character {column}: {error}", quoted(&pattern));
                section.errors.report(ConfigError::new(span, message));
            }
        }
    }
    patterns
}
