use std::path::Path;
use std::sync::Arc;

use super::{BrowserOptions, BrowserTarget, CommandTarget, OpenError, ReplayTarget, Target};
use crate::config::{Config, TargetKind};
use crate::diagnostic::{nearest, quoted};

/// The target `name` of `config`. Programs run in `root`, the folder of `eval-ls.toml`. `options` are the browser options of
/// the command line. Nothing starts yet.
///
/// # Errors
/// If the target does not exist, or its configuration cannot be used.
pub(crate) fn open(
    name: &str,
    config: &Arc<Config>,
    root: &Path,
    options: &BrowserOptions,
) -> Result<Arc<dyn Target>, OpenError> {
    let Some(target) = config.targets.get(name) else {
        let names = || config.targets.keys().map(String::as_str);
        let near = nearest(name, names());
        let known = names().map(quoted).collect::<Vec<_>>().join(", ");
        return Err(OpenError::Unknown { name: quoted(name), near: near.map(quoted), known });
    };
    match &target.kind {
        TargetKind::Replay => Ok(Arc::new(ReplayTarget::new(name, Arc::clone(config)))),
        TargetKind::Command(command) => {
            Ok(Arc::new(CommandTarget::new(name, command, root).with_preconditions(&target.preconditions)))
        }
        TargetKind::Browser(browser) => {
            let opened = BrowserTarget::new(name, browser, root, options);
            match opened.and_then(|opened| opened.with_preconditions(&target.preconditions, root)) {
                Ok(target) => Ok(Arc::new(target)),
                Err(fault) => Err(OpenError::Step { name: quoted(name), fault }),
            }
        }
    }
}
