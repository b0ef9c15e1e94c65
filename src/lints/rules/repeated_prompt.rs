use std::collections::HashMap;

use crate::diagnostic::quoted;
use crate::lints::{Check, Report, SuiteContext, declare_lint};

declare_lint! {
    /// Two cases have the same prompt.
    ///
    /// Prompt, setup prompts and preconditions are the same in both. Often a case was copied and its prompt was not changed.
    /// If both are intended, merge them: one case with the checks of both sends the prompt to a live target only once.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "cases": [
    ///   { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } },
    ///   { "id": "BOOK2", "prompt": "Book a slot.", "expected": { "must_say_any": ["Thursday"] } }
    /// ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Change the prompt, or merge the cases.
    ///
    /// ```json
    /// { "cases": [
    ///   { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } },
    ///   { "id": "BOOK2", "prompt": "Book a slot on Thursday.", "expected": { "must_say_any": ["Thursday"] } }
    /// ] }
    /// ```
    pub(crate) REPEATED_PROMPT = "repeated-prompt", Warning, Check::Suite(check);
}

fn check(cx: &SuiteContext<'_>, report: &mut Report) {
    if !cx.has_repeated_prompts {
        return;
    }
    let mut first_uses = HashMap::with_capacity(cx.suite.cases.len());
    for case in &cx.suite.cases {
        let (Some(question), Some(prompt)) = (case.case.question, &case.case.prompt) else { continue };
        let Some(first) = first_uses.insert(question, case) else { continue };
        first_uses.insert(question, first);
        let Some(first_prompt) = first.case.prompt.as_ref() else { continue };
        let name = first.case.id.as_ref().map_or("another case".to_owned(), |id| format!("case {}", quoted(&id.value)));
        report
            .add(case.absolute(prompt.span), format!("{name} has the same prompt, setup prompts and preconditions"))
            .also(first.absolute(first_prompt.span), "first used here");
    }
}

#[cfg(test)]
mod tests {
    use super::REPEATED_PROMPT;
    use crate::lints::tests::fixture::check;

    #[test]
    fn finds_each_later_case_that_asks_the_same() {
        check(
            &REPEATED_PROMPT,
            r#"
{ "cases": [
  { "id": "A", "prompt": "Next." }, { "id": "B", "prompt": " Next.\n" }, { "prompt": "Next.", "setup_prompts": [] },
                                                           ^^^^^^^^^^ case `A` has the same prompt, setup prompts and preconditions
                                                                                     ^^^^^^^ case `A` has the same prompt
  { "id": "C", "prompt": "Next.", "setup_prompts": ["First."] }, { "id": "D", "prompt": "next." },
  { "id": "E", "prompt": "Next.", "preconditions": ["The shop is open."] }, { "id": "F", "prompt": "" }, { "id": "G", "prompt": "" },
  { "id": "H", "prompt": "Next.", "setup_prompts": ["First."] }
                         ^^^^^^^ case `C` has the same prompt
] }
"#,
        );
    }
}
