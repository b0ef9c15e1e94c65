use std::time::SystemTime;

use crate::checks::{Evidence, EvidencePlace};
use crate::diagnostic::quoted;
use crate::text::LineColumn;

use super::reason::cut;
use super::{Line, plain};

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

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// What is shown in the place of an age that is none.
pub(super) const IN_FUTURE: &str = "recorded in the future";

/// The seconds since `moment`. `None` if it is in the future, by more than the clocks of two machines differ.
fn seconds_since(moment: SystemTime, now: SystemTime) -> Option<u64> {
    match now.duration_since(moment) {
        Ok(age) => Some(age.as_secs()),
        Err(ahead) => (ahead.duration().as_secs() < MINUTE).then_some(0),
    }
}

/// The time since `moment`, in few letters: `just now`, `3m ago`, `5h ago`, `12d ago`, `recorded in the future`.
pub(crate) fn age(moment: SystemTime, now: SystemTime) -> String {
    let Some(seconds) = seconds_since(moment, now) else { return IN_FUTURE.to_owned() };
    match seconds {
        ..MINUTE => "just now".to_owned(),
        seconds @ MINUTE..HOUR => format!("{}m ago", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{}h ago", seconds / HOUR),
        seconds => format!("{}d ago", seconds / DAY),
    }
}

/// How old something of `moment` is: `less than a minute old`, `1 minute old`, `5 hours old`, `12 days old`. `None` if that
/// is in the future.
pub(super) fn old(moment: SystemTime, now: SystemTime) -> Option<String> {
    let (count, unit) = match seconds_since(moment, now)? {
        ..MINUTE => return Some("less than a minute old".to_owned()),
        seconds @ MINUTE..HOUR => (seconds / MINUTE, "minute"),
        seconds @ HOUR..DAY => (seconds / HOUR, "hour"),
        seconds => (seconds / DAY, "day"),
    };
    Some(format!("{count} {unit}{} old", if count == 1 { "" } else { "s" }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn ages_are_short() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 * DAY);
        for (seconds, text) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1m ago"),
            (HOUR - 1, "59m ago"),
            (HOUR, "1h ago"),
            (DAY - 1, "23h ago"),
            (400 * DAY, "400d ago"),
        ] {
            assert_eq!(age(now - Duration::from_secs(seconds), now), text);
        }
        assert_eq!(age(now + Duration::from_secs(59), now), "just now", "clocks differ");
        assert_eq!(age(now + Duration::from_secs(60), now), "recorded in the future");
        assert_eq!(old(now + Duration::from_secs(DAY), now), None);
        for (seconds, text) in [
            (59, "less than a minute old"),
            (60, "1 minute old"),
            (2 * HOUR, "2 hours old"),
            (DAY, "1 day old"),
            (400 * DAY, "400 days old"),
        ] {
            assert_eq!(old(now - Duration::from_secs(seconds), now).as_deref(), Some(text));
        }
    }
}
