//! Where this program keeps what a user decided, from session to session.

use std::env;
use std::path::PathBuf;

/// The folder of this program's state; `None` if the system has no state directory.
pub(in crate::lsp) fn state_folder() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = variable("XDG_STATE_HOME").or_else(|| match cfg!(windows) {
        true => variable("LOCALAPPDATA"),
        false => Some(variable("HOME")?.join(".local/state")),
    });
    Some(state?.join(env!("CARGO_PKG_NAME")))
}
