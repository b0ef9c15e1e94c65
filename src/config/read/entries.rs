//! The lists of tables: `[[allow]]`, `[[policy]]`, `[[preconditions]]`, `[[ui_hints]]` and `[[challenge.exceptions]]`.

use std::collections::BTreeMap;

use toml::de::DeTable;

use crate::config::{
    Allow, CHALLENGES, ChallengeException, ConfigError, Precondition, PreconditionCheck, RepeatPolicy, UiHint,
};
use crate::diagnostic::{nearest, quoted};

use super::check::{Errors, not_one_of};
use super::{forms, keys};

pub(super) fn allowed(root: &DeTable<'_>, known_lints: &[&str], errors: &mut Errors) -> Vec<Allow> {
    errors.entries("allow", root.get("allow"), (keys::ALLOW, None), |errors, entry| {
        if let Some((name, span)) = entry.text("lint").filter(|(name, _)| !known_lints.contains(name)) {
            let error = ConfigError::new(span, format!("unknown lint {}", quoted(name)));
            errors.report(match nearest(name, known_lints.iter().copied()) {
                Some(meant) => error.did_you_mean(meant, format!("\"{meant}\"")),
                None => error.help("`eval-ls explain` lists all lints"),
            });
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
    errors.entries("policy", root.get("policy"), (keys::POLICY, None), |errors, entry| {
        let repeat = entry.get("repeat")?;
        let min_pass = entry.get("min_pass").unwrap_or(repeat);
        if min_pass > repeat {
            let message = format!("`min_pass` is {min_pass}, but there are only {repeat} attempts");
            let error = ConfigError::new(entry.span("min_pass"), message);
            errors.report(error.help("lower `min_pass` or raise `repeat`"));
        }
        let (cases, category) = (entry.get("cases"), entry.get("category"));
        let until = entry.text("expires").and_then(|(text, _)| forms::day(text)).zip(entry.get("why"));
        Some(RepeatPolicy { span: entry.head, cases, category, repeat, min_pass, until })
    })
}

pub(super) fn preconditions(root: &DeTable<'_>, errors: &mut Errors) -> BTreeMap<String, Precondition> {
    let list = root.get("preconditions");
    let read = errors.entries("preconditions", list, (keys::PRECONDITION, Some("text")), |_, entry| {
        let steps = entry.get("steps").map(PreconditionCheck::Steps);
        let check = steps.or_else(|| entry.get("command").map(PreconditionCheck::Command))?;
        Some((entry.get("text")?, Precondition { span: entry.span("text"), check }))
    });
    read.into_iter().collect()
}

pub(super) fn ui_hints(root: &DeTable<'_>, errors: &mut Errors) -> BTreeMap<String, UiHint> {
    let list = root.get("ui_hints");
    let read = errors.entries("ui_hints", list, (keys::UI_HINT, Some("hint")), |errors, entry| {
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
    // An answer of the workspace's own has the name of its file.
    let has_own = challenge.contains_key("answers");
    let known = CHALLENGES.map(|(name, _)| name);
    let list = challenge.get("exceptions");
    errors.entries("challenge.exceptions", list, (keys::EXCEPTION, None), |errors, entry| {
        let named = entry.table.get("challenges").and_then(|named| named.get_ref().as_array());
        for value in named.into_iter().flatten() {
            if let Some(name) = value.get_ref().as_str().filter(|name| !has_own && !known.contains(name)) {
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
