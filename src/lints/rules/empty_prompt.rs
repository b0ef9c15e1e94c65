use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// The prompt of a case is empty.
    ///
    /// A live target is asked nothing, or refuses to send an empty message. The case then judges an answer to no question.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "", "expected": { "must_say_any": ["booked"] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Write the prompt.
    ///
    /// ```json
    /// { "id": "BOOK1", "prompt": "Book a slot.", "expected": { "must_say_any": ["booked"] } }
    /// ```
    pub(crate) EMPTY_PROMPT = "empty-prompt", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(prompt) = &cx.case.prompt else { return };
    if prompt.value.trim().is_empty() && cx.node_at(prompt.span).is_some_and(|node| !node.is_broken()) {
        report.add(prompt.span, "the prompt is empty; write what to send");
    }
}

#[cfg(test)]
mod tests {
    use super::EMPTY_PROMPT;
    use crate::lints::tests::fixture::{Setup, flagged_in};

    #[test]
    fn finds_prompts_of_white_space() {
        for (prompt, is_found) in [(r#""""#, true), (r#"" \n""#, true), (r#""p""#, false), ("1", false), ("\" ", false)]
        {
            let suite = format!(r#"{{ "cases": [ {{ "id": "A", "prompt": {prompt} }} ] }}"#);
            assert_eq!(!flagged_in(&Setup::default(), &EMPTY_PROMPT, &suite).is_empty(), is_found, "{prompt}");
        }
    }
}
