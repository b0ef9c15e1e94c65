use super::patterns;
use super::section::{Section, tables, unknown_word};
use crate::config::{Allow, CaseGlob, ConfigError};

/// `[[allow]]`. An entry with an error is left out.
pub(super) fn read(root: &mut Section<'_, '_, '_>, known_lints: &[&str]) -> Vec<Allow> {
    let mut allowed = Vec::new();
    for element in tables(root, "allow", "entry") {
        let Some(table) = root.errors.table("allow", element) else { continue };
        let keys = ["lint", "cases", "files", "reason"];
        let mut entry = Section::new(table, element.span().into(), "`[[allow]]`", &keys, root.errors);
        let lint = entry.string("lint");
        let lint = entry.required("lint", lint);
        let reason = entry.text("reason");
        let reason = entry.required("reason", reason);
        let glob = entry.string("cases");
        let files = patterns(&mut entry, "files").unwrap_or_default();
        if !glob.is_none_or(|(_, span)| entry.errors.admits_pattern(span)) || entry.errors.has_too_many_patterns() {
            break;
        }
        if let Some((name, span)) = lint.filter(|(name, _)| !known_lints.contains(name)) {
            entry.errors.report(unknown_word("lint", name, span, known_lints, "`eval-ls explain` lists all lints"));
        }
        let cases = glob.and_then(|(glob, span)| match CaseGlob::new(glob) {
            Ok(glob) => Some(glob),
            Err(fault) => {
                entry.errors.report(ConfigError::new(span, format!("`cases`: {fault}")));
                None
            }
        });
        if cases.is_none() && files.is_empty() && entry.is_sound() {
            let message = "this entry names neither `cases` nor `files`";
            let error = ConfigError::new(entry.head, message);
            entry.errors.report(error.help("to turn a lint off everywhere, set its level under `[lints]`"));
        }
        if let (Some((lint, _)), Some(reason), true) = (lint, reason, entry.is_sound()) {
            allowed.push(Allow { span: entry.head, lint: lint.to_owned(), cases, files, reason });
        }
    }
    allowed
}
