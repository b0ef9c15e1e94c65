use std::ffi::OsStr;
use std::fmt;

use serde::Serialize;
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::text::hex;

/// The name of a run's folder: the start in UTC and a short id, for example `20260102T030405Z-0a1b2c`. It can only be made
/// from a name of this form, so it is one part of a path and leads nowhere else.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub(crate) struct RunId(String);

/// The form of an id: `d` is a digit, `x` a hexadecimal digit in lower case, and any other character is itself.
const FORM: &str = "ddddddddTddddddZ-xxxxxx";

impl RunId {
    /// The id with this text, if it has the form of an id.
    pub(crate) fn new(text: &str) -> Option<RunId> {
        let fits = |(byte, form): (u8, u8)| match form {
            b'd' => byte.is_ascii_digit(),
            b'x' => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
            form => byte == form,
        };
        let is_id = text.len() == FORM.len() && text.bytes().zip(FORM.bytes()).all(fits);
        is_id.then(|| RunId(text.to_owned()))
    }

    /// The id with the name of this file or folder, if it has the form of an id.
    pub(crate) fn of_name(name: &OsStr) -> Option<RunId> {
        RunId::new(name.to_str()?)
    }

    /// An id that no run has had: the time, and a hash of `seed` and of `last`, the id that was taken.
    pub(super) fn at(time: OffsetDateTime, seed: &str, last: Option<&RunId>) -> RunId {
        let short =
            Sha256::digest(format!("{seed} {} {}", last.map_or("", RunId::as_str), time.unix_timestamp_nanos()));
        RunId(format!(
            "{:04}{:02}{:02}T{:02}{:02}{:02}Z-{}",
            // The form has room for four digits, and a clock may be set to any year.
            time.year().clamp(0, 9999),
            u8::from(time.month()),
            time.day(),
            time.hour(),
            time.minute(),
            time.second(),
            hex(&short[..3])
        ))
    }

    /// Its text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The start of the run, to the second.
    pub(super) fn second(&self) -> &str {
        self.0.split_once('-').map_or(&self.0, |(second, _)| second)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for RunId {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_runs_are_ids() {
        for name in ["20260102T030405Z-0a1b2c", "00000000T000000Z-ffffff"] {
            assert_eq!(RunId::of_name(OsStr::new(name)).map(|id| id.to_string()).as_deref(), Some(name));
        }
        for name in [
            "",
            ".",
            "..",
            "src",
            "../../src",
            "20260102T030405Z-0a1b2c/..",
            "20260102T030405Z-0A1B2C",
            "20260102T030405Z-0a1b2",
            "20260102T030405Z-0a1b2cd",
            "20260102T030405Z-0a1b2\n",
            ".gone-20260102T030405Z-0a1b2c",
            "2026010\u{663}T030405Z-0a1b2",
        ] {
            assert_eq!(RunId::new(name), None, "{name}");
        }
    }

    #[test]
    fn new_ids_have_the_form_of_an_id() {
        let at = |seconds| OffsetDateTime::from_unix_timestamp(seconds).unwrap();
        let now = at(1_767_323_045);
        let first = RunId::at(now, "seed", None);
        assert_eq!((first.second(), RunId::new(first.as_str()).as_ref()), ("20260102T030405Z", Some(&first)));
        assert_ne!(RunId::at(now, "seed", Some(&first)), first);
        let early = RunId::at(at(-62_293_352_155), "seed", None);
        assert_eq!(early.second(), "00000102T030405Z");
    }
}
