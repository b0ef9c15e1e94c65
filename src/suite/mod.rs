//! The model of a suite: cases whose fields have values and spans, lowered once from the syntax tree.
//!
//! All spans in a [`Case`] count from its first byte, so that an edit before the case does not change them. [`Suite`] has
//! the start of each case. [`expectations`] turns a case into the checks that a run makes, in the order of reports.

mod case;
mod defaults;
mod expectation;
mod group;
mod lower;
mod outcome;
mod placed;
mod telemetry;
mod version;

pub use case::{
    Case, Expected, Field, List, NumericItem, Scoring, SoftScore, SourcePatterns, Spanned, Weight, Weights,
    effective_weights,
};
pub use defaults::{
    ALIGNMENT_MARKER_REGEX, ASSUMPTION_MARKERS, BUILT_IN_SOURCES, CLAIM_MARKER_REGEX, DEFAULT_WEIGHTS,
    EVIDENCE_FRESHNESS_REGEX, EVIDENCE_MARKER_REGEX, LEVER_REGEX, OVERRIDE_ACTIONS, built_in_source,
};
pub use expectation::{Expectation, ExpectationKind, expectations};
pub use group::Group;
pub use outcome::Outcome;
pub use placed::{PlacedCase, Suite};
pub use telemetry::TelemetryEntry;
pub use version::{DetectedVersion, Version};

#[cfg(test)]
mod tests;
