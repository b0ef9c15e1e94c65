use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::text::Span;

declare_lint! {
    /// A number has a `regex`, so its `value` and `context_any` are ignored.
    ///
    /// An entry of `must_ground_numbers` with a `regex` passes if the pattern matches; its `value` and its
    /// `context_any` are ignored. A case that seems to require `12` passes with any number that the pattern matches.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_ground_numbers": [{ "label": "bikes in stock", "regex": "[0-9]+", "value": "12", "context_any": ["bikes"] }] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Keep one of the two: remove `regex`, or put everything into the pattern.
    ///
    /// ```json
    /// { "must_ground_numbers": [
    ///   { "label": "bikes in stock", "value": "12", "context_any": ["bikes"] },
    ///   { "label": "bikes on loan", "regex": "[0-9]+ bikes on loan" }
    /// ] }
    /// ```
    pub(crate) IGNORED_MEMBER = "ignored-member", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    for item in cx.case.expected.must_ground_numbers.iter().flat_map(|numbers| &numbers.value) {
        let Some(regex) = item.regex.as_ref().filter(|_| item.is_object) else { continue };
        let mut ignored = |name: &str, key: Span| {
            report
                .add(key, format!("`{name}` is ignored because this entry has a `regex`"))
                .also(regex.key(), "only the pattern is checked")
                .unnecessary();
        };
        if let Some(value) = item.value.as_ref().filter(|value| !value.value.is_empty()) {
            ignored("value", value.key());
        }
        if let Some(context) = item.context_any.as_ref().filter(|context| context.entries().next().is_some()) {
            ignored("context_any", context.key());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IGNORED_MEMBER;
    use crate::lints::tests::fixture::{Setup, check, findings};

    #[test]
    fn value_and_context_beside_a_pattern_are_reported() {
        check(
            &IGNORED_MEMBER,
            r#"
{ "cases": [ { "id": "A", "expected": { "must_ground_numbers": [
  { "value": 12, "regex": "1[0-9]", "context_any": ["bikes"] },
    ^^^^^^^ `value` is ignored because this entry has a `regex`
                                    ^^^^^^^^^^^^^ `context_any` is ignored because this entry has a `regex`
  { "label": "stock", "regex": "1[0-9]" }, { "value": "12", "context_any": ["bikes"] }, { "context_any": ["bikes"] },
  { "regex": null, "value": "12" }, "regex", 12,
  { "regex": "1[0-9]", "value": "", "context_any": [""] }
] } } ] }
"#,
        );
    }

    #[test]
    fn ignored_members_are_faded() {
        let suite = r#"{"cases": [{"id": "A", "expected": {"must_ground_numbers": [{"regex": "1", "value": "1"}]}}]}"#;
        let found = findings(&Setup::default(), &IGNORED_MEMBER, suite);
        assert!(found[0].is_unnecessary);
    }
}
