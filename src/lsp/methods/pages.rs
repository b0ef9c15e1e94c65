//! Pages that clients are told to show: transcripts, results, what the server knows. What is in no file is written to one
//! that only the user can read, below the user's state directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tower_lsp_server::Client;
use tower_lsp_server::ls_types::{MessageType, ShowDocumentParams};

use crate::files::{self, FileError};
use crate::lsp::convert::to_lsp::without_links;
use crate::lsp::convert::uris;
use crate::lsp::features::tests::hash;
use crate::lsp::transport::log;
use crate::lsp::trust::state_folder;
use crate::transcript::file_name;

/// How long pages are kept.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Why a page cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(in crate::lsp) enum PageFault {
    #[error("there is no place to write it to: neither `XDG_STATE_HOME` nor `HOME` is set")]
    NoPlace,
    #[error(transparent)]
    Write(#[from] FileError),
}

/// Removes pages of earlier days.
pub(in crate::lsp) fn clean() {
    let Some(folder) = folder() else { return };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let written = entry.metadata().and_then(|metadata| metadata.modified());
        let is_old = written.is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > KEPT));
        if is_old {
            // What cannot be removed now may be another time.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes a page about a case of a suite, or about something else where `about` is empty; returns its file. `extension`
/// begins with a dot.
///
/// # Errors
/// Where it cannot be written.
pub(in crate::lsp) fn write(suite: &str, about: &str, extension: &str, text: &str) -> Result<PathBuf, PageFault> {
    let folder = folder().ok_or(PageFault::NoPlace)?;
    let name = file_name(about);
    let name = name.strip_suffix(".json").unwrap_or(&name);
    let name: String = name.chars().take(100).collect();
    let path = folder.join(format!("{name}.{}{extension}", hash(&format!("{suite}\n{about}"))));
    files::replace_private(&path, text.as_bytes())?;
    Ok(path)
}

/// Has the client show a file; where it cannot, says where that is.
pub(in crate::lsp) async fn show(client: &Client, path: &Path, shows_documents: bool) {
    if let Some(uri) = uris::from_path(path).filter(|_| shows_documents) {
        let params = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
        match client.show_document(params).await {
            Ok(true) => return,
            Ok(false) => log("the client did not show a document that it was asked to show"),
            Err(error) => log(&format!("the client could not show a document: {error}")),
        }
    }
    client.show_message(MessageType::INFO, without_links(&path.display().to_string())).await;
}

fn folder() -> Option<PathBuf> {
    Some(state_folder()?.join("pages"))
}
