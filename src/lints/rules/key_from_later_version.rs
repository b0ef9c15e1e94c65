use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::{Check, Report, SuiteContext, declare_lint};
use crate::schema::{SchemaName, Violation, ViolationKind};
use crate::suite::Version;
use crate::syntax::{Kind, Node, encode};

declare_lint! {
    /// A key or a scoring group is newer than the suite's version.
    ///
    /// This runner reads the key anyway. Another runner that follows the suite's version ignores it, so the same case
    /// can pass here and fail there.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "version": "0.2.0", "cases": [
    ///   { "id": "BRIEF1", "prompt": "Brief me.", "expected": { "required_levers": 2 } }
    /// ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Raise `version`. If the file's name has a version too, rename the file.
    ///
    /// ```json
    /// { "version": "0.3.0", "cases": [
    ///   { "id": "BRIEF1", "prompt": "Brief me.", "expected": { "required_levers": 2 } }
    /// ] }
    /// ```
    pub(crate) KEY_FROM_LATER_VERSION = "key-from-later-version", Warning, Check::Suite(check);
}

fn check(cx: &SuiteContext<'_>, report: &mut Report) {
    let of_cases = cx.cases.iter().flat_map(|case| case.violations.iter().map(|it| (it, case.placed.start)));
    let all = cx.violations.iter().map(|violation| (violation, 0)).chain(of_cases);
    report.each(all, |(violation, origin), report| add(cx, violation, origin, report));
}

fn add(cx: &SuiteContext<'_>, violation: &Violation, origin: usize, report: &mut Report) {
    let ViolationKind::FromLaterVersion { name, since } = &violation.kind else { return };
    let message = format!("{} requires version {since}; this suite has version {}", quoted(name), cx.version.version);
    let finding = report.add(violation.span.shifted_by(origin), message);
    let mut fixes = Vec::new();
    if let Some(version) = &cx.suite.version {
        let patch = version.value.matches('.').count() > 1;
        let raised = if patch { format!("{since}.0") } else { since.to_string() };
        let edits = vec![Edit::replace(version.span, encode(&raised))];
        fixes.push(Fix::choice(format!("raise `version` to {raised}"), edits));
    }
    let node = cx.root.find(violation.span.shifted_by(origin));
    let is_key = |node: &Node<'_>| node.parent().and_then(Node::as_member).is_some_and(|member| member.key == *node);
    let owner = node.and_then(|node| if is_key(&node) { node.parent() } else { Some(node) });
    if let Some(owner) = owner {
        let is_value = owner.parent().is_some_and(|parent| parent.kind() == Kind::Member);
        let owner = if is_value { owner.parent().unwrap_or(owner) } else { owner };
        fixes.push(Fix::choice(format!("remove {}", quoted(name)), vec![Edit::delete(owner.removal())]));
    }
    // The file's name also determines the version. So a suite that follows its name removes the key rather than
    // changing the name.
    if cx.version.from_file_name.is_some() {
        fixes.reverse();
    }
    fixes.into_iter().for_each(|fix| {
        finding.fix(fix);
    });
}

impl From<Version> for SchemaName {
    fn from(version: Version) -> Self {
        match version {
            Version::V0_1 => SchemaName::V0_1,
            Version::V0_2 => SchemaName::V0_2,
            Version::V0_3 => SchemaName::V0_3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KEY_FROM_LATER_VERSION;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &KEY_FROM_LATER_VERSION,
            r#"
# later keys groups and outcomes are reported
{ "version": "0.1", "cases": [ { "id": "A", "prompt": "p", "expected": {
  "outcome": "response_only",
             ^^^^^^^^^^^^^^^ `response_only` requires version 0.2; this suite has version 0.1
  "must_match_regex": ["a"], "required_levers": 1, "must_match_rejex": ["a"],
  ^^^^^^^^^^^^^^^^^^ `must_match_regex` requires version 0.2; this suite has version 0.1
                             ^^^^^^^^^^^^^^^^^ `required_levers` requires version 0.3; this suite has version 0.1
} } ] }

{ "version": "0.2.0", "cases": [ { "id": "A", "prompt": "p", "expected": {
  "scoring": { "hard_fail": ["formatting", "morning_brief_contract"], "soft_score": { "weights": { "morning_brief_contract": 1 } } }
                                           ^^^^^^^^^^^^^^^^^^^^^^^^ `morning_brief_contract` requires version 0.3
                                                                                                   ^^^^^^^^^^^^^^^^^^^^^^^^ `morning_brief_contract` requires version 0.3
} } ] }

# the fix raises the version in its own form
{"version": "0.2.0", "cases": [{"id": "A", "prompt": "p", "expected": {"required_levers": 1}}]}
→ {"version": "0.3.0", "cases": [{"id": "A", "prompt": "p", "expected": {"required_levers": 1}}]}

{"version": "0.1", "cases": [{"id": "A", "prompt": "p", "expected": {"required_levers": 1}}]}
→ {"version": "0.3", "cases": [{"id": "A", "prompt": "p", "expected": {"required_levers": 1}}]}
"#,
        );
    }
}
