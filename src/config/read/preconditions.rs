use std::collections::{BTreeMap, BTreeSet};

use super::section::{Section, tables};
use super::steps::{self, argument_vector};
use crate::config::{ConfigError, Precondition, PreconditionCheck};
use crate::diagnostic::quoted;

const KEYS: [&str; 3] = ["text", "steps", "command"];

/// The preconditions of `[[preconditions]]` without an error; the first of each text counts.
pub(super) fn read(root: &mut Section<'_, '_, '_>) -> BTreeMap<String, Precondition> {
    let mut preconditions = BTreeMap::new();
    let mut defined = BTreeSet::new();
    for element in tables(root, "preconditions", "precondition") {
        let Some(table) = root.errors.table("preconditions", element) else { continue };
        let mut section = Section::new(table, element.span().into(), "`[[preconditions]]`", &KEYS, root.errors);
        let text = section.string("text");
        let text = section.required("text", text);
        if let Some((text, span)) = text {
            section.not_empty("text", text, span);
            if !defined.insert(text) {
                let message = format!("the precondition {} is defined twice", quoted(text));
                section.errors.report(ConfigError::new(span, message));
            }
        }
        if let (Some(check), Some((text, span))) = (check(section), text) {
            preconditions.insert(text.to_owned(), Precondition { span, check });
        }
    }
    preconditions
}

fn check(mut section: Section<'_, '_, '_>) -> Option<PreconditionCheck> {
    let check = match (section.get("steps"), section.get("command")) {
        (Some(_), Some(command)) => {
            let error = ConfigError::new(command.span().into(), "a precondition has either `steps` or `command`");
            section.errors.report(error.help("remove one of them, or define two preconditions"));
            None
        }
        (Some(list), None) => {
            let steps = steps::read(&mut section, "steps");
            if section.is_sound() && steps.is_empty() {
                let error =
                    ConfigError::new(list.span().into(), "`steps` has no step, so the precondition is always met");
                section.errors.report(error.help("give at least one, as in `[[\"wait\", \"--text\", \"Ready\"]]`"));
            }
            Some(PreconditionCheck::Steps(steps))
        }
        (None, Some(_)) => argument_vector(&mut section).map(PreconditionCheck::Command),
        (None, None) => {
            let error = ConfigError::new(section.head, "the precondition has neither `steps` nor `command`");
            section
                .errors
                .report_absent(error.help("give `steps` on the page, or a `command` that ends with status 0"));
            None
        }
    };
    check.filter(|_| section.is_sound())
}
