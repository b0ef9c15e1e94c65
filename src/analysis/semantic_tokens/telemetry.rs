use super::SemanticKind;
use crate::suite::TelemetryEntry;
use crate::text::Span;

/// The words of an entry of `telemetry`, in bytes of `entry`; empty if it is not a shorthand.
pub(super) fn words(entry: &str) -> Vec<(Span, SemanticKind)> {
    if matches!(TelemetryEntry::parse(entry), TelemetryEntry::Literal(_)) {
        return Vec::new();
    }
    let mut words = Vec::new();
    let mut at = 0;
    for word in entry.split_whitespace() {
        // Search each word after the end of the previous one.
        let start = at + entry[at..].find(word).unwrap_or(0);
        at = start + word.len();
        let part = |from: usize, to: usize| Span::new(start + from, start + to);
        if let Some(tool) = word.strip_prefix("tool.") {
            words.push((part(0, 4), SemanticKind::TelemetryWord));
            words.push((part(5, 5 + tool.len()), SemanticKind::Tool));
        } else if let Some((name, _)) = word.split_once(':') {
            words.push((part(0, name.len()), SemanticKind::TelemetryWord));
            words.push((part(name.len() + 1, word.len()), SemanticKind::TelemetryValue));
        } else {
            words.push((part(0, word.len()), SemanticKind::TelemetryWord));
        }
    }
    if let (TelemetryEntry::MissingField { .. }, Some(last)) = (TelemetryEntry::parse(entry), words.last_mut()) {
        last.1 = SemanticKind::TelemetryValue;
    }
    words
}
