mod edits;
mod faults;
mod schemas;
mod targets;
mod values;

use super::{Config, ConfigError};
use crate::text::{Encoding, Text};

/// The lints that these tests know.
const LINTS: [&str; 3] = ["duplicate-case-id", "undefined-ui-hint", "vacuous-case"];

fn parse(text: &str) -> (Config, Vec<ConfigError>) {
    Config::parse(text, &LINTS)
}

/// Returns the configuration of a text without errors.
fn sound(text: &str) -> Config {
    let (config, errors) = parse(text);
    assert!(errors.is_empty(), "{text}\n{}", shown(text, &errors));
    config
}

/// Returns one line for each error, as the command line shows it: line and column from 1, the text, the message.
fn shown(text: &str, errors: &[ConfigError]) -> String {
    let positions = Text::new(text);
    let line = |error: &ConfigError| {
        let at = positions.position(error.span.start, Encoding::Utf32);
        let fault = &text[error.span.range()];
        format!("{}:{} <{fault}> {error}\n", at.line + 1, at.column + 1)
    };
    errors.iter().map(line).collect()
}

fn level(config: &Config, lint: &str) -> Option<crate::config::model::Level> {
    config.lints.get(lint).map(|entry| entry.level)
}
