use crate::config::{Level, with_lint_level, with_reply_only, with_ui_hint};
use crate::diagnostic::{Edit, quoted};

/// Sets the level of a lint to `off`. Returns the title and the edits of `config`, the text of an `eval-ls.toml`; `None` if
/// the lint is off already, or if the text cannot be edited.
pub(crate) fn turn_lint_off(lint: &str, config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_lint_level(config, lint, Level::Off).filter(|edits| !edits.is_empty())?;
    Some((format!("turn {} off in this workspace", quoted(lint)), edits))
}

/// Lets only the reply count as evidence. Returns the title and the edits of `config`, the text of an `eval-ls.toml`;
/// `None` if that is so already, or if the text cannot be edited.
pub(crate) fn match_reply_only(config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_reply_only(config).filter(|edits| !edits.is_empty())?;
    Some(("match it in the reply only: set `prompt_counts = false` in eval-ls.toml".to_owned(), edits))
}

/// Defines a UI hint. Returns the title and the edits of `config`, the text of an `eval-ls.toml`; `None` if the hint is
/// defined already, or if the text cannot be edited.
pub(crate) fn define_ui_hint(hint: &str, config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_ui_hint(config, hint).filter(|edits| !edits.is_empty())?;
    Some((format!("define the UI hint {}", quoted(hint)), edits))
}
