//! eval-ls: the language server, linter and runner for eval suites.
//!
//! `ARCHITECTURE.md` shows how text travels through these modules and which of them may use which.

mod analysis;
mod challenge;
mod checks;
mod cli;
mod config;
mod diagnostic;
mod events;
mod files;
mod lints;
mod lsp;
mod pattern;
mod report;
mod runner;
mod schema;
mod suite;
mod syntax;
mod targets;
mod text;
mod transcript;
mod verdict;
mod wording;
mod workspace;

use cli::args::{Cli, Command};

/// Does what the command line of this process asks. Returns the exit status.
pub fn run() -> i32 {
    match Cli::of_process().command {
        Command::Lsp(_) => lsp::run(),
        Command::Task(task) => cli::run(&task).code(),
    }
}

/// What `tests/` and `benches/` use. This is not an interface for other crates: it changes without notice.
pub mod testing {
    pub use crate::analysis::folding::folds;
    pub use crate::analysis::inlay_hints::{HintsWanted, inlay_hints};
    pub use crate::analysis::navigation::highlights;
    pub use crate::analysis::semantic_tokens::semantic_tokens;
    pub use crate::analysis::symbols::symbols;
    pub use crate::analysis::{Answer, Answers, CompletionContext, Document, completions, hover};
    pub use crate::config::Config;
    pub use crate::diagnostic::{Finding, Severity, safe_edits};
    pub use crate::lints::{LINTS, Workspace};
    pub use crate::lsp::transport::{Connection, ExitReason};
    pub use crate::suite::{Case, Suite};
    pub use crate::syntax::{Kind, Member, Node, Tree, parse};
    pub use crate::text::{Span, Text};
    pub use crate::transcript::{Event, Store, Transcript};
    pub use crate::verdict::{CaseResult, Status, judge};
}
