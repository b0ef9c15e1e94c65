//! What one turn did to the page: the evidence from which a response is made.

use super::page::Page;
use super::playwright::Aria;

/// The page at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Capture {
    /// The accessibility snapshot.
    pub(super) snapshot: Page,
    /// The text that people read; `None` if the page could not be read.
    pub(super) text: Option<String>,
    /// Playwright's ARIA snapshot, if the response is one.
    pub(super) aria: Option<Aria>,
}

/// A turn that took place: the app accepted the prompt, something other than the prompt appeared, and the page settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Observed {
    /// The prompt, as it was typed.
    pub(super) prompt: String,
    /// The page just before the prompt was typed.
    pub(super) before: Capture,
    /// The page after it settled.
    pub(super) after: Capture,
    /// What is new on the page, without the prompt: a line for each text, in the order of the page.
    pub(super) reply: String,
}
