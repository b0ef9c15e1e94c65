//! The language server, seen from a client.

mod agreement;
mod challenges;
mod clients;
mod code_actions;
mod completion;
mod configuration;
mod configuration_file;
mod diagnostics;
mod documents;
mod encodings;
mod floods;
mod formatting;
mod hover;
mod incremental;
mod layouts;
mod order;
mod reading;
mod rename;
mod running;
mod settings;
mod stdio;
mod support;
mod test_lists;
mod tools;
mod transport;
mod verdicts;
