use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::suite::{Case, List};

use super::hash_of;

/// The hashes of what decides the verdict on a case, apart from the answer. Two cases with equal hashes judge an answer
/// alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct CaseHashes {
    /// The text of the case, without the whitespace between its tokens.
    #[serde(default)]
    pub(crate) hash: String,
    /// Its prompt, setup prompts and preconditions.
    #[serde(default)]
    pub(crate) prompts: String,
    /// The definitions of the configuration that the case uses: UI hints, sources, and whether the prompt counts.
    #[serde(default)]
    pub(crate) hints: String,
}

impl CaseHashes {
    /// The hashes of a case with this text.
    pub(crate) fn of(case: &Case, text: &str, config: &Config) -> CaseHashes {
        CaseHashes { hash: hash_of(&compact(text)), prompts: prompts(case), hints: hints(case, config) }
    }

    /// All hashes as one text.
    pub(crate) fn question(&self) -> String {
        [&*self.hash, &*self.prompts, &*self.hints].join(" ")
    }

    /// What differs from an earlier version, as words for people: `prompts`, `expectations`, `hints`.
    pub(crate) fn edits_since(&self, earlier: &CaseHashes) -> Vec<&'static str> {
        let mut edits = Vec::new();
        if self.prompts != earlier.prompts {
            edits.push("prompts");
        } else if self.hash != earlier.hash {
            edits.push("expectations");
        }
        if self.hints != earlier.hints {
            edits.push("hints");
        }
        edits
    }
}

/// The JSON text without the whitespace between its tokens.
fn compact(text: &str) -> String {
    let mut compact = String::with_capacity(text.len());
    let (mut in_string, mut is_escaped) = (false, false);
    for c in text.chars() {
        if in_string {
            in_string = is_escaped || c != '"';
            is_escaped = c == '\\' && !is_escaped;
        } else if matches!(c, ' ' | '\t' | '\n' | '\r') {
            continue;
        } else {
            in_string = c == '"';
        }
        compact.push(c);
    }
    compact
}

fn prompts(case: &Case) -> String {
    let list = |list: &Option<List>| -> Vec<String> {
        list.iter().flat_map(List::entries).map(|entry| entry.value.clone()).collect()
    };
    let prompt = case.prompt.as_ref().map_or("", |prompt| &prompt.value);
    hash_of(&format!("{prompt:?} {:?} {:?}", list(&case.setup_prompts), list(&case.preconditions)))
}

/// The definitions that the case uses, each as the values that decide.
fn hints(case: &Case, config: &Config) -> String {
    let mut used = format!("{}", config.scoring.prompt_counts);
    for hint in case.expected.ui.iter().flat_map(List::entries) {
        let meaning = config
            .ui_hints
            .get(&hint.value)
            .map(|hint| (&hint.all, &hint.any, hint.at_least, &hint.all_of, &hint.matches, &hint.none));
        used.push_str(&format!(" {:?}={meaning:?}", hint.value));
    }
    for source in case.expected.required_sources.iter().flat_map(List::entries) {
        let meaning = config.sources.iter().find(|(name, _)| name.eq_ignore_ascii_case(&source.value));
        used.push_str(&format!(" {:?}={:?}", source.value, meaning.map(|(_, source)| &source.patterns)));
    }
    hash_of(&used)
}
