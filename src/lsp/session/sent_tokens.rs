//! The semantic tokens that were sent last, for `semanticTokens/full/delta`.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ls_types::{SemanticTokens, Uri};

/// The last tokens of each document, with their result id.
#[derive(Debug, Default)]
pub(in crate::lsp) struct SentTokens {
    sent: Mutex<Sent>,
}

#[derive(Debug, Default)]
struct Sent {
    by_document: HashMap<Uri, SemanticTokens>,
    count: u64,
}

impl SentTokens {
    /// Stores tokens and gives them a result id.
    pub(in crate::lsp) fn remember(&self, uri: Uri, mut tokens: SemanticTokens) -> SemanticTokens {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.count += 1;
        tokens.result_id = Some(sent.count.to_string());
        sent.by_document.insert(uri, tokens.clone());
        tokens
    }

    /// The last tokens of a document, if they have this result id.
    pub(in crate::lsp) fn take(&self, uri: &Uri, name: &str) -> Option<SemanticTokens> {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        sent.by_document.remove(uri).filter(|tokens| tokens.result_id.as_deref() == Some(name))
    }

    /// Removes the tokens of a document.
    pub(in crate::lsp) fn forget(&self, uri: &Uri) {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).by_document.remove(uri);
    }
}
