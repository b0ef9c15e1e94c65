use crate::diagnostic::{Edit, Fix, Severity, quoted};
use crate::lints::{Check, Report, declare_lint};
use crate::schema::{Meant, Violation, ViolationKind};
use crate::syntax::{Kind, Node, encode, separator_before};

declare_lint! {
    /// The runner ignores a key.
    ///
    /// If the key of a check is misspelt, the check is never made, and the case passes without it. Under `expected`,
    /// every unknown key is reported. In a suite and in a case, people keep notes under other keys. There, only keys
    /// that resemble a known key are reported.
    ///
    /// The finding is an error if a check depends on it: a key within `expected` that resembles one that the runner reads
    /// or that begins with `must_`, or a required key that is misspelt. `run` does not ask a case with it.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_anny": ["booked"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Rename the key, move it to its object, or remove it.
    ///
    /// ```json
    /// { "must_say_any": ["booked"] }
    /// ```
    pub(crate) UNKNOWN_KEY = "unknown-key", Warning, Check::Shape(check);
}

fn check(violation: &Violation, root: Node<'_>, report: &mut Report) {
    let ViolationKind::UnknownKey { key, meant } = &violation.kind else { return };
    let shown = quoted(key);
    let finding = match meant {
        Some(Meant::Key(name)) => {
            let fix = Fix::new(format!("rename to `{name}`"), vec![Edit::replace(violation.span, encode(name))]);
            report.add(violation.span, format!("the runner ignores the key {shown}; did you mean `{name}`?")).fix(fix)
        }
        Some(Meant::Within(object)) => {
            let message = format!("the runner ignores the key {shown} here; it belongs in `{object}`");
            let finding = report.add(violation.span, message);
            if let Some(edits) = moved(root, violation, object) {
                finding.fix(Fix::new(format!("move it into `{object}`"), edits));
            }
            finding
        }
        None => report.add(violation.span, format!("the runner ignores the key {shown}")),
    };
    finding.unnecessary();
    let is_misspelt = match meant {
        Some(Meant::Key(name)) => REQUIRED.contains(&name.as_str()) || is_within_expected(root, violation),
        // The right key may be there as well.
        None => key.starts_with("must_") && is_within_expected(root, violation),
        Some(Meant::Within(_)) => false,
    };
    if is_misspelt {
        finding.severity = Severity::Error;
    }
}

/// The keys without which there is no suite or no case.
const REQUIRED: [&str; 4] = ["cases", "id", "prompt", "expected"];

/// Whether the key stands within `expected`, so that a check depends on it.
fn is_within_expected(root: Node<'_>, violation: &Violation) -> bool {
    let own = root.find(violation.span).and_then(Node::parent);
    let around = std::iter::successors(own.and_then(Node::parent), |node| node.parent());
    around.filter_map(Node::as_member).any(|member| member.key.as_str().as_deref() == Some("expected"))
}

/// Returns the edits that move a member of a case into the object with that name. They create missing objects.
fn moved(root: Node<'_>, violation: &Violation, object: &str) -> Option<Vec<Edit>> {
    let member = root.find(violation.span)?.parent().filter(|node| node.kind() == Kind::Member && !node.is_broken())?;
    let way = ["expected", "scoring", "soft_score"];
    let way = &way[..=way.iter().position(|name| *name == object)?];
    let mut home = root;
    let mut missing = way.len();
    for (index, name) in way.iter().enumerate() {
        let Some(next) = home.get(name) else { break };
        home = next;
        missing = way.len() - index - 1;
    }
    if home.kind() != Kind::Object || home.is_broken() || missing == way.len() {
        return None;
    }
    let created = &way[way.len() - missing..];
    let text = created.iter().rev().fold(member.text().to_owned(), |inner, name| format!("\"{name}\": {{ {inner} }}"));
    if member.parent() == Some(home) {
        return Some(vec![Edit::replace(member.span(), text)]);
    }
    let insert = match home.members().filter(|last| last.node != member).last() {
        Some(last) if !member.span().covers(last.node.span()) => {
            let separator = separator_before(root.text(), last.node.span().start);
            Edit::insert(last.node.span().end, format!(",{separator}{text}"))
        }
        _ => Edit::insert(home.span().start + 1, format!(" {text} ")),
    };
    let removal = Edit::delete(member.removal());
    let is_apart = !removal.span.touches(insert.span.start) && !removal.span.covers(home.span());
    is_apart.then(|| {
        let mut edits = vec![insert, removal];
        edits.sort_by_key(|edit| edit.span);
        edits
    })
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_KEY;
    use crate::diagnostic::Severity;
    use crate::lints::tests::fixture::{Setup, check_each, findings};

    #[test]
    fn a_lost_check_is_an_error() {
        let severity = |suite: &str| findings(&Setup::default(), &UNKNOWN_KEY, suite)[0].severity;
        let case = |rest: &str| format!(r#"{{"cases": [{{"id": "A", "prompt": "p", {rest}}}]}}"#);
        for (rest, expected) in [
            (r#""expected": {"must_not_sya": ["x"]}"#, Severity::Error),
            (r#""expected": {"must_ground_numbers": [{"label": "n", "vlaue": 1}]}"#, Severity::Error),
            (r#""expected": {"scoring": {"hard_fial": ["formatting"]}}"#, Severity::Error),
            (r#""expectd": {"must_not_say": ["x"]}"#, Severity::Error),
            (r#""expected": {"must_say": ["x"], "must_say_any": ["y"]}"#, Severity::Error),
            (r#""expected": {"notes": "mine"}"#, Severity::Warning),
            (r#""expected": {}, "categroy": "x""#, Severity::Warning),
            (r#""expected": {}, "must_not_say": ["x"]"#, Severity::Warning),
        ] {
            assert_eq!(severity(&case(rest)), expected, "{rest}");
        }
        assert_eq!(severity(r#"{"casse": []}"#), Severity::Error);
        assert_eq!(severity(r#"{"cases": [], "verison": "0.3"}"#), Severity::Warning);
    }

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &UNKNOWN_KEY,
            r#"
# unknown keys are reported elsewhere only if they resemble known ones
{ "cases": [ { "id": "A", "promt": "p", "prompt": "p", "owner": "me", "expectd": {}, "must_say_any": [] } ], "verison": "0.3", "notes": 1 }
                                                                      ^^^^^^^^^ the runner ignores the key `expectd`; did you mean `expected`?
                                                                                     ^^^^^^^^^^^^^^ the runner ignores the key `must_say_any` here; it belongs in `expected`
                                                                                                             ^^^^^^^^^ the runner ignores the key `verison`; did you mean `version`?

{ "cases": [ { "id": "A", "prompt": "p", "expected": { "note": 1, "scoring": { "threshold": 1, "softscore": {} } } } ] }
                                                       ^^^^^^ the runner ignores the key `note`
                                                                               ^^^^^^^^^^^ the runner ignores the key `threshold` here; it belongs in `soft_score`
                                                                                               ^^^^^^^^^^^ the runner ignores the key `softscore`; did you mean `soft_score`?

{"id": "A", "prompt": "p", "ui": ["x"], "expected": {"telemetry": ["y"]}}
→ {"id": "A", "prompt": "p", "expected": {"telemetry": ["y"], "ui": ["x"]}}

{"scoring": {"threshold": 1}}
→ {"scoring": {"soft_score": { "threshold": 1 }}}

{"tool_calls_non": []}
→ {"tool_calls_none": []}
"#,
        );
    }
}
