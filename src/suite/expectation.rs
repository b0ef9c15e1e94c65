use std::collections::HashMap;

use crate::suite::{Case, Group, NumericItem, Outcome, SourcePatterns, Spanned, case};
use crate::text::Span;

/// One check that a run makes of a case: its condition, the text that defines it, and its group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Expectation<'a> {
    /// The check's id in results, for instance `must_not_say:I cannot`.
    pub(crate) id: String,
    /// The condition.
    pub(crate) kind: ExpectationKind<'a>,
    /// The group of the check; `None` for an unknown outcome.
    pub(crate) group: Option<Group>,
    /// The text that defines the check: the element of a list, or else the value. For an implied outcome it is the key
    /// `expected`, or the first byte of the case if that key is missing.
    pub(crate) span: Span,
}

/// The condition of a check. The names are those of the fields in the suite.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is the field of its name, and its contents the field's value")]
pub(crate) enum ExpectationKind<'a> {
    ToolCallsAny { tools: Vec<&'a str> },
    ToolCallsNone { tool: &'a str },
    MustNotSay { phrase: &'a str },
    MustSayAny { phrases: Vec<&'a str> },
    Telemetry { entry: TelemetryEntry<'a> },
    Outcome { outcome: Outcome, tools: Vec<&'a str> },
    UnknownOutcome { name: &'a str },
    Ui { hint: &'a str },
    RequiredSource { source: &'a str, patterns: Option<Vec<&'a str>> },
    Number { item: &'a NumericItem },
    LabelAssumptions { markers: Vec<&'a str> },
    MustMatchRegex { pattern: &'a str },
    MustNotMatchRegex { pattern: &'a str },
    RequiredLevers { at_least: f64, pattern: &'a str },
    ClaimEvidenceAlignment { claim: &'a str, evidence: &'a str, alignment: &'a str },
    EvidenceFreshness { max_age_minutes: f64, pattern: &'a str },
    OverrideAction { action: &'a str },
}

impl Expectation<'_> {
    /// Whether there is a transcript that fails the check.
    pub(crate) fn can_fail(&self) -> bool {
        match &self.kind {
            ExpectationKind::Outcome { outcome, tools } => outcome.can_fail(!tools.is_empty()),
            _ => true,
        }
    }
}

impl ExpectationKind<'_> {
    /// Whether the check needs something to be there. The others only forbid, or follow from the outcome.
    pub(crate) fn asks_for_content(&self) -> bool {
        match self {
            Self::ToolCallsNone { .. }
            | Self::MustNotSay { .. }
            | Self::MustNotMatchRegex { .. }
            | Self::Outcome { .. }
            | Self::UnknownOutcome { .. } => false,
            Self::RequiredLevers { at_least, .. } => *at_least > 0.0,
            Self::ToolCallsAny { .. }
            | Self::MustSayAny { .. }
            | Self::Telemetry { .. }
            | Self::Ui { .. }
            | Self::RequiredSource { .. }
            | Self::Number { .. }
            | Self::LabelAssumptions { .. }
            | Self::MustMatchRegex { .. }
            | Self::ClaimEvidenceAlignment { .. }
            | Self::EvidenceFreshness { .. }
            | Self::OverrideAction { .. } => true,
        }
    }

    /// Whether the check is about the response, and not about the telemetry.
    pub(crate) fn is_about_response(&self) -> bool {
        match self {
            Self::ToolCallsAny { .. }
            | Self::ToolCallsNone { .. }
            | Self::Telemetry { .. }
            | Self::Outcome { .. }
            | Self::UnknownOutcome { .. } => false,
            Self::MustNotSay { .. }
            | Self::MustSayAny { .. }
            | Self::Ui { .. }
            | Self::RequiredSource { .. }
            | Self::Number { .. }
            | Self::LabelAssumptions { .. }
            | Self::MustMatchRegex { .. }
            | Self::MustNotMatchRegex { .. }
            | Self::RequiredLevers { .. }
            | Self::ClaimEvidenceAlignment { .. }
            | Self::EvidenceFreshness { .. }
            | Self::OverrideAction { .. } => true,
        }
    }

    /// The field of the suite that defines the check.
    pub(crate) fn field(&self) -> &'static str {
        match self {
            Self::ToolCallsAny { .. } => "tool_calls_any",
            Self::ToolCallsNone { .. } => "tool_calls_none",
            Self::MustNotSay { .. } => "must_not_say",
            Self::MustSayAny { .. } => "must_say_any",
            Self::Telemetry { .. } => "telemetry",
            Self::Outcome { .. } | Self::UnknownOutcome { .. } => "outcome",
            Self::Ui { .. } => "ui",
            Self::RequiredSource { .. } => "required_sources",
            Self::Number { .. } => "must_ground_numbers",
            Self::LabelAssumptions { .. } => "must_label_assumptions",
            Self::MustMatchRegex { .. } => "must_match_regex",
            Self::MustNotMatchRegex { .. } => "must_not_match_regex",
            Self::RequiredLevers { .. } => "required_levers",
            Self::ClaimEvidenceAlignment { .. } => "claim_evidence_alignment",
            Self::EvidenceFreshness { .. } => "evidence_freshness_max_age_minutes",
            Self::OverrideAction { .. } => "must_allow_override_actions",
        }
    }
}

/// The checks of a case, in the order of the table in `docs/scoring.md`. Runs and reports use the same order.
pub(crate) fn expectations(case: &Case) -> Vec<Expectation<'_>> {
    let mut checks = Checks { list: Vec::new() };
    let expected = &case.expected;
    let any_tools = texts(&expected.tool_calls_any);

    if let Some(list) = expected.tool_calls_any.as_ref().filter(|_| !any_tools.is_empty()) {
        checks.add(
            Group::ToolHygiene,
            list.span,
            "tool_calls_any",
            ExpectationKind::ToolCallsAny { tools: any_tools.clone() },
        );
    }
    for tool in entries(&expected.tool_calls_none) {
        let kind = ExpectationKind::ToolCallsNone { tool: &tool.value };
        checks.add(Group::ToolHygiene, tool.span, format!("tool_calls_none:{}", tool.value), kind);
    }
    for phrase in entries(&expected.must_not_say) {
        let kind = ExpectationKind::MustNotSay { phrase: &phrase.value };
        checks.add(Group::Formatting, phrase.span, format!("must_not_say:{}", phrase.value), kind);
    }
    let phrases = texts(&expected.must_say_any);
    if let Some(list) = expected.must_say_any.as_ref().filter(|_| !phrases.is_empty()) {
        checks.add(Group::Formatting, list.span, "must_say_any", ExpectationKind::MustSayAny { phrases });
    }
    for entry in entries(&expected.telemetry) {
        let kind = ExpectationKind::Telemetry { entry: TelemetryEntry::parse(&entry.value) };
        checks.add(Group::ToolHygiene, entry.span, format!("telemetry:{}", entry.value), kind);
    }
    checks.outcome(case, any_tools);
    for hint in entries(&expected.ui) {
        checks.add(
            Group::ToolHygiene,
            hint.span,
            format!("ui:{}", hint.value),
            ExpectationKind::Ui { hint: &hint.value },
        );
    }
    let source_patterns = source_patterns(case);
    for source in entries(&expected.required_sources) {
        let patterns = source_patterns.get(source.value.as_str()).map(|given| {
            let patterns = given.patterns.entries().map(|pattern| pattern.value.as_str());
            patterns.collect()
        });
        let kind = ExpectationKind::RequiredSource { source: &source.value, patterns };
        let id = format!("synthesis:required_source:{}", source.value);
        checks.add(Group::SynthesisCoverage, source.span, id, kind);
    }
    for item in expected.must_ground_numbers.iter().flat_map(|field| &field.value).filter(|item| !is_empty_string(item))
    {
        let id = format!("synthesis:numeric:{}", item.name());
        checks.add(Group::NumericGrounding, item.span, id, ExpectationKind::Number { item });
    }
    if let Some(field) = expected.must_label_assumptions.as_ref().filter(|field| field.value) {
        let given = texts(&expected.assumption_markers_any);
        let markers = if given.is_empty() { case::ASSUMPTION_MARKERS.to_vec() } else { given };
        let kind = ExpectationKind::LabelAssumptions { markers };
        checks.add(Group::Uncertainty, field.span, "synthesis:assumptions", kind);
    }
    for pattern in entries(&expected.must_match_regex) {
        let kind = ExpectationKind::MustMatchRegex { pattern: &pattern.value };
        checks.add(Group::Formatting, pattern.span, format!("format:must_match_regex:{}", pattern.value), kind);
    }
    for pattern in entries(&expected.must_not_match_regex) {
        let kind = ExpectationKind::MustNotMatchRegex { pattern: &pattern.value };
        checks.add(Group::Formatting, pattern.span, format!("format:must_not_match_regex:{}", pattern.value), kind);
    }
    checks.morning_brief(case);
    checks.list
}

struct Checks<'a> {
    list: Vec<Expectation<'a>>,
}

impl<'a> Checks<'a> {
    fn add(&mut self, group: Group, span: Span, id: impl Into<String>, kind: ExpectationKind<'a>) {
        self.list.push(Expectation { id: id.into(), kind, group: Some(group), span });
    }

    fn outcome(&mut self, case: &'a Case, tools: Vec<&'a str>) {
        let expected = &case.expected;
        let implied = expected.object.as_ref().map_or(Span::new(0, case.len.min(1)), |object| object.key);
        let (name, span) = expected
            .outcome
            .as_ref()
            .map_or((Outcome::ResponseOnly.name(), implied), |outcome| (&outcome.value, outcome.span));
        match Outcome::from_name(name) {
            Some(outcome) => {
                let kind = ExpectationKind::Outcome { outcome, tools };
                self.add(Group::ToolHygiene, span, format!("outcome:{name}"), kind);
            }
            None => {
                let kind = ExpectationKind::UnknownOutcome { name };
                self.list.push(Expectation { id: format!("outcome:unknown:{name}"), kind, group: None, span });
            }
        }
    }

    fn morning_brief(&mut self, case: &'a Case) {
        let expected = &case.expected;
        let group = Group::MorningBriefContract;
        if let Some(field) = &expected.required_levers {
            let pattern = pattern_or(&expected.lever_regex, case::LEVER_REGEX);
            let kind = ExpectationKind::RequiredLevers { at_least: field.value, pattern };
            self.add(group, field.span, "morning_brief:required_levers", kind);
        }
        if let Some(field) = expected.claim_evidence_alignment.as_ref().filter(|field| field.value) {
            let kind = ExpectationKind::ClaimEvidenceAlignment {
                claim: pattern_or(&expected.claim_marker_regex, case::CLAIM_MARKER_REGEX),
                evidence: pattern_or(&expected.evidence_marker_regex, case::EVIDENCE_MARKER_REGEX),
                alignment: pattern_or(&expected.alignment_marker_regex, case::ALIGNMENT_MARKER_REGEX),
            };
            self.add(group, field.span, "morning_brief:claim_evidence_alignment", kind);
        }
        if let Some(field) = &expected.evidence_freshness_max_age_minutes {
            let pattern = pattern_or(&expected.evidence_freshness_regex, case::EVIDENCE_FRESHNESS_REGEX);
            let kind = ExpectationKind::EvidenceFreshness { max_age_minutes: field.value, pattern };
            self.add(group, field.span, "morning_brief:evidence_freshness", kind);
        }
        for action in entries(&expected.must_allow_override_actions) {
            let id = format!("morning_brief:override_action:{}", action.value);
            self.add(group, action.span, id, ExpectationKind::OverrideAction { action: &action.value });
        }
    }
}

/// The phrases in `source_patterns` by source; of several, the last ones count. If a list is empty, no response mentions the
/// source.
fn source_patterns(case: &Case) -> HashMap<&str, &SourcePatterns> {
    let given = case.expected.source_patterns.iter().flat_map(|field| &field.value);
    given.map(|given| (given.source.value.as_str(), given)).collect()
}

fn is_empty_string(item: &NumericItem) -> bool {
    !item.is_object && item.value.as_ref().is_some_and(|value| value.value.is_empty())
}

fn pattern_or<'a>(given: &'a Option<super::Field<String>>, default: &'a str) -> &'a str {
    given.as_ref().map_or(default, |field| field.value.as_str())
}

fn entries(list: &Option<super::List>) -> impl Iterator<Item = &Spanned<String>> {
    list.iter().flat_map(super::List::entries)
}

fn texts(list: &Option<super::List>) -> Vec<&str> {
    entries(list).map(|entry| entry.value.as_str()).collect()
}

/// An entry of `telemetry`, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TelemetryEntry<'a> {
    /// `tool.<name> start`
    Start {
        /// The tool.
        tool: &'a str,
    },
    /// `tool.<name> result success:true` or `…:false`
    Result {
        /// The tool.
        tool: &'a str,
        /// The required `success` of the result.
        success: bool,
    },
    /// `success:false with missingFields containing <field>`
    MissingField {
        /// The field.
        field: &'a str,
    },
    /// Anything else: literal text that an event must contain, ignoring case.
    Literal(&'a str),
}

impl<'a> TelemetryEntry<'a> {
    /// Parses an entry.
    pub(crate) fn parse(entry: &'a str) -> Self {
        TelemetryEntry::shorthand(entry).unwrap_or(TelemetryEntry::Literal(entry))
    }

    fn shorthand(entry: &'a str) -> Option<Self> {
        // White space separates the words. An entry with white space at either end is not a shorthand.
        if entry.trim() != entry {
            return None;
        }
        let words: Vec<_> = entry.split_whitespace().collect();
        match words[..] {
            [tool, "start"] => Some(TelemetryEntry::Start { tool: tool_name(tool)? }),
            [tool, "result", success] => {
                let success = match success {
                    "success:true" => true,
                    "success:false" => false,
                    _ => return None,
                };
                Some(TelemetryEntry::Result { tool: tool_name(tool)?, success })
            }
            ["success:false", "with", "missingFields", "containing", field] => {
                is_name(field).then_some(TelemetryEntry::MissingField { field })
            }
            _ => None,
        }
    }
}

fn tool_name(word: &str) -> Option<&str> {
    word.strip_prefix("tool.").filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
