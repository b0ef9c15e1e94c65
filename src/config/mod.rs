//! `eval-ls.toml`: which files are suites, how they are run, with which target, and what the terms of the workspace
//! mean.
//!
//! Reading is total: [`Config::parse`] returns a configuration for every text, and every error with its place.
//! [`with_setting`] and the functions beside it edit the file and keep its comments and layout.

mod challenge;
mod edit;
mod error;
mod file_set;
mod model;
mod read;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use challenge::{CHALLENGES, CaseGlob, ChallengeConfig, ChallengeException};
pub(crate) use edit::{
    place_of_ui_hint, toml_string, with_allowed, with_case_renamed, with_known_tool, with_setting, with_source,
    with_ui_hints,
};
pub(crate) use error::HumanDuration;
pub(crate) use error::{Approvable, ConfigError, Load};
pub(crate) use file_set::{FileSet, Pattern, Taken};
pub use model::Config;
pub(crate) use model::{
    Allow, Flaky, Keep, LintLevel, MOST_JOBS, OPTIONAL, Precondition, PreconditionCheck, REPLAY, Reading, RepeatPolicy,
    Scoring, Source, Stale, Steps, UiHint,
};
pub(crate) use target::{
    BrowserTarget, ChatInput, CommandTarget, ResponseFrom, Screenshots, TargetConfig, TargetKind, TelemetryKey,
    plain_address, web_address,
};

/// The name of the configuration file.
pub(crate) const CONFIG_FILE: &str = "eval-ls.toml";

/// The largest configuration that is read, in bytes. A server reads it between two messages.
pub(crate) const MAX_CONFIG_BYTES: u64 = 256 << 10;

/// A commented `eval-ls.toml` with the defaults, for a workspace without one.
pub(crate) const TEMPLATE: &str = include_str!("template.toml");
