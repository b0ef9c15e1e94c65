use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A duration as people write it: `60s`, `500ms`, `2m`, `1h` or `1.5s`. It is greater than zero and at most a day, so
/// it can always be added to a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct HumanDuration(Duration);

/// Why a text is not a [`HumanDuration`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DurationError {
    /// There is no number followed by a unit.
    #[error("expected a number and a unit without a space between them, such as `60s`, `500ms`, `2m`, `1h` or `1.5s`")]
    Form,
    /// There is only a number.
    #[error("a unit is missing: `ms`, `s`, `m` or `h`, as in `{0}s`")]
    NoUnit(String),
    /// It is zero, or less than a nanosecond.
    #[error("must be greater than zero")]
    Zero,
    /// It is more than a day.
    #[error("must be at most a day (`24h`)")]
    TooLong,
}

const NANOS_PER_SECOND: u128 = 1_000_000_000;
const NANOS_PER_DAY: u128 = 24 * 3600 * NANOS_PER_SECOND;

/// The units with their nanoseconds, the longest first. A duration is written in the first unit that fits.
const UNITS: [(&str, u128); 4] =
    [("h", 3600 * NANOS_PER_SECOND), ("m", 60 * NANOS_PER_SECOND), ("s", NANOS_PER_SECOND), ("ms", 1_000_000)];

impl HumanDuration {
    /// Returns the type of the standard library.
    pub(crate) fn get(self) -> Duration {
        self.0
    }

    /// Creates a duration of that many seconds, from 1 up to a day's.
    pub(crate) const fn seconds(seconds: u64) -> Self {
        assert!(seconds > 0 && seconds <= 24 * 3600);
        Self(Duration::from_secs(seconds))
    }
}

impl TryFrom<Duration> for HumanDuration {
    type Error = DurationError;

    fn try_from(duration: Duration) -> Result<Self, DurationError> {
        match duration.as_nanos() {
            0 => Err(DurationError::Zero),
            nanos if nanos > NANOS_PER_DAY => Err(DurationError::TooLong),
            _ => Ok(Self(duration)),
        }
    }
}

impl FromStr for HumanDuration {
    type Err = DurationError;

    fn from_str(text: &str) -> Result<Self, DurationError> {
        let number_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(number_end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let is_number = [whole, fraction].iter().all(|part| !part.is_empty() && !part.contains('.'));
        if !is_number {
            return Err(DurationError::Form);
        }
        if unit.is_empty() {
            return Err(if number.len() > 9 { DurationError::Form } else { DurationError::NoUnit(number.to_owned()) });
        }
        let (_, unit_nanos) = UNITS.into_iter().find(|(name, _)| *name == unit).ok_or(DurationError::Form)?;
        // If the digits do not fit, the number is far more than a day.
        let whole: u64 = whole.parse().map_err(|_| DurationError::TooLong)?;
        let nanos = u128::from(whole) * unit_nanos + nanos_of_fraction(fraction, unit_nanos);
        if nanos > NANOS_PER_DAY {
            return Err(DurationError::TooLong);
        }
        let nanos = u64::try_from(nanos).map_err(|_| DurationError::TooLong)?;
        Duration::from_nanos(nanos).try_into()
    }
}

impl fmt::Display for HumanDuration {
    /// Writes the longest unit in which the duration is a whole number, else a fraction of milliseconds.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanos = self.0.as_nanos();
        if let Some((unit, of_unit)) = UNITS.into_iter().find(|(_, of_unit)| nanos.is_multiple_of(*of_unit)) {
            return write!(f, "{}{unit}", nanos / of_unit);
        }
        let fraction = format!("{:06}", nanos % 1_000_000);
        write!(f, "{}.{}ms", nanos / 1_000_000, fraction.trim_end_matches('0'))
    }
}

impl Serialize for HumanDuration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for HumanDuration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<HumanDuration, D::Error> {
        parsed(deserializer)
    }
}

/// Deserializes a string that is read as another value.
pub(super) fn parsed<'de, D: Deserializer<'de>, T: FromStr<Err: fmt::Display>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}

/// Returns the nanoseconds of `0.<digits>` of a unit. Digits after the twelfth are less than a nanosecond, even for
/// hours.
fn nanos_of_fraction(digits: &str, unit_nanos: u128) -> u128 {
    let mut nanos = 0;
    let mut place = 1;
    for digit in digits.bytes().take(12) {
        place *= 10;
        nanos = nanos * 10 + u128::from(digit - b'0');
    }
    nanos * unit_nanos / place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_notations_are_read() {
        for (text, millis) in [
            ("60s", 60_000),
            ("500ms", 500),
            ("2m", 120_000),
            ("1h", 3_600_000),
            ("1.5s", 1_500),
            ("0.25m", 15_000),
            ("24h", 86_400_000),
            ("0090s", 90_000),
        ] {
            assert_eq!(text.parse(), Ok(HumanDuration(Duration::from_millis(millis))), "{text}");
        }
        assert_eq!("0.5ms".parse::<HumanDuration>().map(HumanDuration::get), Ok(Duration::from_micros(500)));
    }

    #[test]
    fn errors_name_the_accepted_form() {
        use DurationError::{Form, NoUnit, TooLong, Zero};
        for (error, texts) in [
            (Form, &["", "s", "60 s", "-1s", "1.s", ".5s", "1.2.3s", "1d", "1S", "1m30s", "٣s"][..]),
            (NoUnit("60".into()), &["60"]),
            (Zero, &["0s", "0.0000001ms"]),
            (TooLong, &["25h", "24.0001h", "99999999999999999999999h", "18446744073709551615h"]),
        ] {
            for text in texts {
                assert_eq!(text.parse::<HumanDuration>().as_ref(), Err(&error), "{text}");
            }
        }
        assert_eq!(NoUnit("60".into()).to_string(), "a unit is missing: `ms`, `s`, `m` or `h`, as in `60s`");
    }

    #[test]
    fn a_written_duration_can_be_read() {
        for text in ["60m", "90s", "1500ms", "0.5ms", "1.000001ms", "7h"] {
            let duration: HumanDuration = text.parse().expect(text);
            assert_eq!(duration.to_string().parse(), Ok(duration), "{text} is written as {duration}");
        }
        assert_eq!("60m".parse().map(|d: HumanDuration| d.to_string()), Ok("1h".into()));
        assert_eq!("1.5s".parse().map(|d: HumanDuration| d.to_string()), Ok("1500ms".into()));
    }
}
