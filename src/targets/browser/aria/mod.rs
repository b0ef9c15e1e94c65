//! A page in Playwright's ARIA grammar, and as text: JavaScript that runs in the page.
//!
//! `playwright.js` is Playwright's own code, taken from its package by `scripts/vendor-aria-snapshot.mjs`: the rules for
//! roles, accessible names and generated content are long, and only their original stays equal to itself. It adds 3,000
//! lines and depends on nothing. `tests/browser/aria.mjs` compares it with `ariaSnapshot()` in a real Chromium.

use serde_json::Value;

const PLAYWRIGHT: &str = include_str!("playwright.js");
const PAGE: &str = include_str!("page.js");

/// What a page shows, or the part of it that a selector finds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    /// Playwright's ARIA snapshot of it, as YAML without a final line break.
    pub(super) aria: String,
    /// The text that people read.
    pub(super) text: String,
}

/// JavaScript whose value is what the page shows; `null` if the CSS selector finds nothing.
pub(super) fn script(selector: Option<&str>) -> String {
    format!("(() => {{\n{PLAYWRIGHT}{PAGE}return views({});\n}})()", Value::from(selector))
}

impl Shown {
    /// What the script returned.
    pub(super) fn read(value: &Value) -> Option<Shown> {
        let form = |key| Some(value.get(key)?.as_str()?.replace("\r\n", "\n"));
        Some(Shown { aria: form("aria")?, text: form("text")? })
    }
}
