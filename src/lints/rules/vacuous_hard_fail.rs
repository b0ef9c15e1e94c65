use std::collections::HashSet;

use crate::diagnostic::{Edit, Fix};
use crate::lints::facts::claims::is_asked;
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::Group;
use crate::syntax::Kind;

declare_lint! {
    /// `hard_fail` names a group without checks in this case.
    ///
    /// A group without checks never triggers, so the case is less strict than it looks. The outcome `response_only`
    /// always passes, so it does not count as a check here. An empty `hard_fail` or `soft_score` decides nothing either.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "scoring": { "hard_fail": ["formatting", "numeric_grounding"] }
    /// }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the group, or add the missing check.
    ///
    /// ```json
    /// {
    ///   "must_say_any": ["Thursday"],
    ///   "must_ground_numbers": [ { "label": "price", "value": "45" } ],
    ///   "scoring": { "hard_fail": ["formatting", "numeric_grounding"] }
    /// }
    /// ```
    pub(crate) VACUOUS_HARD_FAIL = "vacuous-hard-fail", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let entries = cx.case.expected.hard_fail().into_iter().flat_map(|list| list.entries());
    empty(cx, report);
    let mut seen = HashSet::new();
    for entry in entries {
        let Some(group) = Group::from_name(&entry.value).filter(|group| seen.insert(*group)) else { continue };
        if is_asked(cx, group) {
            continue;
        }
        let message = format!("this case has no check in `{group}` that can fail, so the hard fail never triggers");
        let finding = report.add(entry.span, message).unnecessary();
        if let Some(node) = cx.node_at(entry.span) {
            finding.fix(Fix::new("remove the group", vec![Edit::delete(node.removal())]));
        }
    }
}

/// Reports `hard_fail` and `soft_score` without anything in them.
fn empty(cx: &CaseContext<'_>, report: &mut Report) {
    let scoring = cx.node.get("expected").and_then(|expected| expected.get("scoring"));
    let Some(scoring) = scoring.filter(|scoring| scoring.kind() == Kind::Object) else { return };
    for member in scoring.members() {
        let (Some(key), Some(value)) = (member.key.as_str(), member.value) else { continue };
        let is_empty = match (&*key, value.kind()) {
            ("hard_fail", Kind::Array) => value.elements().next().is_none(),
            ("soft_score", Kind::Object) => value.members().next().is_none(),
            _ => false,
        };
        if is_empty && !value.is_broken() {
            let finding = report.add(value.span(), format!("an empty `{key}` decides nothing"));
            finding.unnecessary().fix(Fix::safe("remove it", vec![Edit::delete(member.node.removal())]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::VACUOUS_HARD_FAIL;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &VACUOUS_HARD_FAIL,
            r#"
# groups without checks are reported
{ "cases": [
  { "expected": { "scoring": { "hard_fail": ["tool_hygiene", "formatting", "formatting", "format", "", 1] } } },
                                             ^^^^^^^^^^^^^^ this case has no check in `tool_hygiene` that can fail, so the hard fail never triggers
                                                             ^^^^^^^^^^^^ this case has no check in `formatting` that can fail
  { "expected": { "required_levers": 2, "outcome": "tool_started", "scoring": { "hard_fail": ["morning_brief_contract", "tool_hygiene"] } } },
  { "expected": { "must_say_any": "a", "outcome": "needs_input", "scoring": { "hard_fail": ["formatting", "tool_hygiene"] } } },
  { "expected": { "scoring": { "hard_fail": "formatting" } } },
  { "expected": {} }, {}
] }

{"must_say_any": ["a"], "scoring": {"hard_fail": ["formatting", "uncertainty"]}}
→ {"must_say_any": ["a"], "scoring": {"hard_fail": ["formatting"]}}

{"must_say_any": ["a"], "scoring": {"hard_fail": ["uncertainty", "formatting"]}}
→ {"must_say_any": ["a"], "scoring": {"hard_fail": ["formatting"]}}

{"must_say_any": ["a"], "scoring": {"hard_fail": ["uncertainty"]}}
→ {"must_say_any": ["a"], "scoring": {"hard_fail": []}}
"#,
        );
    }
}
