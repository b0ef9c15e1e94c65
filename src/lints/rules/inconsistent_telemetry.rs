use std::collections::BTreeSet;

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::facts::tools::{bare_name, is_near, mentions};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{List, Outcome, TelemetryEntry};
use crate::syntax::encode;

declare_lint! {
    /// `telemetry` tells another story than the rest of the case.
    ///
    /// It requires calls of a tool that `tool_calls_any` does not list, while calls of a listed tool are missing. Or it requires
    /// that the listed tools succeed although the outcome is `graceful_error`, or that they fail although it is `tool_success`. A tool can
    /// fail and then succeed, so such a case can pass, but it is seldom meant.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "tool_calls_any": ["book_slot"], "telemetry": ["tool.find_slot start"] }
    /// ```
    ///
    /// ```json
    /// { "outcome": "graceful_error", "tool_calls_any": ["book_slot"], "telemetry": ["tool.book_slot result success:true"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Name the tools of `tool_calls_any` in `telemetry`, with the result that the outcome asks for.
    ///
    /// ```json
    /// { "tool_calls_any": ["book_slot"], "telemetry": ["tool.book_slot start"] }
    /// ```
    ///
    /// ```json
    /// { "outcome": "tool_success", "tool_calls_any": ["book_slot"], "telemetry": ["tool.book_slot result success:true"] }
    /// ```
    pub(crate) INCONSISTENT_TELEMETRY = "inconsistent-telemetry", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    let listed: BTreeSet<&str> =
        expected.tool_calls_any.iter().flat_map(List::entries).map(|tool| tool.value.as_str()).collect();
    if expected.telemetry.is_none() || listed.is_empty() || listed.contains("") {
        return;
    }
    unlisted(cx, &listed, report);
    at_odds_with_outcome(cx, &listed, report);
}

/// Reports the tools that only `telemetry` names, if an entry for a listed tool is missing in exchange.
fn unlisted(cx: &CaseContext<'_>, listed: &BTreeSet<&str>, report: &mut Report) {
    let outcome = cx.case.expected.outcome.as_ref().and_then(|field| Outcome::from_name(&field.value));
    // A tool of the list must not succeed then, so others have to be in `telemetry` alone.
    if outcome == Some(Outcome::NeedsInput) {
        return;
    }
    let (mut started, mut ended) = (BTreeSet::new(), BTreeSet::new());
    for entry in cx.case.expected.telemetry.iter().flat_map(List::entries) {
        match TelemetryEntry::parse(&entry.value) {
            TelemetryEntry::Start { tool } => _ = started.insert(tool),
            TelemetryEntry::Result { tool, .. } => _ = ended.insert(tool),
            TelemetryEntry::MissingField { .. } | TelemetryEntry::Literal(_) => {}
        }
    }
    let names_none = listed.iter().all(|tool| !started.contains(tool) && !ended.contains(tool));
    // Half of a pair is about one tool, and the other half about another.
    let halves = |tool: &str| (started.contains(tool), ended.contains(tool));
    let other_half = |half: (bool, bool)| listed.iter().any(|tool| halves(tool) == (half.1, half.0));
    let odd = |tool: &str| {
        let half = halves(tool);
        !listed.contains(tool) && (names_none || (half.0 != half.1 && other_half(half)))
    };
    let mentions = mentions(cx);
    for mention in mentions.iter().filter(|mention| mention.in_telemetry && odd(mention.tool)) {
        // `contradictory-tools` reports a forbidden one, and other lints a misspelt one.
        let is_forbidden = mentions.iter().any(|other| !other.in_telemetry && other.tool == mention.tool);
        let is_meant = |other: &&str| is_near(mention.tool, bare_name(other).unwrap_or(other));
        if is_forbidden || listed.iter().any(is_meant) {
            continue;
        }
        let message = format!("`telemetry` requires {}, which `tool_calls_any` does not list", quoted(mention.tool));
        let finding = report.add(mention.span, message);
        let listed = mentions.iter().filter(|other| !other.in_telemetry && listed.contains(other.tool));
        listed.clone().for_each(|other| _ = finding.also(other.span, "listed here"));
        for (rank, other) in listed.take(MOST).enumerate() {
            let fix = mention.renamings(other.tool);
            finding.fixes.extend(fix.map(|fix| Fix { likely: rank == 0, ..fix }));
        }
        let end = cx.case.expected.tool_calls_any.iter().flat_map(List::entries).last().map(|last| last.span.end);
        finding.fixes.extend(end.map(|end| {
            let edit = Edit::insert(end, format!(", {}", encode(mention.tool)));
            Fix::choice("list it in `tool_calls_any`, of which one is enough", vec![edit])
        }));
    }
}

/// How many tools a fix offers. More are a list to choose from, not a fix.
const MOST: usize = 3;

/// Reports an outcome if `telemetry` requires the opposite, and nothing that fits it.
fn at_odds_with_outcome(cx: &CaseContext<'_>, listed: &BTreeSet<&str>, report: &mut Report) {
    let Some(outcome) = &cx.case.expected.outcome else { return };
    let (wanted, meant) = match Outcome::from_name(&outcome.value) {
        Some(Outcome::GracefulError) => (false, "tool_success"),
        Some(Outcome::ToolSuccess) => (true, "graceful_error"),
        _ => return,
    };
    let results = cx.case.expected.telemetry.iter().flat_map(List::entries).filter_map(|entry| {
        match TelemetryEntry::parse(&entry.value) {
            TelemetryEntry::Result { tool, success } if listed.contains(tool) => Some((tool, success, entry)),
            _ => None,
        }
    });
    let results: Vec<_> = results.collect();
    let Some((tool, _, entry)) = results.first().filter(|_| results.iter().all(|(_, success, _)| *success != wanted))
    else {
        return;
    };
    let does = |succeeds: bool| if succeeds { "succeeds" } else { "fails" };
    let message = format!(
        "{} expects that a tool {}, but `telemetry` requires that {} {}",
        quoted(&outcome.value),
        does(wanted),
        quoted(tool),
        does(!wanted)
    );
    let finding = report.add(outcome.span, message);
    finding.also(entry.span, "required here");
    let title = format!("replace with {}", quoted(meant));
    finding.fix(Fix::choice(title, vec![Edit::replace(outcome.span, encode(meant))]));
    let edits: Option<Vec<_>> = results
        .iter()
        .map(|(tool, _, entry)| {
            let text = encode(&format!("tool.{tool} result success:{wanted}"));
            cx.node_at(entry.span).map(|node| Edit::replace(node.span(), text))
        })
        .collect();
    let edits = edits.filter(|edits| edits.len() == 1);
    finding.fixes.extend(edits.map(|edits| Fix::choice(format!("require that it {}", does(wanted)), edits)));
}

#[cfg(test)]
mod tests {
    use super::INCONSISTENT_TELEMETRY;
    use crate::lints::tests::fixture::{check_each, flagged};

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &INCONSISTENT_TELEMETRY,
            r#"
# other tools than the listed ones
{ "cases": [
  { "expected": { "tool_calls_any": ["book"], "telemetry": ["tool.find start", "tool.b\u006fok result success:true"] } },
                                                                  ^^^^ `telemetry` requires `find`, which `tool_calls_any` does not list
  { "expected": { "tool_calls_any": ["book"], "telemetry": ["tool.find start", "tool.find result success:true"] } }
                                                                  ^^^^ `telemetry` requires `find`, which `tool_calls_any` does not list
                                                                                     ^^^^ `telemetry` requires `find`, which `tool_calls_any` does not list
] }

# To require two tools, `telemetry` is the way.
{ "tool_calls_any": ["book"], "telemetry": ["tool.find start", "tool.book start"] }

{ "tool_calls_any": ["book"], "telemetry": ["tool.find start", "tool.book start", "tool.book result success:true"] }

{ "outcome": "needs_input", "tool_calls_any": ["book"], "telemetry": ["tool.find result success:true"] }

{ "tool_calls_any": ["book"], "tool_calls_none": ["find"], "telemetry": ["tool.find start"] }

{ "tool_calls_any": [], "telemetry": ["tool.find start"] }

{ "tool_calls_any": ["book"], "telemetry": ["book started"] }

{ "telemetry": ["tool.find start"] }

# fixes name the listed tool
{ "tool_calls_any": ["book"], "telemetry": ["tool.find start"] }
→ { "tool_calls_any": ["book"], "telemetry": ["tool.book start"] }

{ "outcome": "graceful_error", "tool_calls_any": ["book"], "telemetry": ["tool.book result success:true"] }
→ { "outcome": "tool_success", "tool_calls_any": ["book"], "telemetry": ["tool.book result success:true"] }
"#,
        );
    }

    #[test]
    fn the_outcome_fits_the_results() {
        for (outcome, results, is_found) in [
            ("graceful_error", r#""tool.book result success:true""#, true),
            ("graceful_error", r#""tool.book result success:true", "tool.book result success:false""#, false),
            ("graceful_error", r#""tool.find result success:true""#, false),
            ("graceful_error", r#""tool.book start""#, false),
            ("tool_success", r#""tool.book result success:false""#, true),
            ("tool_success", r#""tool.book result success:true""#, false),
            ("tool_started", r#""tool.book result success:false""#, false),
        ] {
            let expected = format!(
                r#"{{ "outcome": "{outcome}", "tool_calls_any": ["book", "find"], "telemetry": [{results}] }}"#
            );
            let found = flagged(&INCONSISTENT_TELEMETRY, &expected);
            let is_listed = !results.contains("find");
            assert_eq!(!found.is_empty(), is_found || !is_listed, "{expected}");
        }
    }
}
