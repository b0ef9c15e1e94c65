//! `eval-ls run`, `list` and `self-test`, as programs see them: the real binary in folders of its own.

#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod support;

mod cancel;
mod formats;
mod secrets;
mod statuses;
