//! `eval-ls.toml`: which files are suites, how they are run, with which target, and what the terms of the workspace
//! mean.
//!
//! Reading is total: [`Config::parse`] returns a configuration for every text, and every error with its place.
//! [`with_lint_level`] and the functions beside it edit the file and keep its comments and layout.

mod challenge;
mod duration;
mod edit;
mod error;
mod file_set;
mod level;
mod model;
mod precondition;
mod quote;
mod read;
mod target;
#[cfg(test)]
mod tests;

pub use challenge::{CHALLENGES, CaseGlob, ChallengeConfig, ChallengeException};
pub use duration::{DurationError, HumanDuration};
pub use edit::{with_lint_level, with_source_renamed, with_ui_hint};
pub use error::ConfigError;
pub use file_set::{FileSet, Pattern, PatternError, Taken};
pub use level::Level;
pub use model::{Config, LintLevel, REPLAY, Run, Scoring, Source, UiHint};
pub use precondition::{OPTIONAL, Precondition, PreconditionCheck, Steps};
pub use target::{
    BrowserTarget, ChatInput, CommandTarget, ResponseFrom, Screenshots, SendButton, TargetConfig, TargetKind,
    TelemetryKey, web_address,
};

/// The name of the configuration file.
pub const CONFIG_FILE: &str = "eval-ls.toml";

/// A commented `eval-ls.toml` with the defaults, for a workspace without one.
pub const TEMPLATE: &str = include_str!("template.toml");
