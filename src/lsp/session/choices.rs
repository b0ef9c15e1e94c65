//! What the server remembers from session to session, in the user's state directory: the targets that people chose.

use std::env;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::files::{self, FileError};
use crate::lsp::client::settings::log;
use crate::lsp::convert::uris;

/// The name of the file's format.
const FORMAT: &str = "eval-ls/choices@1";

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 16 << 20;

/// How many choices are kept, the last ones. A choice is two short texts.
const KEPT: usize = 1000;

/// See the module's page.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Choices {
    /// The chosen targets; one for each folder.
    #[serde(default)]
    pub(crate) targets: Vec<ChosenTarget>,
}

/// The target that a person chose for runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ChosenTarget {
    /// The URI of the folder of `eval-ls.toml`: a path need not be UTF-8.
    pub(crate) folder: String,
    /// The name of the target.
    pub(crate) target: String,
    /// The configured target at that time. If another one is configured, the choice ends.
    pub(crate) instead_of: String,
}

#[derive(Serialize, Deserialize)]
struct Contents {
    format: String,
    #[serde(flatten)]
    choices: Choices,
}

impl Choices {
    /// The target that was chosen for a folder, unless another one than then is `configured`.
    pub(crate) fn target(&self, folder: &Path, configured: &str) -> Option<&str> {
        let folder = uri_of(folder)?;
        let chosen = self.targets.iter().find(|chosen| chosen.folder == folder)?;
        (chosen.instead_of == configured).then_some(&chosen.target)
    }

    /// Adds a target, in the place of the one that was chosen for the folder before.
    pub(crate) fn choose(&mut self, chosen: ChosenTarget) {
        self.targets.retain(|known| known.folder != chosen.folder);
        if chosen.target != chosen.instead_of {
            self.targets.push(chosen);
        }
        self.targets.drain(..self.targets.len().saturating_sub(KEPT));
    }

    /// The choices of this user; none if the system has no state directory.
    pub(crate) fn of_user() -> Choices {
        file().map(|file| read(&file)).unwrap_or_default()
    }

    /// Changes the choices of this user.
    ///
    /// # Errors
    /// If the file cannot be written. It is then unchanged.
    pub(crate) fn change(change: impl FnOnce(&mut Choices)) -> Result<(), FileError> {
        let Some(file) = file() else { return Ok(()) };
        // Several editors may change it at the same time. The lock ends with this function.
        let _lock = files::lock(&file.with_extension("lock"))?;
        let mut choices = read(&file);
        change(&mut choices);
        let contents = Contents { format: FORMAT.to_owned(), choices };
        let mut text = serde_json::to_vec_pretty(&contents).expect("strings and times serialize");
        text.push(b'\n');
        files::replace_private(&file, &text)
    }
}

/// The URI of a file or folder; `None` if its path is not absolute.
pub(crate) fn uri_of(path: &Path) -> Option<String> {
    uris::from_path(path).map(|uri| uri.as_str().to_owned())
}

fn file() -> Option<PathBuf> {
    Some(state_folder()?.join("choices.json"))
}

fn read(file: &Path) -> Choices {
    let Ok(text) = files::read(file, MOST_BYTES) else { return Choices::default() };
    match serde_json::from_slice::<Contents>(&text) {
        Ok(contents) if contents.format == FORMAT => contents.choices,
        _ => {
            log("ignored the file of earlier choices: it is invalid; the configured targets are selected");
            Choices::default()
        }
    }
}

/// The folder of this program's state; `None` if the system has no state directory.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = variable("XDG_STATE_HOME").or_else(|| match cfg!(windows) {
        true => variable("LOCALAPPDATA"),
        false => Some(variable("HOME")?.join(".local/state")),
    });
    Some(state?.join(env!("CARGO_PKG_NAME")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_target_counts_until_another_one_is_configured() {
        let mut choices = Choices::default();
        let choose = |target: &str, instead_of: &str| ChosenTarget {
            folder: "file:///w".to_owned(),
            target: target.to_owned(),
            instead_of: instead_of.to_owned(),
        };
        choices.choose(choose("agent", "replay"));
        assert_eq!(choices.target(Path::new("/w"), "replay"), Some("agent"));
        assert_eq!(choices.target(Path::new("/w"), "other"), None);
        assert_eq!(choices.target(Path::new("/v"), "replay"), None);
        choices.choose(choose("replay", "replay"));
        assert_eq!(choices, Choices::default());
    }
}
