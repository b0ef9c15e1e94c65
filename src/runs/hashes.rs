use serde::{Deserialize, Serialize};

use crate::config::{Config, Reading};
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

    /// The same for a case with another text that means the same prompts and hints.
    pub(crate) fn with_text(&self, text: &str) -> CaseHashes {
        CaseHashes { hash: hash_of(&compact(text)), ..self.clone() }
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
    let mut rest = text;
    while !rest.is_empty() {
        let (between, string) = rest.split_at(memchr::memchr(b'"', rest.as_bytes()).unwrap_or(rest.len()));
        compact.extend(between.split([' ', '\t', '\n', '\r']));
        let (string, after) = string.split_at(string_len(string));
        compact.push_str(string);
        rest = after;
    }
    compact
}

/// The length in bytes of the string that `text` starts with, quotes included; of all the text if the string has no end.
fn string_len(text: &str) -> usize {
    let mut at = 1;
    while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest.as_bytes())) {
        at += found;
        if text.as_bytes()[at] == b'"' {
            return at + 1;
        }
        // The escaped character may be of several bytes, none of which is a quote or a backslash.
        at += 2;
        while !text.is_char_boundary(at) && at < text.len() {
            at += 1;
        }
    }
    text.len()
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
    let mut used = config.scoring.prompt_counts.map_or_else(|| "program".to_owned(), |counts| counts.to_string());
    if config.scoring.reading == Reading::Plain {
        used.push_str(" plain");
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What [`compact`] does, one code point after the other.
    fn compact_by_code_points(text: &str) -> String {
        let (mut in_string, mut is_escaped) = (false, false);
        let stays = |c: &char| {
            if in_string {
                in_string = is_escaped || *c != '"';
                is_escaped = *c == '\\' && !is_escaped;
                return true;
            }
            in_string = *c == '"';
            !matches!(c, ' ' | '\t' | '\n' | '\r')
        };
        text.chars().filter(stays).collect()
    }

    #[test]
    fn white_space_in_strings_stays() {
        assert_eq!(compact("{\n  \"a b\": [1,\t\"\\\" c\", \"\\\\\" ]\r\n}"), "{\"a b\":[1,\"\\\" c\",\"\\\\\"]}");
    }

    proptest! {
        #[test]
        fn any_text_is_compacted(text in r#"[ \n"\\éa:{😀]{0,24}"#) {
            prop_assert_eq!(compact(&text), compact_by_code_points(&text));
        }
    }
}
