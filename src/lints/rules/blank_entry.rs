use crate::diagnostic::{Edit, Fix};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::Case;
use crate::text::{Span, fold};

declare_lint! {
    /// An entry of a list shows nothing.
    ///
    /// The runner skips an empty string: it is not searched, not forbidden and not sent. It looks for a blank one as it is. Almost
    /// every response has a space: as a forbidden phrase it fails almost every answer, and as a required phrase it passes
    /// almost every answer. A phrase of invisible characters, such as a zero-width space, is never said.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_not_say": ["no free slot", " "] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove the entry, or write the text that is meant. Removing an empty string changes nothing.
    ///
    /// ```json
    /// { "must_not_say": ["no free slot"] }
    /// ```
    pub(crate) BLANK_ENTRY = "blank-entry", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    for (text, span) in entries(cx.case).filter(|(text, _)| fold(text).trim().is_empty()) {
        // A string that was just opened is empty too.
        let Some(node) = cx.node_at(span).filter(|node| !node.is_broken()) else { continue };
        let removal = vec![Edit::delete(node.removal())];
        if text.is_empty() {
            let finding = report.add(span, "the runner skips this empty string").unnecessary();
            finding.fix(Fix::safe("remove the empty string", removal));
            continue;
        }
        let message = match &*fold(text) {
            "" => "this entry is only invisible characters, and a phrase of them is never said",
            _ => "this entry is only white space, and the runner looks for it as it is",
        };
        report.add(span, message).fix(Fix::new("remove the blank entry", removal));
    }
    let numbers = expected.must_ground_numbers.iter().flat_map(|numbers| &numbers.value);
    for value in numbers.filter(|item| item.is_object).filter_map(|item| item.value.as_ref()) {
        if !value.value.is_empty()
            && value.value.trim().is_empty()
            && cx.node_at(value.span).is_some_and(|node| !node.is_broken())
        {
            report.add(value.span, "this value is only white space, and almost every response has it");
        }
    }
}

/// All entries of lists, without those of scoring groups.
fn entries(case: &Case) -> impl Iterator<Item = (&str, Span)> {
    let expected = &case.expected;
    let sources = expected.source_patterns.iter().flat_map(|field| &field.value).map(|source| &source.patterns);
    let contexts = expected.numbers().filter_map(|item| item.context_any.as_ref());
    let lists = expected.lists().map(|(_, _, _, list)| list).chain(sources).chain(contexts).chain(&case.setup_prompts);
    let numbers = expected.numbers().filter(|item| !item.is_object);
    let numbers = numbers.filter_map(|item| Some((item.value.as_ref()?.value.as_str(), item.span)));
    lists.flat_map(|list| &list.value).map(|entry| (entry.value.as_str(), entry.span)).chain(numbers)
}

#[cfg(test)]
mod tests {
    use super::BLANK_ENTRY;
    use crate::lints::tests::fixture::{check_each, check_lines, flagged};

    #[test]
    fn finds_white_space_in_every_list() {
        check_lines(
            &BLANK_ENTRY,
            r#"
            { "must_not_say": ["a", «" "»] }
            { "must_say_any": [«" "»] }
            { "tool_calls_any": [«" "»] }
            { "required_sources": [«" "»] }
            { "telemetry": [«" "»] }
            { "must_match_regex": [«" "»] }
            { "source_patterns": { "a": [«" "»] } }
            { "must_ground_numbers": [{ "label": "n", "value": «" "» }] }
            { "must_say_any": ["a", «"\t\u00a0"», «"\u200b"», «"\u00ad \ufeff"»] }
            { "must_say_any": ["a ", 1] }
            { "ui": ["a", «" "»] }
            → { "ui": ["a"] }
            "#,
        );
        assert_eq!(flagged(&BLANK_ENTRY, r#"{ "must_say_any": [" "#), [""; 0]);
    }

    #[test]
    fn empty_strings_are_found_in_every_list() {
        check_each(
            &BLANK_ENTRY,
            r#"
# every list is checked
{ "cases": [ { "id": "", "prompt": "", "setup_prompts": ["Hello.", ""], "expected": {
                                                                   ^^ the runner skips this empty string
  "outcome": "", "lever_regex": "",
  "tool_calls_any": [""], "tool_calls_none": ["a", ""], "must_not_say": [""], "must_say_any": [""],
                     ^^ the runner skips
                                                   ^^ the runner skips
                                                                         ^^ the runner skips
                                                                                               ^^ the runner skips
  "ui": [""], "telemetry": [""], "required_sources": [""], "assumption_markers_any": [""],
         ^^ the runner skips
                            ^^ the runner skips
                                                      ^^ the runner skips
                                                                                      ^^ the runner skips
  "must_match_regex": [""], "must_not_match_regex": [""], "must_allow_override_actions": ["", ""],
                       ^^ the runner skips
                                                     ^^ the runner skips
                                                                                          ^^ the runner skips
                                                                                              ^^ the runner skips
  "source_patterns": { "": [""], "parts": ["", "part"] },
                            ^^ the runner skips
                                           ^^ the runner skips
  "must_ground_numbers": ["", 0, { "label": "", "value": "", "context_any": ["rim", ""] }],
                          ^^ the runner skips
                                                                                    ^^ the runner skips
  "scoring": { "hard_fail": [""] }
} } ] }

# other keys, and other values
{ "cases": [ { "preconditions": [""], "expected": { "must_say_any": ["\u0000", null, []], "notes": [""] } } ] }

{ "cases": [ { "expected": { "must_say_any": ["booked", "

# the fix removes the comma too
{ "ui": ["", "a"] }
→ { "ui": ["a"] }

{ "ui": ["a", ""] }
→ { "ui": ["a"] }

{ "ui": [ "" ] }
→ { "ui": [] }
"#,
        );
    }
}
