use crate::config::{Level, with_lint_level, with_ui_hint};
use crate::diagnostic::{Edit, quoted};

/// Gives a lint the level `off`: what that is called, and the edits of the text `config` of an `eval-ls.toml`. `None`
/// where it is off already, or the text leaves no place to say so.
pub fn turn_lint_off(lint: &str, config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_lint_level(config, lint, Level::Off).filter(|edits| !edits.is_empty())?;
    Some((format!("turn {} off in this workspace", quoted(lint)), edits))
}

/// Defines a UI hint: what that is called, and the edits of the text `config` of an `eval-ls.toml`. `None` where it is
/// defined already, or cannot be.
pub fn define_ui_hint(hint: &str, config: &str) -> Option<(String, Vec<Edit>)> {
    let edits = with_ui_hint(config, hint).filter(|edits| !edits.is_empty())?;
    Some((format!("define the UI hint {}", quoted(hint)), edits))
}
