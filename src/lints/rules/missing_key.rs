use crate::diagnostic::{Edit, Fix};
use crate::lints::declare::declare_lint;
use crate::lints::{Check, Report};
use crate::schema::{Violation, ViolationKind};
use crate::syntax::Node;

declare_lint! {
    /// A required key is absent.
    ///
    /// A suite needs `cases`; a case needs an `id` by which results name it, a `prompt` to send, and what is `expected`.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "cases": [ { "id": "BOOK1", "expected": { "must_say_any": ["booked"] } } ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Insert the key.
    ///
    /// ```json
    /// { "cases": [ { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } } ] }
    /// ```
    pub MISSING_KEY = "missing-key", Error, Check::Shape(check);
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
    use crate::lints::testing::{check, check_fix};

    #[test]
    fn points_at_the_opening_brace() {
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
    fn is_silent_where_the_text_itself_is_broken() {
        check(&MISSING_KEY, r#"{ "cases": [ { "id": "A", "prompt": , "expected": {} }, { "id": "B", "prompt": "#);
    }

    #[test]
    fn inserts_it_first() {
        check_fix(
            &MISSING_KEY,
            r#"{"cases": [{"id": "A", "prompt": "p"}]}"#,
            r#"{"cases": [{ "expected": {},"id": "A", "prompt": "p"}]}"#,
        );
        check_fix(&MISSING_KEY, "{}", r#"{ "cases": [] }"#);
    }
}
