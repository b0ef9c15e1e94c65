//! Pages that clients show: transcripts, results, the server's status. A page without a file is written below the user's
//! state directory, readable by the user only.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use ls_types::{Range, ShowDocumentParams};

use crate::files::{self, FileError};
use crate::lsp::client::settings::log;
use crate::lsp::convert::uris;
use crate::lsp::features::test_explorer::hash;
use crate::lsp::push::{ClientHandle, Push};
use crate::lsp::session::choices::state_folder;
use crate::transcript::file_name;

/// The age at which pages are removed. An editor may show a page for a day.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Why a page cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PageFault {
    #[error("no folder for pages: set `XDG_STATE_HOME` or `HOME`")]
    NoFolder,
    #[error(transparent)]
    Write(#[from] FileError),
}

/// Removes old pages.
pub(crate) fn clean() {
    let Some(folder) = folder() else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        let is_old = written.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > MAX_AGE));
        if is_old {
            // A page that cannot be removed now is removed in a later session.
            let _ = fs::remove_dir_all(entry.path()).or_else(|_| fs::remove_file(entry.path()));
        }
    }
}

/// Writes a page about a case of a suite and returns its path. `extension` begins with a dot. Each page has a folder, so that its
/// name is short: editors show it as a title.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(suite: &str, about: &str, extension: &str, text: &str) -> Result<PathBuf, PageFault> {
    let folder = folder().ok_or(PageFault::NoFolder)?;
    let name = file_name(about);
    let name = name.strip_suffix(".json").unwrap_or(&name);
    let name: String = name.chars().take(100).collect();
    let path = folder.join(hash(&format!("{suite}\n{about}"))).join(format!("{name}{extension}"));
    files::replace_private(&path, text.as_bytes())?;
    Ok(path)
}

/// Has the client show a file. If it cannot, shows the file's path in a message.
pub(crate) async fn show(client: &ClientHandle, path: &Path, shows_documents: bool) {
    shown(client, path, shows_documents, None, None).await;
}

/// The same with the cursor at a place in the file.
pub(crate) async fn show_place(client: &ClientHandle, path: &Path, shows_documents: bool, selection: Option<Range>) {
    shown(client, path, shows_documents, None, selection).await;
}

/// The same in the browser.
pub(crate) async fn show_in_browser(client: &ClientHandle, path: &Path, shows_documents: bool) {
    shown(client, path, shows_documents, Some(true), None).await;
}

async fn shown(
    client: &ClientHandle,
    path: &Path,
    shows_documents: bool,
    external: Option<bool>,
    selection: Option<Range>,
) {
    if let Some(uri) = uris::from_path(path).filter(|_| shows_documents) {
        let take_focus = external.is_none().then_some(true);
        let params = ShowDocumentParams { uri, external, take_focus, selection };
        match client.requests().show_document(params).await {
            Ok(true) => return,
            Ok(false) => log("the client did not show a document that it was asked to show"),
            Err(error) => log(&format!("the client could not show a document: {error}")),
        }
    }
    client.push(Push::Message(path.display().to_string()));
}

fn folder() -> Option<PathBuf> {
    Some(state_folder()?.join("pages"))
}
