//! Taking steps on a page.

use crate::diagnostic::quoted;
use crate::targets::plain::plain;

use super::chat::{Chat, ChatResult};
use super::error::BrowserError;
use super::program::Fault;
use super::steps::{self, Step, StepList};

impl Chat<'_> {
    /// Takes the steps of a list in order. An optional step may fail, but it may not lead to another address.
    ///
    /// # Errors
    /// If a required step cannot be taken.
    pub(super) async fn take(&self, list: &StepList) -> ChatResult<()> {
        for (index, step) in list.steps.iter().enumerate() {
            self.take_one(list, index + 1, step).await?;
        }
        Ok(())
    }

    /// Takes the steps that show whether a precondition is met.
    ///
    /// # Errors
    /// If one of them cannot be taken.
    pub(super) async fn check_precondition(&self, text: &str, list: &StepList) -> ChatResult<()> {
        let not_met = |fault: Box<BrowserError>| Box::new(BrowserError::Precondition { text: quoted(text), fault });
        self.take(list).await.map_err(not_met)
    }

    async fn take_one(&self, list: &StepList, number: usize, step: &Step) -> ChatResult<()> {
        let name = || list.name.clone();
        if let Some(address) = steps::address(&step.words).filter(|address| !self.app.addresses.allow(address)) {
            let address = plain(address);
            return Err(Box::new(BrowserError::StepElsewhere { list: name(), number, address }));
        }
        let words: Vec<&str> = step.words.iter().map(String::as_str).collect();
        let doing = format!("taking step {number} of {}", list.name);
        let taken = match self.browser.call(&[&words, &["get", "url"]], &self.context.deadline, &doing).await {
            Err(Fault::Refused(_)) if step.is_optional => {
                self.browser.call(&[&["get", "url"]], &self.context.deadline, &doing).await
            }
            Err(Fault::Refused(why)) => {
                let step = plain(&step.words.join(" "));
                return Err(Box::new(BrowserError::Step { list: name(), number, step, why }));
            }
            taken => taken,
        };
        self.check(self.made_of(taken, &doing)?.last())
    }
}
