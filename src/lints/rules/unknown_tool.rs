use std::collections::HashMap;

use crate::diagnostic::quoted;
use crate::lints::facts::tools::{Comparisons, bare_name, is_known, mentions, near_tool};
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// The name of a tool seems misspelt.
    ///
    /// No transcript or telemetry log of the workspace shows a tool of this name, but one shows a tool with a similar
    /// name. Or the suites use a similar name more often, and this name once. Or the name has a part that only telemetry or a
    /// call has, as in `tool.book_slot` or `book_slot()`. A misspelt tool in `tool_calls_any` is never called. In
    /// `tool_calls_none` the consequence is worse: the check always passes.
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
    /// ```json named=book_slot
    /// { "tool_calls_any": ["boook_slot"] }
    /// ```
    ///
    /// ```json
    /// { "tool_calls_any": ["tool.book_slot"], "tool_calls_none": ["find_slot()"] }
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

/// How often suites must name the other tool. Fewer can be the slip.
const OFTEN: usize = 3;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let (shown, named) = (&cx.workspace.tools, &cx.workspace.named_tools);
    let mentions = mentions(cx);
    let mut times = HashMap::new();
    mentions.iter().for_each(|mention| *times.entry(mention.tool).or_insert(0) += 1);
    let mut comparisons = Comparisons::default();
    for mention in &mentions {
        let tool = mention.tool;
        if tool.trim().is_empty() || shown.contains_key(tool) || cx.workspace.known_tools.contains(tool) {
            continue;
        }
        let (message, meant) = if let Some(name) = bare_name(tool) {
            (format!("{} is not a tool's name; did you mean {}?", quoted(tool), quoted(name)), name)
        } else {
            if is_known(cx, tool) {
                continue;
            }
            if !comparisons.may_compare(shown.len() + named.len()) {
                return;
            }
            let often = || named.iter().filter(|(_, times)| **times >= OFTEN).map(|(name, _)| name);
            let (seen, meant) = if let Some(meant) = near_tool(tool, shown.keys()) {
                (format!("no transcript or log shows a tool {}", quoted(tool)), meant)
            } else if let Some(meant) = near_tool(tool, often()).filter(|_| times[tool] == 1) {
                (format!("the suites name {} {} times, and {} once", quoted(meant), named[meant], quoted(tool)), meant)
            } else {
                continue;
            };
            let new = "If it is new, list it under `known` of `[tools]`";
            (format!("{seen}; did you mean {}? {new}", quoted(meant)), meant)
        };
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

    fn naming(tools: &[(&str, usize)]) -> Setup<'static> {
        let named_tools = tools.iter().map(|(tool, times)| ((*tool).to_owned(), *times)).collect();
        Setup { workspace: Workspace { named_tools, ..Workspace::default() }, ..Setup::default() }
    }

    fn case(expected: &str) -> String {
        format!(r#"{{ "cases": [ {{ "expected": {{ {expected} }} }} ] }}"#)
    }

    #[test]
    fn a_lone_name_beside_its_near_twin() {
        let tools = |twin: usize, own: usize| naming(&[("add_component", twin), ("add_componet", own)]);
        let suite = case(r#""tool_calls_any": ["add_componet"]"#);
        for (setup, count) in [(tools(6, 1), 1), (tools(3, 0), 1), (tools(2, 1), 0), (tools(6, 2), 0)] {
            assert_eq!(flagged_in(&setup, &UNKNOWN_TOOL, &suite).len(), count, "{:?}", setup.workspace.named_tools);
        }
        let twice = case(r#""tool_calls_any": ["add_componet"], "telemetry": ["tool.add_componet start"]"#);
        assert_eq!(flagged_in(&tools(6, 1), &UNKNOWN_TOOL, &twice), [] as [&str; 0]);
        let mut shown = tools(6, 1);
        shown.workspace.tools = [("add_component".to_owned(), 1)].into();
        assert_eq!(flagged_in(&shown, &UNKNOWN_TOOL, &suite).len(), 1, "reported once");
        let mut known = tools(6, 1);
        known.workspace.known_tools = ["add_componet".to_owned()].into();
        assert_eq!(flagged_in(&known, &UNKNOWN_TOOL, &suite), [] as [&str; 0]);
    }

    #[test]
    fn many_names_take_linear_time() {
        let names: Vec<_> = (0..200_000).map(|number| format!("\"tool{number}\"")).collect();
        let suite = case(&format!(r#""tool_calls_any": [{}]"#, names.join(",")));
        assert_eq!(flagged_in(&naming(&[]), &UNKNOWN_TOOL, &suite).len(), 0);
    }

    #[test]
    fn writes_the_name_alone() {
        for (before, after) in [
            (r#""tool_calls_any": ["tool.book"]"#, r#""tool_calls_any": ["book"]"#),
            (r#""tool_calls_none": ["book()"]"#, r#""tool_calls_none": ["book"]"#),
            (r#""tool_calls_any": [" book"]"#, r#""tool_calls_any": ["book"]"#),
        ] {
            check_fix_in(&naming(&[]), &UNKNOWN_TOOL, &case(before), &case(after));
        }
        check_fix_in(
            &naming(&[("book_slot", 3)]),
            &UNKNOWN_TOOL,
            &case(r#""telemetry": ["tool.book_slto start"]"#),
            &case(r#""telemetry": ["tool.book_slot start"]"#),
        );
    }
}
