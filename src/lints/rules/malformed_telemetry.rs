use std::sync::LazyLock;

use regex::Regex;

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{List, TelemetryEntry};
use crate::syntax::encode;

declare_lint! {
    /// An entry of `telemetry` resembles a shorthand but is not one.
    ///
    /// The runner has four shorthands: `tool.<name> start`, `tool.<name> result success:true`, the same with `false`,
    /// and `success:false with missingFields containing <field>`. They must be written exactly like this, and names
    /// consist of letters, digits and `_`. Any other entry is searched in the log events as literal text. A misspelt
    /// shorthand is seldom found there, so the check fails.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "telemetry": ["tool.book_slot result success: true"] }
    /// ```
    ///
    /// ```json
    /// { "telemetry": ["success=false with missing_fields bike_id"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write the shorthand. If the text is in the log, write the part of it that an event contains word for word.
    ///
    /// ```json
    /// { "telemetry": ["tool.book_slot result success:true", "success:false with missingFields containing bike_id"] }
    /// ```
    ///
    /// ```json
    /// { "telemetry": ["\"slot\":\"Thursday 10:00\""] }
    /// ```
    pub(crate) MALFORMED_TELEMETRY = "malformed-telemetry", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for entry in cx.case.expected.telemetry.iter().flat_map(List::entries) {
        let Some(meant) = meant(&entry.value) else { continue };
        let shown = quoted(&meant);
        let message = format!("not a known shorthand; it is matched as literal text; did you mean {shown}?");
        let fix = Fix::new(format!("replace with {shown}"), vec![Edit::replace(entry.span, encode(&meant))]);
        report.add(entry.span, message).fix(fix);
    }
}

/// The words of a shorthand, with other signs between them or in another case. Text of an event has its quotes, so it does not match.
static RESEMBLES: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?ix)^[\s`']* (?:
        tools?\s*[.:/]\s*(?<tool>\w+) (?:\(\))? [:\s]+ (?:
            (?<start>start(?:s|ed)?)
            | results?[\s:,]*(?:with\s+)?success\s*[:=\s]\s*["']?(?<success>true|false)["']?
        )
        | success\s*[:=\s]\s*["']?false["']?[\s,;]*(?:with\s+|and\s+)?missing[_\s]?fields?[\s:=]+
            (?:contain(?:s|ing)?[\s:]+)?["']?(?<field>\w+)["']?
    ) [\s`'.,;!]*$"#;
    Regex::new(pattern).expect("the program's own pattern compiles")
});

/// The shorthand that an entry resembles without being one.
fn meant(entry: &str) -> Option<String> {
    if !matches!(TelemetryEntry::parse(entry), TelemetryEntry::Literal(_)) {
        return None;
    }
    let parts = RESEMBLES.captures(entry)?;
    let meant = match (parts.name("tool"), parts.name("success"), parts.name("field")) {
        (Some(tool), None, _) => format!("tool.{} start", tool.as_str()),
        (Some(tool), Some(success), _) => {
            format!("tool.{} result success:{}", tool.as_str(), success.as_str().to_ascii_lowercase())
        }
        (None, _, field) => format!("success:false with missingFields containing {}", field?.as_str()),
    };
    // A name with other letters fits no shorthand.
    (!matches!(TelemetryEntry::parse(&meant), TelemetryEntry::Literal(_))).then_some(meant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &MALFORMED_TELEMETRY,
            r#"
# the finding covers the entry
{ "cases": [ { "expected": { "telemetry": [
  "tool.book start", "Tool.book start", "tool.book result", "tool.book-slot start", "", 7,
                     ^^^^^^^^^^^^^^^^^ not a known shorthand; it is matched as literal text; did you mean `tool.book start`?
  "tool.b\u006fok\u00a0started", "book_slot", "\"success\":true"
  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not a known shorthand
] } } ] }

# the fix rewrites the entry
{ "telemetry": ["tool.book result success: true"] }
→ { "telemetry": ["tool.book result success:true"] }
"#,
        );
    }

    #[test]
    fn only_the_words_of_a_shorthand_resemble_it() {
        for (entry, shorthand) in [
            (" tool.repair start.", "tool.repair start"),
            ("tools.repair started", "tool.repair start"),
            ("tool:repair: start", "tool.repair start"),
            ("tool.repair() start", "tool.repair start"),
            ("tool.repair result success = True", "tool.repair result success:true"),
            ("tool.repair:result, success:false", "tool.repair result success:false"),
            ("Success:false with missing_fields day", "success:false with missingFields containing day"),
            ("success=false, missingFields containing: 'day'.", "success:false with missingFields containing day"),
        ] {
            assert_eq!(meant(entry).as_deref(), Some(shorthand), "{entry}");
        }
        for entry in [
            "tool.repair start",
            "success:false with missingFields containing day",
            "tool.book",
            "\"tool.book start\"",
            "\"source\":\"tool.book\",\"event\":\"start\"",
            "success:true",
            "missingFields: day",
            "session start",
            "tool call started",
            "tool.book start failed: no such slot",
            "tool.größe start",
            "",
        ] {
            assert_eq!(meant(entry), None, "{entry}");
        }
    }
}
