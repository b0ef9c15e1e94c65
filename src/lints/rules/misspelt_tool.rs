use std::collections::HashMap;

use crate::diagnostic::quoted;
use crate::lints::facts::tools::{Comparisons, bare_name, is_known, mentions, near_tool};
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A tool's name looks misspelt beside the other names of the suites.
    ///
    /// The suites use a similar name more often, and this name once. Or the name has a part that only telemetry or a
    /// call has, as in `tool.book_slot` or `book_slot()`. No tool has that name, so `tool_calls_any` fails, and
    /// `tool_calls_none` always passes.
    ///
    /// ## Example
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
    /// Use the name that the tool has. If it is a new tool, list it in `eval-ls.toml`:
    ///
    /// ```toml
    /// [tools]
    /// known = ["boook_slot"]
    /// ```
    ///
    /// ```json named=book_slot
    /// { "tool_calls_any": ["book_slot"], "tool_calls_none": ["find_slot"] }
    /// ```
    pub(crate) MISSPELT_TOOL = "misspelt-tool", Warning, Check::Case(check);
}

/// How often suites must name the other tool. Fewer can be the slip.
const OFTEN: usize = 3;

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let mentions = mentions(cx);
    let mut times = HashMap::new();
    mentions.iter().for_each(|mention| *times.entry(mention.tool).or_insert(0) += 1);
    let mut comparisons = Comparisons::default();
    for mention in &mentions {
        let tool = mention.tool;
        if tool.trim().is_empty() || cx.workspace.tools.contains_key(tool) || cx.workspace.known_tools.contains(tool) {
            continue;
        }
        if let Some(name) = bare_name(tool) {
            let message = format!("{} is not a tool's name; did you mean {}?", quoted(tool), quoted(name));
            let finding = report.add(mention.span, message);
            mention.renamings(name).into_iter().for_each(|fix| _ = finding.fix(fix));
            continue;
        }
        // `unknown-tool` goes by the tools that were called.
        if is_known(cx, tool) || times[tool] > 1 {
            continue;
        }
        if !comparisons.may_compare(cx.workspace.tools.len() + cx.workspace.named_tools.len()) {
            return;
        }
        if near_tool(tool, cx.workspace.tools.keys()).is_some() {
            continue;
        }
        let often = cx.workspace.named_tools.iter().filter(|(_, times)| **times >= OFTEN).map(|(name, _)| name);
        let Some(meant) = near_tool(tool, often) else { continue };
        let times = cx.workspace.named_tools[meant];
        let message = format!(
            "the suites name {} {times} times, and {} once; did you mean {0}? If it is new, list it under `known` of `[tools]`",
            quoted(meant),
            quoted(tool)
        );
        let finding = report.add(mention.span, message);
        mention.renamings(meant).into_iter().for_each(|fix| _ = finding.fix(fix));
    }
}

#[cfg(test)]
mod tests {
    use super::MISSPELT_TOOL;
    use crate::lints::Workspace;
    use crate::lints::tests::fixture::{Setup, check_fix_in, flagged_in};

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
            assert_eq!(flagged_in(&setup, &MISSPELT_TOOL, &suite).len(), count, "{:?}", setup.workspace.named_tools);
        }
        let twice = case(r#""tool_calls_any": ["add_componet"], "telemetry": ["tool.add_componet start"]"#);
        assert_eq!(flagged_in(&tools(6, 1), &MISSPELT_TOOL, &twice), [] as [&str; 0]);
        let mut shown = tools(6, 1);
        shown.workspace.tools = [("add_component".to_owned(), 1)].into();
        assert_eq!(flagged_in(&shown, &MISSPELT_TOOL, &suite), [] as [&str; 0], "unknown-tool reports it");
        let mut known = tools(6, 1);
        known.workspace.known_tools = ["add_componet".to_owned()].into();
        assert_eq!(flagged_in(&known, &MISSPELT_TOOL, &suite), [] as [&str; 0]);
    }

    #[test]
    fn many_names_take_linear_time() {
        let names: Vec<_> = (0..200_000).map(|number| format!("\"tool{number}\"")).collect();
        let suite = case(&format!(r#""tool_calls_any": [{}]"#, names.join(",")));
        assert_eq!(flagged_in(&naming(&[]), &MISSPELT_TOOL, &suite).len(), 0);
    }

    #[test]
    fn writes_the_name_alone() {
        for (before, after) in [
            (r#""tool_calls_any": ["tool.book"]"#, r#""tool_calls_any": ["book"]"#),
            (r#""tool_calls_none": ["book()"]"#, r#""tool_calls_none": ["book"]"#),
            (r#""tool_calls_any": [" book"]"#, r#""tool_calls_any": ["book"]"#),
        ] {
            check_fix_in(&naming(&[]), &MISSPELT_TOOL, &case(before), &case(after));
        }
        check_fix_in(
            &naming(&[("book_slot", 3)]),
            &MISSPELT_TOOL,
            &case(r#""telemetry": ["tool.book_slto start"]"#),
            &case(r#""telemetry": ["tool.book_slot start"]"#),
        );
    }
}
