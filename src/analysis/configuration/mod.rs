//! `eval-ls.toml` in an editor: its errors, completions and hovers. A half-typed file has them too.

mod completion;
mod reader;

use super::completion::Completions;
use super::hover::Hover;
use super::lint_names;
use crate::config::{Config, ConfigError, MAX_CONFIG_BYTES};
use crate::diagnostic::{Finding, Severity};
use crate::text::{Span, Text};

/// The errors in the text of an `eval-ls.toml`, in its order.
pub(crate) fn configuration_findings(text: &Text) -> Vec<Finding> {
    if is_too_large(text) {
        let message = format!("this file has more than {} KiB, so it is not read", MAX_CONFIG_BYTES >> 10);
        return vec![Finding::new(ConfigError::LINT, Severity::Error, Span::default(), message)];
    }
    let (_, errors) = Config::parse(text.as_str(), &lint_names());
    errors.iter().map(Finding::from).collect()
}

/// The completions at the byte `offset` of an `eval-ls.toml`, best first. `trigger` is the typed character that asks for
/// them; `None` if a person asks.
pub(crate) fn configuration_completions(text: &Text, offset: usize, trigger: Option<char>) -> Completions {
    let is_answered = !is_too_large(text) && completion::is_answered(text.as_str(), offset, trigger);
    let items = if is_answered { completion::completions(text.as_str(), offset) } else { Vec::new() };
    Completions { items, layout: completion::layout(text.as_str(), offset) }
}

/// The hover for the byte `offset` of an `eval-ls.toml`; `None` if it is in no known key or value.
pub(crate) fn configuration_hover(text: &Text, offset: usize) -> Option<Hover> {
    if is_too_large(text) {
        return None;
    }
    let touches = |item: &reader::Item| item.span.start <= offset && offset <= item.span.end;
    let item = reader::items(text.as_str()).into_iter().rfind(touches)?;
    let page = completion::key_page(&item.path);
    (!page.is_empty()).then_some(Hover { span: item.span, page })
}

fn is_too_large(text: &Text) -> bool {
    u64::try_from(text.as_str().len()).is_ok_and(|bytes| bytes > MAX_CONFIG_BYTES)
}

#[cfg(test)]
mod tests;
