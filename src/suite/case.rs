use std::collections::HashSet;

use crate::text::Span;

/// A value and its span. Spans within a case count from the start of the case, spans of a suite's own fields from the start
/// of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The text, including quotes and brackets.
    pub span: Span,
}

/// The value of a key.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<T> {
    /// The value.
    pub value: T,
    /// The text of the value.
    pub span: Span,
    /// The text of the key, including its quotes.
    pub key: Span,
}

impl<T> Field<T> {
    /// The text from the key to the value.
    pub fn member(&self) -> Span {
        self.key.join(self.span)
    }
}

/// A list of strings. Elements of another type are left out; the schema reports them.
pub type List = Field<Vec<Spanned<String>>>;

impl List {
    /// The entries without empty strings, which the runner skips.
    pub fn entries(&self) -> impl Iterator<Item = &Spanned<String>> {
        self.value.iter().filter(|entry| !entry.value.is_empty())
    }
}

/// One case of a suite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Case {
    /// The length of the text, in bytes.
    pub len: usize,
    /// `id`
    pub id: Option<Field<String>>,
    /// `category`
    pub category: Option<Field<String>>,
    /// `prompt`
    pub prompt: Option<Field<String>>,
    /// `preconditions`
    pub preconditions: Option<List>,
    /// `setup_prompts`
    pub setup_prompts: Option<List>,
    /// `expected`; empty if the case has none.
    pub expected: Expected,
}

/// The expectations of a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Expected {
    /// The whole object; `None` if the case has none.
    pub object: Option<Field<()>>,
    /// `outcome`
    pub outcome: Option<Field<String>>,
    /// `tool_calls_any`
    pub tool_calls_any: Option<List>,
    /// `tool_calls_none`
    pub tool_calls_none: Option<List>,
    /// `must_not_say`
    pub must_not_say: Option<List>,
    /// `must_say_any`
    pub must_say_any: Option<List>,
    /// `ui`
    pub ui: Option<List>,
    /// `telemetry`
    pub telemetry: Option<List>,
    /// `required_sources`
    pub required_sources: Option<List>,
    /// `source_patterns`
    pub source_patterns: Option<Field<Vec<SourcePatterns>>>,
    /// `must_ground_numbers`
    pub must_ground_numbers: Option<Field<Vec<NumericItem>>>,
    /// `must_label_assumptions`
    pub must_label_assumptions: Option<Field<bool>>,
    /// `assumption_markers_any`
    pub assumption_markers_any: Option<List>,
    /// `must_match_regex`
    pub must_match_regex: Option<List>,
    /// `must_not_match_regex`
    pub must_not_match_regex: Option<List>,
    /// `required_levers`
    pub required_levers: Option<Field<f64>>,
    /// `claim_evidence_alignment`
    pub claim_evidence_alignment: Option<Field<bool>>,
    /// `evidence_freshness_max_age_minutes`
    pub evidence_freshness_max_age_minutes: Option<Field<f64>>,
    /// `must_allow_override_actions`
    pub must_allow_override_actions: Option<List>,
    /// `lever_regex`
    pub lever_regex: Option<Field<String>>,
    /// `claim_marker_regex`
    pub claim_marker_regex: Option<Field<String>>,
    /// `evidence_marker_regex`
    pub evidence_marker_regex: Option<Field<String>>,
    /// `alignment_marker_regex`
    pub alignment_marker_regex: Option<Field<String>>,
    /// `evidence_freshness_regex`
    pub evidence_freshness_regex: Option<Field<String>>,
    /// `scoring`
    pub scoring: Option<Field<Scoring>>,
}

/// The patterns that `source_patterns` gives for one source: the source's name is the key.
#[derive(Clone, Debug, PartialEq)]
pub struct SourcePatterns {
    /// The source's name.
    pub source: Spanned<String>,
    /// The phrases that mention the source.
    pub patterns: List,
}

/// An entry of `must_ground_numbers`: an object, or a bare string or number, which is its `value`.
#[derive(Clone, Debug, PartialEq)]
pub struct NumericItem {
    /// The whole entry.
    pub span: Span,
    /// Whether it is an object.
    pub is_object: bool,
    /// `label`
    pub label: Option<Field<String>>,
    /// `value`; a number as it is written. In a bare entry, key and value have the same span.
    pub value: Option<Field<String>>,
    /// `regex`
    pub regex: Option<Field<String>>,
    /// `context_any`
    pub context_any: Option<List>,
}

impl NumericItem {
    /// The name in reports: `label`, or else `value`, or else `regex`, or else `numeric`.
    pub fn name(&self) -> &str {
        let given = [&self.label, &self.value, &self.regex];
        given.into_iter().flatten().map(|field| field.value.as_str()).next().unwrap_or("numeric")
    }
}

/// `scoring`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scoring {
    /// `hard_fail`
    pub hard_fail: Option<List>,
    /// `soft_score`
    pub soft_score: Option<Field<SoftScore>>,
}

/// `scoring.soft_score`
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SoftScore {
    /// `threshold`
    pub threshold: Option<Field<f64>>,
    /// `weights`
    pub weights: Option<Field<Weights>>,
}

/// `scoring.soft_score.weights`, in the order of the text.
pub type Weights = Vec<Weight>;

/// The weights that count, in the order of the text. If a group is named twice, its last weight counts, as in any JSON
/// reader.
pub fn effective_weights(weights: &[Weight]) -> Vec<&Weight> {
    let mut named = HashSet::new();
    let last = weights.iter().rev().filter(|weight| named.insert(weight.group.value.as_str()));
    let mut effective: Vec<_> = last.collect();
    effective.reverse();
    effective
}

/// The weight of one group: the group's name is the key.
#[derive(Clone, Debug, PartialEq)]
pub struct Weight {
    /// The name of the group, which may be unknown.
    pub group: Spanned<String>,
    /// The weight.
    pub value: Field<f64>,
}

impl Expected {
    /// `scoring.hard_fail`
    pub fn hard_fail(&self) -> Option<&List> {
        self.scoring.as_ref()?.value.hard_fail.as_ref()
    }

    /// `scoring.soft_score`
    pub fn soft_score(&self) -> Option<&SoftScore> {
        Some(&self.scoring.as_ref()?.value.soft_score.as_ref()?.value)
    }

    /// `scoring.soft_score.weights`
    pub fn weights(&self) -> Option<&Field<Weights>> {
        self.soft_score()?.weights.as_ref()
    }

    /// `scoring.soft_score.threshold`
    pub fn threshold(&self) -> Option<&Field<f64>> {
        self.soft_score()?.threshold.as_ref()
    }
}
