use std::path::PathBuf;

use clap::Args;

use crate::import::{KEYS, Role};

/// Arguments of `import`.
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Eval files of other programs: JSON, JSON Lines, CSV or YAML
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// What keys of the files mean, for instance `prompt=frage,must_say_any=antwort`
    #[arg(long, value_name = "KEY=NAME", value_delimiter = ',', value_parser = column)]
    pub(crate) columns: Vec<Column>,

    /// The suite (default: beside the file, with its name and `.evals.json`)
    #[arg(short, long, value_name = "SUITE")]
    pub(crate) output: Option<PathBuf>,

    /// Replace a suite and answers that differ
    #[arg(long)]
    pub(crate) force: bool,
}

/// What the key of a file means.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) role: Role,
    /// The key in the file.
    pub(crate) name: String,
}

fn column(text: &str) -> Result<Column, String> {
    let (key, name) = text.split_once('=').ok_or("expected `KEY=NAME`, for instance `prompt=question`")?;
    let known = KEYS.iter().find(|(known, _)| *known == key);
    let (_, role) = known.ok_or_else(|| {
        let keys = KEYS.map(|(key, _)| key).join(", ");
        format!("`{key}` is not a key of a case; the keys are {keys}")
    })?;
    if name.is_empty() {
        return Err(format!("expected the name of a key in the file after `{key}=`"));
    }
    Ok(Column { role: *role, name: name.to_owned() })
}
