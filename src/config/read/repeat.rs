use time::Date;
use time::format_description;

use super::section::{Section, tables};
use crate::config::{CaseGlob, ConfigError, MOST_REPEATS, RepeatPolicy};
use crate::diagnostic::quoted;

/// `[[policy]]`. An entry with an error is left out.
pub(super) fn policies(root: &mut Section<'_, '_, '_>) -> Vec<RepeatPolicy> {
    let mut policies = Vec::new();
    for element in tables(root, "policy", "entry") {
        let Some(table) = root.errors.table("policy", element) else { continue };
        let keys = ["cases", "category", "repeat", "min_pass", "expires", "why"];
        let mut entry = Section::new(table, element.span().into(), "`[[policy]]`", &keys, root.errors);
        let (cases, category) = (glob(&mut entry, "cases"), glob(&mut entry, "category"));
        let repeat = entry.positive("repeat");
        let repeat = entry.required("repeat", repeat).map_or(1, usize::from);
        if repeat > MOST_REPEATS {
            let message = format!("`repeat` is {repeat}, but a case runs at most {MOST_REPEATS} times");
            entry.errors.report(ConfigError::new(entry.head, message));
        }
        let min_pass = entry.positive("min_pass").map_or(repeat, usize::from);
        if min_pass > repeat && entry.is_sound() {
            let message = format!("`min_pass` is {min_pass}, but there are only {repeat} attempts");
            entry.errors.report(ConfigError::new(entry.head, message).help("lower `min_pass` or raise `repeat`"));
        }
        let (expires, why) = (date(&mut entry, "expires"), entry.text("why"));
        for (key, other) in [("expires", "why"), ("why", "expires")] {
            if entry.get(key).is_some() && entry.get(other).is_none() {
                let error = ConfigError::new(entry.head, format!("`{key}` needs the key `{other}`"));
                entry.errors.report(error.help("an entry for a while has `expires`, and `why` says the reason"));
            }
        }
        if entry.is_sound() && cases.is_none() && category.is_none() {
            let error = ConfigError::new(entry.head, "this entry names neither `cases` nor `category`");
            entry.errors.report(error.help("`cases = \"*\"` means all cases"));
        }
        if entry.is_sound() {
            policies.push(RepeatPolicy {
                span: entry.head,
                cases,
                category,
                repeat,
                min_pass,
                until: expires.zip(why),
            });
        }
    }
    policies
}

fn glob(entry: &mut Section<'_, '_, '_>, key: &str) -> Option<CaseGlob> {
    let (glob, span) = entry.string(key)?;
    let read = CaseGlob::new(glob);
    read.map_err(|fault| entry.errors.report(ConfigError::new(span, format!("`{key}`: {fault}")))).ok()
}

/// A day: `"2026-03-01"`.
fn date(entry: &mut Section<'_, '_, '_>, key: &str) -> Option<Date> {
    let (text, span) = entry.string(key)?;
    let form = format_description::parse_borrowed::<2>("[year]-[month]-[day]").expect("the form is right");
    let read = Date::parse(text, &form);
    let fault = |_| {
        let error = ConfigError::new(span, format!("`{key}` is not a day: {}", quoted(text)));
        entry.errors.report(error.help("write the year, the month and the day: \"2026-03-01\""));
    };
    read.map_err(fault).ok()
}
