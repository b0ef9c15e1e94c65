use std::time::{Duration, SystemTime};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;

/// The time since `moment`, in few letters: `just now`, `3m ago`, `5h ago`, `12d ago`. A moment in the future is `just
/// now`, because clocks differ.
pub(crate) fn age(moment: SystemTime, now: SystemTime) -> String {
    match now.duration_since(moment).unwrap_or(Duration::ZERO).as_secs() {
        ..MINUTE => "just now".to_owned(),
        seconds @ MINUTE..HOUR => format!("{}m ago", seconds / MINUTE),
        seconds @ HOUR..DAY => format!("{}h ago", seconds / HOUR),
        seconds => format!("{}d ago", seconds / DAY),
    }
}

/// How old something of `moment` is: `less than a minute old`, `1 minute old`, `5 hours old`, `12 days old`.
pub(crate) fn old(moment: SystemTime, now: SystemTime) -> String {
    let (count, unit) = match now.duration_since(moment).unwrap_or(Duration::ZERO).as_secs() {
        ..MINUTE => return "less than a minute old".to_owned(),
        seconds @ MINUTE..HOUR => (seconds / MINUTE, "minute"),
        seconds @ HOUR..DAY => (seconds / HOUR, "hour"),
        seconds => (seconds / DAY, "day"),
    };
    format!("{count} {unit}{} old", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
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
        assert_eq!(age(now + Duration::from_secs(DAY), now), "just now");
        for (seconds, text) in [
            (59, "less than a minute old"),
            (60, "1 minute old"),
            (2 * HOUR, "2 hours old"),
            (DAY, "1 day old"),
            (400 * DAY, "400 days old"),
        ] {
            assert_eq!(old(now - Duration::from_secs(seconds), now), text);
        }
    }
}
