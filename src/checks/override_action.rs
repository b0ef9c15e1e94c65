//! `must_allow_override_actions`: the response offers this action.

use super::check::Answer;
use super::{Judged, must_say_any};

pub(super) fn check(judged: &Judged<'_>, action: &str) -> Answer {
    must_say_any::one_of(judged, &[action])
}
