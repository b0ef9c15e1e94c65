//! The regex dialect of eval suites: compiles a pattern, locates its errors, and matches it on a line under limits.
//!
//! The dialect is PCRE2's, as ripgrep uses it. A pattern is wrapped in `(?:…)`, has Unicode properties, and is matched
//! on each line separately, so no match spans lines. The library is linked into the program and is never the system's,
//! so a suite has the same meaning on every machine.
//!
//! A pattern can come from an untrusted file, and backtracking can take practically forever. So every match has a
//! [`Budget`]. A match that exceeds it returns [`OverBudget`], which is neither yes nor no.

mod budget;
mod error;
#[allow(unsafe_code, reason = "PCRE2 is a C library; every call of it is in this one file")]
mod ffi;
mod memo;
mod nearest;
mod program;
pub(crate) mod syntax;
#[cfg(test)]
mod tests;

pub(crate) use budget::{Budget, Limits, OverBudget};
pub(crate) use error::PatternError;
pub(crate) use ffi::version as pcre2_version;
pub(crate) use memo::{PatternMemo, compile_cached};
pub(crate) use memo::{Reach, reach, within_lines};
pub(crate) use nearest::nearest;
pub(crate) use nearest::{equal_number, whole_number};
pub(crate) use program::{Case, Pattern};

/// Returns a pattern that matches exactly `text`.
pub(crate) fn escape(text: &str) -> String {
    let is_special = |c: char| r"\^$.[]|()?*+{}".contains(c);
    text.chars().flat_map(|c| is_special(c).then_some('\\').into_iter().chain([c])).collect()
}
