use std::collections::HashMap;

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::declare::declare_lint;
use crate::lints::{Check, Report};
use crate::syntax::Node;

declare_lint! {
    /// A key stands twice in one object.
    ///
    /// Of two values for one key, JSON readers keep the last one: what the earlier one asks for is lost without a word.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["booked"], "outcome": "response_only", "must_say_any": ["Thursday"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Drop the earlier member, or bring both together in one list.
    ///
    /// ```json
    /// { "must_say_any": ["booked", "Thursday"], "outcome": "response_only" }
    /// ```
    pub DUPLICATE_KEY = "duplicate-key", Error, Check::Object(check);
}

fn check(object: Node<'_>, report: &mut Report) {
    let mut last = HashMap::new();
    for member in object.members() {
        let Some(key) = member.key.as_str() else { continue };
        let Some(earlier) = last.insert(key.clone(), member) else { continue };
        let message = format!("key {} stands twice in this object: this value is lost", quoted(&key));
        report
            .add(earlier.key.span(), message)
            .also(member.key.span(), "the value that counts")
            .unnecessary()
            .fix(Fix::new("drop the earlier value", vec![Edit::delete(earlier.node.removal())]));
    }
}

#[cfg(test)]
mod tests {
    use super::DUPLICATE_KEY;
    use crate::lints::testing::{check, check_fix};

    #[test]
    fn finds_all_but_the_last() {
        check(
            &DUPLICATE_KEY,
            r#"
{ "name": "a", "x": { "y": 1, "y": 2 }, "cases": [ { "id": "A", "id": "B", "expected": { "ui": [], "u\u0069": [], "ui": [] } } ] }
                      ^^^ key `y` stands twice
                                                     ^^^^ key `id` stands twice
                                                                                         ^^^^ key `ui` stands twice
                                                                                                   ^^^^^^^^^ key `ui` stands twice
"#,
        );
    }

    #[test]
    fn keeps_the_value_that_counts() {
        check_fix(&DUPLICATE_KEY, r#"{ "name": "a", "cases": [], "name": "b" }"#, r#"{ "cases": [], "name": "b" }"#);
    }
}
