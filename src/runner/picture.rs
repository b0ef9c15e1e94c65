//! Screenshots of cases that did not pass.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::filed::Filed;
use crate::files::{self, Access};
use crate::targets::off_reactor;
use crate::verdict::Status;

use super::case::{JudgedCase, PATIENCE};
use super::case_run::CaseRun;

impl CaseRun<'_> {
    /// Stores a screenshot of a case that did not pass beside its transcript. If the case passed, removes the screenshot of an
    /// earlier run. Does nothing if the session takes no screenshots, or if the run writes no files and emits no answers.
    pub(super) async fn store_picture(&mut self, judged: &mut JudgedCase) {
        let (shared, index) = (self.shared, self.index);
        let options = &shared.options;
        let writes = options.record || options.results.is_some() || options.kept.is_some() || options.hand_over;
        let Some(session) = self.session.as_mut().filter(|session| writes && session.takes_pictures()) else { return };
        let case = &shared.plan.cases[index];
        let Some(id) = case.id().filter(|_| !shared.cancel.is_cancelled()) else { return };
        let path = Filed::Screenshot(&shared.config.run.transcripts).path(&shared.plan.suite_of(case).path, id);
        let written = match judged.result.status {
            Status::Pass | Status::Partial => remove(path).await,
            Status::Fail | Status::Error => match tokio::time::timeout(PATIENCE, session.picture()).await {
                Ok(Some(picture)) => {
                    judged.picture = options.kept.is_some().then(|| picture.clone());
                    let access = Access::private_if(shared.target.is_private());
                    let written = write(path.clone(), access, picture).await;
                    judged.result.screenshot = written.is_ok().then(|| path.display().to_string());
                    written
                }
                // A page that is already closed does not change the verdict.
                Ok(None) | Err(_) => Ok(()),
            },
        };
        judged.warnings.extend(written.err());
    }
}

async fn write(path: PathBuf, access: Access, picture: Vec<u8>) -> Result<(), String> {
    let write = move || files::replace_with(&path, access, |file| file.write_all(&picture));
    let written = off_reactor(write).await;
    written.map_err(|error| format!("the screenshot is not stored: {error}"))
}

async fn remove(path: PathBuf) -> Result<(), String> {
    let gone = |path: &Path| match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove the screenshot of an earlier run: {}: {error}", path.display()))
        }
        _ => Ok(()),
    };
    off_reactor(move || gone(&path)).await
}
