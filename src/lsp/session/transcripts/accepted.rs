use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::analysis::Baselines;
use crate::config::Config;
use crate::lsp::session::stamp::Stamp;
use crate::lsp::transport::log;
use crate::runs::Baseline;
use crate::workspace::{Scope, is_inside};

/// The baselines of a suite, and the identities of their files.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Accepted {
    stamps: Vec<(PathBuf, Stamp)>,
    pub(super) baselines: Arc<Baselines>,
}

impl Accepted {
    /// Reads the baselines of the suite at `path`, one for each target. Returns `known` itself if no file has changed. A file that
    /// cannot be read is reported to the log and ignored.
    pub(super) fn read(path: &Path, config: &Config, known: &Arc<Accepted>) -> Arc<Accepted> {
        let root = Scope::of_file(path);
        let files = config.targets.keys().map(|target| Baseline::path(path, target));
        let files = files.filter(|file| file.parent().is_some_and(|folder| is_inside(folder, root.folder())));
        let stamps: Vec<_> = files.filter_map(|file| Some((file.clone(), Stamp::of_file(&file)?))).collect();
        if stamps == known.stamps {
            return Arc::clone(known);
        }
        let read = |(file, _): &(PathBuf, Stamp)| {
            Baseline::read(file).unwrap_or_else(|fault| {
                log(&format!("a baseline is ignored: {fault}"));
                None
            })
        };
        let baselines = Arc::new(Baselines::new(stamps.iter().filter_map(read)));
        Arc::new(Accepted { stamps, baselines })
    }
}
