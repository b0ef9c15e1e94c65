use std::io;
use std::path::{Component, Path, PathBuf};

use crate::config::{CONFIG_FILE, Config, ConfigError};

/// A folder with its configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Workspace {
    /// The folder of `eval-ls.toml`; without one, the folder that was asked for. Absolute.
    pub root: PathBuf,
    /// What holds here.
    pub config: Config,
    /// Where the file is, if there is one.
    pub config_path: Option<PathBuf>,
    /// The file's text, to which all spans refer; empty where there is none.
    pub text: String,
    /// What is wrong in the file, in its order.
    pub errors: Vec<ConfigError>,
}

/// Why a workspace could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file, or the current folder, could not be read.
    #[error("could not read `{}`: {source}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file is not text.
    #[error("`{}` is not UTF-8: the byte at offset {offset} begins no character; save the file as UTF-8", path.display())]
    NotUtf8 {
        /// Which.
        path: PathBuf,
        /// The first byte, from 0, that is part of no character.
        offset: usize,
    },
}

impl Workspace {
    /// The workspace of a suite or a folder: that of the nearest `eval-ls.toml` above it, or the folder itself with all
    /// defaults. A `path` that does not exist counts as a file.
    ///
    /// # Errors
    /// Where the file is there and cannot be read. Errors within it are in [`Workspace::errors`].
    pub fn load(path: &Path, known_lints: &[&str]) -> Result<Workspace, LoadError> {
        let start = absolute(path).map_err(|source| LoadError::Read { path: path.to_owned(), source })?;
        if let Some(config_path) = find_config(&start) {
            return Self::load_file(&config_path, known_lints);
        }
        let root = folder_of(&start).to_owned();
        Ok(Workspace { root, config: Config::default(), config_path: None, text: String::new(), errors: Vec::new() })
    }

    /// The workspace of this very configuration file, whatever its name.
    ///
    /// # Errors
    /// Where it cannot be read. Errors within it are in [`Workspace::errors`].
    pub fn load_file(config_path: &Path, known_lints: &[&str]) -> Result<Workspace, LoadError> {
        let read = |source| LoadError::Read { path: config_path.to_owned(), source };
        let config_path = absolute(config_path).map_err(read)?;
        let bytes = std::fs::read(&config_path).map_err(read)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            LoadError::NotUtf8 { path: config_path.clone(), offset }
        })?;
        let (config, errors) = Config::parse(&text, known_lints);
        let root = config_path.parent().unwrap_or(&config_path).to_owned();
        Ok(Workspace { root, config, config_path: Some(config_path), text, errors })
    }
}

/// The nearest `eval-ls.toml`, going up from `start`, which is a folder or a file in one. `None` also where the current
/// folder, from which a relative `start` counts, cannot be told.
pub fn find_config(start: &Path) -> Option<PathBuf> {
    let start = absolute(start).ok()?;
    folder_of(&start).ancestors().map(|folder| folder.join(CONFIG_FILE)).find(|candidate| candidate.is_file())
}

fn folder_of(path: &Path) -> &Path {
    if path.is_dir() { path } else { path.parent().unwrap_or(path) }
}

/// The path from the file system's root. Links stay as they are, so that people see the names they gave, except where
/// `..` stands in the path: what lies above is then only told by following them.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let absolute = std::path::absolute(path)?;
    if absolute.components().any(|part| part == Component::ParentDir) {
        return absolute.canonicalize().or_else(|error| match (absolute.parent(), absolute.file_name()) {
            // A file that is not saved yet: its folder is there.
            (Some(folder), Some(name)) => Ok(folder.canonicalize()?.join(name)),
            _ => Err(error),
        });
    }
    Ok(absolute)
}

#[cfg(test)]
mod tests;
