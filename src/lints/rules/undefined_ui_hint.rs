use strsim::osa_distance;

use crate::diagnostic::{Cause, Edit, Fix, quoted};
use crate::lints::{CaseContext, Check, Report, declare_lint};
use crate::suite::List;
use crate::syntax::encode;
use crate::text::fold;

declare_lint! {
    /// A UI hint is not defined.
    ///
    /// A hint is a sentence about the page. Its definition in `eval-ls.toml` lists the phrases that must be on the page.
    /// Without a definition, no answer can pass or fail the check.
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
        let shown = quoted(&hint.value);
        let Some(meant) = near(&hint.value, cx.workspace.ui_hints.iter().map(String::as_str)) else {
            let message = format!("`eval-ls.toml` does not define the hint {shown}, so the case is `PARTIAL` at best");
            report.add(hint.span, message).because(Cause::MissingHints);
            continue;
        };
        let message = format!("`eval-ls.toml` does not define the hint {shown}; did you mean {}?", quoted(meant));
        let fix = Fix::new(format!("replace with {}", quoted(meant)), vec![Edit::replace(hint.span, encode(meant))]);
        report.add(hint.span, message).fix(fix);
    }
}

/// Hints longer than this are not compared, in bytes.
const LONGEST: usize = 300;

/// The defined hint that differs from `hint` in case, in the punctuation at its end, or in one of eight characters at most.
fn near<'a>(hint: &str, defined: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| fold(text.trim().trim_end_matches(['.', '!'])).into_owned();
    let hint = plain(hint);
    if hint.is_empty() || hint.len() > LONGEST {
        return None;
    }
    let most = (hint.chars().count() / 8).max(1);
    let lengths = |other: &&str| other.len().abs_diff(hint.len()) <= 4 * most + 8;
    let distances = defined.filter(lengths).map(|other| (osa_distance(&hint, &plain(other)), other));
    distances.filter(|(distance, _)| *distance <= most).min_by_key(|(distance, _)| *distance).map(|(_, other)| other)
}

#[cfg(test)]
mod tests {
    use super::UNDEFINED_UI_HINT;
    use crate::lints::Workspace;
    use crate::lints::tests::fixture::{Setup, check_fix_in, check_in, findings};

    #[test]
    fn hints_are_compared_exactly() {
        let ui_hints = ["A list is shown.", "Größe \"L\""].map(str::to_owned).into();
        let setup = Setup { workspace: Workspace { ui_hints, ..Workspace::default() }, ..Setup::default() };
        check_in(
            &setup,
            &UNDEFINED_UI_HINT,
            r#"
{ "cases": [ { "expected": { "ui": ["A list is shown.", "a list is shown.", "Gr\u00f6\u00dfe \"L\"", "", 1, "A list is shown"] } } ] }
                                                        ^^^^^^^^^^^^^^^^^^ `eval-ls.toml` does not define the hint `a list is shown.`; did you mean `A list is shown.`?
                                                                                                            ^^^^^^^^^^^^^^^^^ `eval-ls.toml` does not define the hint `A list is shown`
"#,
        );
    }

    #[test]
    fn replaces_a_misspelt_hint() {
        let ui_hints = ["A list of repairs is shown.".to_owned()].into();
        let setup = Setup { workspace: Workspace { ui_hints, ..Workspace::default() }, ..Setup::default() };
        let case = |hint: &str| format!(r#"{{ "cases": [ {{ "expected": {{ "ui": ["{hint}"] }} }} ] }}"#);
        for hint in ["A lsit of repairs is shown", "a list of repairs is shown!", "A list of repair is show."] {
            check_fix_in(&setup, &UNDEFINED_UI_HINT, &case(hint), &case("A list of repairs is shown."));
        }
        for hint in ["A list of orders is shown.", "The repairs are listed.", "."] {
            let found = findings(&setup, &UNDEFINED_UI_HINT, &case(hint));
            assert!(found.len() == 1 && found[0].fixes.is_empty(), "{hint}");
        }
    }
}
