//! `[[challenge.rewrites]]`.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use toml::de::DeValue;

use super::section::Section;
use crate::config::{ConfigError, OwnRewrite};
use crate::diagnostic::quoted;
use crate::text::Span;

/// The most rewrites: each is judged with each case at each keystroke.
const MOST_REWRITES: usize = 20;

/// The largest compiled pattern, in bytes: a configuration may come from anybody.
const MOST_BYTES: usize = 1 << 20;

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
    let name = entry.not_empty("name", name, at)?;
    if before.iter().any(|rewrite| rewrite.name == name) {
        entry.errors.report(ConfigError::new(at, format!("another rewrite has the name {}", quoted(&name))));
        return None;
    }
    match compiled(pattern).and_then(|pattern| known_groups(&pattern, replacement).map(|()| pattern)) {
        Ok(pattern) => Some(OwnRewrite { name, pattern, replacement: replacement.0.to_owned() }),
        Err(error) => {
            entry.errors.report(error);
            None
        }
    }
}

fn compiled((pattern, span): (&str, Span)) -> Result<Regex, ConfigError> {
    if pattern.is_empty() {
        return Err(ConfigError::new(span, "an empty pattern replaces nothing"));
    }
    RegexBuilder::new(pattern).multi_line(true).size_limit(MOST_BYTES).build().map_err(|fault| {
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

/// Whether the pattern has every group that the replacement names. A missing one would delete text.
fn known_groups(pattern: &Regex, (replacement, span): (&str, Span)) -> Result<(), ConfigError> {
    let names: Vec<&str> = pattern.capture_names().flatten().collect();
    let is_known = |name: &str| match name.parse::<usize>() {
        Ok(number) => number < pattern.captures_len(),
        Err(_) => names.contains(&name),
    };
    let mut rest = replacement;
    while let Some((_, after)) = rest.split_once('$') {
        if let Some(after) = after.strip_prefix('$') {
            rest = after;
            continue;
        }
        let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(after.len());
        let braced = after.strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let (name, behind) = braced.unwrap_or(after.split_at(end));
        rest = behind;
        if (braced.is_some() || end > 0) && !is_known(name) {
            let help = "write `${1}` for a group before a letter, and `$$` for a dollar sign";
            let message = format!("`replacement`: the pattern has no group {}", quoted(name));
            return Err(ConfigError::new(span, message).help(help));
        }
    }
    Ok(())
}
