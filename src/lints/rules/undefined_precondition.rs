use crate::diagnostic::{Cause, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::List;

declare_lint! {
    /// `eval-ls.toml` does not define a precondition.
    ///
    /// A precondition is a sentence. `[[preconditions]]` in `eval-ls.toml` defines how a live target checks it. An undefined
    /// precondition is not checked, so a case can fail because of the state of the app and not because of the assistant.
    ///
    /// ## Example
    ///
    /// ```json preconditions=The_stock_is_loaded.
    /// { "id": "PARTS1", "prompt": "What is on the board?", "preconditions": ["The board is empty."], "expected": { "must_say_any": ["empty"] } }
    /// ```
    ///
    /// ## Fix
    ///
    /// Define it in `eval-ls.toml`, or use a defined one word for word.
    ///
    /// ```toml
    /// [[preconditions]]
    /// text = "The board is empty."
    /// steps = [["wait", "--text", "Nothing on the board"]]
    /// ```
    ///
    /// ```json preconditions=The_board_is_empty.
    /// { "id": "PARTS1", "prompt": "What is on the board?", "preconditions": ["The board is empty."], "expected": { "must_say_any": ["empty"] } }
    /// ```
    pub(crate) UNDEFINED_PRECONDITION = "undefined-precondition", Hint, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let texts = cx.case.preconditions.iter().flat_map(List::entries);
    for text in texts.filter(|text| !cx.workspace.preconditions.contains(&text.value)) {
        let quoted = quoted(&text.value);
        report
            .add(text.span, format!("`eval-ls.toml` does not define the precondition {quoted}, so it is not checked"))
            .because(Cause::MissingPreconditions);
    }
}

#[cfg(test)]
mod tests {
    use super::UNDEFINED_PRECONDITION;
    use crate::lints::Workspace;
    use crate::lints::tests::fixture::{Setup, check_in};

    #[test]
    fn texts_are_compared_exactly_and_empty_ones_are_ignored() {
        let preconditions = ["The shop is open.".to_owned()].into();
        let setup = Setup { workspace: Workspace { preconditions, ..Workspace::default() }, ..Setup::default() };
        check_in(
            &setup,
            &UNDEFINED_PRECONDITION,
            r#"
{ "cases": [ { "preconditions": ["The shop is open.", "the shop is open.", "", 1] }, { "preconditions": "The shop is open" } ] }
                                                      ^^^^^^^^^^^^^^^^^^^ `eval-ls.toml` does not define the precondition `the shop is open.`, so it is not checked
"#,
        );
    }
}
