use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// Which kept runs stay: those among the last `runs`, and those that are at most `days` old. Without a limit, all stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Keep {
    /// How many of the last runs stay.
    pub(crate) runs: Option<NonZeroUsize>,
    /// For how many days a run stays.
    pub(crate) days: Option<u32>,
}

/// Why a text does not say which runs stay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of runs, a number of days, or both, such as `100 runs, 30 days`, or `all`")]
pub(crate) struct KeepError;

impl Default for Keep {
    fn default() -> Self {
        Keep { runs: NonZeroUsize::new(100), days: Some(30) }
    }
}

impl FromStr for Keep {
    type Err = KeepError;

    /// Reads `100 runs, 30 days`, one of the two, or `all`.
    fn from_str(text: &str) -> Result<Keep, KeepError> {
        let mut keep = Keep { runs: None, days: None };
        if text.trim() == "all" {
            return Ok(keep);
        }
        for limit in text.split(',') {
            let (number, unit) = limit.trim().split_once(' ').ok_or(KeepError)?;
            match unit.trim() {
                "run" | "runs" if keep.runs.is_none() => keep.runs = Some(number.parse().map_err(|_| KeepError)?),
                "day" | "days" if keep.days.is_none() => keep.days = Some(number.parse().map_err(|_| KeepError)?),
                _ => return Err(KeepError),
            }
        }
        Ok(keep)
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let limits = [self.runs.map(|runs| format!("{runs} runs")), self.days.map(|days| format!("{days} days"))];
        let limits: Vec<_> = limits.into_iter().flatten().collect();
        f.write_str(if limits.is_empty() { "all" } else { "" })?;
        f.write_str(&limits.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_and_written() {
        for (text, written) in [
            ("100 runs, 30 days", "100 runs, 30 days"),
            ("30 days,1 run", "1 runs, 30 days"),
            ("7 days", "7 days"),
            ("2  runs", "2 runs"),
            (" all ", "all"),
        ] {
            assert_eq!(text.parse::<Keep>().unwrap().to_string(), written);
        }
        for text in ["", "100", "0 runs", "1 runs, 2 runs", "1 year", "-1 days", "runs", "1 runs,", "all, 1 run"] {
            assert_eq!(text.parse::<Keep>(), Err(KeepError), "{text}");
        }
        assert_eq!(Keep::default().to_string(), "100 runs, 30 days");
    }
}
