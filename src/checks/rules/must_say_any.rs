//! `must_say_any`: the response says one of these phrases.

use crate::checks::judged::Decision;
use crate::checks::{Judged, message};

pub(crate) fn check(judged: &Judged<'_>, phrases: &[&str]) -> Decision {
    one_of(judged, phrases)
}

/// Passes if the response says one of these phrases. The evidence is the first phrase of the list that it says.
pub(crate) fn one_of(judged: &Judged<'_>, phrases: &[&str]) -> Decision {
    let said = phrases.iter().find_map(|phrase| Some((phrase, judged.response.says(phrase)?)));
    match said {
        Some((phrase, span)) => message::said(judged, phrase, span, Decision::passed),
        None => Decision::failed(message::none(phrases, "is not said", "is said")),
    }
}
