//! The default values of a case. Scoring, hover, completion and the documentation all read these tables, which are those
//! of `docs/scoring.md`.

use super::Group;

/// The markers of assumptions if `assumption_markers_any` is absent or empty.
pub(crate) const ASSUMPTION_MARKERS: [&str; 10] = [
    "assumption",
    "assuming",
    "uncertain",
    "not enough data",
    "insufficient data",
    "based on available data",
    "cannot verify",
    "may be stale",
    "might be stale",
    "confidence",
];

/// The default of `lever_regex`.
pub(crate) const LEVER_REGEX: &str = r"(?im)^(?:[-*]|[0-9]+\.)\s+.+";
/// The default of `claim_marker_regex`.
pub(crate) const CLAIM_MARKER_REGEX: &str = "(?i)(today.?s mission|mission|recommendation)";
/// The default of `evidence_marker_regex`.
pub(crate) const EVIDENCE_MARKER_REGEX: &str = "(?i)(evidence|source|observed|metric)";
/// The default of `alignment_marker_regex`.
pub(crate) const ALIGNMENT_MARKER_REGEX: &str = "(?i)(because|based on|backed by|driven by|grounded in)";
/// The default of `evidence_freshness_regex`.
pub(crate) const EVIDENCE_FRESHNESS_REGEX: &str = r"(?i)[0-9]{1,4}\s*(?:m|min|minute|minutes)";

/// The usual override actions of a morning brief. Completion suggests them; scoring does not use them.
pub(crate) const OVERRIDE_ACTIONS: [&str; 4] =
    ["Reframe mission", "Lower priority", "Use different objective", "Snooze"];

/// The default weights of a soft score.
pub(crate) const DEFAULT_WEIGHTS: [(Group, f64); 5] = [
    (Group::ToolHygiene, 0.35),
    (Group::SynthesisCoverage, 0.30),
    (Group::NumericGrounding, 0.20),
    (Group::Uncertainty, 0.10),
    (Group::Formatting, 0.05),
];

/// The built-in sources, and the phrases that mention them.
pub(crate) const BUILT_IN_SOURCES: [(&str, &[&str]); 4] = [
    ("github", &["github", "commit", "pull request", "pr", "issue", "repo"]),
    ("slack", &["slack", "mention", "channel", "message", "thread"]),
    ("posthog", &["posthog", "site health", "event", "funnel", "insight"]),
    ("vercel", &["vercel", "deployment", "build", "production"]),
];

/// The phrases of a built-in source. The name is compared ignoring case.
pub(crate) fn built_in_source(name: &str) -> Option<&'static [&'static str]> {
    let name = name.to_lowercase();
    BUILT_IN_SOURCES.iter().find(|(source, _)| *source == name).map(|(_, patterns)| *patterns)
}
