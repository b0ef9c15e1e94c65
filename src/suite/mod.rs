//! The model of a suite: cases whose fields have values and spans, lowered once from the syntax tree.
//!
//! All spans in a [`Case`] count from its first byte, so that an edit before the case does not change them. [`Suite`] has
//! the start of each case. `checks::expectations` turns a case into the checks that a run makes.

mod case;
mod fields;
mod lower;
#[cfg(test)]
mod tests;

pub(crate) use case::{
    ALIGNMENT_MARKER_REGEX, CLAIM_MARKER_REGEX, EVIDENCE_FRESHNESS_REGEX, EVIDENCE_MARKER_REGEX, LEVER_REGEX,
};
pub(crate) use case::{
    ASSUMPTION_MARKERS, BUILT_IN_SOURCES, DEFAULT_WEIGHTS, Field, Group, List, NumericItem, OVERRIDE_ACTIONS, Outcome,
    PlacedCase, Scoring, SoftScore, SourcePatterns, Spanned, Weight, Weights, built_in_source, effective_weights,
    memory_of, source_phrases,
};
pub use case::{Case, Suite};
pub(crate) use fields::TelemetryEntry;
pub(crate) use fields::{Expected, ExpectedField, FIELDS, Holds, Of, PatternUse, Texts, UsedPattern, Value};
pub(crate) use lower::{DetectedVersion, Version};
