//! What strings and lists must be that no type says. Each function reports a value at a key, with its place.

use std::fmt::Display;
use std::path::{Component, Path};
use std::str::FromStr;

use serde_json::Value as Json;
use time::Date;
use time::format_description;

use crate::config::{ConfigError, OPTIONAL, REWRITES, web_address};
use crate::diagnostic::quoted;
use crate::pattern::{Case, compile_cached};
use crate::text::Span;

type Checked = Result<(), ConfigError>;

/// The longest name of a rewrite, in code points: messages list names.
const LONGEST_NAME: usize = 40;

pub(super) fn any(_: &str, _: &str, _: Span) -> Checked {
    Ok(())
}

pub(super) fn not_empty(key: &str, text: &str, span: Span) -> Checked {
    ensure(!text.is_empty(), || ConfigError::new(span, format!("empty string in {}", quoted(key))))
}

/// A text that is read as another value.
pub(super) fn parsed<T: FromStr<Err: Display>>(key: &str, text: &str, span: Span) -> Checked {
    text.parse::<T>().map(drop).map_err(|error| ConfigError::new(span, format!("`{key}`: {error}")))
}

pub(super) fn address(key: &str, text: &str, span: Span) -> Checked {
    ensure(web_address(text).is_some(), || {
        let found = quoted(text);
        ConfigError::new(span, format!("expected an address with `http://` or `https://` for `{key}`, found {found}"))
    })
}

/// A folder relative to another one. An absolute path may lead out of the workspace.
pub(super) fn relative(key: &str, text: &str, span: Span) -> Checked {
    not_empty(key, text, span)?;
    ensure(!Path::new(text).has_root(), || {
        let message = format!("expected a relative path for `{key}`, found an absolute one");
        ConfigError::new(span, message).help(format!("use a name such as `{key}`"))
    })
}

/// A folder below that of the file. Links are followed when the program starts.
pub(super) fn below(key: &str, text: &str, span: Span) -> Checked {
    not_empty(key, text, span)?;
    let mut parts = Path::new(text).components();
    ensure(parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir)), || {
        let message = format!("expected a folder below that of eval-ls.toml for `{key}`, found {}", quoted(text));
        ConfigError::new(span, message).help("write a relative path without `..`")
    })
}

pub(super) fn variable(_: &str, name: &str, span: Span) -> Checked {
    ensure(!name.is_empty() && !name.contains(['=', '\0']), || {
        ConfigError::new(span, format!("{} cannot be the name of an environment variable", quoted(name)))
    })
}

/// A token of RFC 9110.
pub(super) fn header(_: &str, name: &str, span: Span) -> Checked {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    ensure(!name.is_empty() && name.bytes().all(is_token), || {
        let error = ConfigError::new(span, format!("{} cannot be the name of a header", quoted(name)));
        error.help("write letters, digits and `-`, as in `X-Eval-Case`")
    })
}

pub(super) fn is_day(key: &str, text: &str, span: Span) -> Checked {
    ensure(day(text).is_some(), || {
        let error = ConfigError::new(span, format!("`{key}` is not a day: {}", quoted(text)));
        error.help("write the year, the month and the day: \"2026-03-01\"")
    })
}

/// Reads a day: `2026-03-01`.
pub(super) fn day(text: &str) -> Option<Date> {
    let form = format_description::parse_borrowed::<2>("[year]-[month]-[day]").expect("the form is right");
    Date::parse(text, &form).ok()
}

/// A pattern for answers.
pub(super) fn pattern(key: &str, pattern: &str, span: Span) -> Checked {
    not_empty(key, pattern, span)?;
    compile_cached(pattern, Case::Ignored).map(drop).map_err(|error| {
        let column = pattern[..error.span.start].chars().count() + 1;
        let pattern = quoted(pattern);
        ConfigError::new(span, format!("the pattern {pattern} does not compile, at character {column}: {error}"))
    })
}

/// The name of a rewrite, which is shown in lists.
pub(super) fn rewrite(_: &str, name: &str, span: Span) -> Checked {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_name = !name.is_empty() && name.chars().count() <= LONGEST_NAME && name.chars().all(is_plain);
    ensure(is_name, || {
        let message = format!("expected a `name` of at most {LONGEST_NAME} letters, digits, `-`, `_` and `.`");
        ConfigError::new(span, message)
    })?;
    ensure(!REWRITES.contains(&name), || {
        ConfigError::new(span, format!("a built-in rewrite has the name {}", quoted(name)))
    })
}

pub(super) fn any_list(_: &str, _: &[Json], _: Span) -> Checked {
    Ok(())
}

pub(super) fn not_empty_list(key: &str, list: &[Json], span: Span) -> Checked {
    ensure(!list.is_empty(), || {
        ConfigError::new(span, format!("empty list in {}", quoted(key))).help("give at least one entry, or remove it")
    })
}

/// A program and its arguments.
pub(super) fn program(key: &str, list: &[Json], span: Span) -> Checked {
    let is_named = list.first().is_some_and(|program| program != "");
    ensure(is_named, || ConfigError::new(span, format!("`{key}` names no program")))
}

/// A step on a page.
pub(super) fn step(key: &str, list: &[Json], span: Span) -> Checked {
    ensure(!list.is_empty(), || ConfigError::new(span, format!("empty step in {}", quoted(key))))?;
    ensure(list != [OPTIONAL], || {
        let error = ConfigError::new(span, format!("the optional step in {} is empty", quoted(key)));
        error.help("write the step after the `?`, as in `[\"?\", \"press\", \"Escape\"]`")
    })
}

fn ensure(is_valid: bool, error: impl FnOnce() -> ConfigError) -> Checked {
    if is_valid { Ok(()) } else { Err(error()) }
}
