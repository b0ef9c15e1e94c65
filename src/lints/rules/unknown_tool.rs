use crate::diagnostic::{Edit, Fix, nearest, quoted};
use crate::lints::declare::declare_lint;
use crate::lints::facts::tools::{Mention, is_plain_name, mentions};
use crate::lints::{CaseContext, Check, Report};
use crate::syntax::encode;

declare_lint! {
    /// The name of a tool seems misspelt.
    ///
    /// No transcript or telemetry log of the workspace shows a tool of this name, but one shows a tool with a similar
    /// name. A misspelt tool in `tool_calls_any` is never called. In `tool_calls_none` the consequence is worse: the
    /// check always passes.
    ///
    /// ## Example
    ///
    /// ```json tools=book_slot,find_slot
    /// { "tool_calls_none": ["bock_slot"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Use the name of the tool. If the tool is new, record a transcript in which it is called, or turn the lint off.
    ///
    /// ```json tools=book_slot,find_slot
    /// { "tool_calls_none": ["book_slot"] }
    /// ```
    pub(crate) UNKNOWN_TOOL = "unknown-tool", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let known = &cx.workspace.tools;
    let unknown: Vec<_> = mentions(cx).into_iter().filter(|mention| !known.contains_key(mention.tool)).collect();
    if known.is_empty() || unknown.is_empty() {
        return;
    }
    let known: Vec<_> = known.keys().map(|tool| (tool.as_str(), fold(tool))).collect();
    for Mention { tool, span, in_telemetry } in unknown {
        let folded = fold(tool);
        let alike = known.iter().filter(|(_, other)| is_misspelling(&folded, other)).map(|(other, _)| *other);
        let Some(meant) = nearest(tool, alike) else { continue };
        let message = format!("no transcript or log shows a tool {}; did you mean {}?", quoted(tool), quoted(meant));
        let finding = report.add(span, message);
        // In a shorthand, a name with other characters would change the meaning of the entry.
        if !in_telemetry || is_plain_name(meant) {
            let with = if in_telemetry { meant.to_owned() } else { encode(meant) };
            finding.fix(Fix::new(format!("replace with {}", quoted(meant)), vec![Edit::replace(span, with)]));
        }
    }
}

/// A tool's name in lower case. Its words are separated by `_`.
fn fold(tool: &str) -> String {
    tool.to_lowercase().replace(['-', '.'], "_")
}

/// Returns whether `tool` differs from `other` only in how its words are separated, or in one typo in one word; both
/// are folded. Tools often have similar names, such as `get_slot` and `set_slot`, or `create_slot` and `delete_slot`.
/// So a typo counts only in a longer word, and never in a word with digits.
fn is_misspelling(tool: &str, other: &str) -> bool {
    if tool.chars().filter(|c| *c != '_').eq(other.chars().filter(|c| *c != '_')) {
        return true;
    }
    let before: usize = tool.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(c, _)| c.len_utf8()).sum();
    let (rest, other_rest) = (&tool[before..], &other[before..]);
    let equal_end = rest.chars().rev().zip(other_rest.chars().rev()).take_while(|(a, b)| a == b);
    let after: usize = equal_end.map(|(c, _)| c.len_utf8()).sum();
    let differing = [&rest[..rest.len() - after], &other_rest[..other_rest.len() - after]];
    if !is_slip(differing) {
        return false;
    }
    let words = [tool, other].map(|name| {
        let start = name[..before].rfind('_').map_or(0, |parting| parting + 1);
        let end = name[name.len() - after..].find('_').map_or(name.len(), |parting| name.len() - after + parting);
        &name[start..end]
    });
    words.iter().any(|word| word.chars().count() >= 4) && !words.concat().contains(|c: char| c.is_ascii_digit())
}

/// Returns whether the difference is a single typo: one extra, missing or wrong letter, or two swapped letters.
fn is_slip(differing: [&str; 2]) -> bool {
    if differing.iter().any(|letters| letters.contains('_')) {
        return false;
    }
    let [mut letters, mut others] = differing.map(str::chars);
    match [letters.next(), letters.next(), others.next(), others.next()] {
        [_, None, _, None] => true,
        [a, b, c, d] => a == d && b == c && letters.next().is_none() && others.next().is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lints::Workspace;
    use crate::lints::testing::{Setup, check_fix_in, check_in};

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
  "telemetry": ["tool.book_slto start", "tool.b\u006foking_slot start", "t\u006fol.find\u005fslots  result success:true", "bok_slot"]
                      ^^^^^^^^^ no transcript or log shows a tool `book_slto`; did you mean `book_slot`?
                                                                                   ^^^^^^^^^^^^^^^ no transcript or log shows a tool `find_slots`
} } ] }
"#,
        );
    }

    #[test]
    fn a_workspace_without_tools_has_no_finding() {
        check_in(&knowing(&[]), &UNKNOWN_TOOL, r#"{ "cases": [ { "expected": { "tool_calls_any": ["bok"] } } ] }"#);
    }

    #[test]
    fn intentionally_similar_names_have_no_finding() {
        for (tool, other, is_near) in [
            ("book_slot", "bookSlot", true),
            ("book_slot", "book-slot", true),
            ("shop.book_slot", "shop_book_slot", true),
            ("book_slot", "book_slots", true),
            ("book_slot", "book_slott", true),
            ("book_slot", "obok_slot", true),
            ("lookup", "lokup", true),
            ("get_slot", "set_slot", false),
            ("create_component", "delete_component", false),
            ("create_slot", "update_slot", false),
            ("add_slot", "edit_slot", false),
            ("attach_file", "detach_file", false),
            ("lock_slot", "unlock_slot", false),
            ("book_slot", "book_slot_v2", false),
            ("book_slot2", "book_slot3", false),
            ("step_1", "step_2", false),
            ("book", "cook_slot", false),
            ("bok_slto", "book_slot", false),
            ("pay", "say", false),
            ("größe", "grösse", false),
            ("größe", "grüße", true),
            ("abcd", "badc", false),
            ("book__slot", "book_slot", true),
            ("", "a", false),
        ] {
            assert_eq!(is_misspelling(&fold(tool), &fold(other)), is_near, "{tool} {other}");
            assert_eq!(is_misspelling(&fold(other), &fold(tool)), is_near, "{other} {tool}");
        }
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
        assert!(crate::lints::testing::findings(&setup, &UNKNOWN_TOOL, &suite)[0].fixes.is_empty());
    }
}
