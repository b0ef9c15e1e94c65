use crate::diagnostic::quoted;
use crate::lints::facts::tools::{Comparisons, bare_name, is_known, mentions, near_tool};
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// The name of a tool seems misspelt.
    ///
    /// No transcript or telemetry log of the workspace shows a tool of this name, but one shows a tool with a similar
    /// name. A misspelt tool in `tool_calls_any` is never called. In `tool_calls_none` the consequence is worse: the
    /// check always passes.
    ///
    /// A tool is known if a transcript or log shows it, if the suites name it twice, or if `known` under `[tools]` in
    /// `eval-ls.toml` lists it. Singular and plural are two names.
    ///
    /// ## Example
    ///
    /// ```json tools=book_slot,find_slot
    /// { "tool_calls_none": ["bock_slot"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Use the name of the tool. If the tool is new, list it in `eval-ls.toml`:
    ///
    /// ```toml
    /// [tools]
    /// known = ["bock_slot"]
    /// ```
    ///
    /// ```json tools=book_slot,find_slot
    /// { "tool_calls_none": ["book_slot"] }
    /// ```
    pub(crate) UNKNOWN_TOOL = "unknown-tool", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let mentions = mentions(cx);
    if mentions.is_empty() || cx.workspace.tools.is_empty() {
        return;
    }
    let shown = &cx.workspace.tools;
    let mut comparisons = Comparisons::default();
    for mention in mentions.into_iter().filter(|mention| !is_known(cx, mention.tool)) {
        if !comparisons.may_compare(shown.len()) {
            return;
        }
        let Some(meant) = near_tool(mention.tool, shown.keys()).filter(|_| bare_name(mention.tool).is_none()) else {
            continue;
        };
        let message = format!(
            "no transcript or log shows a tool {}; did you mean {}? If it is new, list it under `known` of `[tools]`",
            quoted(mention.tool),
            quoted(meant)
        );
        let finding = report.add(mention.span, message);
        mention.renamings(meant).into_iter().for_each(|fix| _ = finding.fix(fix));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::Workspace;
    use crate::lints::tests::fixture::{Setup, check_fix_in, check_in, flagged_in};

    fn knowing(tools: &[&str]) -> Setup<'static> {
        let tools = tools.iter().map(|tool| ((*tool).to_owned(), 1)).collect();
        Setup { workspace: Workspace { tools, ..Workspace::default() }, ..Setup::default() }
    }

    #[test]
    fn every_mention_of_a_tool_is_checked() {
        check_in(
            &knowing(&["book_slot", "find_slot"]),
            &UNKNOWN_TOOL,
            r#"
{ "cases": [ { "expected": {
  "tool_calls_any": ["book_slot", "bok_slot", "pay", ""], "tool_calls_none": ["fnid_slot", "cancel_slot"],
                                  ^^^^^^^^^^ no transcript or log shows a tool `bok_slot`; did you mean `book_slot`?
                                                                              ^^^^^^^^^^^ no transcript or log shows a tool `fnid_slot`; did you mean `find_slot`?
  "telemetry": ["tool.book_slto start", "tool.b\u006foking_slot start", "t\u006fol.find\u005fslto  result success:true", "bok_slot"]
                      ^^^^^^^^^ no transcript or log shows a tool `book_slto`; did you mean `book_slot`?
                                                                                   ^^^^^^^^^^^^^^ no transcript or log shows a tool `find_slto`
} } ] }
"#,
        );
    }

    #[test]
    fn a_workspace_without_tools_has_no_finding() {
        check_in(&knowing(&[]), &UNKNOWN_TOOL, r#"{ "cases": [ { "expected": { "tool_calls_any": ["bok"] } } ] }"#);
    }

    #[test]
    fn known_tools_are_not_reported() {
        let suite = r#"{ "cases": [ { "expected": { "tool_calls_any": ["bok_slot"] } } ] }"#;
        let found =
            |workspace: Workspace| flagged_in(&Setup { workspace, ..Setup::default() }, &UNKNOWN_TOOL, suite).len();
        let shown = knowing(&["book_slot"]).workspace;
        assert_eq!(found(shown.clone()), 1);
        assert_eq!(found(Workspace { known_tools: ["bok_slot".to_owned()].into(), ..shown.clone() }), 0);
        assert_eq!(found(Workspace { named_tools: [("bok_slot".to_owned(), 1)].into(), ..shown.clone() }), 1);
        assert_eq!(found(Workspace { named_tools: [("bok_slot".to_owned(), 2)].into(), ..shown }), 0);
    }

    #[test]
    fn renames() {
        let case = |expected: &str| format!(r#"{{ "cases": [ {{ "expected": {{ {expected} }} }} ] }}"#);
        let setup = knowing(&["book_slot", "fit-wheel"]);
        for (before, after) in [
            (r#""tool_calls_any": ["book_slt"]"#, r#""tool_calls_any": ["book_slot"]"#),
            (r#""tool_calls_any": ["fit_wheel"]"#, r#""tool_calls_any": ["fit-wheel"]"#),
            (r#""telemetry": ["tool.book_slt start"]"#, r#""telemetry": ["tool.book_slot start"]"#),
        ] {
            check_fix_in(&setup, &UNKNOWN_TOOL, &case(before), &case(after));
        }
        let suite = case(r#""telemetry": ["tool.fit_wheel start"]"#);
        assert!(crate::lints::tests::fixture::findings(&setup, &UNKNOWN_TOOL, &suite)[0].fixes.is_empty());
    }
}
