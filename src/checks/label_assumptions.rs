//! `must_label_assumptions`: the response says that it assumes something.

use super::check::Answer;
use super::{Judged, must_say_any};

pub(super) fn check(judged: &Judged<'_>, markers: &[&str]) -> Answer {
    must_say_any::one_of(judged, markers)
}
