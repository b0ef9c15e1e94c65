use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::text::Span;

declare_lint! {
    /// A number has a pattern and, beside it, what is then never looked at.
    ///
    /// An entry of `must_ground_numbers` with a `regex` passes when the pattern matches; its `value` and its
    /// `context_any` are not looked at. A case that seems to ask for `12` passes with any number that the pattern takes.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_ground_numbers": [{ "label": "bikes in stock", "regex": "[0-9]+", "value": "12", "context_any": ["bikes"] }] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Keep one way of asking: drop `regex`, or put all of it into the pattern.
    ///
    /// ```json
    /// { "must_ground_numbers": [
    ///   { "label": "bikes in stock", "value": "12", "context_any": ["bikes"] },
    ///   { "label": "bikes on loan", "regex": "[0-9]+ bikes on loan" }
    /// ] }
    /// ```
    pub IGNORED_MEMBER = "ignored-member", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for item in cx.case.expected.must_ground_numbers.iter().flat_map(|numbers| &numbers.value) {
        let Some(regex) = item.regex.as_ref().filter(|_| item.is_object) else { continue };
        let mut ignored = |name: &str, key: Span| {
            report
                .add(key, format!("`{name}` is never looked at beside `regex`"))
                .also(regex.key, "the pattern alone decides")
                .unnecessary();
        };
        if let Some(value) = item.value.as_ref().filter(|value| !value.value.is_empty()) {
            ignored("value", value.key);
        }
        if let Some(context) = item.context_any.as_ref().filter(|context| context.entries().next().is_some()) {
            ignored("context_any", context.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IGNORED_MEMBER;
    use crate::diagnostic::Tag;
    use crate::lints::testing::{Setup, check, findings};

    #[test]
    fn finds_value_and_context_beside_a_pattern() {
        check(
            &IGNORED_MEMBER,
            r#"
{ "cases": [ { "id": "A", "expected": { "must_ground_numbers": [
  { "value": 12, "regex": "1[0-9]", "context_any": ["bikes"] },
    ^^^^^^^ `value` is never looked at beside `regex`
                                    ^^^^^^^^^^^^^ `context_any` is never looked at beside `regex`
  { "label": "stock", "regex": "1[0-9]" }, { "value": "12", "context_any": ["bikes"] }, { "context_any": ["bikes"] },
  { "regex": null, "value": "12" }, "regex", 12,
  { "regex": "1[0-9]", "value": "", "context_any": [""] }
] } } ] }
"#,
        );
    }

    #[test]
    fn fades_what_is_ignored() {
        let suite = r#"{"cases": [{"id": "A", "expected": {"must_ground_numbers": [{"regex": "1", "value": "1"}]}}]}"#;
        let found = findings(&Setup::default(), &IGNORED_MEMBER, suite);
        assert_eq!(found[0].tags, [Tag::Unnecessary]);
    }
}
