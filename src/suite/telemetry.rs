//! The entries of `telemetry`.

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
