use std::collections::{BTreeMap, BTreeSet};

use toml::de::DeValue;

use super::section::Section;
use super::tree::type_of;
use crate::config::{ConfigError, UiHint};
use crate::diagnostic::quoted;
use crate::text::Span;

const KEYS: [&str; 5] = ["hint", "all", "any", "at_least", "none"];

/// The hints of `[[ui_hints]]` that have no error, the first of each sentence.
pub(super) fn read(root: &mut Section<'_, '_, '_>) -> BTreeMap<String, UiHint> {
    let mut hints = BTreeMap::new();
    let Some(value) = root.get("ui_hints") else { return hints };
    let DeValue::Array(list) = value.get_ref() else {
        let found = type_of(value.get_ref());
        let message = format!("expected a list of tables for `ui_hints`, found {found}");
        root.errors.report(ConfigError::new(value.span().into(), message).help("start each hint with `[[ui_hints]]`"));
        return hints;
    };
    // Also those that are left out, so that a second definition is told from a first one that has an error.
    let mut seen = BTreeSet::new();
    for element in list {
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
    let at_least = section.positive("at_least").map_or(1, |number| number.get());
    if !section.is_sound() {
        return None;
    }
    if let Some(value) = section.get("at_least").filter(|_| at_least > any.len().max(1)) {
        let message = format!("`at_least` asks for {at_least} of `any`, which has {}", any.len());
        section.errors.absent.push(ConfigError::new(value.span().into(), message));
    }
    if all.is_empty() && any.is_empty() && none.is_empty() {
        let error = ConfigError::new(span, "the hint asks for nothing, so that it always holds");
        section.errors.absent.push(error.help("give phrases in `all`, `any` or `none`"));
    }
    section.is_sound().then_some(UiHint { span, all, any, at_least, none })
}
