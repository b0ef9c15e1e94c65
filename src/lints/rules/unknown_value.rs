use std::borrow::Cow;
use std::collections::HashSet;

use crate::diagnostic::{Edit, Fix, alternatives, quoted};
use crate::lints::{Check, Report, declare_lint};
use crate::schema::{Violation, ViolationKind};
use crate::syntax::{Node, encode};
use crate::text::Span;

declare_lint! {
    /// A value is not in the list of allowed values.
    ///
    /// An unknown outcome always fails its case. An unknown scoring group always scores 1 and never triggers a hard
    /// fail.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "outcome": "tool_sucess", "tool_calls_any": ["book_slot"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Choose a value from the list.
    ///
    /// ```json
    /// { "outcome": "tool_success", "tool_calls_any": ["book_slot"] }
    /// ```
    pub(crate) UNKNOWN_VALUE = "unknown-value", Error, Check::Shape(check);
}

fn check(violation: &Violation, node: Node<'_>, report: &mut Report) {
    let ViolationKind::UnknownValue { value, allowed, meant } = &violation.kind else { return };
    let present = siblings(node, violation.span);
    let is_present = meant.as_ref().is_some_and(|meant| present.contains(meant));
    let expected = match meant {
        Some(meant) if is_present => format!("{} is here already", quoted(meant)),
        Some(meant) => format!("did you mean {}?", quoted(meant)),
        None => format!("expected {}", alternatives(allowed.iter().map(String::as_str))),
    };
    let finding = report.add(violation.span, format!("unknown value {}; {expected}", quoted(value)));
    let replace = |name: &String| vec![Edit::replace(violation.span, encode(name))];
    if is_present {
        return;
    }
    if let Some(name) = meant {
        finding.fix(Fix::new(format!("replace with `{name}`"), replace(name)));
    }
    for name in allowed.iter().filter(|name| Some(*name) != meant.as_ref() && !present.contains(*name)) {
        finding.fix(Fix::choice(format!("replace with `{name}`"), replace(name)));
    }
}

/// Returns the other entries of the list, or the other keys of the object, around the string at `span`.
fn siblings(node: Node<'_>, span: Span) -> HashSet<String> {
    let found = node.find(span).and_then(|string| string.parent()).map(|parent| match parent.as_member() {
        Some(member) if member.key.span() == span => {
            let keys = parent.parent().into_iter().flat_map(Node::members).map(|member| member.key);
            keys.filter_map(|key| key.as_str().map(Cow::into_owned)).collect()
        }
        _ => parent.elements().filter_map(|entry| entry.as_str().map(Cow::into_owned)).collect(),
    });
    found.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_VALUE;
    use crate::lints::tests::fixture::{check_each, fix_titles};

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &UNKNOWN_VALUE,
            r#"
# unknown outcomes and groups are reported
{ "cases": [ { "id": "A", "prompt": "p", "expected": {
  "outcome": "Tool_success",
             ^^^^^^^^^^^^^^ unknown value `Tool_success`; did you mean `tool_success`?
  "scoring": { "hard_fail": ["format"], "soft_score": { "weights": { "formating": 1 } } }
                             ^^^^^^^^ unknown value `format`; did you mean `formatting`?
                                                                     ^^^^^^^^^^^ unknown value `formating`; did you mean `formatting`?
} } ] }

# the first fix is the nearest value
{"outcome": "tool_start"}
→ {"outcome": "tool_started"}
"#,
        );
    }

    #[test]
    fn present_groups_are_not_offered() {
        let case = |scoring: &str| {
            format!(
                r#"{{"cases": [{{"id": "A", "prompt": "p", "expected": {{"outcome": "response_only", "scoring": {{{scoring}}}}}}}]}}"#
            )
        };
        let weights = fix_titles(
            &UNKNOWN_VALUE,
            &case(r#""soft_score": {"weights": {"formatting": 0.5, "formating": 0.5}, "threshold": 0.5}"#),
        );
        let hard_fail = fix_titles(&UNKNOWN_VALUE, &case(r#""hard_fail": ["formating", "formatting"]"#));
        for titles in [weights, hard_fail] {
            assert_eq!(titles, [""; 0], "another group is not meant");
        }
    }
}
