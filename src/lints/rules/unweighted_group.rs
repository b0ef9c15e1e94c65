use crate::diagnostic::{Edit, Fix};
use crate::lints::facts::weighing::{Given, deciding_threshold, is_hard_fail, weighed_groups};
use crate::lints::facts::weighing::{Written, is_one, scaled_to_one, with_the_rest};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::{DEFAULT_WEIGHTS, Field, Group};
use crate::syntax::separator_before;
use crate::text::Span;

declare_lint! {
    /// A group has checks that can fail, but no weight.
    ///
    /// A soft score that reaches its threshold turns every failure into `PARTIAL`, even in groups without a weight. So
    /// a check of such a group cannot fail the case, and does not lower the score either. This also happens without
    /// `weights`, because the default weights omit `morning_brief_contract`. Groups in `hard_fail` and groups with a
    /// weight of 0 are not reported.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "required_sources": ["calendar"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "soft_score": { "threshold": 0.8, "weights": { "synthesis_coverage": 0.75, "uncertainty": 0.25 } }
    ///   }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Give the group a weight, or add it to `hard_fail`.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "required_sources": ["calendar"],
    ///   "must_label_assumptions": true,
    ///   "scoring": {
    ///     "soft_score": {
    ///       "threshold": 0.8,
    ///       "weights": { "synthesis_coverage": 0.5, "uncertainty": 0.25, "formatting": 0.25 }
    ///     }
    ///   }
    /// }
    /// ```
    pub(crate) UNWEIGHTED_GROUP = "unweighted-group", Hint, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(threshold) = deciding_threshold(cx) else { return };
    match Given::of(cx) {
        Some(given) => {
            for group in given.unweighted_groups(cx) {
                add(cx, report, given.key, group, "no weight", fix(cx, given, group));
            }
        }
        None => {
            let weighed = weighed_groups(cx).unwrap_or_else(|| Group::ALL.to_vec());
            let left_out = Group::ALL.into_iter().filter(|group| !weighed.contains(group));
            for group in left_out.filter(|&group| cx.can_fail(group) && !is_hard_fail(cx, group)) {
                add(cx, report, threshold.key, group, "no default weight", default_fix(cx, threshold));
            }
        }
    }
}

fn add(cx: &CaseContext<'_>, report: &mut Report, span: Span, group: Group, lacks: &str, fix: Option<Fix>) {
    let message =
        format!("`{group}` has checks but {lacks}: a soft score that passes turns their failures into `PARTIAL`");
    let finding = report.add(span, message);
    if let Some(check) = cx.checks_of(group).find(|check| check.rule.can_fail()) {
        finding.also(check.span, format!("a check of `{group}`"));
    }
    if let Some(fix) = fix {
        finding.fix(fix);
    }
}

/// Gives the group the remainder to 1. If there is no remainder, the group gets the average of the others, and all
/// weights are scaled.
fn fix<'a>(cx: &CaseContext<'a>, given: &Given<'a>, group: Group) -> Option<Fix> {
    let mut weights = given.written(cx);
    let new = weights.len();
    weights.push(Written::default());
    let rest = with_the_rest(&weights, new).filter(|_| given.sum().is_some_and(|sum| !is_one(sum)));
    let (text, mut edits) = match rest {
        Some((_, text)) => (text, Vec::new()),
        None => {
            weights[new].value = average(&weights[..new]);
            let texts = scaled_to_one(&weights)?;
            (texts.last()?.clone(), given.rewrite(cx, &texts[..new]))
        }
    };
    edits.push(given.insert(cx, group, &text)?);
    Some(Fix::new(format!("add a weight for `{group}`"), edits))
}

/// Writes the default weights of the groups that have checks. Groups without a default weight get the average of the
/// others.
fn default_fix(cx: &CaseContext<'_>, threshold: &Field<f64>) -> Option<Fix> {
    let groups: Vec<_> = Group::ALL.into_iter().filter(|group| cx.can_fail(*group)).collect();
    let default =
        |group: Group| DEFAULT_WEIGHTS.iter().find(|(weighed, _)| *weighed == group).map(|(_, weight)| *weight);
    let known: Vec<_> = groups.iter().filter_map(|group| default(*group)).map(Written::new).collect();
    let other = if known.is_empty() { 1.0 } else { average(&known) };
    let weights: Vec<_> = groups.iter().map(|group| Written::new(default(*group).unwrap_or(other))).collect();
    let texts = scaled_to_one(&weights)?;
    let members: Vec<_> = groups.iter().zip(&texts).map(|(group, text)| format!("\"{group}\": {text}")).collect();
    let separator = separator_before(cx.node.text(), threshold.key.start);
    let text = format!(",{separator}\"weights\": {{ {} }}", members.join(", "));
    Some(Fix::new("write the default weights", vec![Edit::insert(threshold.span.end, text)]))
}

fn average(weights: &[Written<'_>]) -> f64 {
    let counted: Vec<_> = weights.iter().map(|weight| weight.value).filter(|value| *value > 0.0).collect();
    counted.iter().sum::<f64>() / counted.len() as f64
}

#[cfg(test)]
mod tests {
    use super::UNWEIGHTED_GROUP;
    use crate::lints::tests::fixture::{check, first_fix};

    const CHECKS: &str = r#""must_say_any": ["a"], "must_label_assumptions": true, "#;

    fn case(checks: &str, scoring: &str) -> String {
        format!(r#"{{"cases": [{{"id": "A", "prompt": "p", "expected": {{{checks}"scoring": {scoring}}}}}]}}"#)
    }

    #[test]
    fn each_group_without_weight_is_reported() {
        check(
            &UNWEIGHTED_GROUP,
            r#"
{ "cases": [
  { "expected": { "outcome": "tool_started", "must_say_any": ["a"], "must_label_assumptions": true, "required_levers": 2, "scoring": {
    "hard_fail": ["morning_brief_contract"], "soft_score": { "threshold": 0.8, "weights": { "uncertainty": 1 } } } } },
                                                                               ^^^^^^^^^ `formatting` has checks but no weight: a soft score that passes turns their failures into `PARTIAL`
                                                                               ^^^^^^^^^ `tool_hygiene` has checks but no weight: a soft score that passes
  { "expected": { "required_levers": 2, "scoring": { "soft_score": { "threshold": 0.8 } } } }
                                                                     ^^^^^^^^^^^ `morning_brief_contract` has checks but no default weight: a soft score that passes
] }
"#,
        );
    }

    #[test]
    fn intended_omissions_have_no_finding() {
        for scoring in [
            r#"{"soft_score": {"threshold": 0.8, "weights": {"formatting": 0.5, "uncertainty": 0.5}}}"#,
            r#"{"soft_score": {"threshold": 0.8, "weights": {"formatting": 1, "uncertainty": 0}}}"#,
            r#"{"hard_fail": ["uncertainty"], "soft_score": {"threshold": 0.8, "weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"threshold": 0, "weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"threshold": 1.5, "weights": {"formatting": 1}}}"#,
            r#"{"soft_score": {"threshold": 0.8, "weights": {}}}"#,
            r#"{"soft_score": {"threshold": 0.8, "weights": {"formatting": 0}}}"#,
            r#"{"soft_score": {"threshold": 0.8, "weights": {"formatting": 0.5, "uncertaincy": 0.5}}}"#,
            r#"{"soft_score": {"threshold": 0.8, "weights": {"formatting": 0.5, "uncertainty": "0.5"}}}"#,
            r#"{"soft_score": {"threshold": 0.8, "weights": {"formatting": 0.5, "uncert"#,
            r#"{"soft_score": {"threshold": 0.8}}"#,
            r#"{"hard_fail": ["formatting"]}"#,
        ] {
            check(&UNWEIGHTED_GROUP, &case(CHECKS, scoring));
        }
        for soft_score in [
            r#"{"threshold": 0.8, "weights": [1]}"#,
            r#"{"threshold": 0.8, "weight": {"morning_brief_contract": 1}}"#,
            r#"{}"#,
        ] {
            check(&UNWEIGHTED_GROUP, &case(r#""required_levers": 2, "#, &format!(r#"{{"soft_score": {soft_score}}}"#)));
        }
        let hard = r#"{"hard_fail": ["morning_brief_contract"], "soft_score": {"threshold": 0.8}}"#;
        check(&UNWEIGHTED_GROUP, &case(r#""required_levers": 2, "#, hard));
        let idle = r#""outcome": "needs_input", "must_say_any": ["a"], "must_not_say": [], "#;
        let formatting = r#"{"soft_score": {"threshold": 0.8, "weights": {"formatting": 1}}}"#;
        check(&UNWEIGHTED_GROUP, &case(idle, formatting));
    }

    #[test]
    fn the_fix_adds_a_weight_or_writes_the_default_weights() {
        let with = |weights: &str| format!(r#""weights": {weights}, "threshold": 0.8"#);
        let three = "\"required_levers\": 2, \"required_sources\": [\"calendar\"], \"must_label_assumptions\": true, ";
        let fixed = [
            (CHECKS, with(r#"{"formatting": 0.7}"#)),
            (CHECKS, with(r#"{"formatting": 0.333333, "tool_hygiene": 0.333333, "numeric_grounding": 0.333333}"#)),
            (CHECKS, with(r#"{"formatting": 1}"#)),
            (CHECKS, with("{\n  \"formatting\": 0.60,\n  \"tool_hygiene\": 0.40\n}")),
            (r#""required_levers": 2, "#, r#""threshold": 0.8"#.to_owned()),
            (three, "\n  \"threshold\": 0.8\n".to_owned()),
        ]
        .map(|(checks, score)| {
            let before = case(checks, &format!(r#"{{"soft_score": {{{score}}}}}"#));
            format!("{before}\n──▶\n{}\n", first_fix(&UNWEIGHTED_GROUP, &before))
        });
        insta::assert_snapshot!(fixed.join("\n"));
    }
}
