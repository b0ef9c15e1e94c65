use std::cell::OnceCell;

use crate::diagnostic::Finding;
use crate::schema::{Violation, ViolationKind, misfits};
use crate::suite::{Case, expectations};
use crate::syntax::{Kind, Mistake, Node, SyntaxError, mistakes};

use super::facts::patterns::patterns_of;
use super::rules::other_format::OTHER_FORMAT;
use super::{CaseContext, Check, LINTS, Report, SuiteContext, Workspace};

/// Lints that conclude something from a missing key. They are silent if the case has a key that is misspelt, misplaced
/// or from a later version, because it may be the missing one.
const FROM_ABSENCE: [&str; 11] = [
    "vacuous-case",
    "vacuous-outcome",
    "vacuous-weight",
    "vacuous-hard-fail",
    "unused-member",
    "unused-weights",
    "unweighted-group",
    "ungrounded-number",
    "contradictory-outcome",
    "decided-by-hard-fail",
    "inconsistent-telemetry",
];

/// Lints that need the whole case: a value of the wrong type may be what they miss.
const FROM_SHAPE: [&str; 3] = ["broad-source", "threshold-without-effect", "inconsistent-telemetry"];

/// Returns the findings of all lints in a single case, at the default levels. `node` is its element of `cases`.
/// `errors` and `violations` are the errors in its syntax and its shape. All spans, also those of the findings, count
/// from its first byte.
///
/// If brackets or quotes of the case are in doubt, only its syntax errors are reported. Missing or contradictory parts
/// may be a consequence of them.
pub(crate) fn case_findings(
    case: &Case,
    node: Node<'_>,
    errors: &[SyntaxError],
    violations: &[Violation],
    workspace: &Workspace,
) -> Vec<Finding> {
    let node = node.relative();
    let mistakes = mistakes(node.text(), errors, &|root| misfits(root, true));
    if errors.iter().any(|error| !error.kind.is_local()) {
        return syntax_findings(&mistakes);
    }
    let (expectations, patterns) = (expectations(case), patterns_of(case, node));
    let context = CaseContext {
        case,
        node,
        expectations,
        workspace,
        patterns,
        claims: OnceCell::new(),
        weights: OnceCell::new(),
    };
    let is_in_doubt = violations.iter().any(|violation| match &violation.kind {
        ViolationKind::UnknownKey { meant, .. } => meant.is_some(),
        kind => matches!(kind, ViolationKind::FromLaterVersion { .. }),
    });
    let is_misshapen = violations.iter().any(|violation| matches!(violation.kind, ViolationKind::WrongType { .. }));
    let objects: Vec<_> = node.descendants().filter(|node| node.kind() == Kind::Object).collect();
    let mut findings = Vec::new();
    for lint in LINTS {
        let mut report = Report::new(lint);
        match lint.check {
            Check::Syntax(check) => report.each(&mistakes, check),
            Check::Object(check) => report.each(objects.iter().copied(), check),
            Check::Shape(check) => report.each(violations, |violation, report| check(violation, node, report)),
            Check::Case(_) if is_in_doubt && FROM_ABSENCE.contains(&lint.name) => {}
            Check::Case(_) if is_misshapen && FROM_SHAPE.contains(&lint.name) => {}
            Check::Case(check) => check(&context, &mut report),
            Check::Suite(_) => {}
        }
        findings.extend(report.into_findings());
    }
    findings
}

/// Returns the findings that [`case_findings`] does not: those outside of the cases, and those that involve several
/// cases. `errors` are the syntax errors outside of the cases, or all errors of the text if they leave the cases in
/// doubt. `source` is the whole text.
pub(crate) fn suite_findings(context: &SuiteContext<'_>, errors: &[SyntaxError], source: &str) -> Vec<Finding> {
    let mistakes = mistakes(source, errors, &|root| misfits(root, false));
    if errors.iter().any(|error| !error.kind.is_local()) {
        return syntax_findings(&mistakes);
    }
    let objects = frame_objects(context.root);
    let mut findings = Vec::new();
    for lint in LINTS {
        let mut report = Report::new(lint);
        match lint.check {
            Check::Syntax(check) => report.each(&mistakes, check),
            Check::Object(check) => report.each(objects.iter().copied(), check),
            Check::Shape(check) => {
                report.each(&context.violations, |violation, report| check(violation, context.root, report));
            }
            Check::Suite(check) => check(context, &mut report),
            Check::Case(_) => {}
        }
        findings.extend(report.into_findings());
    }
    // The format of another program has no keys that are missing or misspelt.
    if findings.iter().any(|finding| finding.lint == OTHER_FORMAT.name) {
        findings.retain(|finding| finding.lint == OTHER_FORMAT.name);
    }
    findings
}

fn syntax_findings(mistakes: &[Mistake]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lint in LINTS {
        let Check::Syntax(check) = lint.check else { continue };
        let mut report = Report::new(lint);
        report.each(mistakes, check);
        findings.extend(report.into_findings());
    }
    findings
}

/// Returns the objects of a document that are not in a case.
fn frame_objects(root: Node<'_>) -> Vec<Node<'_>> {
    let cases = root.get("cases").filter(|cases| cases.kind() == Kind::Array);
    let mut objects = vec![root];
    for value in root.members().filter_map(|member| member.value).filter(|value| Some(*value) != cases) {
        objects.extend(value.descendants());
    }
    let is_case = |element: &Node<'_>| element.is_part() || element.kind() == Kind::Object;
    for element in cases.into_iter().flat_map(Node::elements).filter(|element| !is_case(element)) {
        objects.extend(element.descendants());
    }
    objects.retain(|node| node.kind() == Kind::Object);
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_name_lints_of_cases() {
        for name in FROM_ABSENCE.iter().chain(&FROM_SHAPE) {
            let lint = LINTS.iter().find(|lint| lint.name == *name).unwrap_or_else(|| panic!("no lint {name}"));
            assert!(matches!(lint.check, Check::Case(_)), "{name}");
        }
    }
}
