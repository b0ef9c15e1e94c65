use crate::lints::facts::tools::lists_no_tools;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::Outcome;

declare_lint! {
    /// The expected outcome is always met.
    ///
    /// `needs_input` fails only if a tool of `tool_calls_any` succeeds. Without listed tools it always passes, even if
    /// the assistant went ahead without asking. A case with tools in `tool_calls_none` has no finding.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "outcome": "needs_input", "must_say_any": ["Which day"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// List the tools that the assistant must not call before it has asked in `tool_calls_none`. Do not list them in `tool_calls_any`,
    /// because that also requires a call of one of them.
    ///
    /// ```json
    /// { "outcome": "needs_input", "tool_calls_none": ["book_slot"], "must_say_any": ["Which day"] }
    /// ```
    pub(crate) VACUOUS_OUTCOME = "vacuous-outcome", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(field) = &cx.case.expected.outcome else { return };
    let forbids_tools = cx.case.expected.tool_calls_none.as_ref().is_some_and(|list| list.entries().next().is_some());
    if Outcome::from_name(&field.value) == Some(Outcome::NeedsInput) && lists_no_tools(cx) && !forbids_tools {
        report.add(field.span, "`needs_input` always passes; list tools that must not be called in `tool_calls_none`");
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
                             ^^^^^^^^^^^^^ `needs_input` always passes; list tools that must not be called in `tool_calls_none`
  { "expected": { "outcome": "needs_input", "tool_calls_any": [""] } },
                             ^^^^^^^^^^^^^ `needs_input` always passes
  { "expected": { "outcome": "needs_input", "tool_calls_any": ["book"] } },
  { "expected": { "outcome": "needs_input", "tool_calls_any": "book" } },
  { "expected": { "outcome": "needs_input", "toolCallsAny": ["book"] } },
  { "expected": { "outcome": "needs_input", "tool_calls_none": [] } },
                             ^^^^^^^^^^^^^ `needs_input` always passes
  { "expected": { "outcome": "needs_input", "tool_calls_none": ["book"] } },
  { "expected": { "outcome": "response_only" } },
  { "expected": { "outcome": "graceful_block" } },
  { "expected": {} }
] }
"#,
        );
    }
}
