use std::sync::LazyLock;

use regex::Regex;

/// How an entry of `telemetry` is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TelemetryEntry<'a> {
    /// `tool.<name> start`
    Start {
        /// The tool.
        tool: &'a str,
    },
    /// `tool.<name> result success:true` or `…:false`
    Result {
        /// The tool.
        tool: &'a str,
        /// Which success its result must have.
        success: bool,
    },
    /// `success:false with missingFields containing <field>`
    MissingField {
        /// The field.
        field: &'a str,
    },
    /// Anything else: looked for in the events' texts, ignoring case.
    Literal(&'a str),
}

static SHORTHAND: LazyLock<Regex> = LazyLock::new(|| {
    let shorthand = r"^(?:tool\.([A-Za-z0-9_]+)\s+(?:(start)|result\s+success:(true|false))|success:false\s+with\s+missingFields\s+containing\s+([A-Za-z0-9_]+))$";
    Regex::new(shorthand).expect("the program's own pattern compiles")
});

impl<'a> TelemetryEntry<'a> {
    /// Reads an entry.
    pub fn parse(entry: &'a str) -> Self {
        let Some(parts) = SHORTHAND.captures(entry) else { return TelemetryEntry::Literal(entry) };
        let part = |index: usize| parts.get(index).map(|part| part.as_str());
        match (part(1), part(3), part(4)) {
            (_, _, Some(field)) => TelemetryEntry::MissingField { field },
            (Some(tool), Some(success), _) => TelemetryEntry::Result { tool, success: success == "true" },
            (Some(tool), None, _) => TelemetryEntry::Start { tool },
            (None, ..) => TelemetryEntry::Literal(entry),
        }
    }
}
