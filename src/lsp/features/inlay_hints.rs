//! Short notes behind the text (`textDocument/inlayHint`), and what they say at length (`inlayHint/resolve`).

use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use tower_lsp_server::ls_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range, Uri};

use crate::analysis::inlay_hints::{self, HintSubject, HintsWanted};
use crate::lsp::convert::from_lsp;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::Snapshot;

/// What a hint is about, for [`resolve`]: it comes back from the client with the hint.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    uri: Uri,
    version: i32,
    subject: HintSubject,
}

/// The notes within a range. `now` is what ages are counted from.
pub(in crate::lsp) fn inlay_hints(snapshot: &Snapshot, range: Range, now: SystemTime) -> Vec<InlayHint> {
    let Snapshot { document, answers, support, .. } = snapshot;
    let Ok(within) = from_lsp::span(document.text(), range, support.encoding) else { return Vec::new() };
    let settings = &snapshot.settings;
    let wanted = HintsWanted {
        verdicts: settings.verdicts.hints,
        weights: settings.weight_hints,
        counts: settings.count_hints,
        challenges: settings.challenges,
    };
    let hints = inlay_hints::inlay_hints(document, answers, within, now, wanted);
    let hint = |hint: inlay_hints::InlayHint| {
        let mut hint = to_lsp_hint(snapshot, hint);
        if !support.resolves_hint_tooltips {
            hint = with_tooltip(snapshot, hint, now);
        }
        hint
    };
    hints.into_iter().map(hint).collect()
}

/// The open document that a hint is of; `None` of a hint that is none of ours.
pub(in crate::lsp) fn document_of(hint: &InlayHint) -> Option<Uri> {
    about(hint).map(|about| about.uri)
}

/// The hint with what it says at length, unless the document has changed since.
pub(in crate::lsp) fn resolve(snapshot: &Snapshot, hint: InlayHint, now: SystemTime) -> InlayHint {
    if about(&hint).is_some_and(|about| about.version == snapshot.version) {
        return with_tooltip(snapshot, hint, now);
    }
    hint
}

fn to_lsp_hint(snapshot: &Snapshot, hint: inlay_hints::InlayHint) -> InlayHint {
    let about = About { uri: snapshot.uri.clone(), version: snapshot.version, subject: hint.subject };
    InlayHint {
        position: to_lsp::position(snapshot.document.text(), hint.offset, snapshot.support.encoding),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: serde_json::to_value(about).ok(),
    }
}

fn with_tooltip(snapshot: &Snapshot, hint: InlayHint, now: SystemTime) -> InlayHint {
    let page = about(&hint)
        .and_then(|about| inlay_hints::hint_page(&snapshot.document, &snapshot.answers, about.subject, now));
    let content = page.map(|page| to_lsp::markup(&page, snapshot.support.hover_markdown));
    InlayHint { tooltip: content.map(InlayHintTooltip::MarkupContent), ..hint }
}

fn about(hint: &InlayHint) -> Option<About> {
    serde_json::from_value(hint.data.clone()?).ok()
}
