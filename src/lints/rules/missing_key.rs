use crate::diagnostic::{Edit, Fix};
use crate::lints::{Check, Report, declare_lint};
use crate::schema::{Violation, ViolationKind};
use crate::syntax::Node;

declare_lint! {
    /// A required key is missing.
    ///
    /// A suite needs `cases`. A case needs an `id` that names it in results, a `prompt` to send, and its `expected`
    /// object.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "cases": [ { "id": "BOOK1", "expected": { "must_say_any": ["booked"] } } ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Add the key.
    ///
    /// ```json
    /// { "cases": [ { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } } ] }
    /// ```
    pub(crate) MISSING_KEY = "missing-key", Error, Check::Shape(check);
}

fn check(violation: &Violation, _: Node<'_>, report: &mut Report) {
    let ViolationKind::MissingKey { key, insert_at, before_members } = &violation.kind else { return };
    let value = match key.as_str() {
        "cases" => "[]",
        "expected" => "{}",
        _ => "\"\"",
    };
    let comma = if *before_members { "," } else { " " };
    report.add(violation.span, format!("expected the key `{key}` in this object")).fix(Fix::new(
        format!("insert `{key}`"),
        vec![Edit::insert(*insert_at, format!(" \"{key}\": {value}{comma}"))],
    ));
}

#[cfg(test)]
mod tests {
    use super::MISSING_KEY;
    use crate::lints::tests::fixture::{check, check_fix};

    #[test]
    fn the_finding_is_at_the_opening_brace() {
        check(
            &MISSING_KEY,
            r#"
{ "cases": [ { "id": "A", "prompt": "p" }, {} ] }
             ^ expected the key `expected` in this object
                                           ^ expected the key `id` in this object
                                           ^ expected the key `prompt` in this object
                                           ^ expected the key `expected` in this object
"#,
        );
        check(&MISSING_KEY, "\n{}\n^ expected the key `cases` in this object\n");
    }

    #[test]
    fn broken_text_has_no_finding() {
        check(&MISSING_KEY, r#"{ "cases": [ { "id": "A", "prompt": , "expected": {} }, { "id": "B", "prompt": "#);
    }

    #[test]
    fn the_fix_inserts_the_key_first() {
        check_fix(
            &MISSING_KEY,
            r#"{"cases": [{"id": "A", "prompt": "p"}]}"#,
            r#"{"cases": [{ "expected": {},"id": "A", "prompt": "p"}]}"#,
        );
        check_fix(&MISSING_KEY, "{}", r#"{ "cases": [] }"#);
    }
}
