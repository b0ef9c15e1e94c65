//! The targets of runs: stored transcripts, a program, or an app in a browser. No other code starts a process.
//!
//! [`open()`] turns a table of `eval-ls.toml` into a [`Target`]; a run asks it case by case, and each answer is a
//! [`Transcript`](crate::transcript::Transcript). Every failure is a [`TargetError`], whose message is the reason of a case that
//! ends in `ERROR`. Values that a program received from the environment are removed from both ([`Secrets`]).

mod browser;
mod command;
mod fingerprint;
mod plain;
mod process;
mod secrets;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use browser::{BrowserError, BrowserOptions, BrowserTarget};
pub(crate) use command::{CommandTarget, ProgramError};
pub(crate) use fingerprint::fingerprint;
pub(crate) use secrets::Secrets;
#[cfg(test)]
pub(crate) use target::ReplayTarget;
pub(crate) use target::{Cancel, Deadline, Stop};
pub(crate) use target::{Context, Progress, Request, Session, Target, TargetError, UNREADABLE, off_reactor, open};
