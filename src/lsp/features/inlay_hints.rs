//! Short notes behind the text (`textDocument/inlayHint`), and what they say at length (`inlayHint/resolve`).

use std::collections::HashMap;
use std::time::SystemTime;

use ls_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range, Uri};
use serde::{Deserialize, Serialize};

use crate::analysis::inlay_hints::{self, HintSubject, HintsWanted, VerdictHints};
use crate::cancellation::checkpoint;
use crate::lsp::convert::to_lsp;
use crate::lsp::session::snapshot::{Since, Snapshot};

/// What a hint is about, for [`resolve`]: it comes back from the client with the hint.
#[derive(Debug, Serialize, Deserialize)]
struct About {
    uri: Uri,
    version: i32,
    subject: HintSubject,
}

/// The most hints that have tooltips in one response to a client that cannot resolve them. Tooltips are long.
pub(crate) const MOST_WITH_TOOLTIPS: usize = 1_000;

/// The notes within a range. `now` is what ages are counted from. `is_challenged` is whether someone asked for the challenges of the
/// suite; otherwise only a file that shows all verdicts shows them. The cases that are `running` have a lens that shows it, and no verdict.
pub(crate) fn inlay_hints(
    snapshot: &Snapshot,
    range: Range,
    now: SystemTime,
    is_challenged: bool,
    running: &HashMap<String, Since>,
) -> Vec<InlayHint> {
    let Snapshot { document, answers, support, .. } = snapshot;
    let Some(within) = snapshot.span(range) else { return Vec::new() };
    let settings = &snapshot.settings;
    let wanted = HintsWanted {
        verdicts: settings.verdicts.hints,
        weights: settings.weight_hints,
        counts: settings.count_hints,
        challenges: settings.challenges && (is_challenged || settings.verdicts.hints == VerdictHints::All),
    };
    let mut hints = inlay_hints::inlay_hints(document, answers, within, now, wanted);
    let is_running = |case: usize| {
        let id = document.suite().cases.get(case).and_then(|placed| placed.case.id.as_ref());
        id.is_some_and(|id| running.contains_key(&id.value))
    };
    hints.retain(|hint| !matches!(hint.subject, HintSubject::Case(case) if is_running(case)));
    let has_tooltips = hints.len() <= MOST_WITH_TOOLTIPS;
    let hint = |hint: inlay_hints::InlayHint| {
        let subject = hint.subject;
        let hint = to_lsp_hint(snapshot, hint);
        match support.resolves_hint_tooltips {
            true => resolvable(snapshot, hint, subject),
            false if has_tooltips => with_tooltip(snapshot, hint, subject, now),
            false => hint,
        }
    };
    hints.into_iter().map(hint).collect()
}

/// The open document that a hint is of; `None` of a hint that is none of ours.
pub(crate) fn document_of(hint: &InlayHint) -> Option<Uri> {
    about(hint).map(|about| about.uri)
}

/// The hint with what it says at length, unless the document has changed since.
pub(crate) fn resolve(snapshot: &Snapshot, hint: InlayHint, now: SystemTime) -> InlayHint {
    match about(&hint).filter(|about| about.version == snapshot.version) {
        Some(about) => with_tooltip(snapshot, hint, about.subject, now),
        None => hint,
    }
}

fn to_lsp_hint(snapshot: &Snapshot, hint: inlay_hints::InlayHint) -> InlayHint {
    InlayHint {
        position: to_lsp::position(snapshot.document.text(), hint.offset, snapshot.support.encoding),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

fn resolvable(snapshot: &Snapshot, hint: InlayHint, subject: HintSubject) -> InlayHint {
    let about = About { uri: snapshot.uri.clone(), version: snapshot.version, subject };
    InlayHint { data: serde_json::to_value(about).ok(), ..hint }
}

fn with_tooltip(snapshot: &Snapshot, hint: InlayHint, subject: HintSubject, now: SystemTime) -> InlayHint {
    checkpoint();
    let page = inlay_hints::hint_page(&snapshot.document, &snapshot.answers, subject, now);
    let content = page.map(|page| to_lsp::markup(&page, snapshot.support.hover_markdown));
    InlayHint { tooltip: content.map(InlayHintTooltip::MarkupContent), ..hint }
}

fn about(hint: &InlayHint) -> Option<About> {
    serde_json::from_value(hint.data.clone()?).ok()
}
