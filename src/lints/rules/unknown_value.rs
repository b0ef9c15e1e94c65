use crate::diagnostic::{Edit, Fix, alternatives, quoted};
use crate::lints::declare::declare_lint;
use crate::lints::{Check, Report};
use crate::schema::{Violation, ViolationKind};
use crate::syntax::{Node, encode};

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

fn check(violation: &Violation, _: Node<'_>, report: &mut Report) {
    let ViolationKind::UnknownValue { value, allowed, meant } = &violation.kind else { return };
    let list = alternatives(allowed.iter().map(String::as_str));
    let finding = report.add(violation.span, format!("unknown value {}; expected {list}", quoted(value)));
    let replace = |name: &String| vec![Edit::replace(violation.span, encode(name))];
    if let Some(name) = meant {
        finding.fix(Fix::new(format!("replace with `{name}`"), replace(name)));
    }
    for name in allowed.iter().filter(|name| Some(*name) != meant.as_ref()) {
        finding.fix(Fix::choice(format!("replace with `{name}`"), replace(name)));
    }
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_VALUE;
    use crate::lints::testing::{check, check_fix};

    #[test]
    fn unknown_outcomes_and_groups_are_reported() {
        check(
            &UNKNOWN_VALUE,
            r#"
{ "cases": [ { "id": "A", "prompt": "p", "expected": {
  "outcome": "Tool_success",
             ^^^^^^^^^^^^^^ unknown value `Tool_success`; expected `tool_success`, `tool_started`,
  "scoring": { "hard_fail": ["format"], "soft_score": { "weights": { "formating": 1 } } }
                             ^^^^^^^^ unknown value `format`; expected `tool_hygiene`
                                                                     ^^^^^^^^^^^ unknown value `formating`; expected
} } ] }
"#,
        );
    }

    #[test]
    fn the_first_fix_is_the_nearest_value() {
        let case = |outcome: &str| {
            format!(r#"{{"cases": [{{"id": "A", "prompt": "p", "expected": {{"outcome": "{outcome}"}}}}]}}"#)
        };
        check_fix(&UNKNOWN_VALUE, &case("tool_start"), &case("tool_started"));
    }
}
