//! `must_allow_override_actions`: the response offers this action.

use crate::checks::Judged;
use crate::checks::judged::Decision;

use super::must_say_any;

pub(crate) fn check(judged: &Judged<'_>, action: &str) -> Decision {
    must_say_any::one_of(judged, &[action])
}
