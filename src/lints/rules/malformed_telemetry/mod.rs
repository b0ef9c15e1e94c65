mod near_miss;

use std::collections::HashSet;

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::facts::tools::mentions;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::syntax::encode;

use near_miss::{NearMiss, near_miss};

declare_lint! {
    /// An entry of `telemetry` resembles a shorthand but is not one.
    ///
    /// The runner has four shorthands: `tool.<name> start`, `tool.<name> result success:true`, the same with `false`,
    /// and `success:false with missingFields containing <field>`. They must be written exactly like this, and names
    /// consist of letters, digits and `_`. Any other entry is searched in the log events as literal text. A misspelt
    /// shorthand is never found there, so the check always fails.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "telemetry": ["tool.book_slot result success: true"] }
    /// ```
    ///
    /// ```json
    /// { "telemetry": ["success=false, missing_fields: bike_id"] }
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
    let Some(telemetry) = &cx.case.expected.telemetry else { return };
    let mentioned: HashSet<_> = mentions(cx).into_iter().map(|mention| mention.tool).collect();
    let is_tool = |name: &str| cx.workspace.tools.contains_key(name) || mentioned.contains(name);
    for entry in telemetry.entries() {
        let Some(NearMiss { rewrites, reason }) = near_miss(&entry.value, is_tool) else { continue };
        let meant: Vec<String> = rewrites.iter().map(|entries| in_words(entries)).collect();
        let hint = match reason {
            Some(reason) => format!(": {reason}"),
            None => format!("; did you mean {}?", meant.join(", or ")),
        };
        let finding = report.add(entry.span, format!("not a known shorthand; it is matched as literal text{hint}"));
        for (entries, meant) in rewrites.iter().zip(meant) {
            let literals: Vec<_> = entries.iter().map(|entry| encode(entry)).collect();
            let edit = Edit::replace(entry.span, literals.join(", "));
            finding.fix(Fix::new(format!("replace with {meant}"), vec![edit]));
        }
    }
}

fn in_words(entries: &[String]) -> String {
    entries.iter().map(|entry| quoted(entry)).collect::<Vec<_>>().join(" and ")
}

#[cfg(test)]
mod tests {
    use super::MALFORMED_TELEMETRY;
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
                                        ^^^^^^^^^^^^^^^^^^ not a known shorthand; it is matched as literal text; did you mean `tool.book result success:true`, or `tool.book result success:false`?
                                                            ^^^^^^^^^^^^^^^^^^^^^^ not a known shorthand; it is matched as literal text: in a shorthand, the name of a tool
  "tool.b\u006fok\u00a0started", "book_slot", "\"success\":true"
  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ not a known shorthand
] } } ] }

# fixes rewrite the entry
{ "telemetry": ["tool.book result success: true"] }
→ { "telemetry": ["tool.book result success:true"] }

{ "telemetry": ["tool.book result success:false with missingFields containing \"day\" and \"bike\"."] }
→ { "telemetry": ["tool.book result success:false", "success:false with missingFields containing day", "success:false with missingFields containing bike"] }

# a word is a tool if the case names the tool
{ "cases": [ { "expected": { "tool_calls_any": ["book"], "telemetry": ["book start", "session start", "tool call started"] } } ] }
                                                                       ^^^^^^^^^^^^ not a known shorthand; it is matched as literal text; did you mean `tool.book start`?
"#,
        );
    }
}
