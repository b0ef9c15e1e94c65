//! `eval-ls run`, `list` and `self-test`, as programs see them: the real binary in folders of its own.

mod support;

mod cancel;
mod formats;
mod secrets;
mod statuses;
