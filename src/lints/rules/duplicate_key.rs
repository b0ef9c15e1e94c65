use std::collections::HashMap;

use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::{Check, Report, declare_lint};
use crate::syntax::Node;

declare_lint! {
    /// An object has the same key twice.
    ///
    /// If a key has two values, JSON readers keep the last one. The earlier value is lost without a message.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["booked"], "outcome": "response_only", "must_say_any": ["Thursday"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the earlier member, or merge both into one list.
    ///
    /// ```json
    /// { "must_say_any": ["booked", "Thursday"], "outcome": "response_only" }
    /// ```
    pub(crate) DUPLICATE_KEY = "duplicate-key", Error, Check::Object(check);
}

fn check(object: Node<'_>, report: &mut Report) {
    let mut keys: Vec<_> = object.members().filter_map(|member| member.key.as_str()).collect();
    keys.sort_unstable();
    if keys.windows(2).all(|pair| pair[0] != pair[1]) {
        return;
    }
    let mut last = HashMap::new();
    for member in object.members() {
        let Some(key) = member.key.as_str() else { continue };
        let Some(earlier) = last.insert(key.clone(), member) else { continue };
        let message = format!("key {} is in this object twice: this value is lost", quoted(&key));
        report
            .add(earlier.key.span(), message)
            .also(member.key.span(), "this value counts")
            .unnecessary()
            .fix(Fix::new("remove the earlier value", vec![Edit::delete(earlier.node.removal())]));
    }
}

#[cfg(test)]
mod tests {
    use super::DUPLICATE_KEY;
    use crate::lints::tests::fixture::{check, check_fix};

    #[test]
    fn all_but_the_last_are_reported() {
        check(
            &DUPLICATE_KEY,
            r#"
{ "name": "a", "x": { "y": 1, "y": 2 }, "cases": [ { "id": "A", "id": "B", "expected": { "ui": [], "u\u0069": [], "ui": [] } } ] }
                      ^^^ key `y` is in this object twice
                                                     ^^^^ key `id` is in this object twice
                                                                                         ^^^^ key `ui` is in this object twice
                                                                                                   ^^^^^^^^^ key `ui` is in this object twice
"#,
        );
    }

    #[test]
    fn the_fix_keeps_the_last_value() {
        check_fix(&DUPLICATE_KEY, r#"{ "name": "a", "cases": [], "name": "b" }"#, r#"{ "cases": [], "name": "b" }"#);
    }
}
