use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::syntax::Node;

declare_lint! {
    /// A number to be grounded has neither a value nor a pattern.
    ///
    /// An entry of `must_ground_numbers` looks for its `value`, or for a match of its `regex`. Without either there is
    /// nothing to look for, and the check can only fail.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_ground_numbers": [{ "label": "bikes in stock", "context_any": ["bikes"] }] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Say what number it is, or what it looks like.
    ///
    /// ```json
    /// { "must_ground_numbers": [
    ///   { "label": "bikes in stock", "value": 12, "context_any": ["bikes"] },
    ///   { "label": "price of a tube", "regex": "€\\s*[0-9]+" }
    /// ] }
    /// ```
    pub UNGROUNDED_NUMBER = "ungrounded-number", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let items = cx.case.expected.must_ground_numbers.iter().flat_map(|numbers| &numbers.value);
    for item in items.filter(|item| item.is_object && item.regex.is_none()) {
        match &item.value {
            Some(value) if value.value.is_empty() => {
                report.add(value.span, "an empty `value` is never shown: this check can only fail");
            }
            None if cx.node_at(item.span).is_some_and(|node| says_nothing(node)) => {
                report.add(item.span, "expected a `value` or a `regex` to look for: this check can only fail");
            }
            _ => {}
        }
    }
}

/// Whether an entry without value and regex was meant to have none: one of the wrong type, or one being typed, is the
/// fault of another lint.
fn says_nothing(node: Node<'_>) -> bool {
    node.member("value").is_none() && node.member("regex").is_none() && !node.descendants().any(Node::is_broken)
}

#[cfg(test)]
mod tests {
    use super::UNGROUNDED_NUMBER;
    use crate::lints::testing::check;

    #[test]
    fn finds_entries_with_nothing_to_look_for() {
        check(
            &UNGROUNDED_NUMBER,
            r#"
{ "cases": [ { "id": "A", "expected": { "must_ground_numbers": [
  {}, { "label": "stock" }, { "label": "stock", "value": "" }, { "context_any": ["bikes"] }
  ^^ expected a `value` or a `regex` to look for: this check can only fail
      ^^^^^^^^^^^^^^^^^^^^ expected a `value` or a `regex`
                                                         ^^ an empty `value` is never shown: this check can only fail
                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected a `value` or a `regex`
] } } ] }
"#,
        );
    }

    #[test]
    fn leaves_the_rest_alone() {
        check(
            &UNGROUNDED_NUMBER,
            r#"
{ "cases": [ { "id": "A", "expected": { "must_ground_numbers": [
  "12", 12, "", { "value": 0 }, { "value": "12" }, { "regex": "[0-9]+" }, { "regex": "[0-9]+", "value": "" },
  { "value": null }, { "regex": 7 }, { "label": 1, "value": ["12"] }, null, ["12"], { "label": "x", "val" }, { "value": }
] } } ] }
"#,
        );
    }
}
