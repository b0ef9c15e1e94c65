//! `must_say_any`: the response says one of these phrases.

use super::check::Answer;
use super::{Judged, wording};

pub(super) fn check(judged: &Judged<'_>, phrases: &[&str]) -> Answer {
    one_of(judged, phrases)
}

/// Passes where the response says one of these, and shows the first that it says.
pub(super) fn one_of(judged: &Judged<'_>, phrases: &[&str]) -> Answer {
    let said = phrases.iter().find_map(|phrase| Some((phrase, judged.response.says(phrase)?)));
    match said {
        Some((phrase, span)) => wording::said(judged, phrase, span, Answer::passed),
        None => Answer::failed(wording::none(phrases, "is not said", "is said")),
    }
}
