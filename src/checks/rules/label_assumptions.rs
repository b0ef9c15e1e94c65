//! `must_label_assumptions`: the response states an assumption.

use super::must_say_any;
use crate::checks::Judged;
use crate::checks::result::Decision;

pub(in crate::checks) fn check(judged: &Judged<'_>, markers: &[&str]) -> Decision {
    must_say_any::one_of(judged, markers)
}
