//! What an eval file means: the tree lowered once into cases whose every field knows where it stands.
//!
//! A [`Case`] counts all its spans from its own first byte, so that it stays as it is when something before it grows.
//! [`Suite`] knows where each case starts; [`expectations`] turns a case into the checks that a run makes, in the
//! order in which they are reported.

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
