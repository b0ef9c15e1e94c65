//! Notes in open transcripts.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ls_types::{InlayHint, Range, Uri};
use tower_lsp_server::jsonrpc::Result;

use super::Server;
use super::work::uncancelled;
use crate::analysis::coverage::transcript_in;
use crate::lsp::convert::uris;
use crate::lsp::features::coverage;
use crate::lsp::session::state::State;
use crate::text::Text;

impl Server {
    /// The notes on a document that is not a suite; empty unless it is a transcript of a known case.
    pub(super) async fn coverage(
        &self,
        uri: &Uri,
        text: Text,
        path: Option<PathBuf>,
        range: Range,
    ) -> Result<Option<Vec<InlayHint>>> {
        let (settings, support) = self.shared.read(|state| (Arc::clone(state.settings()), Arc::clone(state.support())));
        if !settings.challenges {
            return Ok(None);
        }
        let parsed = text.clone();
        let Some(transcript) = uncancelled(move || transcript_in(parsed.as_str())).await? else { return Ok(None) };
        self.shared.change(|state| state.note_covered(uri));
        let mut suites = self.shared.read(State::open_suites);
        if let Some(suite) = path.as_deref().and_then(|path| self.suite_of_transcript(path)) {
            suites.extend(self.judged_suite(&suite).await?);
        }
        let notes = move || coverage::notes(&suites, &text, transcript, path.as_deref(), range, &support);
        uncancelled(notes).await.map(Some)
    }

    /// The suite whose transcripts are in the folder of `path`.
    fn suite_of_transcript(&self, path: &Path) -> Option<Uri> {
        let folder = path.parent()?;
        let configuration = self.shared.change(|state| state.configuration_of(path));
        let transcripts = &configuration.config().run.transcripts;
        let levels = Path::new(transcripts).components().count();
        let beside = folder.ancestors().nth(levels + 1)?;
        let suite = beside.join(format!("{}.json", folder.file_name()?.to_str()?));
        let is_kept_here = beside.join(transcripts) == folder.parent()?;
        uris::from_path(&suite).filter(|_| is_kept_here && suite.is_file())
    }
}
