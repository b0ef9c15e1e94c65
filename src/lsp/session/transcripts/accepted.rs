use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::budget::Allowance;
use crate::analysis::Baselines;
use crate::config::Config;
use crate::files::Reader;
use crate::lsp::client::log::log;
use crate::lsp::session::stamp::Stamp;
use crate::runs::Baseline;
use crate::workspace::Scope;

/// The largest baseline that the editor reads, in bytes.
const MAX_BYTES: u64 = 16 << 20;
/// How much memory a baseline takes for each byte of its file.
const GROWTH: u64 = 4;

/// The baselines of a suite, and the identities of their files.
#[derive(Debug, Default)]
pub(in crate::lsp) struct Accepted {
    stamps: Vec<(PathBuf, Stamp)>,
    pub(super) baselines: Arc<Baselines>,
    /// The memory that they take, in bytes.
    pub(super) memory: u64,
    /// The number of files that are too large.
    pub(super) left_out: usize,
}

impl Accepted {
    /// Reads the baselines of the suite at `path`, one for each target. Returns `known` itself if no file has changed. A file that
    /// cannot be read is reported to the log and ignored.
    pub(super) fn read(
        path: &Path,
        config: &Config,
        known: &Arc<Accepted>,
        allowance: &mut Allowance,
    ) -> Arc<Accepted> {
        let reader = Reader::within(Scope::of_file(path).folder(), MAX_BYTES);
        let files = config.targets.keys().map(|target| Baseline::path(path, target));
        let stamped = |file: PathBuf| Some((Stamp::of_file(&file)?, file)).filter(|(_, file)| reader.admits(file));
        let (mut stamps, mut left_out, before) = (Vec::new(), 0, allowance.left());
        for (stamp, file) in files.filter_map(stamped) {
            match stamp.length <= MAX_BYTES && allowance.take(GROWTH * stamp.length) {
                true => stamps.push((file, stamp)),
                false => left_out += 1,
            }
        }
        if stamps == known.stamps && left_out == known.left_out {
            return Arc::clone(known);
        }
        let read = |(file, _): &(PathBuf, Stamp)| {
            Baseline::read_by(&reader, file).unwrap_or_else(|fault| {
                log(&format!("a baseline is ignored: {fault}"));
                None
            })
        };
        let baselines = Arc::new(Baselines::new(stamps.iter().filter_map(read)));
        Arc::new(Accepted { stamps, baselines, memory: before - allowance.left(), left_out })
    }
}
