use crate::diagnostic::{Edit, Fix, Severity, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::syntax::{Node, separator_before};
use crate::text::Span;

declare_lint! {
    /// A number to be grounded has neither a value nor a pattern.
    ///
    /// An entry of `must_ground_numbers` searches for its `value`, or for a match of its `regex`. Without either, the
    /// check can only fail. A value without a digit is not a number.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_ground_numbers": [{ "label": "bikes in stock", "context_any": ["bikes"] }] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Add the number as `value`, or its form as `regex`.
    ///
    /// ```json
    /// { "must_ground_numbers": [
    ///   { "label": "bikes in stock", "value": 12, "context_any": ["bikes"] },
    ///   { "label": "price of a tube", "regex": "€\\s*[0-9]+" }
    /// ] }
    /// ```
    pub(crate) UNGROUNDED_NUMBER = "ungrounded-number", Error, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let items = cx.case.expected.must_ground_numbers.iter().flat_map(|numbers| &numbers.value);
    for item in items.filter(|item| item.regex.is_none()) {
        let words = item.value.as_ref().filter(|value| !value.value.chars().any(char::is_numeric));
        if let Some(words) = words.filter(|words| !words.value.trim().is_empty()) {
            let message = format!("{} has no digit; phrases belong into `must_say_any`", quoted(&words.value));
            report.add(words.span, message).severity = Severity::Warning;
        }
        if !item.is_object {
            continue;
        }
        match &item.value {
            Some(value) if value.value.is_empty() => {
                let finding = report.add(value.span, "an empty `value` never matches: this check can only fail");
                finding.fixes = with_regex(cx, item.span, Some(value.span));
            }
            None if cx.node_at(item.span).is_some_and(|node| has_neither(node)) => {
                let finding = report.add(item.span, "expected a `value` or a `regex`: this check can only fail");
                finding.fixes = with_regex(cx, item.span, None);
            }
            _ => {}
        }
    }
}

/// The fix that asks for any number, in the place of the empty `value` if there is one.
fn with_regex(cx: &CaseContext<'_>, item: Span, value: Option<Span>) -> Vec<Fix> {
    const ANY_NUMBER: &str = r#""regex": "[0-9]+""#;
    let Some(item) = cx.node_at(item) else { return Vec::new() };
    let member = value.and_then(|_| item.member("value")).map(|member| member.node.span());
    let edit = match (member, item.members().last()) {
        (Some(member), _) => Edit::replace(member, ANY_NUMBER),
        (None, Some(last)) => {
            let separator = separator_before(cx.node.text(), last.node.span().start);
            Edit::insert(last.node.span().end, format!(",{separator}{ANY_NUMBER}"))
        }
        (None, None) => Edit::replace(item.span(), format!("{{ {ANY_NUMBER} }}")),
    };
    vec![Fix::new("add a `regex` for any number", vec![edit])]
}

/// Returns whether the entry has neither a value nor a regex. In broken text, the missing key may be unreadable, so the
/// answer is no.
fn has_neither(node: Node<'_>) -> bool {
    node.member("value").is_none() && node.member("regex").is_none() && !node.descendants().any(Node::is_broken)
}

#[cfg(test)]
mod tests {
    use super::UNGROUNDED_NUMBER;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_are_as_marked() {
        check_each(
            &UNGROUNDED_NUMBER,
            r#"
# entries without value and regex are reported
{ "cases": [ { "id": "A", "expected": { "must_ground_numbers": [
  {}, { "label": "stock" }, { "label": "stock", "value": "" }, { "context_any": ["bikes"] }
  ^^ expected a `value` or a `regex`: this check can only fail
      ^^^^^^^^^^^^^^^^^^^^ expected a `value` or a `regex`
                                                         ^^ an empty `value` never matches: this check can only fail
                                                               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected a `value` or a `regex`
] } } ] }

# a word is not a number
{ "cases": [ { "expected": { "must_ground_numbers": ["twelve", { "value": "many bikes" }, "½", "3 bikes"] } } ] }
                                                     ^^^^^^^^ `twelve` has no digit; phrases belong into `must_say_any`
                                                                          ^^^^^^^^^^^^ `many bikes` has no digit

# other entries have no finding
{ "cases": [ { "id": "A", "expected": { "must_ground_numbers": [
  "12", 12, "", { "value": 0 }, { "value": "12" }, { "regex": "[0-9]+" }, { "regex": "[0-9]+", "value": "" },
  { "value": null }, { "regex": 7 }, { "label": 1, "value": ["12"] }, null, ["12"], { "label": "x", "val" }, { "value": }
] } } ] }
"#,
        );
    }
}
