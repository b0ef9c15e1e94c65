use proptest::prelude::*;

use super::arbitrary::patterns;
use super::plain::Plain;
use crate::pattern::{Budget, Case, Pattern};

/// The pattern as ripgrep builds it, without callouts.
fn ripgrep(source: &str, case: Case) -> Option<Plain> {
    Plain::compile(&format!("(?:{source})"), case)
}

/// What ripgrep's loop over the matches of a line finds, without the empty ones; `None` where PCRE2 gives up. In one thing
/// this is not ripgrep's loop: that goes on one byte after an empty match, and where this is within a character, PCRE2 sees
/// nothing before the next one, so that `\b` and look-behinds are wrong there.
fn ripgrep_matches(regex: &Plain, line: &str) -> Option<Vec<(usize, usize)>> {
    let (mut spans, mut at) = (Vec::new(), 0);
    while at <= line.len() {
        let Some(found) = regex.find(line, at).ok()? else { break };
        let (start, end) = found;
        let character = line[end..].chars().next().map_or(1, char::len_utf8);
        at = if start == end { end + character } else { end };
        if start != end {
            spans.push(found);
        }
    }
    Some(spans)
}

fn our_matches(pattern: &Pattern, line: &str) -> Option<Vec<(usize, usize)>> {
    let budget = Budget::default();
    pattern.matches(line, &budget).map(|found| found.map(|span| (span.start, span.end)).ok()).collect()
}

/// Checks that a pattern compiles here if it does for ripgrep, and that it finds the same on each line.
fn agrees(source: &str, case: Case, lines: &[String]) -> Result<(), TestCaseError> {
    let (ours, theirs) = (Pattern::compile(source, case), ripgrep(source, case));
    prop_assert_eq!(ours.is_ok(), theirs.is_some(), "{:?}", ours);
    let (Ok(ours), Some(theirs)) = (ours, theirs) else { return Ok(()) };
    for line in lines {
        if let (Some(found), Some(expected)) = (our_matches(&ours, line), ripgrep_matches(&theirs, line)) {
            prop_assert_eq!(found, expected, "on {:?}", line);
        }
    }
    Ok(())
}

fn cases() -> impl Strategy<Value = (String, Case, Vec<String>)> {
    let case = prop_oneof![Just(Case::Ignored), Just(Case::Matters)];
    (patterns(), case, prop::collection::vec("[abAcéÉ😀x12 #\r\u{1}n-]{0,8}", 6))
}

proptest! {
    #[test]
    fn counting_changes_nothing((source, case, lines) in cases()) {
        agrees(&source, case, &lines)?;
    }
}
