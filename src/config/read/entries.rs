//! The tables: `[[allow]]`, `[[policy]]`, `[[preconditions]]`, `[[ui_hints]]`, `[[challenge.exceptions]]` and `[targets]`; and what strings and lists must be that no type says.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Component, Path};
use std::str::FromStr;

use serde::Deserialize;
use serde_json::Value as Json;
use toml::de::DeTable;

use crate::config::model::REPLAY;
use crate::config::read::check::{Errors, not_one_of};
use crate::config::read::keys::{Keys, Shape, always_error, is_always_error};
use crate::config::{
    Allow, CHALLENGES, ChallengeException, Config, ConfigError, OPTIONAL, Precondition, PreconditionCheck,
    RepeatPolicy, TargetConfig, TargetKind, UiHint, toml_string, web_address,
};
use crate::diagnostic::{nearest, quoted};
use crate::pattern::{Case, compile_cached};
use crate::text::Span;

pub(super) fn allowed(root: &DeTable<'_>, known_lints: &[&str], errors: &mut Errors) -> Vec<Allow> {
    errors.entries("allow", root.get("allow"), None, |errors, entry| {
        if let Some((name, span)) = entry.text("lint").filter(|(name, _)| !known_lints.contains(name)) {
            let error = ConfigError::new(span, format!("unknown lint {}", quoted(name)));
            errors.report(match nearest(name, known_lints.iter().copied()) {
                Some(meant) => error.did_you_mean(meant, format!("\"{meant}\"")),
                None => error.help("`eval-ls explain` lists all lints"),
            });
        }
        let known = entry.text("lint").filter(|(name, _)| known_lints.contains(name));
        if let Some((name, span)) = known.filter(|(name, _)| is_always_error(name)) {
            errors.report(ConfigError::new(span, always_error(name)));
            return None;
        }
        let files = errors.patterns(entry.table, "files").unwrap_or_default();
        let is_admitted = entry.text("cases").is_none_or(|(_, span)| errors.admits_pattern(span));
        if !is_admitted || errors.has_too_many_patterns() {
            return None;
        }
        let (lint, cases, reason) = (entry.get("lint")?, entry.get("cases"), entry.get("reason")?);
        Some(Allow { span: entry.head, lint, cases, files, reason })
    })
}

pub(super) fn policies(root: &DeTable<'_>, errors: &mut Errors) -> Vec<RepeatPolicy> {
    errors.entries("policy", root.get("policy"), None, |errors, entry| {
        let repeat = entry.get("repeat")?;
        let min_pass = entry.get("min_pass").unwrap_or(repeat);
        if min_pass > repeat {
            let message = format!("`min_pass` is {min_pass}, but there are only {repeat} attempts");
            let error = ConfigError::new(entry.span("min_pass"), message);
            errors.report(error.help("lower `min_pass` or raise `repeat`"));
        }
        let (cases, category) = (entry.get("cases"), entry.get("category"));
        Some(RepeatPolicy { span: entry.head, cases, category, repeat, min_pass })
    })
}

pub(super) fn preconditions(root: &DeTable<'_>, errors: &mut Errors) -> BTreeMap<String, Precondition> {
    let list = root.get("preconditions");
    let read = errors.entries("preconditions", list, Some("text"), |_, entry| {
        let steps = entry.get("steps").map(PreconditionCheck::Steps);
        let check = steps.or_else(|| entry.get("command").map(PreconditionCheck::Command))?;
        Some((entry.get("text")?, Precondition { span: entry.span("text"), check }))
    });
    read.into_iter().collect()
}

pub(super) fn ui_hints(root: &DeTable<'_>, errors: &mut Errors) -> BTreeMap<String, UiHint> {
    let list = root.get("ui_hints");
    let read = errors.entries("ui_hints", list, Some("hint"), |errors, entry| {
        let any = entry.table.get("any").and_then(|any| any.get_ref().as_array()).map_or(0, |any| any.len());
        let at_least = entry.get("at_least");
        if let Some(at_least) = at_least.filter(|at_least| *at_least > any.max(1)) {
            let message = format!("`at_least` requires {at_least} of `any`, which has {any}");
            errors.report_absent(ConfigError::new(entry.span("at_least"), message));
        }
        let hint = UiHint { span: entry.span("hint"), at_least: at_least.unwrap_or(1), ..entry.read()? };
        Some((entry.get("hint")?, hint))
    });
    read.into_iter().collect()
}

pub(super) fn exceptions(challenge: &DeTable<'_>, errors: &mut Errors) -> Vec<ChallengeException> {
    let known = CHALLENGES.map(|(name, _)| name);
    let list = challenge.get("exceptions");
    errors.entries("challenge.exceptions", list, None, |errors, entry| {
        let named = entry.table.get("challenges").and_then(|named| named.get_ref().as_array());
        for value in named.into_iter().flatten() {
            if let Some(name) = value.get_ref().as_str().filter(|name| !known.contains(name)) {
                errors.report(not_one_of("challenges", name, value.span().into(), &known));
            }
        }
        if !errors.admits_pattern(entry.text("cases")?.1) {
            return None;
        }
        let challenges = entry.get("challenges").unwrap_or_default();
        Some(ChallengeException {
            span: entry.head,
            cases: entry.get("cases")?,
            challenges,
            reason: entry.get("reason")?,
        })
    })
}

/// The most targets of a configuration. A person selects one by name.
const MOST_TARGETS: usize = 200;

/// Reads `[targets]` without the targets that have an error, and checks that the target of `[run]` exists.
pub(super) fn targets(root: &DeTable<'_>, config: &mut Config, errors: &mut Errors) {
    let targets = root.get("targets").and_then(|value| errors.as_table("targets", value));
    let mut names = vec![REPLAY];
    for (number, (key, value)) in targets.into_iter().flatten().enumerate() {
        let name: &str = key.get_ref();
        names.push(name);
        if number >= MOST_TARGETS {
            let message = format!("more than {MOST_TARGETS} targets; the rest is ignored");
            errors.report(ConfigError::new(key.span().into(), message));
            break;
        }
        let target = errors.sound(|errors| {
            let table = errors.as_table(name, value)?;
            let kinds = Shape::at("/definitions/target/properties/kind").words().unwrap_or_default();
            let kind = table.get("kind").and_then(|kind| kind.get_ref().as_str()).filter(|kind| kinds.contains(kind));
            if kind.is_some_and(|kind| name == REPLAY && kind != REPLAY) {
                let message = "the target `replay` is built in and can only be of the kind `replay`";
                errors.report(ConfigError::new(key.span().into(), message).help("give this one another name"));
            }
            let place = quoted(&format!("[targets.{name}]")).to_string();
            let json = errors.table(&place, value.span().into(), table, &Keys::of_target(kind));
            TargetConfig::deserialize(json).ok()
        });
        if let Some(mut target) = target {
            target.span = Some(key.span().into());
            target.preconditions = checkable(&target.kind, &config.preconditions);
            config.targets.insert(name.to_owned(), target);
        }
    }
    let run = root.get("run").and_then(|run| run.get_ref().as_table());
    let Some(wanted) = run.and_then(|run| run.get("target")) else { return };
    if let Some(name) = wanted.get_ref().as_str().filter(|name| !name.is_empty() && !names.contains(name)) {
        let error = ConfigError::new(wanted.span().into(), format!("the target {} does not exist", quoted(name)));
        errors.report_absent(match nearest(name, names) {
            Some(meant) => error.did_you_mean(meant, toml_string(meant)),
            None => error.help(format!("define it under {}", quoted(&format!("[targets.{name}]")))),
        });
    }
}

/// Returns the checks that a target of that kind can make.
fn checkable(kind: &TargetKind, preconditions: &BTreeMap<String, Precondition>) -> BTreeMap<String, PreconditionCheck> {
    let can_be_made = |check: &PreconditionCheck| match kind {
        TargetKind::Replay => false,
        TargetKind::Command(_) => matches!(check, PreconditionCheck::Command(_)),
        TargetKind::Browser(_) => true,
    };
    let checks = preconditions.iter().filter(|(_, precondition)| can_be_made(&precondition.check));
    checks.map(|(text, precondition)| (text.clone(), precondition.check.clone())).collect()
}

type Checked = Result<(), ConfigError>;

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

/// A pattern for answers.
pub(super) fn pattern(key: &str, pattern: &str, span: Span) -> Checked {
    not_empty(key, pattern, span)?;
    compile_cached(pattern, Case::Ignored).map(drop).map_err(|error| {
        let column = pattern[..error.span.start].chars().count() + 1;
        let pattern = quoted(pattern);
        ConfigError::new(span, format!("the pattern {pattern} does not compile, at character {column}: {error}"))
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
