use crate::foreign::{Foreign, is_written};
use crate::lints::{Check, Report, SuiteContext, declare_lint};
use crate::text::Span;

declare_lint! {
    /// The file has the name of a suite and the format of another program.
    ///
    /// No case in it can be judged. `eval-ls import` makes a suite of most such files, and lists what no key of a suite says.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "cases": [ { "question": "Which hall is free on Friday?", "answer": "Hall B." } ] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Import the file, or give it another name.
    ///
    /// ```json
    /// { "cases": [ { "id": "HALL1", "prompt": "Which hall is free on Friday?", "expected": { "must_say_any": ["Hall B"] } } ] }
    /// ```
    pub(crate) OTHER_FORMAT = "other-format", Error, Check::Suite(check);
}

fn check(cx: &SuiteContext<'_>, report: &mut Report) {
    if is_written(cx.root) {
        return;
    }
    if let Some(described) = Foreign::described(cx.root) {
        let first = cx.root.span().start;
        report.add(Span::new(first, first + 1), format!("not a suite, but {described}"));
    }
}

#[cfg(test)]
mod tests {
    use super::OTHER_FORMAT;
    use crate::lints::tests::fixture::{Setup, check, flagged_in};

    #[test]
    fn the_message_names_the_format_and_the_remedy() {
        check(
            &OTHER_FORMAT,
            r#"
{ "eval_set_id": "x", "eval_cases": [ { "eval_id": "a", "conversation": [] } ] }
^ not a suite, but an eval set of Google ADK; `eval-ls import` makes a suite of it
"#,
        );
        check(
            &OTHER_FORMAT,
            r#"
{ "skill_name": "x", "evals": [] }
^ not a suite, but the evals of an Agent Skill; `eval-ls import` cannot make a suite of it, because its expectations are prose, which a model judges
"#,
        );
    }

    #[test]
    fn a_suite_that_is_being_written_has_no_finding() {
        for suite in [
            "{}",
            "[]",
            r#"{ "cases": [] }"#,
            r#"{ "cases": [ { "id": "A", "prompt": "p" } ] }"#,
            r#"{ "cases": [ { "prompt": "p", "answer": "a" }, { "prompt": "p" } ] }"#,
            r#"[ { "id": "A", "prompt": "p", "expected": { "must_say_any": ["x"] } } ]"#,
            r#"{ "name": "n", "owner": [ { "query": "q" } ], "cases": [ { "id": "A", "prompt": "p", "expected": {} } ] }"#,
        ] {
            assert_eq!(flagged_in(&Setup::default(), &OTHER_FORMAT, suite), [] as [&str; 0], "{suite}");
        }
    }
}
