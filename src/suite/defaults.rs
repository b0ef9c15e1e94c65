//! What holds where a case says nothing. The one place for it: scoring, hover, completion and the documentation read
//! these tables. They are those of `docs/scoring.md`.

use super::Group;

/// What counts as saying that something is an assumption, where `assumption_markers_any` is absent or empty.
pub const ASSUMPTION_MARKERS: [&str; 10] = [
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

/// What `lever_regex` is where it is not given.
pub const LEVER_REGEX: &str = r"(?im)^(?:[-*]|[0-9]+\.)\s+.+";
/// What `claim_marker_regex` is where it is not given.
pub const CLAIM_MARKER_REGEX: &str = "(?i)(today.?s mission|mission|recommendation)";
/// What `evidence_marker_regex` is where it is not given.
pub const EVIDENCE_MARKER_REGEX: &str = "(?i)(evidence|source|observed|metric)";
/// What `alignment_marker_regex` is where it is not given.
pub const ALIGNMENT_MARKER_REGEX: &str = "(?i)(because|based on|backed by|driven by|grounded in)";
/// What `evidence_freshness_regex` is where it is not given.
pub const EVIDENCE_FRESHNESS_REGEX: &str = r"(?i)[0-9]{1,4}\s*(?:m|min|minute|minutes)";

/// The actions that a morning brief usually lets its reader override; offered by completion, never assumed.
pub const OVERRIDE_ACTIONS: [&str; 4] = ["Reframe mission", "Lower priority", "Use different objective", "Snooze"];

/// The weights of a soft score that gives none.
pub const DEFAULT_WEIGHTS: [(Group, f64); 5] = [
    (Group::ToolHygiene, 0.35),
    (Group::SynthesisCoverage, 0.30),
    (Group::NumericGrounding, 0.20),
    (Group::Uncertainty, 0.10),
    (Group::Formatting, 0.05),
];

/// Sources that need no patterns of their own, and what says that they were used.
pub const BUILT_IN_SOURCES: [(&str, &[&str]); 4] = [
    ("github", &["github", "commit", "pull request", "pr", "issue", "repo"]),
    ("slack", &["slack", "mention", "channel", "message", "thread"]),
    ("posthog", &["posthog", "site health", "event", "funnel", "insight"]),
    ("vercel", &["vercel", "deployment", "build", "production"]),
];

/// The patterns of a built-in source; its name is compared ignoring case.
pub fn built_in_source(name: &str) -> Option<&'static [&'static str]> {
    let name = name.to_lowercase();
    BUILT_IN_SOURCES.iter().find(|(source, _)| *source == name).map(|(_, patterns)| *patterns)
}
