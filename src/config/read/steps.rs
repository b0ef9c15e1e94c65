//! Steps on a page, and programs with their arguments.

use toml::de::DeValue;

use crate::config::{ConfigError, OPTIONAL, Steps};
use crate::diagnostic::quoted;

use super::section::{Errors, Section, Value, strings_of, type_of};

/// The steps under `key`; none if it is missing.
pub(super) fn read(section: &mut Section<'_, '_, '_>, key: &str) -> Steps {
    let Some(value) = section.get(key) else { return Steps::new() };
    let DeValue::Array(list) = value.get_ref() else {
        section.errors.expected::<()>("a list of steps, each a list of strings,", key, value);
        return Steps::new();
    };
    list.iter().filter_map(|step| one(key, step, section.errors)).collect()
}

fn one(key: &str, step: &Value<'_>, errors: &mut Errors) -> Option<Vec<String>> {
    match step.get_ref() {
        DeValue::Array(words) if !words.is_empty() => {
            let words = strings_of(key, step, errors).unwrap_or_default();
            if let [(OPTIONAL, span)] = words[..] {
                let error = ConfigError::new(span, format!("the optional step in {} is empty", quoted(key)));
                errors.report(error.help("write the step after the `?`, as in `[\"?\", \"press\", \"Escape\"]`"));
                return None;
            }
            return Some(words.into_iter().map(|(word, _)| word.to_owned()).collect());
        }
        DeValue::Array(_) => {
            errors.report(ConfigError::new(step.span().into(), format!("empty step in {}", quoted(key))));
        }
        other => {
            let found = type_of(other);
            let message = format!("expected a step (a list of strings) in {}, found {found}", quoted(key));
            errors.report(ConfigError::new(step.span().into(), message));
        }
    }
    None
}

/// The program and its arguments under `command`.
pub(super) fn argument_vector(section: &mut Section<'_, '_, '_>) -> Option<Vec<String>> {
    let value = section.get("command")?;
    let span = value.span().into();
    if let DeValue::String(_) = value.get_ref() {
        let error = ConfigError::new(span, "expected a list of strings for `command`, found a string");
        let help = "no shell reads it: write the program and each argument as a separate string, \
                    as in `[\"node\", \"agent.mjs\"]`";
        section.errors.report(error.help(help));
        return None;
    }
    let command: Vec<String> = section.strings("command")?.into_iter().map(|(text, _)| text.to_owned()).collect();
    if command.first().is_none_or(String::is_empty) {
        section.errors.report(ConfigError::new(span, "`command` names no program"));
        return None;
    }
    Some(command)
}
