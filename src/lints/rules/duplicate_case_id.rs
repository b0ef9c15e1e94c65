use std::collections::HashMap;

use crate::diagnostic::quoted;
use crate::lints::declare::declare_lint;
use crate::lints::{Check, Report, SuiteContext};

declare_lint! {
    /// A case id is used twice.
    ///
    /// Results, transcripts and `--cases` know a case by its id alone: of two cases with one id, the second one's
    /// transcript overwrites the first one's, and selecting one selects both.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "cases": [
    ///   { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } },
    ///   { "id": "BOOK1", "prompt": "Cancel it.", "expected": { "must_say_any": ["cancelled"] } }
    /// ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Give one of the cases an id of its own.
    pub DUPLICATE_CASE_ID = "duplicate-case-id", Error, Check::Suite(check);
}

fn check(cx: &SuiteContext<'_>, report: &mut Report) {
    let mut first_uses = HashMap::new();
    for case in &cx.suite.cases {
        let Some(id) = &case.case.id else { continue };
        let span = case.absolute(id.span);
        if let Some(first) = first_uses.get(id.value.as_str()) {
            report.add(span, format!("case id {} is used twice", quoted(&id.value))).also(*first, "first used here");
        } else {
            first_uses.insert(id.value.as_str(), span);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DUPLICATE_CASE_ID;
    use crate::lints::testing::check;

    #[test]
    fn finds_each_later_use() {
        check(
            &DUPLICATE_CASE_ID,
            r#"
{ "cases": [ { "id": "G1" }, { "id": "G1" }, { "id": "g1" }, { "id": "G1" } ] }
                                     ^^^^ case id `G1` is used twice
                                                                     ^^^^ case id `G1` is used twice
"#,
        );
    }

    #[test]
    fn ids_are_compared_by_their_value() {
        check(
            &DUPLICATE_CASE_ID,
            r#"
{ "cases": [ { "id": "A" }, { "id": "\u0041" }, { "id": 1 }, { "id": 1 }, {} ] }
                                    ^^^^^^^^ case id `A` is used twice
"#,
        );
    }
}
