//! The steps of `before`: what they may be, and how agent-browser is told.

use crate::diagnostic::{nearest, quoted};

/// Why a step of `before` cannot be taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// It is none.
    #[error(
        "step {number} of `before` begins with {word}, which is no step that can be taken on a page{}; these can: {}",
        did_you_mean(.near),
        VERBS.join(", ")
    )]
    Verb {
        /// Which step, from 1.
        number: usize,
        /// Its first word, quoted.
        word: String,
        /// What was most likely meant.
        near: Option<&'static str>,
    },
    /// It would read or write files of this machine.
    #[error("step {number} of `before` has the option `{option}`, which reads or writes files: leave it out")]
    File {
        /// Which step, from 1.
        number: usize,
        /// The option.
        option: &'static str,
    },
}

/// What can be done on a page. agent-browser has more words: they install things, keep passwords, or talk to other
/// programs, none of which belongs into the configuration of a workspace.
const VERBS: [&str; 30] = [
    "back",
    "check",
    "click",
    "cookies",
    "dblclick",
    "dialog",
    "drag",
    "eval",
    "fill",
    "find",
    "focus",
    "forward",
    "frame",
    "goto",
    "hover",
    "keyboard",
    "mouse",
    "open",
    "press",
    "pushstate",
    "reload",
    "scroll",
    "scrollintoview",
    "select",
    "set",
    "storage",
    "tab",
    "type",
    "uncheck",
    "wait",
];

/// The options that lead steps to files.
const FILE_OPTIONS: [&str; 3] = ["--curl", "--download", "--init-script"];

/// What agent-browser can do with an element that it finds by its text.
const BY_TEXT: [&str; 4] = ["click", "fill", "check", "hover"];

/// The steps as agent-browser is given them.
pub(super) fn checked(steps: &[Vec<String>]) -> Result<Vec<Vec<String>>, StepError> {
    steps.iter().enumerate().map(|(index, step)| one(index + 1, step)).collect()
}

fn one(number: usize, step: &[String]) -> Result<Vec<String>, StepError> {
    let verb = step.first().map_or("", String::as_str);
    if !VERBS.contains(&verb) {
        return Err(StepError::Verb { number, word: quoted(verb), near: nearest(verb, VERBS) });
    }
    let is_given = |option: &&&str| {
        let given =
            |word: &String| word.strip_prefix(**option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        step.iter().any(given)
    };
    if let Some(option) = FILE_OPTIONS.iter().find(is_given) {
        return Err(StepError::File { number, option });
    }
    // An element named `text=New chat`, as other tools have it, is one that agent-browser finds by `find text`.
    match (step.get(1).and_then(|element| element.strip_prefix("text=")), BY_TEXT.contains(&verb)) {
        (Some(text), true) => {
            let words = ["find", "text", text, verb].map(str::to_owned);
            Ok(words.into_iter().chain(step[2..].iter().cloned()).collect())
        }
        _ => Ok(step.to_vec()),
    }
}

/// The address to which a step goes by itself.
pub(super) fn address(step: &[String]) -> Option<&str> {
    match step.first().map(String::as_str) {
        Some("open" | "goto") => step[1..].iter().map(String::as_str).find(|word| !word.starts_with('-')),
        Some("tab") => step[1..].iter().map(String::as_str).find(|word| word.contains(':')),
        _ => None,
    }
}

fn did_you_mean(near: &Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn steps_are_agent_browsers_own_words() {
        for (written, told) in [
            (&["press", "Escape"][..], &["press", "Escape"][..]),
            (&["click", "text=New chat"], &["find", "text", "New chat", "click"]),
            (&["fill", "text=Name", "Ada"], &["find", "text", "Name", "fill", "Ada"]),
            (&["press", "text=x"], &["press", "text=x"]),
            (&["click", "#new"], &["click", "#new"]),
        ] {
            assert_eq!(checked(&[step(written)]), Ok(vec![step(told)]));
        }
    }

    #[test]
    fn what_is_no_step_on_a_page_is_refused() {
        let error = checked(&[step(&["press", "Escape"]), step(&["clik", "#new"])]).unwrap_err();
        let message = error.to_string();
        let beginning = "step 2 of `before` begins with `clik`, which is no step that can be taken on a page; did you mean \
                         `click`?; these can: back, check,";
        assert!(message.starts_with(beginning), "{message}");
        for verb in ["install", "plugin", "close", "--headed", "connect", "Click"] {
            assert!(checked(&[step(&[verb])]).is_err(), "{verb}");
        }
        for words in
            [&["wait", "--download", "/x"][..], &["cookies", "set", "--curl=/x"], &["open", "--init-script", "/x"]]
        {
            let message = checked(&[step(words)]).unwrap_err().to_string();
            assert!(message.contains("which reads or writes files"), "{message}");
        }
        assert!(checked(&[step(&["fill", "#q", "--downloads"])]).is_ok());
    }

    #[test]
    fn a_step_may_go_to_an_address() {
        assert_eq!(address(&step(&["open", "--headed", "http://x"])), Some("http://x"));
        assert_eq!(address(&step(&["click", "http://x"])), None);
        assert_eq!(address(&step(&["open"])), None);
        assert_eq!(address(&step(&["tab", "new", "--label", "x", "file:///x"])), Some("file:///x"));
        assert_eq!(address(&step(&["tab", "close"])), None);
    }
}
