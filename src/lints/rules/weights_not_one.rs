use crate::diagnostic::{Edit, Fix, Severity};
use crate::lints::facts::claims::is_asked;
use crate::lints::facts::weighing::{Given, is_one, scaled_to_one, shown, with_the_rest};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::Group;

declare_lint! {
    /// The weights of a soft score do not add up to 1.
    ///
    /// The runner divides by the sum of the weights, so each group counts for more or less than its weight suggests.
    /// For example, a weight of 0.3 is half of the score if the weights add up to 0.6. Most often a group was added,
    /// removed or forgotten. Rounding differences up to 0.000001 are not reported.
    ///
    /// If the sum is 0, the soft score is 1 whatever the assistant does, and this is an error. An empty `weights` does not mean the
    /// default weights; for those, omit the key.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "required_sources": ["calendar"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "soft_score": {
    ///       "threshold": 0.8,
    ///       "weights": { "synthesis_coverage": 0.5, "uncertainty": 0.2, "formatting": 0.2 }
    ///     }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Scale all weights so that they add up to 1, or add the remainder to one group.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "required_sources": ["calendar"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "soft_score": {
    ///       "threshold": 0.8,
    ///       "weights": { "synthesis_coverage": 0.6, "uncertainty": 0.2, "formatting": 0.2 }
    ///     }
    ///   }
    /// }
    /// ```
    pub(crate) WEIGHTS_NOT_ONE = "weights-not-one", Warning, Check::Case(check);
}

/// The fix that scales all weights.
pub(crate) const SCALE_WEIGHTS: &str = "scale the weights to 1";

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(given) = Given::of(cx) else { return };
    let Some(sum) = given.sum().filter(|sum| !is_one(*sum)) else { return };
    if sum == 0.0 {
        let what = if given.weights.is_empty() { "there are no weights here" } else { "the weights add up to 0" };
        report.add(given.key, format!("{what}, so the soft score is always 1")).severity = Severity::Error;
        return;
    }
    let finding = report.add(given.key, format!("the weights add up to {}, not to 1", shown(sum)));
    if let Some(texts) = scaled_to_one(&given.written(cx)) {
        finding.fix(Fix::new(SCALE_WEIGHTS, given.rewrite(cx, &texts)));
    }
    if let Some(fix) = give_the_rest(cx, given) {
        finding.fix(fix);
    }
}

/// Adds the remainder to the one group that needs a weight and has none, else to the group with the largest weight.
fn give_the_rest<'a>(cx: &CaseContext<'a>, given: &Given<'a>) -> Option<Fix> {
    let mut weights = given.written(cx);
    if let [group] = given.unweighted_groups(cx)[..] {
        weights.push(Default::default());
        let (rest, text) = with_the_rest(&weights, weights.len() - 1)?;
        return Some(Fix::new(title(&rest, group), vec![given.insert(cx, group, &text)?]));
    }
    let asked = given.weights.iter().enumerate().filter_map(|(index, weight)| {
        let group = Group::from_name(&weight.group.value)?;
        is_asked(cx, group).then_some((index, group))
    });
    let (index, group) = asked.max_by(|(a, _), (b, _)| weights[*a].value.total_cmp(&weights[*b].value))?;
    let (rest, text) = with_the_rest(&weights, index)?;
    Some(Fix::new(title(&rest, group), vec![Edit::replace(given.weights[index].value.span, text)]))
}

fn title(rest: &str, group: Group) -> String {
    format!("give the missing {rest} to `{group}`")
}

#[cfg(test)]
mod tests {
    use super::WEIGHTS_NOT_ONE;
    use crate::lints::tests::fixture::{check, check_fix_titled, first_fix, fix_titles};

    fn case(checks: &str, weights: &str) -> String {
        let scoring = format!(r#""scoring": {{"soft_score": {{"threshold": 0.8, "weights": {weights}}}}}"#);
        format!(r#"{{"cases": [{{"id": "A", "prompt": "p", "expected": {{{checks}{scoring}}}}}]}}"#)
    }

    #[test]
    fn the_message_has_the_sum() {
        check(
            &WEIGHTS_NOT_ONE,
            r#"
{ "cases": [
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 0.1, "uncertainty": 0.2 } } } } },
                                               ^^^^^^^^^ the weights add up to 0.3, not to 1
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 60, "uncertainty": 40.0 } } } } },
                                               ^^^^^^^^^ the weights add up to 100, not to 1
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 0.333333, "uncertainty": 0.666665 } } } } },
                                               ^^^^^^^^^ the weights add up to 0.999998, not to 1
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 1e308, "uncertainty": 1e308 } } } } },
                                               ^^^^^^^^^ the weights add up to more than 1e308, not to 1
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 0.5, "unknown": 0.4 } } } } }
                                               ^^^^^^^^^ the weights add up to 0.9, not to 1
] }
"#,
        );
        check(
            &WEIGHTS_NOT_ONE,
            r#"
{ "cases": [
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 0, "uncertainty": 0.00 } } } } },
                                               ^^^^^^^^^ the weights add up to 0, so the soft score is always 1
  { "expected": { "scoring": { "soft_score": { "weights": { "formatting": 1, "formatting": -0 } } } } },
                                               ^^^^^^^^^ the weights add up to 0, so the soft score is always 1
  { "expected": { "scoring": { "soft_score": { "weights": {} } } } }
                                               ^^^^^^^^^ there are no weights here, so the soft score is always 1
] }
"#,
        );
    }

    #[test]
    fn exact_sums_and_other_faults_have_no_finding() {
        for weights in [
            r#"{"formatting": 1}"#,
            r#"{"formatting": 0.7, "uncertainty": 0.1, "tool_hygiene": 0.2}"#,
            r#"{"formatting": 0.333333, "uncertainty": 0.333333, "tool_hygiene": 0.333333}"#,
            r#"{"formatting": 0.333334, "uncertainty": 0.333333, "tool_hygiene": 0.333334}"#,
            r#"{"formatting": 0.5, "unknown": 0.5}"#,
            r#"{"formatting": 0.9, "formatting": 1}"#,
            r#"{"formatting": 0.9, "uncertainty": -0.2}"#,
            r#"{"formatting": 0.9, "uncertainty": "0.1"}"#,
            r#"{"formatting": 0.9, "uncertainty": }"#,
            r#"{"formatting": 0.9, "uncert"#,
            r#"{"formatting": 0.9, "uncertainty": 00.1}"#,
            r#"[0.5]"#,
        ] {
            check(&WEIGHTS_NOT_ONE, &case("", weights));
        }
        check(
            &WEIGHTS_NOT_ONE,
            r#"{ "cases": [ { "expected": { "scoring": { "soft_score": { "threshold": 0.5 } } } } ] }"#,
        );
    }

    #[test]
    fn scales() {
        let fixed = [
            r#"{"formatting": 0.5, "uncertainty": 0.3}"#,
            r#"{"formatting": 0.60, "uncertainty": 0.60}"#,
            r#"{"formatting": 1, "uncertainty": 0, "tool_hygiene": 1, "unknown": 1}"#,
        ]
        .map(|weights| format!("{weights}\n──▶\n{}\n", first_fix(&WEIGHTS_NOT_ONE, &case("", weights))));
        insta::assert_snapshot!(fixed.join("\n"));
    }

    #[test]
    fn the_remainder_goes_to_the_group_without_weight_else_to_the_largest_weight_with_checks() {
        let (say, label) = (r#""must_say_any": ["a"], "#, r#""must_label_assumptions": true, "#);
        for (checks, title, before, after) in [
            (
                say,
                "0.1 to `formatting`",
                r#""formatting": 0.30, "uncertainty": 0.6"#,
                r#""formatting": 0.4, "uncertainty": 0.6"#,
            ),
            (
                &format!("{say}{label}"),
                "0.3 to `uncertainty`",
                r#""formatting": 0.7"#,
                r#""formatting": 0.7, "uncertainty": 0.3"#,
            ),
        ] {
            let case = |weights: &str| case(checks, &format!("{{{weights}}}"));
            check_fix_titled(&WEIGHTS_NOT_ONE, &format!("give the missing {title}"), &case(before), &case(after));
        }
    }

    #[test]
    fn only_possible_fixes_are_offered() {
        for (weights, titles) in [
            (r#"{"formatting": 0.9, "uncertainty": 0.3}"#, &["scale the weights to 1"][..]),
            (r#"{"uncertainty": 0.3}"#, &["scale the weights to 1", "give the missing 0.7 to `formatting`"]),
            (
                r#"{"formatting": 0.2, "unknown": 0.3}"#,
                &["scale the weights to 1", "give the missing 0.5 to `formatting`"],
            ),
            (r#"{"unknown": 0.3}"#, &["scale the weights to 1"]),
            (r#"{"formatting": 1e308, "uncertainty": 1e308}"#, &[]),
        ] {
            assert_eq!(fix_titles(&WEIGHTS_NOT_ONE, &case(r#""must_say_any": ["a"], "#, weights)), titles, "{weights}");
        }
    }
}
