//! `[[challenge.rewrites]]`.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use toml::de::DeValue;

use super::section::Section;
use crate::config::{ConfigError, OwnRewrite, REWRITES, ReplacementPart};
use crate::diagnostic::quoted;
use crate::text::Span;

/// The most rewrites: each is judged with each case at each keystroke.
const MOST_REWRITES: usize = 20;

/// The largest compiled pattern, in bytes: a configuration may come from anybody.
const MOST_BYTES: usize = 1 << 18;

/// The longest name, in code points: messages list names.
const LONGEST_NAME: usize = 40;

/// Reads the rewrites of `[challenge]`.
pub(super) fn read(section: &mut Section<'_, '_, '_>) -> Vec<Arc<OwnRewrite>> {
    let Some(value) = section.get("rewrites") else { return Vec::new() };
    let DeValue::Array(list) = value.get_ref() else {
        section.errors.expected::<()>("a list of tables", "rewrites", value);
        return Vec::new();
    };
    let mut rewrites: Vec<Arc<OwnRewrite>> = Vec::new();
    for element in list {
        let Some(table) = section.errors.table("rewrites", element) else { continue };
        if rewrites.len() == MOST_REWRITES {
            let message = format!("more than {MOST_REWRITES} rewrites; the rest is ignored");
            section.errors.report(ConfigError::new(element.span().into(), message));
            break;
        }
        let known = ["name", "pattern", "replacement"];
        let entry = Section::new(table, element.span().into(), "`[[challenge.rewrites]]`", &known, section.errors);
        if let Some(rewrite) = one(entry, &rewrites) {
            rewrites.push(Arc::new(rewrite));
        }
    }
    rewrites
}

fn one(mut entry: Section<'_, '_, '_>, before: &[Arc<OwnRewrite>]) -> Option<OwnRewrite> {
    let name = entry.string("name");
    let name = entry.required("name", name);
    let pattern = entry.string("pattern");
    let pattern = entry.required("pattern", pattern);
    let replacement = entry.string("replacement");
    let replacement = entry.required("replacement", replacement);
    let (Some((name, at)), Some(pattern), Some(replacement)) = (name, pattern, replacement) else { return None };
    if let Err(message) = is_new(name, before) {
        entry.errors.report(ConfigError::new(at, message));
        return None;
    }
    match compiled(pattern).and_then(|pattern| Ok((parts(&pattern, replacement)?, pattern))) {
        Ok((replacement, pattern)) => Some(OwnRewrite { name: name.to_owned(), pattern, replacement }),
        Err(error) => {
            entry.errors.report(error);
            None
        }
    }
}

/// Whether a rewrite may have this name, which is shown in lists.
fn is_new(name: &str, before: &[Arc<OwnRewrite>]) -> Result<(), String> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.chars().count() > LONGEST_NAME || !name.chars().all(is_plain) {
        return Err(format!("expected a `name` of at most {LONGEST_NAME} letters, digits, `-`, `_` and `.`"));
    }
    let is_taken = REWRITES.contains(&name) || before.iter().any(|rewrite| rewrite.name == name);
    if is_taken { Err(format!("another rewrite has the name {}", quoted(name))) } else { Ok(()) }
}

fn compiled((pattern, span): (&str, Span)) -> Result<Regex, ConfigError> {
    if pattern.is_empty() {
        return Err(ConfigError::new(span, "an empty pattern replaces nothing"));
    }
    RegexBuilder::new(pattern).size_limit(MOST_BYTES).build().map_err(|fault| {
        let fault = match fault {
            regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
            fault => {
                let shown = fault.to_string();
                shown.rsplit_once("error: ").map_or(shown.clone(), |(_, reason)| reason.to_owned())
            }
        };
        ConfigError::new(span, format!("the pattern {} does not compile: {fault}", quoted(pattern)))
    })
}

/// The parts of a replacement. A group that the pattern does not have would delete text, and is an error.
fn parts(pattern: &Regex, (replacement, span): (&str, Span)) -> Result<Vec<ReplacementPart>, ConfigError> {
    let group = |name: &str| match name.parse::<usize>() {
        Ok(number) => Some(number).filter(|number| *number < pattern.captures_len()),
        Err(_) => pattern.capture_names().position(|known| known == Some(name)),
    };
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut rest = replacement;
    while let Some((before, after)) = rest.split_once('$') {
        text.push_str(before);
        let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(after.len());
        let braced = after.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let (name, behind) = braced.unwrap_or(after.split_at(end));
        if braced.is_none() && end == 0 {
            // `$$` is a dollar sign, and so is a `$` before anything else.
            text.push('$');
            rest = after.strip_prefix('$').unwrap_or(after);
            continue;
        }
        let Some(number) = group(name) else {
            let help = "write `${1}` for a group before a letter, and `$$` for a dollar sign";
            let message = format!("`replacement`: the pattern has no group {}", quoted(name));
            return Err(ConfigError::new(span, message).help(help));
        };
        parts.push(ReplacementPart::Text(std::mem::take(&mut text)));
        parts.push(ReplacementPart::Group(number));
        rest = behind;
    }
    parts.push(ReplacementPart::Text(text + rest));
    Ok(parts)
}
