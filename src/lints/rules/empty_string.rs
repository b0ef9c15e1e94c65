use crate::diagnostic::{Edit, Fix};
use crate::lints::facts::claims::{Entries, lists};
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A list contains an empty string.
    ///
    /// The runner skips the empty string: it is not searched, not forbidden and not sent. It is a leftover, or the
    /// intended text is missing.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_not_say": ["no free slot", ""] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove it, which changes nothing, or write the intended text.
    ///
    /// ```json
    /// { "must_not_say": ["no free slot"] }
    /// ```
    pub(crate) EMPTY_STRING = "empty-string", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let setup_prompts = cx.case.setup_prompts.iter().map(|list| Entries::of(list, true));
    let entries = lists(&cx.case.expected).into_iter().chain(setup_prompts).flat_map(|list| list.entries);
    for (_, span) in entries.filter(|(text, _)| text.is_empty()) {
        // A string that was just opened is empty too.
        let Some(node) = cx.node_at(span).filter(|node| !node.is_broken()) else { continue };
        report
            .add(span, "the runner skips this empty string")
            .unnecessary()
            .fix(Fix::safe("remove the empty string", vec![Edit::delete(node.removal())]));
    }
}

#[cfg(test)]
mod tests {
    use super::EMPTY_STRING;
    use crate::lints::tests::fixture::check_each;

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &EMPTY_STRING,
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

# strings of white space have no finding
{ "cases": [ { "preconditions": [""], "expected": { "must_say_any": [" ", "\u0000", null, []], "notes": [""] } } ] }

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
