use std::path::Path;
use std::sync::Arc;

use super::{CommandTarget, OpenError, ReplayTarget, Target};
use crate::config::{Config, TargetKind};
use crate::diagnostic::{nearest, quoted};

/// The target that `config` has under `name`. `root` is the folder of `eval-ls.toml`, where programs run. Nothing is started
/// yet.
///
/// # Errors
/// Where there is no such target, or it is of a kind that cannot be run.
pub fn open(name: &str, config: &Arc<Config>, root: &Path) -> Result<Arc<dyn Target>, OpenError> {
    let Some(target) = config.targets.get(name) else {
        let names = || config.targets.keys().map(String::as_str);
        let near = nearest(name, names());
        let known = names().map(quoted).collect::<Vec<_>>().join(", ");
        return Err(OpenError::Unknown { name: quoted(name), near: near.map(quoted), known });
    };
    match &target.kind {
        TargetKind::Replay => Ok(Arc::new(ReplayTarget::new(name, Arc::clone(config)))),
        TargetKind::Command(command) => Ok(Arc::new(CommandTarget::new(name, command, root))),
        TargetKind::Browser(_) => Err(OpenError::NotSupported { name: quoted(name), kind: "browser" }),
    }
}
