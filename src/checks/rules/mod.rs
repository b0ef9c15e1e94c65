//! Pure functions for each kind of expectation. `super::check` selects the rule.

pub(super) mod number;
pub(super) mod patterns;
pub(super) mod phrases;
pub(super) mod tools;
pub(super) mod ui;
