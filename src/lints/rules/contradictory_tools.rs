use std::collections::{HashMap, HashSet};

use crate::diagnostic::quoted;
use crate::lints::facts::claims::removals;
use crate::lints::facts::tools::required_tools;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::List;

declare_lint! {
    /// A tool is both required and forbidden.
    ///
    /// A tool in `tool_calls_none` must not start. If `telemetry` requires that it starts or has a result, one of the
    /// two checks always fails. If `tool_calls_any` lists it, a call of the tool passes one check and fails the other.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "tool_calls_any": ["book_slot", "find_slot"], "tool_calls_none": ["find_slot"] }
    /// ```
    ///
    /// ```json
    /// { "tool_calls_none": ["book_slot"], "telemetry": ["tool.book_slot start"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Decide whether the tool may be called.
    ///
    /// ```json
    /// { "tool_calls_any": ["book_slot"], "tool_calls_none": ["find_slot"], "telemetry": ["tool.book_slot start"] }
    /// ```
    pub(crate) CONTRADICTORY_TOOLS = "contradictory-tools", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    let Some(forbidden) = &expected.tool_calls_none else { return };
    let mut listed = HashMap::new();
    for tool in expected.tool_calls_any.iter().flat_map(List::entries) {
        listed.entry(tool.value.as_str()).or_insert(tool.span);
    }
    let mut required = HashMap::new();
    for (tool, entry) in required_tools(cx) {
        required.entry(tool).or_insert(entry.span);
    }
    let mut seen = HashSet::new();
    for tool in forbidden.entries().filter(|tool| seen.insert(tool.value.as_str())) {
        let name = tool.value.as_str();
        let (listed, required) = (listed.get(name), required.get(name));
        let by = match (listed, required) {
            (Some(_), Some(_)) => "`tool_calls_any` lists it, and `telemetry` requires it",
            (Some(_), None) => "`tool_calls_any` lists it",
            (None, Some(_)) => "`telemetry` requires it",
            (None, None) => continue,
        };
        let finding = report.add(tool.span, format!("{} must not be called here, but {by}", quoted(name)));
        if let Some(span) = listed {
            finding.also(*span, "listed here");
        }
        if let Some(span) = required {
            finding.also(*span, "required here");
        }
        finding.fixes = removals(cx, [Some(tool.span), listed.copied(), required.copied()].into_iter().flatten());
    }
}

#[cfg(test)]
mod tests {
    use super::CONTRADICTORY_TOOLS;
    use crate::lints::tests::fixture::{Setup, check_each, findings};

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &CONTRADICTORY_TOOLS,
            r#"
# required and forbidden tools are reported
{ "cases": [ { "expected": {
  "tool_calls_any": ["book", "find", "find"], "telemetry": ["tool.book start", "tool.cancel result success:false", "tool.pay  start"],
  "tool_calls_none": ["book", "find", "\u0066ind", "cancel", "pay", "mail"]
                      ^^^^^^ `book` must not be called here, but `tool_calls_any` lists it, and `telemetry` requires it
                              ^^^^^^ `find` must not be called here, but `tool_calls_any` lists it
                                                   ^^^^^^^^ `cancel` must not be called here, but `telemetry` requires it
                                                             ^^^^^ `pay` must not
} } ] }

# literal entries and other tools require nothing
{ "cases": [ { "expected": {
  "tool_calls_any": ["Book", ""], "tool_calls_none": ["book", ""],
  "telemetry": ["book", "tool.book", "tool.book_slot start", "success:false with missingFields containing book"]
} } ] }
"#,
        );
    }

    #[test]
    fn the_finding_shows_both_places() {
        let suite = r#"{ "cases": [ { "expected": { "tool_calls_any": ["a"], "telemetry": ["tool.a start"], "tool_calls_none": ["a"] } } ] }"#;
        let found = findings(&Setup::default(), &CONTRADICTORY_TOOLS, suite);
        let related: Vec<_> = found[0].related.iter().map(|related| &suite[related.span.range()]).collect();
        assert_eq!(related, [r#""a""#, r#""tool.a start""#]);
    }
}
