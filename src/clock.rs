//! The clock of the system.

use std::time::SystemTime;

use time::format_description::well_known::Rfc3339;
use time::{Date, OffsetDateTime, Time};

/// The times that RFC 3339 can write.
const FIRST: OffsetDateTime = day(0, 1).midnight().assume_utc();
const LAST: OffsetDateTime = day(9999, 365).with_time(LAST_SECOND).assume_utc();
const LAST_SECOND: Time = match Time::from_hms(23, 59, 59) {
    Ok(time) => time,
    Err(_) => panic!("a day has this second"),
};

/// The n-th day of a year.
const fn day(year: i32, ordinal: u16) -> Date {
    match Date::from_ordinal_date(year, ordinal) {
        Ok(day) => day,
        Err(_) => panic!("the year has this day"),
    }
}

/// The time now, in UTC. If the clock is before the year 0 or after the year 9999, returns the first or the last time that RFC 3339
/// can write.
pub(crate) fn now() -> OffsetDateTime {
    utc(SystemTime::now())
}

/// A time in whole seconds, in the form of RFC 3339.
pub(crate) fn rfc3339(at: OffsetDateTime) -> String {
    let at = at.replace_nanosecond(0).unwrap_or(at);
    at.format(&Rfc3339).expect("the years are between 0 and 9999")
}

/// The moment of a date and time of RFC 3339, if the text is one.
pub(crate) fn moment(text: &str) -> Option<SystemTime> {
    OffsetDateTime::parse(text, &Rfc3339).ok().map(SystemTime::from)
}

fn utc(at: SystemTime) -> OffsetDateTime {
    // `OffsetDateTime::now_utc` panics outside of its range.
    let (nanoseconds, bound) = match at.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => (i128::try_from(after.as_nanos()).ok(), LAST),
        Err(before) => (i128::try_from(before.duration().as_nanos()).ok().map(|nanoseconds| -nanoseconds), FIRST),
    };
    let at = nanoseconds.and_then(|nanoseconds| OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).ok());
    at.unwrap_or(bound).clamp(FIRST, LAST)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use time::format_description::well_known::Rfc3339;

    use super::*;

    #[test]
    fn a_clock_after_the_year_9999_is_clamped() {
        let days = |days: u64| Duration::from_secs(days * 86_400);
        for (at, shown) in [
            (SystemTime::UNIX_EPOCH + Duration::from_millis(1_500), "1970-01-01T00:00:01.5Z"),
            (SystemTime::UNIX_EPOCH - days(1), "1969-12-31T00:00:00Z"),
            (SystemTime::UNIX_EPOCH + days(2_932_896), "9999-12-31T00:00:00Z"),
            (SystemTime::UNIX_EPOCH + days(2_932_897), "9999-12-31T23:59:59Z"),
            (SystemTime::UNIX_EPOCH + days(100_000_000), "9999-12-31T23:59:59Z"),
            (SystemTime::UNIX_EPOCH - days(1_000_000), "0000-01-01T00:00:00Z"),
        ] {
            assert_eq!(utc(at).format(&Rfc3339).unwrap(), shown);
        }
    }
}
