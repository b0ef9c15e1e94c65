//! Who may start what. A target that runs a program or opens an address is only asked after a person has allowed it, and
//! only as it was then: another table asks again.
//!
//! The answer is kept under the user's state directory, by the workspace's real path and the hash of the target's table.

mod approvals;
mod prompt;

use std::fmt::Display;
use std::path::PathBuf;

use tower_lsp_server::Client;
use tower_lsp_server::ls_types::{MessageActionItem, MessageType};

use crate::lsp::runs::{Plan, PlannedSuite};
use crate::lsp::transport::log;
use approvals::{Approval, Approvals};

pub(in crate::lsp) use approvals::state_folder;

/// What the client says that a person chose.
const ALLOW: &str = "Allow and run";
const REFUSE: &str = "Do not run";

/// Why nothing is run.
#[derive(Debug, thiserror::Error)]
pub(in crate::lsp) enum TrustFault {
    #[error("the target `{0}` was not allowed to run")]
    Refused(String),
    #[error("the client could not ask whether the target `{target}` may run: {reason}")]
    NotAsked { target: String, reason: String },
    #[error(
        "what the target `{0}` would start is too long to be shown whole, so nobody could say whether it may: put it into \
         a program or script of its own, and name that"
    )]
    TooLong(String),
    #[error("the folder {} cannot be found: {source}", path.display())]
    NoFolder { path: PathBuf, source: std::io::Error },
}

/// Returns once every target of the plan is allowed; asks for those that are not yet.
///
/// # Errors
/// Where one of them is not.
pub(in crate::lsp) async fn allow(plan: &Plan, client: &Client) -> Result<(), TrustFault> {
    for suite in plan.suites.iter().filter(|suite| suite.is_live()) {
        let approval = approval(suite)?;
        if Approvals::of_user().has(&approval) {
            continue;
        }
        ask(suite, client).await?;
        if let Err(fault) = Approvals::of_user().add(&approval) {
            log(&format!("that the target may run is not remembered: {fault}"));
        }
    }
    Ok(())
}

fn approval(suite: &PlannedSuite) -> Result<Approval, TrustFault> {
    let folder = suite.folder();
    let real = folder.canonicalize().map_err(|source| TrustFault::NoFolder { path: folder.to_owned(), source })?;
    Ok(Approval::new(&real, &suite.target, &suite.table))
}

async fn ask(suite: &PlannedSuite, client: &Client) -> Result<(), TrustFault> {
    let action = |title: &str| MessageActionItem { title: title.to_owned(), properties: Default::default() };
    let message = prompt::message(&suite.target, &suite.table, suite.folder());
    let message = message.ok_or_else(|| TrustFault::TooLong(suite.target.clone()))?;
    let actions = vec![action(ALLOW), action(REFUSE)];
    let not_asked = |reason: &dyn Display| {
        let (target, reason) = (suite.target.clone(), reason.to_string());
        TrustFault::NotAsked { target, reason }
    };
    let chosen = client.show_message_request(MessageType::WARNING, message, Some(actions)).await;
    match chosen.map_err(|error| not_asked(&error))? {
        Some(chosen) if chosen.title == ALLOW => Ok(()),
        _ => Err(TrustFault::Refused(suite.target.clone())),
    }
}
