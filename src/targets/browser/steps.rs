//! Steps on a page: which ones are allowed, and in which form agent-browser takes them.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::config::{OPTIONAL, TelemetryKey};
use crate::diagnostic::{nearest, quoted};

/// The commands that act on a page. agent-browser has others, which install things, store passwords or connect to other
/// programs. They do not belong into the configuration of a workspace.
const VERBS: &str = "\
     back check click cookies dblclick dialog drag eval fill find focus forward frame goto hover keyboard \
     mouse open press pushstate reload scroll scrollintoview select set storage tab type uncheck wait";

/// The options that read or write files.
const FILE_OPTIONS: [&str; 3] = ["--curl", "--download", "--init-script"];

/// The actions of agent-browser on an element that it finds by its text.
const BY_TEXT: [&str; 4] = ["click", "fill", "check", "hover"];

/// Steps that are taken one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StepList {
    /// The name in messages, quoted.
    pub(super) name: String,
    pub(super) steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The arguments for agent-browser.
    pub(super) words: Vec<String>,
    /// Whether the case continues if it cannot be taken.
    pub(super) is_optional: bool,
}

/// The steps of a list; `name` is its name in messages, quoted.
pub(super) fn checked(name: &str, steps: &[Vec<String>]) -> Result<StepList, String> {
    let step = |(index, step): (usize, &Vec<String>)| -> Result<Step, String> {
        let (is_optional, words) = match step.split_first() {
            Some((first, rest)) if first == OPTIONAL => (true, rest),
            _ => (false, &step[..]),
        };
        Ok(Step { words: one(name, index + 1, words)?, is_optional })
    };
    let steps = steps.iter().enumerate().map(step).collect::<Result<_, String>>()?;
    Ok(StepList { name: name.to_owned(), steps })
}

fn one(list: &str, number: usize, step: &[String]) -> Result<Vec<String>, String> {
    let verb = step.first().map_or("", String::as_str);
    if !VERBS.split(' ').any(|known| known == verb) {
        let near = nearest(verb, VERBS.split(' ')).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        let (word, all) = (quoted(verb), VERBS.replace(' ', ", "));
        return Err(format!(
            "step {number} of {list} begins with {word}, which is not a step on a page{near}; use one of {all}"
        ));
    }
    let is_given = |option: &&&str| {
        let given =
            |word: &String| word.strip_prefix(**option).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        step.iter().any(given)
    };
    if let Some(option) = FILE_OPTIONS.iter().find(is_given) {
        return Err(format!(
            "step {number} of {list} has the option `{option}`, which reads or writes files; remove it"
        ));
    }
    // Other tools write `text=New chat` for an element with that text; agent-browser has `find text`.
    match (step.get(1).and_then(|element| element.strip_prefix("text=")), BY_TEXT.contains(&verb)) {
        (Some(text), true) => {
            let words = ["find", "text", text, verb].map(str::to_owned);
            Ok(words.into_iter().chain(step[2..].iter().cloned()).collect())
        }
        _ => Ok(step.to_vec()),
    }
}

/// The address that a step opens.
pub(super) fn address(step: &[String]) -> Option<&str> {
    match step.first().map(String::as_str) {
        Some("open" | "goto") => step[1..].iter().map(String::as_str).find(|word| !word.starts_with('-')),
        Some("tab") => step[1..].iter().map(String::as_str).find(|word| word.contains(':')),
        _ => None,
    }
}

/// A text that no other case of any run has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key(String);

/// The steps that give a key to a page, in agent-browser's form.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct KeySteps {
    /// Before the app is opened.
    pub(super) before_page: Vec<Vec<String>>,
    /// After it is open.
    pub(super) on_page: Vec<Vec<String>>,
}

impl Key {
    /// A new key.
    pub(super) fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let moment = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        // With this end, no key is the beginning of another.
        Self(format!("eval-ls-{:x}-{moment:x}-{count:x}-key", process::id()))
    }

    /// Whether a line of the log belongs to the case.
    pub(super) fn is_in(&self, line: &str) -> bool {
        line.contains(&self.0)
    }

    /// The steps that give the key to the page of an app.
    pub(super) fn steps(&self, place: &TelemetryKey) -> KeySteps {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let mut steps = KeySteps::default();
        if let Some(header) = &place.header {
            let headers = json!({ header.as_str(): self.0 }).to_string();
            steps.before_page.push(words(&["set", "headers", &headers]));
        }
        if let Some(storage) = &place.storage {
            steps.on_page.push(words(&["storage", "local", "set", storage, &self.0]));
            // The app may read it while it loads.
            steps.on_page.push(words(&["reload"]));
        }
        steps
    }
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
            let list = |words: &[&str], is_optional| StepList {
                name: "`before`".to_owned(),
                steps: vec![Step { words: step(words), is_optional }],
            };
            assert_eq!(checked("`before`", &[step(written)]), Ok(list(told, false)));
            let optional = [&["?"], written].concat();
            assert_eq!(checked("`before`", &[step(&optional)]), Ok(list(told, true)));
        }
    }

    #[test]
    fn a_command_that_does_not_act_on_a_page_is_rejected() {
        let error = checked("`before`", &[step(&["press", "Escape"]), step(&["?", "clik", "#new"])]).unwrap_err();
        let message = error.to_string();
        let beginning = "step 2 of `before` begins with `clik`, which is not a step on a page; did you mean `click`?; use \
                         one of back, check,";
        assert!(message.starts_with(beginning), "{message}");
        for verb in ["install", "plugin", "close", "--headed", "connect", "Click"] {
            assert!(checked("`before`", &[step(&[verb])]).is_err(), "{verb}");
        }
        for words in
            [&["wait", "--download", "/x"][..], &["cookies", "set", "--curl=/x"], &["open", "--init-script", "/x"]]
        {
            let message = checked("`before`", &[step(words)]).unwrap_err().to_string();
            assert!(message.contains("which reads or writes files"), "{message}");
        }
        assert!(checked("`before`", &[step(&["fill", "#q", "--downloads"])]).is_ok());
    }

    #[test]
    fn a_step_may_go_to_an_address() {
        assert_eq!(address(&step(&["open", "--headed", "http://x"])), Some("http://x"));
        assert_eq!(address(&step(&["click", "http://x"])), None);
        assert_eq!(address(&step(&["open"])), None);
        assert_eq!(address(&step(&["tab", "new", "--label", "x", "file:///x"])), Some("file:///x"));
        assert_eq!(address(&step(&["tab", "close"])), None);
    }

    #[test]
    fn no_key_is_in_another() {
        let keys: Vec<Key> = (0..100).map(|_| Key::new()).collect();
        for (at, key) in keys.iter().enumerate() {
            let holders = keys.iter().enumerate().filter(|(_, other)| key.is_in(&other.0)).map(|(at, _)| at);
            assert_eq!(holders.collect::<Vec<_>>(), [at]);
        }
    }

    #[test]
    fn an_app_finds_its_key_in_a_header_or_in_the_pages_storage() {
        let key = Key("k\"1".to_owned());
        let place = |header: Option<&str>, storage: Option<&str>| TelemetryKey {
            header: header.map(str::to_owned),
            storage: storage.map(str::to_owned),
        };
        let steps = key.steps(&place(Some("X-Case"), Some("case")));
        assert_eq!(steps.before_page, [["set", "headers", r#"{"X-Case":"k\"1"}"#]]);
        assert_eq!(steps.on_page, [vec!["storage", "local", "set", "case", "k\"1"], vec!["reload"]]);
        assert_eq!(key.steps(&place(None, None)), KeySteps::default());
    }
}
