use std::collections::HashSet;

use crate::diagnostic::quoted;
use crate::lints::facts::tools::{lists_no_tools, required_successes};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{List, Outcome};
use crate::text::Span;

declare_lint! {
    /// The expected outcome can never be met.
    ///
    /// `graceful_block` fails if any tool succeeds. `needs_input` fails if a tool of `tool_calls_any` succeeds. If an
    /// entry of `telemetry` requires such a success, either the entry or the outcome fails. `graceful_error` passes
    /// only if a tool of `tool_calls_any` fails. Without listed tools it never passes.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "outcome": "graceful_block", "telemetry": ["tool.cancel_slot result success:true"] }
    /// ```
    ///
    /// ```json
    /// { "outcome": "graceful_error", "telemetry": ["tool.cancel_slot result success:false"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Choose the intended outcome, or change the contradicting entry.
    ///
    /// ```json
    /// { "outcome": "graceful_block", "tool_calls_none": ["cancel_slot"] }
    /// ```
    ///
    /// ```json
    /// {
    ///   "outcome": "graceful_error",
    ///   "tool_calls_any": ["cancel_slot"],
    ///   "telemetry": ["tool.cancel_slot result success:false"]
    /// }
    /// ```
    pub(crate) CONTRADICTORY_OUTCOME = "contradictory-outcome", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(field) = &cx.case.expected.outcome else { return };
    match Outcome::from_name(&field.value) {
        Some(Outcome::GracefulBlock) => {
            excluded(cx, field.span, "`graceful_block` fails if any tool succeeds", |_| true, report);
        }
        Some(Outcome::NeedsInput) => {
            let rule = "`needs_input` fails if a tool of `tool_calls_any` succeeds";
            let tools = cx.case.expected.tool_calls_any.iter().flat_map(List::entries);
            let listed: HashSet<_> = tools.map(|tool| tool.value.as_str()).collect();
            excluded(cx, field.span, rule, |tool| listed.contains(tool), report);
        }
        Some(Outcome::GracefulError) if lists_no_tools(cx) => {
            report.add(field.span, "`graceful_error` always fails if `tool_calls_any` lists no tool");
        }
        _ => {}
    }
}

/// Reports the outcome at `span` if `telemetry` requires the success of a tool that the outcome `excludes`.
fn excluded(cx: &CaseContext<'_>, span: Span, rule: &str, excludes: impl Fn(&str) -> bool, report: &mut Report) {
    if let Some((tool, entry)) = required_successes(cx).find(|(tool, _)| excludes(tool)) {
        let message = format!("{rule}, but `telemetry` requires that {} succeeds", quoted(tool));
        report.add(span, message).also(entry.span, "required here");
    }
}

#[cfg(test)]
mod tests {
    use super::CONTRADICTORY_OUTCOME;
    use crate::lints::tests::fixture::{check, check_each};

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &CONTRADICTORY_OUTCOME,
            r#"
# outcomes that telemetry excludes are reported
{ "cases": [
  { "expected": { "outcome": "graceful_block", "tool_calls_any": ["find"], "telemetry": ["tool.find start", "tool.book result success:true"] } },
                             ^^^^^^^^^^^^^^^^ `graceful_block` fails if any tool succeeds, but `telemetry` requires that `book` succeeds
  { "expected": { "outcome": "needs_input", "tool_calls_any": ["find", "book"], "telemetry": ["tool.book result success:true"] } }
                             ^^^^^^^^^^^^^ `needs_input` fails if a tool of `tool_calls_any` succeeds, but `telemetry` requires that `book` succeeds
] }

# possible outcomes have no finding
{ "outcome": "graceful_block", "telemetry": ["tool.book start", "tool.book result success:false"] }

{ "outcome": "graceful_block", "telemetry": ["success:true", "tool.book result success: true"] }

{ "outcome": "needs_input", "tool_calls_any": ["book"], "telemetry": ["tool.find result success:true"] }

{ "outcome": "needs_input", "telemetry": ["tool.find result success:true"] }

# A tool can fail, and succeed when it is called again.
{ "outcome": "tool_success", "tool_calls_any": ["book"], "telemetry": ["tool.book result success:false"] }

{ "outcome": "graceful_error", "tool_calls_any": ["book"], "telemetry": ["tool.book result success:true"] }

{ "outcome": "tool_started", "tool_calls_none": ["book"] }

{ "outcome": "response_only", "telemetry": ["tool.book result success:true"] }

# tools that could not be read are reported elsewhere
{ "cases": [ { "expected": { "outcome": "graceful_error", "tool_calls_any": "book" }

{ "cases": [ { "expected": { "outcome": "graceful_error", "tool_calls_any": [1] }

{ "cases": [ { "expected": { "outcome": "graceful_error", "tool_calls_any": }

{ "cases": [ { "expected": { "outcome": "graceful_error", "tool_calls_any" }

{ "cases": [ { "expected": { "outcome": "graceful_error", "tool_call_any": ["book"] }

{ "cases": [ { "expected": { "outcome": "graceful_error", 
"#,
        );
    }

    #[test]
    fn graceful_errors_without_tools_are_reported() {
        for rest in ["", r#", "tool_calls_any": []"#, r#", "tool_calls_any": [""]"#, r#", "tool_calls_none": ["book"]"#]
        {
            check(
                &CONTRADICTORY_OUTCOME,
                &format!(
                    "{{ \"cases\": [ {{ \"expected\": {{ \"outcome\": \"graceful_error\"{rest} }} }} ] }}\n{:40}^^^^^^^^^^^^^^^^ `graceful_error` always fails if `tool_calls_any` lists no tool",
                    ""
                ),
            );
        }
    }
}
