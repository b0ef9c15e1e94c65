use std::collections::BTreeMap;

use toml::de::DeValue;

use super::section::{Section, not_one_of, unknown_name};
use super::{patterns, rewrites};
use crate::config::{CHALLENGES, CaseGlob, ChallengeConfig, ChallengeException, ConfigError, Level};
use crate::diagnostic::quoted;

/// `[challenge]`.
pub(super) fn read(root: &mut Section<'_, '_, '_>) -> ChallengeConfig {
    let Some(mut section) = root.section("challenge", &["answers", "levels", "exceptions", "rewrites", "control"])
    else {
        return ChallengeConfig::default();
    };
    ChallengeConfig {
        answers: patterns(&mut section, "answers").unwrap_or_default(),
        levels: levels(&mut section),
        exceptions: exceptions(&mut section),
        rewrites: rewrites::read(&mut section),
        control: section.text("control"),
    }
}

fn levels(section: &mut Section<'_, '_, '_>) -> BTreeMap<String, Level> {
    let mut levels = BTreeMap::new();
    let Some(value) = section.get("levels") else { return levels };
    let Some(table) = section.errors.table("levels", value) else { return levels };
    let known = CHALLENGES.map(|(name, _)| name);
    for (key, value) in table {
        let name: &str = key.get_ref();
        if !known.contains(&name) {
            let error = unknown_name(key, format!("unknown challenge {}", quoted(name)), &known, table);
            let list = known.join(", ");
            section.errors.report(error.unwrap_or_else(|error| error.help(format!("the challenges are {list}"))));
            continue;
        }
        let DeValue::String(word) = value.get_ref() else {
            section.errors.expected::<()>("a level in quotes", name, value);
            continue;
        };
        match Level::from_name(word) {
            Some(level) => {
                levels.insert(name.to_owned(), level);
            }
            None => {
                let words = Level::ALL.iter().map(|level| level.as_str());
                section.errors.report(not_one_of(name, word, value.span().into(), words));
            }
        }
    }
    levels
}

fn exceptions(section: &mut Section<'_, '_, '_>) -> Vec<ChallengeException> {
    let Some(value) = section.get("exceptions") else { return Vec::new() };
    let DeValue::Array(list) = value.get_ref() else {
        section.errors.expected::<()>("a list of tables", "exceptions", value);
        return Vec::new();
    };
    // An answer of the workspace's own has the name of its file.
    let has_own = section.get("answers").is_some();
    let known_names = CHALLENGES.map(|(name, _)| name);
    let mut exceptions = Vec::new();
    for element in list {
        let Some(table) = section.errors.table("exceptions", element) else { continue };
        let known = ["cases", "challenges", "reason"];
        let mut entry =
            Section::new(table, element.span().into(), "`[[challenge.exceptions]]`", &known, section.errors);
        let glob = entry.string("cases");
        let glob = entry.required("cases", glob);
        let reason = entry.text("reason");
        let reason = entry.required("reason", reason);
        let named = entry.strings("challenges").unwrap_or_default();
        for (name, span) in named.iter().filter(|(name, _)| !has_own && !known_names.contains(name)) {
            entry.errors.report(not_one_of("challenges", name, *span, known_names.into_iter()));
        }
        let challenges = named.into_iter().map(|(name, _)| name.to_owned()).collect();
        if glob.is_some_and(|(_, span)| !entry.errors.admits_pattern(span)) {
            break;
        }
        let cases = glob.and_then(|(glob, span)| {
            let read = CaseGlob::new(glob);
            read.map_err(|fault| entry.errors.report(ConfigError::new(span, format!("`cases`: {fault}")))).ok()
        });
        if let (Some(cases), Some(reason), true) = (cases, reason, entry.is_sound()) {
            exceptions.push(ChallengeException { span: entry.head, cases, challenges, reason });
        }
    }
    exceptions
}
