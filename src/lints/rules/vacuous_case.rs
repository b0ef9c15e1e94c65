use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::suite::{ExpectationKind, Outcome};
use crate::syntax::{Kind, Member, Node};

declare_lint! {
    /// A case can only pass.
    ///
    /// `response_only`, which is also what holds where no outcome is given, takes any response. A case that asks for
    /// nothing else passes whatever the assistant does, and makes a suite look better than it is.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "outcome": "response_only", "must_say_any": [] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Say what the response has to hold, or what the tools have to come to.
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "outcome": "tool_success", "tool_calls_any": ["book_slot"] } }
    /// ```
    pub VACUOUS_CASE = "vacuous-case", Warning, Check::Case(check);
}

/// Keys of `expected` that make no check, whatever their value is.
const PASSIVE_KEYS: [&str; 8] = [
    "source_patterns",
    "assumption_markers_any",
    "lever_regex",
    "claim_marker_regex",
    "evidence_marker_regex",
    "alignment_marker_regex",
    "evidence_freshness_regex",
    "scoring",
];

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(object) = &cx.case.expected.object else { return };
    let [only] = &cx.expectations[..] else { return };
    if !matches!(only.kind, ExpectationKind::Outcome { outcome: Outcome::ResponseOnly, .. }) {
        return;
    }
    let Some(expected) = cx.node_at(object.span).filter(|node| !node.is_broken()) else { return };
    if !expected.members().any(|member| is_meant_to_ask(&member)) {
        report.add(object.key, "nothing is expected that could fail: this case can only pass");
    }
}

/// Whether this was meant to be a check that could not be read, for its key or its type: that is another lint's business.
fn is_meant_to_ask(member: &Member<'_>) -> bool {
    let (Some(key), Some(value)) = (member.key.as_str(), member.value) else { return true };
    match value.kind() {
        _ if PASSIVE_KEYS.contains(&&*key) => false,
        Kind::String => key != "outcome",
        Kind::False => false,
        Kind::Array => value.elements().any(|element| !is_empty_string(element)),
        _ => true,
    }
}

fn is_empty_string(node: Node<'_>) -> bool {
    node.as_str().is_some_and(|text| text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::VACUOUS_CASE;
    use crate::lints::testing::check;

    #[test]
    fn finds_cases_that_ask_for_nothing() {
        check(
            &VACUOUS_CASE,
            r#"
{ "cases": [
  { "id": "A", "prompt": "p", "expected": {} },
                              ^^^^^^^^^^ nothing is expected that could fail: this case can only pass
  { "id": "B", "prompt": "p", "expected": { "outcome": "response_only", "must_say_any": [""], "ui": [] } },
                              ^^^^^^^^^^ nothing is expected
  { "id": "C", "prompt": "p", "expected": { "must_label_assumptions": false, "assumption_markers_any": ["guess"], "lever_regex": "x" } },
                              ^^^^^^^^^^ nothing is expected
  { "id": "D", "prompt": "p", "expected": { "scoring": { "hard_fail": ["formatting"] }, "source_patterns": { "parts": ["part"] } } }
                              ^^^^^^^^^^ nothing is expected
] }
"#,
        );
    }

    #[test]
    fn any_check_is_enough() {
        for expected in [
            r#"{ "outcome": "tool_started" }"#,
            r#"{ "outcome": "needs_input" }"#,
            r#"{ "outcome": "sucess" }"#,
            r#"{ "must_not_say": ["sorry"] }"#,
            r#"{ "ui": ["A list is shown."] }"#,
            r#"{ "required_levers": 0 }"#,
            r#"{ "must_ground_numbers": [{}] }"#,
        ] {
            check(
                &VACUOUS_CASE,
                &format!(r#"{{ "cases": [ {{ "id": "A", "prompt": "p", "expected": {expected} }} ] }}"#),
            );
        }
    }

    #[test]
    fn what_could_not_be_read_is_reported_elsewhere() {
        for rest in [
            r#""prompt": "p" }"#,
            r#""expected": [] }"#,
            r#""expected": { "outcome": 1 } }"#,
            r#""expected": { "must_say_anny": ["booked"] } }"#,
            r#""expected": { "must_say_any": "booked" } }"#,
            r#""expected": { "must_say_any": [1] } }"#,
            r#""expected": { "must_say_any": } }"#,
            r#""expected": { "must_say_any" } }"#,
            r#""expected": { "#,
        ] {
            check(&VACUOUS_CASE, &format!(r#"{{ "cases": [ {{ "id": "A", {rest}"#));
        }
    }
}
