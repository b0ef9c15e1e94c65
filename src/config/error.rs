//! What is wrong in an `eval-ls.toml`, how durations are written there, and the hash of a target that a person approves.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hmac_sha256::Hash as Sha256;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::diagnostic::{Edit, Finding, Fix, Severity};
use crate::text::{Span, hex};

use super::{Config, TargetConfig};

/// An error in `eval-ls.toml`. The rest of the file still applies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", help.as_ref().map_or_else(String::new, |help| format!("; {help}")))]
pub(crate) struct ConfigError {
    /// The smallest text that caused it, in bytes of the file. If something is missing in a table, the name or header
    /// of the table.
    pub(crate) span: Span,
    /// The problem and the expected text: a lower-case fragment, plain text without control characters.
    pub(crate) message: String,
    /// The solution, if it is known: also a lower-case fragment.
    pub(crate) help: Option<String>,
    /// The edit that fixes it, if there is one.
    pub(crate) fix: Option<Box<Fix>>,
}

impl ConfigError {
    /// The name of these errors among the findings of lints.
    pub(crate) const LINT: &'static str = "invalid-config";

    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None, fix: None }
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Offers to replace the text with `replacement`, the TOML for `name`.
    pub(super) fn did_you_mean(self, name: &str, replacement: impl Into<String>) -> Self {
        let edit = Edit::replace(self.span, replacement);
        let fix = Fix::new(format!("change it to `{name}`"), vec![edit]);
        Self { fix: Some(Box::new(fix)), ..self.help(format!("did you mean `{name}`?")) }
    }
}

impl From<&ConfigError> for Finding {
    fn from(error: &ConfigError) -> Self {
        let finding = Finding::new(ConfigError::LINT, Severity::Error, error.span, error.to_string());
        Finding { fixes: error.fix.as_deref().cloned().into_iter().collect(), ..finding }
    }
}

/// What a person approves before a target runs from an editor: the target's table, the folders into which its answers go, and how
/// much of it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Approvable {
    /// The target's table.
    pub(crate) table: TargetConfig,
    /// `results` of `[run]`.
    pub(crate) results: String,
    /// `transcripts` of `[run]`.
    pub(crate) transcripts: String,
    /// Not a part of [`fingerprint`](Self::fingerprint): less than what was approved needs no other approval.
    #[serde(skip)]
    pub(crate) load: Load,
}

/// How much of a target runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    /// How many cases run at the same time.
    pub(crate) jobs: usize,
    /// How often a case is asked at most.
    pub(crate) attempts: usize,
}

impl Load {
    /// One case after the other, each once.
    pub(crate) const LEAST: Load = Load { jobs: 1, attempts: 1 };

    /// Whether this is not more than `other`.
    pub(crate) fn is_within(self, other: Load) -> bool {
        self.jobs <= other.jobs && self.attempts <= other.attempts
    }
}

impl Config {
    /// What a person approves of a target with this table.
    pub(crate) fn approvable(&self, table: &TargetConfig) -> Approvable {
        let (results, transcripts) = (self.run.results.clone(), self.run.transcripts.clone());
        Approvable { table: table.clone(), results, transcripts, load: self.load() }
    }

    fn load(&self) -> Load {
        let repeats = self.policies.iter().map(|policy| policy.repeat).max().unwrap_or(1);
        Load { jobs: self.run.jobs.get(), attempts: repeats * (1 + self.run.retry_errors) }
    }
}

impl Approvable {
    /// The SHA-256 of the table and the folders, as 64 hexadecimal digits. It is the same in every process on every system.
    pub(crate) fn fingerprint(&self) -> String {
        let text = serde_json::to_string(self).expect("strings, numbers and lists of them always fit into JSON");
        hash("eval-ls/approval@1\n", &text)
    }

    /// The SHA-256 of the table, the folders and the load: the fingerprint of a run that was approved.
    pub(crate) fn run_fingerprint(&self) -> String {
        let Load { jobs, attempts } = self.load;
        hash("eval-ls/approved-run@1\n", &format!("{} {jobs} {attempts}", self.fingerprint()))
    }
}

pub(super) fn hash(kind: &str, text: &str) -> String {
    hex(&Sha256::hash(format!("{kind}{text}").as_bytes()))
}

/// A duration as people write it: `60s`, `500ms`, `2m`, `1h` or `1.5s`. It is greater than zero and at most a day, so
/// it can always be added to a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct HumanDuration(Duration);

/// Why a text is not a [`HumanDuration`].
const FORM: &str =
    "expected a number and a unit without a space between them, such as `60s`, `500ms`, `2m`, `1h` or `1.5s`";
const ZERO: &str = "must be greater than zero";
const TOO_LONG: &str = "must be at most a day (`24h`)";

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
    type Error = String;

    fn try_from(duration: Duration) -> Result<Self, String> {
        match duration.as_nanos() {
            0 => Err(ZERO.to_owned()),
            nanos if nanos > NANOS_PER_DAY => Err(TOO_LONG.to_owned()),
            _ => Ok(Self(duration)),
        }
    }
}

impl FromStr for HumanDuration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number_end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(number_end);
        let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
        let is_number = [whole, fraction].iter().all(|part| !part.is_empty() && !part.contains('.'));
        if !is_number {
            return Err(FORM.to_owned());
        }
        if unit.is_empty() {
            let no_unit = || format!("a unit is missing: `ms`, `s`, `m` or `h`, as in `{number}s`");
            return Err(if number.len() > 9 { FORM.to_owned() } else { no_unit() });
        }
        let (_, unit_nanos) = UNITS.into_iter().find(|(name, _)| *name == unit).ok_or(FORM)?;
        let amount: f64 = number.parse().map_err(|_| FORM)?;
        let seconds = amount * unit_nanos as f64 / NANOS_PER_SECOND as f64;
        Duration::try_from_secs_f64(seconds).map_err(|_| TOO_LONG)?.try_into()
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
        let no_unit = "a unit is missing: `ms`, `s`, `m` or `h`, as in `60s`";
        for (error, texts) in [
            (FORM, &["", "s", "60 s", "-1s", "1.s", ".5s", "1.2.3s", "1d", "1S", "1m30s", "٣s"][..]),
            (no_unit, &["60"]),
            (ZERO, &["0s", "0.0000001ms"]),
            (TOO_LONG, &["25h", "24.0001h", "99999999999999999999999h", "18446744073709551615h"]),
        ] {
            for text in texts {
                assert_eq!(text.parse::<HumanDuration>(), Err(error.to_owned()), "{text}");
            }
        }
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
