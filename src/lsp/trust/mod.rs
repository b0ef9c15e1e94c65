//! Approval of targets. A target that runs a program or opens an address runs only after a person has allowed it. A change
//! of the target's table, or of the folders for its answers, asks again.
//!
//! Approvals are stored in the user's state directory, by the real path of the workspace and the hash of what is approved.

mod approvals;
mod prompt;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use ls_types::{MessageActionItem, MessageType};
use tower_lsp_server::Client;

use crate::config::Approvable;
use crate::lsp::client::settings::log;
use crate::lsp::protocol::{Approve, ApproveParams};
use crate::lsp::runs::Plan;

use approvals::{Approval, Approvals};

/// The titles of the two answers.
const ALLOW: &str = "Allow and run";
const REFUSE: &str = "Do not run";

/// Why a target may not run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TrustFault {
    #[error("target `{0}` was not allowed to run")]
    Refused(String),
    /// As [`TrustFault::Refused`], but the client showed the question itself, so the person knows.
    #[error("target `{0}` was not allowed to run")]
    Declined(String),
    #[error("the client could not ask for approval of target `{target}`: {reason}")]
    NotAsked { target: String, reason: String },
    #[error("the command of target `{0}` is too long to show for approval; move it into a script")]
    TooLong(String),
    #[error("could not find the folder {}: {source}", path.display())]
    NoFolder { path: PathBuf, source: std::io::Error },
}

/// Returns when every target of the plan is allowed, in the real folder that is written into the plan. Asks about targets
/// without an approval: with `eval-ls/approve` if the client asks itself, else with `window/showMessageRequest`.
///
/// # Errors
/// If one of them is not allowed.
pub(crate) async fn allow(plan: &mut Plan, client: &Client, asks_itself: bool) -> Result<(), TrustFault> {
    for suite in plan.suites.iter_mut().filter(|suite| suite.is_live()) {
        let target = LiveTarget::new(suite.folder(), &suite.target, suite.approvable())?;
        target.allow(client, asks_itself).await?;
        suite.allowed = Some(target.folder);
    }
    Ok(())
}

/// A target that runs a program or opens an address, in a folder.
pub(crate) struct LiveTarget {
    /// The real path.
    folder: PathBuf,
    /// The path as the configuration has it, for people.
    shown_folder: PathBuf,
    name: String,
    approvable: Approvable,
}

impl LiveTarget {
    /// The target in `eval-ls.toml` of the folder.
    ///
    /// # Errors
    /// If the folder does not exist.
    pub(crate) fn new(folder: &Path, name: &str, approvable: Approvable) -> Result<Self, TrustFault> {
        let real = folder.canonicalize().map_err(|source| TrustFault::NoFolder { path: folder.to_owned(), source })?;
        Ok(Self { folder: real, shown_folder: folder.to_owned(), name: name.to_owned(), approvable })
    }

    /// Returns when the target is allowed. Asks if it has no approval, with `eval-ls/approve` if the client asks itself, else
    /// with `window/showMessageRequest`.
    ///
    /// # Errors
    /// If it is not allowed.
    pub(crate) async fn allow(&self, client: &Client, asks_itself: bool) -> Result<(), TrustFault> {
        let approval = Approval::new(&self.folder, &self.name, &self.approvable);
        if Approvals::of_user().has(&approval) {
            return Ok(());
        }
        self.ask(client, asks_itself).await?;
        // Another program may hold the lock, and requests are answered meanwhile.
        let added = tokio::task::spawn_blocking(move || Approvals::of_user().add(&approval)).await;
        if let Ok(Err(fault)) = added {
            log(&format!("could not save the approval, so the next run asks again: {fault}"));
        }
        Ok(())
    }

    async fn ask(&self, client: &Client, asks_itself: bool) -> Result<(), TrustFault> {
        let action = |title: &str| MessageActionItem { title: title.to_owned(), properties: Default::default() };
        let message = prompt::message(&self.name, &self.approvable, &self.shown_folder);
        let message = message.ok_or_else(|| TrustFault::TooLong(self.name.clone()))?;
        let not_asked = |reason: &dyn Display| {
            let (target, reason) = (self.name.clone(), reason.to_string());
            TrustFault::NotAsked { target, reason }
        };
        if asks_itself {
            let params = ApproveParams { target: self.name.clone(), message, allow: ALLOW.to_owned() };
            let answer = client.send_request::<Approve>(params).await.map_err(|error| not_asked(&error))?;
            return if answer.allowed { Ok(()) } else { Err(TrustFault::Declined(self.name.clone())) };
        }
        let actions = vec![action(ALLOW), action(REFUSE)];
        let chosen = client.show_message_request(MessageType::WARNING, message, Some(actions)).await;
        match chosen.map_err(|error| not_asked(&error))? {
            Some(chosen) if chosen.title == ALLOW => Ok(()),
            _ => Err(TrustFault::Refused(self.name.clone())),
        }
    }
}
