//! `must_label_assumptions`: the response states an assumption.

use crate::checks::Judged;
use crate::checks::judged::Decision;

use super::must_say_any;

pub(crate) fn check(judged: &Judged<'_>, markers: &[&str]) -> Decision {
    must_say_any::one_of(judged, markers)
}
