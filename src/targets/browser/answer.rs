//! What one turn did to the page, and the response that it gives: in the form that the configuration wants, beside every other form.

use crate::transcript::{Forms, NotKept, Pages, Part};

use super::Aria;
use super::chat::{self, Chat, ChatResult};
use super::error::BrowserError;
use super::page::Page;

impl Chat<'_> {
    /// The response of a turn, and all that was seen of it.
    pub(super) async fn response(&self, observed: Observed) -> ChatResult<(String, Pages)> {
        let config = &self.app.config;
        let part = match &config.response_selector {
            Some(selector) => Some(self.part(selector, &observed.reply).await?),
            None => None,
        };
        let mut pages = Pages {
            form: config.response,
            of_part: part.is_some(),
            playwright: observed.after.aria.as_ref().map(|aria| aria.playwright.clone()),
            before: forms(observed.before),
            after: forms(observed.after),
            reply: Some(observed.reply),
            part,
        };
        let nothing =
            |error: NotKept| BrowserError::Failed { doing: "reading the response".to_owned(), why: error.to_string() };
        let response =
            pages.response(config.response, config.response_selector.as_deref()).map_err(nothing)?.to_owned();
        pages = pages.bounded();
        Ok((response, pages))
    }

    /// The part of the page that a CSS selector finds.
    async fn part(&self, selector: &str, reply: &str) -> ChatResult<Part> {
        let doing = "reading the response";
        let script = chat::shown_script(Some(selector));
        let steps: [&[&str]; 3] = [&["snapshot", "-s", selector], &["eval", &script], &["get", "url"]];
        let read = self.made_of(self.browser.call(&steps, &self.context.deadline, doing).await, doing)?;
        self.check(read.last())?;
        let snapshot = read.first().and_then(Page::read).map(|page| page.text);
        let text = read.get(1).and_then(chat::shown_text);
        let reply = text.as_ref().map(|text| lines_within(reply, text));
        // Playwright would wait for a part that is not there.
        let aria = if text.is_some() { self.aria(Some(selector), doing).await? } else { None };
        let aria = aria.map(|aria| aria.text);
        Ok(Part { selector: selector.to_owned(), after: Forms { snapshot, aria, text }, reply })
    }
}

fn forms(capture: Capture) -> Forms {
    Forms { snapshot: Some(capture.snapshot.text), aria: capture.aria.map(|aria| aria.text), text: capture.text }
}

/// The lines of a reply, which is Markdown, that a part of the page shows.
fn lines_within(reply: &str, part: &str) -> String {
    // The marks of Markdown are not on the page, and the markers of lists are not in its text.
    let is_number = |word: &str| word.len() < 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let marked = |line: &str| {
        line.trim_start().split_once(". ").filter(|(number, _)| is_number(number)).map(|(_, rest)| rest.to_owned())
    };
    let words = |text: &str| {
        let text = marked(text).unwrap_or_else(|| text.to_owned());
        text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let part = words(part);
    reply.lines().filter(|line| part.contains(&words(line))).collect::<Vec<_>>().join("\n")
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_has_the_lines_of_the_reply_that_it_shows() {
        assert_eq!(
            lines_within("Sidebar\nYou have\t12 commits.\n\nDone", "Answer\nYou have 12\ncommits. Done"),
            "You have\t12 commits.\n\nDone"
        );
        assert_eq!(lines_within("a\nb", ""), "");
    }
}
