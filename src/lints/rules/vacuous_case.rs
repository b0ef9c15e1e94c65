use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{ExpectedField, Outcome};
use crate::syntax::{Kind, Member, Node};

declare_lint! {
    /// A case can only pass.
    ///
    /// The outcome `response_only` accepts any response; it is also the default. A case without other checks passes
    /// whatever the assistant does, and the suite looks better than it is.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "outcome": "response_only", "must_say_any": [] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Add a check of the response, or of the tools.
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "outcome": "tool_success", "tool_calls_any": ["book_slot"] } }
    /// ```
    pub(crate) VACUOUS_CASE = "vacuous-case", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(object) = &cx.case.expected.object else { return };
    let [only] = &cx.expectations[..] else { return };
    if only.rule.outcome() != Some(Outcome::ResponseOnly) {
        return;
    }
    let Some(expected) = cx.node_at(object.span).filter(|node| !node.is_broken()) else { return };
    if !expected.members().any(|member| is_intended_check(&member)) {
        report.add(object.key(), "no check of this case can fail: it always passes");
    }
}

/// Returns whether this was intended as a check. If its key or type is wrong, another lint reports it.
pub(super) fn is_intended_check(member: &Member<'_>) -> bool {
    let (Some(key), Some(value)) = (member.key.as_str(), member.value) else { return true };
    match value.kind() {
        _ if ExpectedField::named(&key).is_some_and(|field| !field.makes_checks()) => false,
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
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &VACUOUS_CASE,
            r#"
# cases without checks are reported
{ "cases": [
  { "id": "A", "prompt": "p", "expected": {} },
                              ^^^^^^^^^^ no check of this case can fail: it always passes
  { "id": "B", "prompt": "p", "expected": { "outcome": "response_only", "must_say_any": [""], "ui": [] } },
                              ^^^^^^^^^^ no check of this case can fail
  { "id": "C", "prompt": "p", "expected": { "must_label_assumptions": false, "assumption_markers_any": ["guess"], "lever_regex": "x" } },
                              ^^^^^^^^^^ no check of this case can fail
  { "id": "D", "prompt": "p", "expected": { "scoring": { "hard_fail": ["formatting"] }, "source_patterns": { "parts": ["part"] } } }
                              ^^^^^^^^^^ no check of this case can fail
] }

# any check is enough
{ "outcome": "tool_started" }

{ "outcome": "needs_input" }

{ "outcome": "sucess" }

{ "must_not_say": ["sorry"] }

{ "ui": ["A list is shown."] }

{ "required_levers": 0 }

{ "must_ground_numbers": [{}] }

# unreadable checks are left to other lints
{ "cases": [ { "id": "A", "prompt": "p" }

{ "cases": [ { "id": "A", "expected": [] }

{ "cases": [ { "id": "A", "expected": { "outcome": 1 } }

{ "cases": [ { "id": "A", "expected": { "must_say_anny": ["booked"] } }

{ "cases": [ { "id": "A", "expected": { "must_say_any": "booked" } }

{ "cases": [ { "id": "A", "expected": { "must_say_any": [1] } }

{ "cases": [ { "id": "A", "expected": { "must_say_any": } }

{ "cases": [ { "id": "A", "expected": { "must_say_any" } }

{ "cases": [ { "id": "A", "expected": { 
"#,
        );
    }
}
