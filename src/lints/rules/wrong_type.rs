use crate::lints::declare::declare_lint;
use crate::lints::{Check, Report};
use crate::schema::{Violation, ViolationKind};
use crate::syntax::Node;

declare_lint! {
    /// A value has the wrong type, or is out of its bounds.
    ///
    /// The runner reads each field as one type. A value of another one is an error at best; at worst it is taken for
    /// nothing, and the check that it asks for is never made.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": "booked" }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write a value of the type that the message names.
    ///
    /// ```json
    /// { "must_say_any": ["booked"] }
    /// ```
    pub WRONG_TYPE = "wrong-type", Error, Check::Shape(check);
}

fn check(violation: &Violation, _: Node<'_>, report: &mut Report) {
    match &violation.kind {
        ViolationKind::WrongType { expected, found } => {
            report.add(violation.span, format!("expected {expected}, found {found}"));
        }
        ViolationKind::OutOfBounds(bounds) => {
            report.add(violation.span, format!("expected {bounds}"));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::WRONG_TYPE;
    use crate::lints::testing::check;

    #[test]
    fn names_both_types() {
        check(
            &WRONG_TYPE,
            r#"
{ "name": 1, "cases": [ 7, { "id": 2, "prompt": {}, "expected": { "must_say_any": ["a", null], "must_label_assumptions": "yes" } } ] }
          ^ expected a string, found a number
                        ^ expected an object, found a number
                                   ^ expected a string, found a number
                                      ^^^^^^^^ expected a string, found an object
                                                                                        ^^^^ expected a string, found null
                                                                                                                         ^^^^^ expected `true` or `false`, found a string
"#,
        );
        check(&WRONG_TYPE, "\n[]\n^ expected an object, found a list\n");
    }

    #[test]
    fn is_silent_where_the_text_itself_is_broken() {
        check(&WRONG_TYPE, r#"{ "name": , "cases": [ { "id": 01, "prompt": tru, "expected": } ] }"#);
    }
}
