use std::collections::HashMap;

use crate::checks::Said;
use crate::diagnostic::{Edit, Fix, quoted};
use crate::lints::facts::claims::{Entries, lists};
use crate::lints::{CaseContext, Check, Report, declare_lint};

declare_lint! {
    /// A list contains the same entry twice.
    ///
    /// The second entry requires nothing new. For example, `telemetry` does not count how often an event happened.
    /// Often the entry is a copy that someone forgot to change. In a list where each entry is a check, a repeated entry
    /// also counts twice in the score of its group.
    ///
    /// In `must_say_any`, one entry is enough. So an entry that has a shorter one in it decides nothing.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "must_say_any": ["booked", "reserved", "booked"] }
    /// ```
    ///
    /// ## Fix
    ///
    /// Remove it, or change it to the intended text. The fix is not safe if each entry is a check, because the score of the
    /// case then changes.
    ///
    /// ```json
    /// { "must_say_any": ["booked", "reserved"] }
    /// ```
    pub(crate) REPEATED_ENTRY = "repeated-entry", Warning, Check::Case(check);
}

fn check(cx: &CaseContext<'_>, report: &mut Report) {
    let expected = &cx.case.expected;
    contained(cx, report);
    let hard_fail = expected.hard_fail().map(|list| Entries::of(list, false));
    for list in lists(expected).into_iter().chain(hard_fail) {
        let mut first_uses = HashMap::new();
        for (text, span) in list.entries.into_iter().filter(|(text, _)| !text.is_empty()) {
            let first = *first_uses.entry(text).or_insert(span);
            if first == span {
                continue;
            }
            let finding = report.add(span, format!("{} is already in this list", quoted(text)));
            finding.also(first, "first listed here").unnecessary();
            if let Some(node) = cx.node_at(span) {
                let fix = if list.is_check_each { Fix::new } else { Fix::safe };
                finding.fix(fix("remove the repeated entry", vec![Edit::delete(node.removal())]));
            }
        }
    }
}

/// Reports an entry of a list of which one is enough, if each answer that has it has a shorter entry, too.
fn contained(cx: &CaseContext<'_>, report: &mut Report) {
    let Some(list) = cx.case.expected.must_say_any.as_ref().filter(|list| list.value.len() > 1) else { return };
    let reading = cx.workspace.reading;
    let entries: Vec<_> = list.entries().map(|entry| (entry, Said::phrase(&entry.value, reading))).take(MOST).collect();
    for (entry, said) in &entries {
        let shorter = entries.iter().find(|(_, other)| said.has(other) && !other.has(said));
        let Some((shorter, _)) = shorter else { continue };
        let message = format!("{} decides nothing: {} is in it", quoted(&entry.value), quoted(&shorter.value));
        let finding = report.add(entry.span, message);
        finding.also(shorter.span, "this is enough").unnecessary();
        if let Some(node) = cx.node_at(entry.span) {
            finding.fix(Fix::safe("remove the longer entry", vec![Edit::delete(node.removal())]));
        }
    }
}

/// How many entries of a list are compared with each other. The comparison is quadratic, and nobody writes longer lists.
const MOST: usize = 64;

#[cfg(test)]
mod tests {
    use super::REPEATED_ENTRY;
    use crate::lints::tests::fixture::{Setup, check_each, findings};

    #[test]
    fn findings_and_fixes_are_as_marked() {
        check_each(
            &REPEATED_ENTRY,
            r#"
# each later entry is reported
{ "cases": [ { "expected": {
  "tool_calls_any": ["book", "book"], "must_not_say": ["no", "yes", "n\u006f", "no"],
                             ^^^^^^ `book` is already in this list
                                                                    ^^^^^^^^^ `no` is already in this list
                                                                               ^^^^ `no` is already in this list
  "source_patterns": { "parts": ["part", "part"] }, "required_sources": ["parts", "parts"],
                                         ^^^^^^ `part` is already
                                                                                  ^^^^^^^ `parts` is already
  "must_ground_numbers": [12, "12", "7", 12, { "value": "7", "context_any": ["rim", "rim"] }],
                              ^^^^ `12` is already
                                         ^^ `12` is already
                                                                                    ^^^^^ `rim` is already
  "scoring": { "hard_fail": ["formatting", "formatting"] }
                                           ^^^^^^^^^^^^ `formatting` is already
} } ] }

# an entry with a shorter one in it is reported
{ "cases": [ { "expected": { "must_say_any": ["It is Booked now", "booked"], "must_not_say": ["a b", "a"] } } ] }
                                              ^^^^^^^^^^^^^^^^^^ `It is Booked now` decides nothing: `booked` is in it

# only the same text in the same list is reported
{ "cases": [ { "setup_prompts": ["Next.", "Next."], "expected": {
  "must_say_any": ["booked", "Booked", "", ""], "must_match_regex": ["booked"],
  "tool_calls_any": ["book", ["book"], 1, 1], "must_ground_numbers": [{ "value": "1" }, { "value": "1" }],
  "source_patterns": { "parts": ["part"], "stock": ["part"] }
} } ] }

{ "ui": ["a", "b", "a"] }
→ { "ui": ["a", "b"] }

{ "ui": ["a", "a", "b"] }
→ { "ui": ["a", "b"] }
"#,
        );
    }

    #[test]
    fn the_fix_is_safe_unless_it_changes_a_score() {
        let is_safe = |expected: &str| {
            let suite = format!(r#"{{ "cases": [ {{ "expected": {{ {expected} }} }} ] }}"#);
            findings(&Setup::default(), &REPEATED_ENTRY, &suite)[0].fixes[0].safe
        };
        assert!(!is_safe(r#""ui": ["a", "a"]"#));
        assert!(is_safe(r#""must_say_any": ["a", "a"]"#));
    }
}
