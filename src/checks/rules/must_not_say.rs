//! `must_not_say`: the response does not say this phrase.

use crate::checks::judged::Decision;
use crate::checks::{Judged, message};

pub(crate) fn check(judged: &Judged<'_>, phrase: &str) -> Decision {
    match judged.response.says(phrase) {
        Some(span) => message::said(judged, phrase, span, Decision::failed),
        None => Decision::passed(format!("{} is not said", message::quoted(phrase))),
    }
}
