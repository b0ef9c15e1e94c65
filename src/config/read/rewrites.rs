//! `[[challenge.rewrites]]`.

use std::sync::Arc;

use regex::{Regex, RegexBuilder};
use toml::de::DeTable;

use crate::config::{ConfigError, OwnRewrite, ReplacementPart};
use crate::diagnostic::quoted;
use crate::text::Span;

use super::check::Errors;
use super::keys;

/// The most rewrites: each is judged with each case at each keystroke.
const MOST_REWRITES: usize = 20;

/// The largest compiled pattern, in bytes: a configuration may come from anybody.
const MOST_BYTES: usize = 1 << 18;

/// Reads the rewrites of `[challenge]`.
pub(super) fn read(challenge: &DeTable<'_>, errors: &mut Errors) -> Vec<Arc<OwnRewrite>> {
    let mut number = 0;
    let list = challenge.get("rewrites");
    errors.entries("challenge.rewrites", list, (keys::REWRITE, Some("name")), |errors, entry| {
        number += 1;
        if number > MOST_REWRITES {
            if number == MOST_REWRITES + 1 {
                let message = format!("more than {MOST_REWRITES} rewrites; the rest is ignored");
                errors.report(ConfigError::new(entry.head, message));
            }
            return None;
        }
        let (pattern, replacement) = (entry.text("pattern")?, entry.text("replacement")?);
        match compiled(pattern).and_then(|pattern| Ok((parts(&pattern, replacement)?, pattern))) {
            Ok((replacement, pattern)) => Some(Arc::new(OwnRewrite { name: entry.get("name")?, pattern, replacement })),
            Err(error) => {
                errors.report(error);
                None
            }
        }
    })
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
