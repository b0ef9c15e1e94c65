use crate::diagnostic::{Edit, Fix};
use crate::lints::declare::declare_lint;
use crate::lints::facts::lists::{Entries, lists};
use crate::lints::{CaseContext, Check, Report};

declare_lint! {
    /// An entry of a list is only white space.
    ///
    /// The runner skips empty strings, but it looks for a blank one as it is. Almost every response has a space: as a
    /// forbidden phrase it fails almost every answer, and as a required phrase it passes almost every answer.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_not_say": ["no free slot", " "] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the entry, or write the text that is meant.
    ///
    /// ```json
    /// { "must_not_say": ["no free slot"] }
    /// ```
    pub(crate) BLANK_ENTRY = "blank-entry", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    let setup_prompts = cx.case.setup_prompts.iter().map(|list| Entries::of(list, true));
    let entries = lists(expected).into_iter().chain(setup_prompts).flat_map(|list| list.entries);
    let is_blank = |text: &str| !text.is_empty() && text.trim().is_empty();
    for (_, span) in entries.filter(|(text, _)| is_blank(text)) {
        let Some(node) = cx.node_at(span).filter(|node| !node.is_broken()) else { continue };
        report
            .add(span, "this entry is only white space, and the runner looks for it as it is")
            .fix(Fix::new("remove the blank entry", vec![Edit::delete(node.removal())]));
    }
    let numbers = expected.must_ground_numbers.iter().flat_map(|numbers| &numbers.value);
    for value in numbers.filter(|item| item.is_object).filter_map(|item| item.value.as_ref()) {
        if is_blank(&value.value) && cx.node_at(value.span).is_some_and(|node| !node.is_broken()) {
            report.add(value.span, "this value is only white space, and almost every response has it");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BLANK_ENTRY;
    use crate::lints::testing::{check_fix_of, flagged};

    #[test]
    fn finds_white_space_in_every_list() {
        for expected in [
            r#"{ "must_not_say": ["a", " "] }"#,
            r#"{ "must_say_any": [" "] }"#,
            r#"{ "tool_calls_any": [" "] }"#,
            r#"{ "required_sources": [" "] }"#,
            r#"{ "telemetry": [" "] }"#,
            r#"{ "must_match_regex": [" "] }"#,
            r#"{ "source_patterns": { "a": [" "] } }"#,
            r#"{ "must_ground_numbers": [{ "label": "n", "value": " " }] }"#,
        ] {
            assert_eq!(flagged(&BLANK_ENTRY, expected), [r#"" ""#], "{expected}");
        }
        assert_eq!(flagged(&BLANK_ENTRY, r#"{ "ui": ["\t\u00a0"] }"#), [r#""\t\u00a0""#]);
        for expected in [r#"{ "must_say_any": ["", "a ", 1] }"#, r#"{ "must_say_any": [" "#] {
            assert_eq!(flagged(&BLANK_ENTRY, expected), [] as [&str; 0], "{expected}");
        }
    }

    #[test]
    fn removes_it() {
        check_fix_of(&BLANK_ENTRY, r#"{ "ui": ["a", " "] }"#, r#"{ "ui": ["a"] }"#);
    }
}
