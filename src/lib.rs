//! eval-ls: the language server, linter and runner for eval suites.
//!
//! `ARCHITECTURE.md` shows how text travels through these modules and which of them may use which.

pub mod analysis;
pub mod challenge;
pub mod checks;
pub mod cli;
pub mod config;
pub mod diagnostic;
pub mod events;
pub mod files;
pub mod lints;
pub mod lsp;
pub mod pattern;
pub mod report;
pub mod runner;
pub mod schema;
pub mod suite;
pub mod syntax;
pub mod targets;
pub mod text;
pub mod transcript;
pub mod verdict;
pub mod wording;
pub mod workspace;
