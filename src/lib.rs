//! eval-ls: the language server, linter and runner for eval suites.
//!
//! `ARCHITECTURE.md` shows how text travels through these modules and which of them may use which.

// Without the program, nothing here asks for the parts that only commands and the server use.
#![cfg_attr(not(feature = "program"), allow(dead_code, unused_imports))]
#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::disallowed_types))]

mod analysis;
mod cancellation;
mod challenge;
mod checks;
#[cfg(feature = "program")]
#[expect(clippy::disallowed_methods, reason = "reads suites and writes reports")]
mod cli;
mod clock;
mod compare;
mod config;
mod diagnostic;
mod events;
#[expect(clippy::disallowed_methods, reason = "lists what is stored beside suites")]
mod filed;
#[expect(clippy::disallowed_methods, reason = "writes files")]
mod files;
mod foreign;
#[cfg(feature = "server")]
#[expect(clippy::disallowed_methods, reason = "reads `.git`")]
mod git;
#[cfg(feature = "server")]
#[cfg(feature = "program")]
mod import;
mod lints;
#[cfg(feature = "server")]
#[expect(clippy::disallowed_methods, reason = "reads suites and transcripts, and talks to its client")]
mod lsp;
mod pattern;
#[cfg(feature = "program")]
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "prepares programs and looks for running ones")]
mod processes;
#[cfg(feature = "program")]
mod report;
#[cfg(feature = "program")]
#[expect(clippy::disallowed_methods, reason = "removes pictures of earlier runs")]
mod runner;
#[expect(clippy::disallowed_methods, reason = "reads and writes kept runs")]
mod runs;
mod schema;
mod statistics;
mod suite;
mod syntax;
#[cfg(feature = "program")]
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "starts programs and reads transcripts")]
mod targets;
mod text;
#[cfg(feature = "program")]
mod threads;
mod transcript;
mod verdict;
#[cfg(all(feature = "server", target_family = "wasm"))]
#[allow(unsafe_code, reason = "a host passes pointers into the memory of the module")]
pub mod wasm;
mod wording;
#[cfg(feature = "server")]
#[expect(clippy::disallowed_methods, reason = "finds files")]
mod workspace;

#[cfg(feature = "program")]
use cli::args::{Cli, Command};

/// Does what the command line of this process asks. Returns the exit status.
#[cfg(feature = "program")]
pub fn run() -> i32 {
    if processes::is_reaper() {
        processes::reap();
        return 0;
    }
    let command = Cli::of_process().command;
    threads::start();
    match command {
        Command::Lsp(_) => lsp::run(),
        Command::Task(task) => cli::run(&task).code(),
    }
}

/// What `tests/` and `benches/` use. This is not an interface for other crates: it changes without notice.
pub mod testing {
    use std::sync::Arc;

    pub use crate::analysis::inlay_hints::{HintsWanted, VerdictHints, inlay_hints};
    pub use crate::analysis::symbols::symbols;
    pub use crate::analysis::{Answer, Answers, CompletionContext, Document, completions, hover};
    pub use crate::config::Config;
    pub use crate::diagnostic::{Edit, Finding, Severity, safe_edits};
    pub use crate::lints::{LINTS, Lint, Workspace};
    #[cfg(feature = "server")]
    pub use crate::lsp::InProcessServer;
    #[cfg(feature = "program")]
    pub use crate::lsp::transport::messages;
    pub use crate::suite::{Case, Suite};
    pub use crate::syntax::{Kind, Member, Node, Tree, parse};
    pub use crate::text::{Span, Text};
    pub use crate::transcript::{Event, Store, Transcript};
    pub use crate::verdict::{CaseResult, Status, judge};

    use crate::analysis::{actions, lint_names};
    use crate::pattern::{Budget, Case as CaseMode, Limits, Pattern};

    /// The edits of each fix and each refactoring that an editor offers for a selection.
    pub fn offered_edits(document: &Document, at: Span, workspace: &Arc<Workspace>) -> Vec<Vec<Edit>> {
        let findings = document.findings(workspace).into_iter();
        let fixes = findings.flat_map(|finding| finding.fixes.into_iter().map(|fix| fix.edits));
        fixes.chain(actions::actions(document, at, workspace).into_iter().map(|action| action.edits)).collect()
    }

    /// Where a pattern that ignores case first matches in a line; `None` if it does not compile, or exceeds its limits.
    pub fn first_match(pattern: &str, line: &str) -> Option<Option<Span>> {
        let pattern = Pattern::compile(pattern, CaseMode::Ignored).ok()?;
        pattern.find(line, 0, &Budget::new(Limits::default())).ok()
    }

    /// The places of the errors in an `eval-ls.toml`.
    pub fn config_errors(text: &str) -> Vec<Span> {
        Config::parse(text, &lint_names()).1.iter().map(|error| error.span).collect()
    }
}
