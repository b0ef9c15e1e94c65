//! The model of a suite: cases whose fields have values and spans, lowered once from the syntax tree.
//!
//! All spans in a [`Case`] count from its first byte, so that an edit before the case does not change them. [`Suite`] has
//! the start of each case. [`expectations`] turns a case into the checks that a run makes, in the order of reports.

mod case;
mod expectation;
mod fields;
mod lower;

pub(crate) use case::memory_of;
#[cfg(test)]
pub(crate) use case::{
    ALIGNMENT_MARKER_REGEX, CLAIM_MARKER_REGEX, EVIDENCE_FRESHNESS_REGEX, EVIDENCE_MARKER_REGEX, LEVER_REGEX,
};
pub(crate) use case::{ASSUMPTION_MARKERS, BUILT_IN_SOURCES, DEFAULT_WEIGHTS, OVERRIDE_ACTIONS, built_in_source};
pub use case::{Case, Suite};
pub(crate) use case::{
    Field, List, NumericItem, PlacedCase, Scoring, SoftScore, SourcePatterns, Spanned, Weight, Weights,
    effective_weights,
};
pub(crate) use case::{Group, Outcome};
pub(crate) use expectation::TelemetryEntry;
pub(crate) use expectation::{Expectation, ExpectationKind, expectations};
pub(crate) use fields::{Expected, ExpectedField, FIELDS, Holds, Of, PatternUse, Texts, UsedPattern, Value};
pub(crate) use lower::{DetectedVersion, Version, file_name_with};

#[cfg(test)]
mod tests;
