//! `must_not_say`: the response does not say this phrase.

use super::check::Answer;
use super::{Judged, wording};

pub(super) fn check(judged: &Judged<'_>, phrase: &str) -> Answer {
    match judged.response.says(phrase) {
        Some(span) => wording::said(judged, phrase, span, Answer::failed),
        None => Answer::passed(format!("{} is not said", wording::quoted(phrase))),
    }
}
