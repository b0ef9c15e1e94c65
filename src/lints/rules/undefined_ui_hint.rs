use crate::diagnostic::quoted;
use crate::lints::declare::declare_lint;
use crate::lints::{CaseContext, Check, Report};
use crate::suite::List;

declare_lint! {
    /// A UI hint is not defined.
    ///
    /// A hint is a sentence. `eval-ls.toml` defines the phrases that must be on the page. An undefined hint neither
    /// passes nor fails, so the case is `PARTIAL` at best.
    ///
    /// ## Example
    ///
    /// ```json hints=A_calendar_is_shown.
    /// { "ui": ["The repair calendar is shown."] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Define it in `eval-ls.toml`, or use a defined hint with exactly the same words.
    ///
    /// ```toml
    /// [[ui_hints]]
    /// hint = "The repair calendar is shown."
    /// all = ["Repairs this week"]
    /// ```
    ///
    /// ```json hints=The_repair_calendar_is_shown.
    /// { "ui": ["The repair calendar is shown."] }
    /// ```
    pub(crate) UNDEFINED_UI_HINT = "undefined-ui-hint", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let hints = cx.case.expected.ui.iter().flat_map(List::entries);
    for hint in hints.filter(|hint| !cx.workspace.ui_hints.contains(&hint.value)) {
        let message = format!(
            "`eval-ls.toml` does not define the hint {}, so the case is `PARTIAL` at best",
            quoted(&hint.value)
        );
        report.add(hint.span, message);
    }
}

#[cfg(test)]
mod tests {
    use super::UNDEFINED_UI_HINT;
    use crate::lints::Workspace;
    use crate::lints::testing::{Setup, check_in};

    #[test]
    fn hints_are_compared_exactly() {
        let ui_hints = ["A list is shown.", "Größe \"L\""].map(str::to_owned).into();
        let setup = Setup { workspace: Workspace { ui_hints, ..Workspace::default() }, ..Setup::default() };
        check_in(
            &setup,
            &UNDEFINED_UI_HINT,
            r#"
{ "cases": [ { "expected": { "ui": ["A list is shown.", "a list is shown.", "Gr\u00f6\u00dfe \"L\"", "", 1, "A list is shown"] } } ] }
                                                        ^^^^^^^^^^^^^^^^^^ `eval-ls.toml` does not define the hint `a list is shown.`, so the case is `PARTIAL` at best
                                                                                                            ^^^^^^^^^^^^^^^^^ `eval-ls.toml` does not define the hint `A list is shown`
"#,
        );
    }
}
