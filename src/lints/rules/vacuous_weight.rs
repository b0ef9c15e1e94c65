use crate::diagnostic::{Edit, Fix};
use crate::lints::facts::claims::is_asked;
use crate::lints::facts::weighing::{Given, scaled_to_one};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{Group, Weight};

declare_lint! {
    /// A group has a weight but no checks in this case.
    ///
    /// Such a group always scores 1. Its weight raises the soft score whatever the assistant does, so the threshold is
    /// easier to reach than it looks. The outcome `response_only` always passes, so it does not count as a check here.
    /// A weight of 0 is harmless.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "soft_score": {
    ///       "threshold": 0.8,
    ///       "weights": { "formatting": 0.4, "uncertainty": 0.4, "numeric_grounding": 0.2 }
    ///     }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the weight and scale the others, or add the missing check.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "soft_score": { "threshold": 0.8, "weights": { "formatting": 0.5, "uncertainty": 0.5 } }
    ///   }
    /// }
    /// ```
    pub(crate) VACUOUS_WEIGHT = "vacuous-weight", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(given) = Given::of(cx) else { return };
    for weight in given.weights.iter().filter(|weight| weight.value.value > 0.0) {
        let Some(group) = Group::from_name(&weight.group.value).filter(|group| !is_asked(cx, *group)) else { continue };
        let message =
            format!("this case has no check in `{group}` that can fail: its weight only raises the soft score");
        let finding = report.add(weight.group.span, message);
        if let Some(fix) = drop_it(cx, given, weight) {
            finding.fix(fix);
        }
    }
}

fn drop_it<'a>(cx: &CaseContext<'a>, given: &Given<'a>, weight: &Weight) -> Option<Fix> {
    given.sum()?;
    let member = cx.node_at(weight.value.span)?.parent()?;
    let rest = given.without(weight);
    let mut edits = rest.rewrite(cx, &scaled_to_one(&rest.written(cx))?);
    edits.push(Edit::delete(member.removal()));
    Some(Fix::new("remove the weight and scale the others", edits))
}

#[cfg(test)]
mod tests {
    use super::VACUOUS_WEIGHT;
    use crate::lints::tests::fixture::{check, check_each, first_fix, fix_titles};

    fn case(checks: &str, weights: &str) -> String {
        let scoring = format!(r#""scoring": {{"soft_score": {{"threshold": 0.8, "weights": {weights}}}}}"#);
        format!(r#"{{"cases": [{{"id": "A", "prompt": "p", "expected": {{{checks}, {scoring}}}}}]}}"#)
    }

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &VACUOUS_WEIGHT,
            r#"
# weights of groups without checks are reported
{ "cases": [ { "expected": {
  "outcome": "response_only", "tool_calls_none": [], "must_say_any": [""], "must_label_assumptions": false,
  "must_ground_numbers": ["12"], "scoring": { "soft_score": { "weights": {
    "tool_hygiene": 0.1, "synthesis_coverage": 0.1, "numeric_grounding": 0.5, "uncertainty": 0.1,
    ^^^^^^^^^^^^^^ this case has no check in `tool_hygiene` that can fail: its weight only raises the soft score
                         ^^^^^^^^^^^^^^^^^^^^ this case has no check in `synthesis_coverage` that can fail
                                                                              ^^^^^^^^^^^^^ this case has no check in `uncertainty` that can fail
    "formatting": 0.1, "morning_brief_contract": 0.1
    ^^^^^^^^^^^^ this case has no check in `formatting` that can fail
                       ^^^^^^^^^^^^^^^^^^^^^^^^ this case has no check in `morning_brief_contract` that can fail
  } } } } } ] }

# a key belongs to one group
{ "cases": [ { "id": "A", "prompt": "p", "expected": { "note": "x", "must_not_match_regex": ["a"], "ui": [], "scoring": { "soft_score": { "weights": { "formatting": 1, "tool_hygiene": 1 } } } } } ] }
                                                                                                                                                                        ^^^^^^^^^^^^^^ this case has no check in `tool_hygiene` that can fail
"#,
        );
    }

    #[test]
    fn zeros_and_unknown_groups_have_no_finding() {
        for weights in
            [r#"{"formatting": 1, "uncertainty": 0, "format": 1}"#, r#"{"uncertainty": -1, "tool_hygiene": "1"}"#]
        {
            check(&VACUOUS_WEIGHT, &case(r#""must_say_any": ["a"]"#, weights));
        }
    }

    #[test]
    fn groups_with_a_check_have_no_finding() {
        for (checks, group) in [
            (r#""outcome": "tool_started""#, "tool_hygiene"),
            (r#""ui": ["The calendar is shown."]"#, "tool_hygiene"),
            (r#""telemetry": ["tool.book_slot start"]"#, "tool_hygiene"),
            (r#""required_sources": ["calendar"]"#, "synthesis_coverage"),
            (r#""must_ground_numbers": [{}]"#, "numeric_grounding"),
            (r#""must_label_assumptions": true"#, "uncertainty"),
            (r#""must_not_match_regex": ["TODO"]"#, "formatting"),
            (r#""must_allow_override_actions": ["Snooze"]"#, "morning_brief_contract"),
        ] {
            check(&VACUOUS_WEIGHT, &case(checks, &format!(r#"{{"{group}": 1}}"#)));
        }
    }

    #[test]
    fn faulty_checks_have_no_finding() {
        for (checks, group) in [
            (r#""outcome": "tool_sucess""#, "tool_hygiene"),
            (r#""outcome": "needs_input""#, "tool_hygiene"),
            (r#""must_say_any": "a""#, "formatting"),
            (r#""must_say_anny": ["a"]"#, "formatting"),
            (r#""must_say_any": [1]"#, "formatting"),
            (r#""must_say_any": [""#, "formatting"),
            (r#""must_match_regex": null"#, "formatting"),
            (r#""must_label_assumption": true"#, "uncertainty"),
            (r#""assumption_markers_any": ["might"]"#, "uncertainty"),
            (r#""source_patterns": {"calendar": ["booked"]}"#, "synthesis_coverage"),
            (r#""lever_regex": "^Option""#, "morning_brief_contract"),
        ] {
            check(&VACUOUS_WEIGHT, &case(checks, &format!(r#"{{"{group}": 1}}"#)));
        }
        check(
            &VACUOUS_WEIGHT,
            r#"{ "cases": [ { "must_say_any": ["a"], "expected": { "scoring": { "soft_score": { "weights": { "formatting": 1 } } } } } ] }"#,
        );
    }

    #[test]
    fn the_fix_removes_the_weight_and_scales_the_others() {
        let phrases = r#""must_say_any": ["a"], "must_label_assumptions": true"#;
        let fixed = [
            r#"{"formatting": 0.40, "numeric_grounding": 0.2, "uncertainty": 0.40}"#,
            r#"{"tool_hygiene": 0.2, "formatting": 0.5, "uncertainty": 0.3}"#,
            r#"{"formatting": 0.7, "uncertainty": 0.3, "tool_hygiene": 0.2}"#,
            "{\n  \"formatting\": 0.6,\n  \"tool_hygiene\": 0.4\n}",
        ]
        .map(|weights| format!("{weights}\n──▶\n{}\n", first_fix(&VACUOUS_WEIGHT, &case(phrases, weights))));
        insta::assert_snapshot!(fixed.join("\n"));
    }

    #[test]
    fn a_single_weight_has_no_fix() {
        for weights in [
            r#"{"tool_hygiene": 1}"#,
            r#"{"tool_hygiene": 1, "formatting": 0}"#,
            r#"{"tool_hygiene": 1, "formatting": -1}"#,
            r#"{"tool_hygiene": 1, "formatting": }"#,
        ] {
            let source = case(r#""must_say_any": ["a"]"#, weights);
            assert_eq!(fix_titles(&VACUOUS_WEIGHT, &source), [""; 0], "{weights}");
        }
    }
}
