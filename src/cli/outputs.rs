//! Files that options name for output. None of them replaces what this program reads.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::analysis::lint_names;
use crate::diagnostic::quoted;
use crate::files;
use crate::workspace::{ConfigCache, absolute, read_as};

use super::{ExitStatus, Refusal};

/// Refuses outputs that are a suite, unless they replace suites, a configuration, something that is stored beside a suite, a part of a kept
/// run, or one of `inputs`, and two that are one file. Devices and pipes are not replaced.
pub(super) fn refuse_outputs<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
    replaces_suites: bool,
) -> Result<(), Refusal> {
    let inputs: Vec<PathBuf> = inputs.into_iter().map(real).collect();
    let mut configurations = ConfigCache::new(lint_names());
    let mut known = HashSet::new();
    for output in outputs.into_iter().filter(|output| !files::is_stream(output)) {
        let (named, real) = (absolute(output), real(output));
        let what_is_there =
            [&named, &real].into_iter().find_map(|path| read_as(path, &mut configurations, replaces_suites));
        let what = match what_is_there {
            _ if inputs.contains(&real) => "read by this command",
            Some(what) => what,
            None if !known.insert(real) => "named for two outputs",
            None => continue,
        };
        let fault = format!("the output {} is {what}; name another file", quoted(&output.display().to_string()));
        return Err(Refusal::new(ExitStatus::Misused, fault));
    }
    Ok(())
}

/// The file behind links, which need not exist.
fn real(path: &Path) -> PathBuf {
    let path = absolute(path);
    let behind = || files::real(&path.parent()?.join(path.read_link().ok()?));
    files::real(&path).or_else(behind).unwrap_or(path)
}
