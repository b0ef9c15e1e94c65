use super::reason::cut;
use super::{Line, plain};
use crate::checks::{Evidence, EvidencePlace};
use crate::diagnostic::quoted;
use crate::text::LineColumn;

/// The place of evidence: `response, line 4, column 2` or `telemetry, event 3`, and whether the prompt contains it.
pub(crate) fn place_in_transcript(evidence: &Evidence) -> String {
    let place = match evidence.place {
        EvidencePlace::Response(LineColumn { line, column }) => format!("response, line {line}, column {column}"),
        EvidencePlace::Page { page: LineColumn { line, column } } => format!("page, line {line}, column {column}"),
        EvidencePlace::Telemetry { event } => format!("telemetry, event {event}"),
    };
    if evidence.in_prompt { format!("{place} (your own prompt)") } else { place }
}

/// Evidence as a list item: ``line 4, column 1: `Git hub` ``.
pub(crate) fn evidence_line(evidence: &Evidence) -> Line {
    let place = match evidence.place {
        EvidencePlace::Response(LineColumn { line, column }) => format!("line {line}, column {column}: "),
        EvidencePlace::Page { page: LineColumn { line, column } } => format!("page, line {line}, column {column}: "),
        EvidencePlace::Telemetry { event } => format!("event {event}: "),
    };
    let line = Line::new(place).code(&evidence.text);
    if evidence.in_prompt { line.say(" (your own prompt)") } else { line }
}

/// Evidence within a message: `` `Git hub` on line 4 ``.
pub(crate) fn evidence_phrase(evidence: &Evidence) -> String {
    match evidence.place {
        EvidencePlace::Response(LineColumn { line, .. }) => format!("{} on line {line}", quoted(&evidence.text)),
        EvidencePlace::Page { page: LineColumn { line, .. } } => {
            format!("{} on line {line} of the page", quoted(&evidence.text))
        }
        EvidencePlace::Telemetry { event } => format!("{} in event {event}", quoted(&evidence.text)),
    }
}

/// Evidence within a label: `line 12: "GitHub: 12"`, of at most `max` code points.
pub(crate) fn evidence_label(evidence: &Evidence, max: usize) -> String {
    match evidence.place {
        EvidencePlace::Telemetry { event } => format!("event {event}"),
        EvidencePlace::Response(LineColumn { line, .. }) | EvidencePlace::Page { page: LineColumn { line, .. } } => {
            let is_page = matches!(evidence.place, EvidencePlace::Page { .. });
            let start = format!("{}line {line}: \"", if is_page { "page, " } else { "" });
            let rest = max.saturating_sub(start.chars().count() + 1);
            format!("{start}{}\"", cut(&plain(&evidence.text), rest))
        }
    }
}
