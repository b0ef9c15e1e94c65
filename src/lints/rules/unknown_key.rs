use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::declare::declare_lint;
use crate::lints::{Check, Report};
use crate::schema::{Meant, Violation, ViolationKind};
use crate::syntax::{Node, encode};

declare_lint! {
    /// The runner ignores a key.
    ///
    /// A check under a misspelt key is never made, and the case passes without it. Within `expected` every key that the
    /// runner does not read is reported; in a suite and in a case, where people keep notes of their own, only those that
    /// resemble one it reads.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_anny": ["booked"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Rename the key, move it to where it is read, or drop it.
    ///
    /// ```json
    /// { "must_say_any": ["booked"] }
    /// ```
    pub UNKNOWN_KEY = "unknown-key", Warning, Check::Shape(check);
}

fn check(violation: &Violation, _: Node<'_>, report: &mut Report) {
    let ViolationKind::UnknownKey { key, meant } = &violation.kind else { return };
    let shown = quoted(key);
    match meant {
        Some(Meant::Key(name)) => {
            let fix = Fix::new(format!("rename to `{name}`"), vec![Edit::replace(violation.span, encode(name))]);
            report.add(violation.span, format!("the runner ignores the key {shown}; did you mean `{name}`?")).fix(fix)
        }
        Some(Meant::Within(object)) => {
            report.add(violation.span, format!("the runner ignores the key {shown} here; it belongs in `{object}`"))
        }
        None => report.add(violation.span, format!("the runner ignores the key {shown}")),
    }
    .unnecessary();
}

#[cfg(test)]
mod tests {
    use super::UNKNOWN_KEY;
    use crate::lints::testing::{check, check_fix};

    #[test]
    fn always_within_expected_and_elsewhere_where_it_resembles_a_known_one() {
        check(
            &UNKNOWN_KEY,
            r#"
{ "cases": [ { "id": "A", "promt": "p", "prompt": "p", "owner": "me", "expectd": {}, "must_say_any": [] } ], "verison": "0.3", "notes": 1 }
                                                                      ^^^^^^^^^ the runner ignores the key `expectd`; did you mean `expected`?
                                                                                     ^^^^^^^^^^^^^^ the runner ignores the key `must_say_any` here; it belongs in `expected`
                                                                                                             ^^^^^^^^^ the runner ignores the key `verison`; did you mean `version`?
"#,
        );
        check(
            &UNKNOWN_KEY,
            r#"
{ "cases": [ { "id": "A", "prompt": "p", "expected": { "note": 1, "scoring": { "threshold": 1, "softscore": {} } } } ] }
                                                       ^^^^^^ the runner ignores the key `note`
                                                                               ^^^^^^^^^^^ the runner ignores the key `threshold` here; it belongs in `soft_score`
                                                                                               ^^^^^^^^^^^ the runner ignores the key `softscore`; did you mean `soft_score`?
"#,
        );
    }

    #[test]
    fn renames() {
        let case = |key: &str| format!(r#"{{"cases": [{{"id": "A", "prompt": "p", "expected": {{"{key}": []}}}}]}}"#);
        check_fix(&UNKNOWN_KEY, &case("tool_calls_non"), &case("tool_calls_none"));
    }
}
