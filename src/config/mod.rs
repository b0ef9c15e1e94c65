//! `eval-ls.toml`: which files are suites, how they are run, with which target, and what the terms of the workspace
//! mean.
//!
//! Reading is total: [`Config::parse`] returns a configuration for every text, and every error with its place.
//! [`with_lint_level`] and the functions beside it edit the file and keep its comments and layout.

mod address;
mod allow;
mod approvable;
mod challenge;
mod debugger;
mod duration;
mod edit;
mod error;
mod file_set;
mod keep;
mod level;
mod model;
mod precondition;
mod quote;
mod read;
mod removed;
mod repeat;
mod required_version;
mod stale;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use address::plain_address;
pub(crate) use allow::Allow;
pub(crate) use approvable::{Approvable, Load};
pub(crate) use challenge::{
    CHALLENGES, CaseGlob, ChallengeConfig, ChallengeException, OwnRewrite, REWRITES, ReplacementPart,
};
pub(crate) use debugger::Debugger;
pub(crate) use duration::HumanDuration;
pub(crate) use edit::{
    place_of_ui_hint, with_allowed, with_case_renamed, with_known_tool, with_lint_level, with_path_renamed,
    with_plain_reading, with_reply_only, with_run_target, with_source, with_source_renamed, with_ui_hints,
};
pub(crate) use error::ConfigError;
pub(crate) use file_set::{FileSet, Pattern, Taken};
pub(crate) use keep::Keep;
pub(crate) use level::Level;
pub use model::Config;
pub(crate) use model::{LintLevel, MOST_JOBS, REPLAY, Reading, Scoring, Source, UiHint};
pub(crate) use precondition::{OPTIONAL, Precondition, PreconditionCheck, Steps};
pub(crate) use quote::{toml_key, toml_string, toml_value};
pub(crate) use removed::removed;
pub(crate) use repeat::{Flaky, MOST_REPEATS, RepeatPolicy};
pub(crate) use stale::Stale;
pub(crate) use target::{
    BrowserTarget, ChatInput, CommandTarget, ResponseFrom, Screenshots, TargetConfig, TargetKind, TelemetryKey,
    web_address,
};

/// The name of the configuration file.
pub(crate) const CONFIG_FILE: &str = "eval-ls.toml";

/// The largest configuration that is read, in bytes. A server reads it between two messages.
pub(crate) const MAX_CONFIG_BYTES: u64 = 256 << 10;

/// A commented `eval-ls.toml` with the defaults, for a workspace without one.
pub(crate) const TEMPLATE: &str = include_str!("template.toml");
