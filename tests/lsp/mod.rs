//! The language server, seen from a client.

mod agreement;
mod challenges;
mod clients;
mod code_actions;
mod coding_agents;
mod completion;
mod configuration;
mod configuration_file;
mod diagnostics;
mod documents;
mod encodings;
mod floods;
mod hostile_files;
mod hover;
mod imports;
mod incremental;
mod layouts;
mod order;
mod reading;
mod rename;
mod running;
mod settings;
mod stdio;
pub(crate) mod support;
mod test_lists;
mod tools;
mod verdicts;
