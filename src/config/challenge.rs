use std::collections::HashSet;
use std::str::FromStr;

use serde::Deserialize;

use crate::text::Span;

/// The challenges that `[challenge]` may name, each with a description.
pub(crate) const CHALLENGES: [(&str, &str); 14] = [
    ("silence", "an empty answer"),
    ("echo", "only the prompts, as a page shows them"),
    ("apology", "the prompts and \"Sorry, something went wrong.\""),
    ("refusal", "a refusal in everyday words"),
    ("page-before", "the page before the prompt was sent"),
    ("other-answer", "the transcript of another case"),
    ("keyword-soup", "the words of the prompt and the names of the sources"),
    ("stale", "the transcript with every number changed"),
    ("wrong-tool:renamed", "the transcript with every tool renamed"),
    ("wrong-tool:failed", "the transcript with every tool result failed"),
    ("wrong-tool:succeeded", "the transcript with every tool result a success"),
    ("wrong-tool:none", "the transcript without its telemetry"),
    ("other-words", "the tools of the transcript with another response"),
    ("forbidden", "everything that the case forbids"),
];

/// `[challenge]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ChallengeConfig {
    /// The cases that may pass a challenge.
    pub(crate) exceptions: Vec<ChallengeException>,
}

/// An entry of `[[challenge.exceptions]]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChallengeException {
    /// The place of the entry in the file.
    pub(crate) span: Span,
    /// The ids of the cases.
    pub(crate) cases: CaseGlob,
    /// The names of the challenges; a case may pass all challenges if the list is empty.
    pub(crate) challenges: Vec<String>,
    /// The reason, for people.
    pub(crate) reason: String,
}

/// A glob for ids and categories: `*` matches any characters and `?` matches one. All other characters are only themselves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub(crate) struct CaseGlob {
    glob: String,
}

impl ChallengeConfig {
    /// Returns the reason why the case may pass the challenge; `None` if it may not.
    pub(crate) fn exception(&self, case: &str, challenge: &str) -> Option<&ChallengeException> {
        let names = |exception: &&ChallengeException| {
            exception.challenges.is_empty() || exception.challenges.iter().any(|name| name == challenge)
        };
        self.exceptions.iter().filter(names).find(|exception| exception.cases.matches(case))
    }
}

impl FromStr for CaseGlob {
    type Err = &'static str;

    fn from_str(glob: &str) -> Result<CaseGlob, &'static str> {
        if glob.is_empty() { Err("an empty pattern matches no case") } else { Ok(CaseGlob { glob: glob.to_owned() }) }
    }
}

impl CaseGlob {
    /// Returns whether it matches the id.
    pub(crate) fn matches(&self, id: &str) -> bool {
        self.glob == id || (self.is_pattern() && matches(&self.glob, id))
    }

    /// Returns the ids that one of the globs means. If an id is a glob itself, that glob means only this one.
    pub(crate) fn meant<'i>(globs: &[CaseGlob], ids: impl Iterator<Item = &'i str> + Clone) -> HashSet<&'i str> {
        let of_glob = |glob: &CaseGlob| {
            let is_exact = ids.clone().any(|id| id == glob.glob);
            let matching = ids.clone().filter(|id| if is_exact { *id == glob.glob } else { glob.matches(id) });
            matching.collect::<Vec<_>>()
        };
        globs.iter().flat_map(of_glob).collect()
    }

    /// Returns whether it can match more than one id.
    pub(crate) fn is_pattern(&self) -> bool {
        self.glob.contains(['*', '?'])
    }

    /// Returns the glob as it is written.
    pub(crate) fn as_str(&self) -> &str {
        &self.glob
    }
}

/// Whether `*` and `?` in the glob can stand for characters so that it becomes the text.
fn matches(glob: &str, text: &str) -> bool {
    let (glob, text): (Vec<char>, Vec<char>) = (glob.chars().collect(), text.chars().collect());
    let (mut at, mut from) = (0, 0);
    // The last `*`, and up to where it reaches.
    let mut star: Option<(usize, usize)> = None;
    while from < text.len() {
        match glob.get(at) {
            Some('*') => {
                star = Some((at, from));
                at += 1;
            }
            Some(c) if *c == '?' || *c == text[from] => (at, from) = (at + 1, from + 1),
            _ => {
                let Some((place, reach)) = star else { return false };
                star = Some((place, reach + 1));
                (at, from) = (place + 1, reach + 1);
            }
        }
    }
    glob[at..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_characters_are_patterns() {
        for (glob, matching, others) in [
            ("greet[de]", &["greet[de]"][..], &["greetd", "greete"][..]),
            ("a{1}", &["a{1}"], &["a1"]),
            ("{a,b}", &["{a,b}"], &["a"]),
            ("greet[!x]", &["greet[!x]"], &["greetd"]),
            (r"a\*", &[r"a\", r"a\b"], &["a*", "a"]),
            ("SYN*", &["SYN", "SYN1", "SYN/2", "SYN*"], &["SY", "syn1"]),
            ("*a?c*", &["abc", "xaéc", "aacaac"], &["ac", "abd"]),
            ("**", &["", "x"], &[]),
            ("?", &["é", "*"], &["", "ab"]),
        ] {
            let glob = glob.parse::<CaseGlob>().unwrap();
            matching.iter().for_each(|id| assert!(glob.matches(id), "{glob:?} {id}"));
            others.iter().for_each(|id| assert!(!glob.matches(id), "{glob:?} {id}"));
        }
        let globs = ["a*", "?c"].map(|glob| glob.parse::<CaseGlob>().unwrap());
        assert_eq!(CaseGlob::meant(&globs, ["a*", "ab", "bc"].into_iter()), HashSet::from(["a*", "bc"]));
        assert_eq!(CaseGlob::meant(&globs, ["ab", "b"].into_iter()), HashSet::from(["ab"]));
    }
}
