//! The regex dialect of eval suites: compile a pattern, say where it fails, match it on a line under limits.
//!
//! The dialect is PCRE2's, as ripgrep uses it: a pattern is wrapped in `(?:…)`, Unicode's properties are on, and it is tried
//! on each line alone, so that no match spans lines. The library is linked into the program, never the system's, so a
//! suite means the same everywhere.
//!
//! A pattern comes from a file that somebody else wrote, and backtracking can take longer than the universe has. So every
//! match is counted and has a [`Budget`]; over it the answer is [`OverBudget`], which is neither yes nor no.

mod budget;
mod error;
#[allow(unsafe_code, reason = "PCRE2 is a C library; every call of it is in this one file")]
mod ffi;
mod memo;
mod meter;
mod nearest;
mod program;
pub mod syntax;
#[cfg(test)]
mod tests;

pub use budget::{Budget, Limits, OverBudget};
pub use error::PatternError;
pub use memo::{PatternMemo, compile_cached};
pub use nearest::{Nearest, nearest};
pub use program::{Case, Matches, Pattern};

/// The pattern that matches exactly `text`.
pub fn escape(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '^' | '$' | '.' | '[' | ']' | '|' | '(' | ')' | '?' | '*' | '+' | '{' | '}') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

/// The version of PCRE2 that judges patterns, with its date: `10.46 2025-08-27`.
pub fn pcre2_version() -> String {
    ffi::version()
}
