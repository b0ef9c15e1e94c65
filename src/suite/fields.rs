//! The keys under `expected`: one row for each, in the order of the checks in `docs/scoring.md`.
//!
//! The rows make the fields of [`Expected`], and what reads the value of a key from the text. Lints, completion and labels
//! read [`FIELDS`]. `expectations` makes the checks of a key.

use crate::syntax::Node;
use crate::text::Span;

use super::lower::Object;
use super::{Field, Group, List, NumericItem, Scoring, SourcePatterns, Spanned, Version};

/// What a text of a list is. Completion differs by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    /// Names of tools.
    Tools,
    /// Entries about telemetry, see [`TelemetryEntry`].
    Telemetry,
    /// Hints about what an interface shows.
    Hints,
    /// Names of sources.
    Sources,
    /// Phrases, which are looked for literally.
    Phrases,
    /// Phrases that mark an assumption.
    Markers,
    /// Phrases that name an override action.
    Actions,
    /// Patterns.
    Patterns(PatternUse),
}

/// How many texts of a list must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Of {
    /// Each; it is a separate check.
    All,
    /// One; together they are one check.
    Any,
    /// None; each is a separate check.
    None,
}

/// What a check does with a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatternUse {
    /// A line must match.
    Wanted,
    /// No line may match.
    Forbidden,
    /// The pattern finds a number: `regex` in an entry of `must_ground_numbers`.
    Number,
    /// The pattern finds a marker.
    Marker,
    /// The matches are counted. Empty ones do not count.
    Counted,
    /// The matches are read as an age.
    Age,
}

impl PatternUse {
    /// Whether its matches are counted or read, so that empty matches do not count. Otherwise any match counts.
    pub(crate) fn collects_matches(self) -> bool {
        matches!(self, Self::Counted | Self::Age)
    }
}

/// What the value of a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// The name of an outcome.
    Outcome,
    /// A list of texts.
    List(Texts, Of),
    /// Whether there is a check.
    Flag,
    /// A limit.
    Limit,
    /// A pattern.
    Pattern(PatternUse),
    /// Phrases by source.
    SourcePatterns,
    /// Numbers.
    Numbers,
    /// How checks count.
    Scoring,
}

/// A key under `expected`.
pub(crate) struct ExpectedField {
    /// The key.
    pub(crate) key: &'static str,
    /// What its value is.
    pub(crate) holds: Holds,
    /// The group of its checks, or of the checks that it configures.
    pub(crate) group: Option<Group>,
    /// The first version of the format that has the key.
    pub(crate) since: Version,
    /// The key whose check it configures. Without that key it is ignored.
    pub(crate) configures: Option<&'static str>,
    /// What a label says beside its text if the check fails because nothing is found.
    pub(crate) lacking: Option<&'static str>,
    value: fn(&Expected) -> Option<Value<'_>>,
}

/// The value of a key in a case.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    /// An outcome or a pattern.
    Text(&'a Field<String>),
    /// A list of texts.
    List(&'a List),
    /// A flag.
    Flag(&'a Field<bool>),
    /// A limit.
    Limit(&'a Field<f64>),
    /// `source_patterns`
    SourcePatterns(&'a Field<Vec<SourcePatterns>>),
    /// `must_ground_numbers`
    Numbers(&'a Field<Vec<NumericItem>>),
    /// `scoring`
    Scoring(&'a Field<Scoring>),
}

macro_rules! value_of {
    ($($variant:ident: $type:ty),+) => {
        $(impl<'a> From<&'a Field<$type>> for Value<'a> {
            fn from(field: &'a Field<$type>) -> Value<'a> {
                Value::$variant(field)
            }
        })+

        impl Value<'_> {
            /// The place of the key.
            pub(crate) fn key(&self) -> Span {
                match self {
                    $(Value::$variant(field) => field.key(),)+
                }
            }
        }
    };
}

value_of!(
    Text: String,
    List: Vec<Spanned<String>>,
    Flag: bool,
    Limit: f64,
    SourcePatterns: Vec<SourcePatterns>,
    Numbers: Vec<NumericItem>,
    Scoring: Scoring
);

macro_rules! fields {
    ($($key:ident: $type:ty = $holds:expr, $group:expr, $since:ident $(, configures $other:literal)? $(, lacking $lacking:literal)?;)+) => {
        /// The expectations of a case. Each field has the name of its key.
        #[derive(Clone, Debug, Default, PartialEq)]
        #[allow(missing_docs, reason = "the schemas describe the keys")]
        pub(crate) struct Expected {
            /// The whole object; `None` if the case has none.
            pub(crate) object: Option<Field<()>>,
            $(pub(crate) $key: Option<Field<$type>>,)+
        }

        impl Expected {
            /// Lowers the value of `expected`.
            pub(super) fn lower(node: Node<'_>) -> Expected {
                let node = Object::new(node);
                Expected { object: None, $($key: node.field(stringify!($key)),)+ }
            }
        }

        /// The keys under `expected`.
        pub(crate) static FIELDS: &[ExpectedField] = &[$(ExpectedField {
            key: stringify!($key),
            holds: $holds,
            group: $group,
            since: Version::$since,
            configures: fields!(@or_none $($other)?),
            lacking: fields!(@or_none $($lacking)?),
            value: |expected| expected.$key.as_ref().map(Value::from),
        },)+];
    };
    (@or_none) => { None };
    (@or_none $value:literal) => { Some($value) };
}

type Strings = Vec<Spanned<String>>;

const TOOLS: Option<Group> = Some(Group::ToolHygiene);
const SOURCES: Option<Group> = Some(Group::SynthesisCoverage);
const NUMBERS: Option<Group> = Some(Group::NumericGrounding);
const ASSUMPTIONS: Option<Group> = Some(Group::Uncertainty);
const FORM: Option<Group> = Some(Group::Formatting);
const BRIEF: Option<Group> = Some(Group::MorningBriefContract);

fields! {
    tool_calls_any: Strings = Holds::List(Texts::Tools, Of::Any), TOOLS, V0_1, lacking "not called";
    tool_calls_none: Strings = Holds::List(Texts::Tools, Of::None), TOOLS, V0_1, lacking "not called";
    must_not_say: Strings = Holds::List(Texts::Phrases, Of::None), FORM, V0_1, lacking "not said";
    must_say_any: Strings = Holds::List(Texts::Phrases, Of::Any), FORM, V0_1, lacking "not said";
    telemetry: Strings = Holds::List(Texts::Telemetry, Of::All), TOOLS, V0_1;
    outcome: String = Holds::Outcome, TOOLS, V0_1;
    ui: Strings = Holds::List(Texts::Hints, Of::All), TOOLS, V0_1;
    required_sources: Strings = Holds::List(Texts::Sources, Of::All), SOURCES, V0_2;
    source_patterns: Vec<SourcePatterns> = Holds::SourcePatterns, SOURCES, V0_2, configures "required_sources";
    must_ground_numbers: Vec<NumericItem> = Holds::Numbers, NUMBERS, V0_2;
    must_label_assumptions: bool = Holds::Flag, ASSUMPTIONS, V0_2, lacking "not said";
    assumption_markers_any: Strings = Holds::List(Texts::Markers, Of::Any), ASSUMPTIONS, V0_2, configures "must_label_assumptions";
    must_match_regex: Strings = Holds::List(Texts::Patterns(PatternUse::Wanted), Of::All), FORM, V0_2;
    must_not_match_regex: Strings = Holds::List(Texts::Patterns(PatternUse::Forbidden), Of::None), FORM, V0_2;
    required_levers: f64 = Holds::Limit, BRIEF, V0_3;
    lever_regex: String = Holds::Pattern(PatternUse::Counted), BRIEF, V0_3, configures "required_levers";
    claim_evidence_alignment: bool = Holds::Flag, BRIEF, V0_3;
    claim_marker_regex: String = Holds::Pattern(PatternUse::Marker), BRIEF, V0_3, configures "claim_evidence_alignment";
    evidence_marker_regex: String = Holds::Pattern(PatternUse::Marker), BRIEF, V0_3, configures "claim_evidence_alignment";
    alignment_marker_regex: String = Holds::Pattern(PatternUse::Marker), BRIEF, V0_3, configures "claim_evidence_alignment";
    evidence_freshness_max_age_minutes: f64 = Holds::Limit, BRIEF, V0_3;
    evidence_freshness_regex: String = Holds::Pattern(PatternUse::Age), BRIEF, V0_3, configures "evidence_freshness_max_age_minutes";
    must_allow_override_actions: Strings = Holds::List(Texts::Actions, Of::All), BRIEF, V0_3, lacking "not said";
    scoring: Scoring = Holds::Scoring, None, V0_2;
}

impl ExpectedField {
    /// The field of that key.
    pub(crate) fn named(key: &str) -> Option<&'static ExpectedField> {
        FIELDS.iter().find(|field| field.key == key)
    }

    /// The value in a case; `None` if the key is missing or the value has a wrong type.
    pub(crate) fn of<'a>(&self, expected: &'a Expected) -> Option<Value<'a>> {
        (self.value)(expected)
    }

    /// Whether there are checks of the key.
    pub(crate) fn makes_checks(&self) -> bool {
        self.configures.is_none() && self.holds != Holds::Scoring
    }

    /// Whether the key enables a check.
    pub(crate) fn asks(&self, expected: &Expected) -> bool {
        match self.of(expected) {
            Some(Value::Flag(field)) => field.value,
            value => value.is_some(),
        }
    }

    /// Whether a case has a check that reads this key: always, unless it configures another key that is missing.
    pub(crate) fn is_read(&self, expected: &Expected) -> bool {
        self.configures.and_then(ExpectedField::named).is_none_or(|other| other.asks(expected))
    }
}

impl Expected {
    /// The keys that have a value, with it.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (&'static ExpectedField, Value<'_>)> {
        FIELDS.iter().filter_map(|field| Some((field, field.of(self)?)))
    }

    /// The lists of texts that have a value.
    pub(crate) fn lists(&self) -> impl Iterator<Item = (&'static ExpectedField, Texts, Of, &List)> {
        self.fields().filter_map(|(field, value)| match (field.holds, value) {
            (Holds::List(texts, of), Value::List(list)) => Some((field, texts, of, list)),
            _ => None,
        })
    }

    /// The items of `must_ground_numbers`.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &NumericItem> {
        self.must_ground_numbers.iter().flat_map(|field| &field.value)
    }

    /// The patterns: those of lists that are not empty, then those of numbers, then the others.
    pub(crate) fn patterns(&self) -> Vec<UsedPattern<'_>> {
        let mut patterns = Vec::new();
        for (_, texts, _, list) in self.lists() {
            if let Texts::Patterns(used) = texts {
                let entries = list.entries();
                patterns.extend(entries.map(|entry| UsedPattern {
                    used,
                    is_read: true,
                    text: &entry.value,
                    span: entry.span,
                }));
            }
        }
        let regexes =
            self.numbers().filter_map(|item| item.regex.as_ref()).map(|regex| (PatternUse::Number, true, regex));
        let others = self.fields().filter_map(|(field, value)| match (field.holds, value) {
            (Holds::Pattern(used), Value::Text(regex)) => Some((used, field.is_read(self), regex)),
            _ => None,
        });
        let single = regexes.chain(others);
        patterns.extend(single.map(|(used, is_read, regex)| UsedPattern {
            used,
            is_read,
            text: &regex.value,
            span: regex.span,
        }));
        patterns
    }
}

/// A pattern of a case, and what a check does with it.
pub(crate) struct UsedPattern<'a> {
    /// What a check does with it.
    pub(crate) used: PatternUse,
    /// Whether the case has a check that uses it.
    pub(crate) is_read: bool,
    /// The pattern.
    pub(crate) text: &'a str,
    /// The literal.
    pub(crate) span: Span,
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::schema::SchemaName;

    /// The keys under `expected` in the schema of that version.
    fn keys(version: Version) -> BTreeSet<String> {
        let name = SchemaName::from_name(version.as_str()).unwrap();
        let schema: serde_json::Value = serde_json::from_str(name.text()).unwrap();
        schema["definitions"]["expected"]["properties"].as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn the_table_says_what_the_schemas_say() {
        for version in Version::ALL {
            let in_table = FIELDS.iter().filter(|field| field.since <= version).map(|field| field.key);
            assert_eq!(keys(version), in_table.map(str::to_owned).collect(), "{version}");
        }
    }

    #[test]
    fn a_key_that_configures_another_has_its_group_and_is_not_older() {
        for field in FIELDS {
            let Some(other) = field.configures else { continue };
            let other = ExpectedField::named(other).unwrap();
            assert_eq!(field.group, other.group, "{}", field.key);
            assert!(field.since >= other.since && other.configures.is_none(), "{}", field.key);
        }
    }
}
