//! Who answers a case's prompts: transcripts that were kept, a program, or an app in a browser. The only code that
//! starts a process.
//!
//! [`open`] turns a table of `eval-ls.toml` into a [`Target`]; a run asks it case by case, and each answer is a
//! [`Transcript`](crate::transcript::Transcript). Whatever goes wrong is a [`TargetError`], whose message is the reason of a
//! case that ends in `ERROR`. Values that a program was given from the environment are struck out of both ([`Secrets`]).

mod browser;
mod cancel;
mod command;
mod error;
mod off_reactor;
mod open;
mod plain;
mod preconditions;
mod process;
mod replay;
mod secrets;
mod target;
#[cfg(test)]
mod tests;

pub use browser::{BrowserError, BrowserOptions, BrowserTarget, StepError};
pub use cancel::{Cancel, Deadline, Stop};
pub use command::{CommandTarget, ProgramError, REQUEST_FORMAT};
pub use error::{OpenError, TargetError};
pub(crate) use off_reactor::off_reactor;
pub use open::{open, open_with};
pub use preconditions::PreconditionError;
pub use replay::ReplayTarget;
pub use secrets::Secrets;
pub use target::{Context, Origin, Progress, Request, Session, Target};
