use crate::diagnostic::Finding;
use crate::schema::{Violation, ViolationKind, misfits};
use crate::suite::{Case, expectations};
use crate::syntax::{Kind, Mistake, Node, SyntaxError, mistakes};

use super::facts::patterns::patterns_of;
use super::{CaseContext, Check, LINTS, Report, SuiteContext, Workspace};

/// Lints that conclude from what a case does not say. They are silent while a key of it is misspelt, misplaced or
/// from a later version: it may be what they miss.
const FROM_ABSENCE: [&str; 10] = [
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
];

/// What all lints find in a case on its own: `node` is its element of `cases`, `errors` and `violations` what is wrong
/// with its text and its shape, all counted from its first byte, as the findings are. Levels are the lints' own.
///
/// A case whose brackets or quotes are in doubt has only its mistakes in syntax: what seems to be missing or
/// contradictory in it may follow from them.
pub fn case_findings(
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
    let context =
        CaseContext { case, node, expectations: expectations(case), workspace, patterns: patterns_of(case, node) };
    let is_in_doubt = violations.iter().any(|violation| match &violation.kind {
        ViolationKind::UnknownKey { meant, .. } => meant.is_some(),
        kind => matches!(kind, ViolationKind::FromLaterVersion { .. }),
    });
    let objects: Vec<_> = node.descendants().filter(|node| node.kind() == Kind::Object).collect();
    let mut findings = Vec::new();
    for lint in LINTS {
        let mut report = Report::new(lint);
        match lint.check {
            Check::Syntax(check) => mistakes.iter().for_each(|mistake| check(mistake, &mut report)),
            Check::Object(check) => objects.iter().for_each(|object| check(*object, &mut report)),
            Check::Shape(check) => violations.iter().for_each(|violation| check(violation, node, &mut report)),
            Check::Case(_) if is_in_doubt && FROM_ABSENCE.contains(&lint.name) => {}
            Check::Case(check) => check(&context, &mut report),
            Check::Suite(_) => {}
        }
        findings.extend(report.into_findings());
    }
    findings
}

/// What all lints find in a suite beside what [`case_findings`] does: in what stands around the cases, and in what
/// spans several of them. `errors` are the syntax errors outside of the cases, or all of the text's if they leave the
/// cases in doubt; `source` is the whole text.
pub fn suite_findings(context: &SuiteContext<'_>, errors: &[SyntaxError], source: &str) -> Vec<Finding> {
    let mistakes = mistakes(source, errors, &|root| misfits(root, false));
    if errors.iter().any(|error| !error.kind.is_local()) {
        return syntax_findings(&mistakes);
    }
    let objects = frame_objects(context.root);
    let mut findings = Vec::new();
    for lint in LINTS {
        let mut report = Report::new(lint);
        match lint.check {
            Check::Syntax(check) => mistakes.iter().for_each(|mistake| check(mistake, &mut report)),
            Check::Object(check) => objects.iter().for_each(|object| check(*object, &mut report)),
            Check::Shape(check) => {
                context.violations.iter().for_each(|violation| check(violation, context.root, &mut report));
            }
            Check::Suite(check) => check(context, &mut report),
            Check::Case(_) => {}
        }
        findings.extend(report.into_findings());
    }
    findings
}

fn syntax_findings(mistakes: &[Mistake]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lint in LINTS {
        let Check::Syntax(check) = lint.check else { continue };
        let mut report = Report::new(lint);
        mistakes.iter().for_each(|mistake| check(mistake, &mut report));
        findings.extend(report.into_findings());
    }
    findings
}

/// The objects of a document that are in none of its cases.
fn frame_objects(root: Node<'_>) -> Vec<Node<'_>> {
    let cases = root.get("cases").filter(|cases| cases.kind() == Kind::Array);
    let mut objects = vec![root];
    for value in root.members().filter_map(|member| member.value).filter(|value| Some(*value) != cases) {
        objects.extend(value.descendants());
    }
    for element in cases.into_iter().flat_map(Node::elements).filter(|element| element.kind() != Kind::Object) {
        objects.extend(element.descendants());
    }
    objects.retain(|node| node.kind() == Kind::Object);
    objects
}
