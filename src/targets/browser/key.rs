//! The key of a case. The app receives it and may write it into its log.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::json;

use crate::config::TelemetryKey;

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
