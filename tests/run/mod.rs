//! Tests of the real binary: `eval-ls run`, `list` and `self-test`, each in a temporary folder.

mod support;

mod actions;
mod answers;
mod baseline;
mod cancel;
mod claims;
mod compare;
mod conditions;
mod errors;
#[cfg(unix)]
mod foreign;
mod formats;
mod history;
mod kept;
mod killed;
mod losses;
mod place;
mod repeats;
mod report;
mod reports;
mod resume;

mod schemas;
mod secrets;
mod shards;
mod show;
mod statuses;
mod whose;
