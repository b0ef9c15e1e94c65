use crate::lints::facts::tools::lists_no_tools;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::Outcome;

declare_lint! {
    /// The expected outcome is always met.
    ///
    /// `needs_input` fails only if a tool of `tool_calls_any` succeeds. Without listed tools it always passes, even if
    /// the assistant went ahead without asking.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "outcome": "needs_input", "must_say_any": ["Which day"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// List the tools that must not succeed before the assistant has asked. If no tool may be called, list them in
    /// `tool_calls_none` instead.
    ///
    /// ```json
    /// { "outcome": "needs_input", "tool_calls_any": ["book_slot"], "must_say_any": ["Which day"] }
    /// ```
    pub(crate) VACUOUS_OUTCOME = "vacuous-outcome", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(field) = &cx.case.expected.outcome else { return };
    if Outcome::from_name(&field.value) == Some(Outcome::NeedsInput) && lists_no_tools(cx) {
        report.add(field.span, "`needs_input` always passes if `tool_calls_any` lists no tool");
    }
}

#[cfg(test)]
mod tests {
    use super::VACUOUS_OUTCOME;
    use crate::lints::tests::fixture::check;

    #[test]
    fn needs_input_needs_tools() {
        check(
            &VACUOUS_OUTCOME,
            r#"
{ "cases": [
  { "expected": { "outcome": "needs_input", "telemetry": ["tool.book start"] } },
                             ^^^^^^^^^^^^^ `needs_input` always passes if `tool_calls_any` lists no tool
  { "expected": { "outcome": "needs_input", "tool_calls_any": [""] } },
                             ^^^^^^^^^^^^^ `needs_input` always passes
  { "expected": { "outcome": "needs_input", "tool_calls_any": ["book"] } },
  { "expected": { "outcome": "needs_input", "tool_calls_any": "book" } },
  { "expected": { "outcome": "needs_input", "toolCallsAny": ["book"] } },
  { "expected": { "outcome": "response_only" } },
  { "expected": { "outcome": "graceful_block" } },
  { "expected": {} }
] }
"#,
        );
    }
}
