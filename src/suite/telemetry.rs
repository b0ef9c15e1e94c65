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

impl<'a> TelemetryEntry<'a> {
    /// Reads an entry.
    pub fn parse(entry: &'a str) -> Self {
        TelemetryEntry::shorthand(entry).unwrap_or(TelemetryEntry::Literal(entry))
    }

    fn shorthand(entry: &'a str) -> Option<Self> {
        // White space parts the words; at either end it makes the entry something else.
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
