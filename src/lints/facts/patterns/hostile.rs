//! Whether a pattern backtracks without end. The module makes lines that match the repeats of the pattern many times
//! and then fail, and counts the steps.

use crate::pattern::syntax::PatternTree;
use crate::pattern::{Limits, OverBudget, Pattern};
use crate::text::Span;

use super::lines::{self, Line};

/// A short line on which a pattern reaches the match limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hostile {
    /// The repeat that causes it, in bytes of the pattern; `None` if several repeats cause it together.
    pub(crate) repeat: Option<Span>,
    /// The line.
    pub(crate) line: String,
    /// Whether the second engine decides there.
    pub(crate) is_decided: bool,
}

/// How many copies of the repeated text a hostile line has.
pub(super) const SHORT: usize = 32;
/// How many copies of it the first lines have.
const FIRST: usize = 20;
/// A first line is suspect if the search for a match takes more steps than these. It is searched only if the attempt at its start
/// takes more than `AT_START` and `AT_START_PER_BYTE`, because a search makes as many attempts as the line has characters.
const SUSPECT: u64 = 4_000;
const AT_START: u64 = 50;
const AT_START_PER_BYTE: u64 = 2;
/// How many steps a line may take while it grows.
const GROWING: u64 = 12_000;
/// How many steps all first lines together may take.
const ALL_FIRST: u64 = 30_000;
/// How many suspect lines are followed.
const MOST_SUSPECTS: usize = 3;
/// Longer patterns, in bytes, are not analysed.
const LONGEST: usize = 2_000;

/// Returns a short line on which `pattern` certainly reaches the match limit, if one is found. The cost is some ten
/// thousand steps of matching, and close to nothing for an ordinary pattern. The result does not depend on time.
pub(crate) fn hostile_line(pattern: &Pattern, tree: &PatternTree) -> Option<Hostile> {
    if pattern.source().len() > LONGEST {
        return None;
    }
    let mut left = ALL_FIRST;
    let mut suspects = 0;
    for line in lines::lines(pattern, tree) {
        let cost = match steps_on_first(pattern, &line.with(FIRST)) {
            Ok(Some(steps)) => steps,
            Ok(None) => {
                suspects += 1;
                if reaches_the_limit(pattern, &line) {
                    let is_decided = !pattern.needs_backtracking();
                    return Some(Hostile { repeat: line.repeat, line: line.with(SHORT), is_decided });
                }
                SUSPECT
            }
            Err(_) => return None,
        };
        left = left.saturating_sub(cost);
        if left == 0 || suspects == MOST_SUSPECTS {
            break;
        }
    }
    None
}

/// Returns the steps on a first line; `None` if it is suspect.
fn steps_on_first(pattern: &Pattern, line: &str) -> Result<Option<u64>, OverBudget> {
    let up_to = |steps| match steps {
        Ok(steps) => Ok(Some(steps)),
        Err(OverBudget::Steps) => Ok(None),
        Err(other) => Err(other),
    };
    let at_start = AT_START + AT_START_PER_BYTE * line.len() as u64;
    match up_to(pattern.steps_at_start(line, at_start))? {
        Some(steps) => Ok(Some(steps)),
        None => up_to(pattern.steps(line, SUSPECT)),
    }
}

/// Returns whether the line with [`SHORT`] copies takes more steps than a verdict allows. The steps are extrapolated,
/// not counted: the cost keeps growing at least as a power of the length, as long as no repeat reaches its end.
fn reaches_the_limit(pattern: &Pattern, line: &Line) -> bool {
    let whole = line.with(SHORT);
    let limit = Limits::VERDICT.steps + Limits::VERDICT.steps_per_byte * whole.len() as u64;
    let mut known: Vec<(f64, f64)> = Vec::new();
    for times in (2..=FIRST).chain([24, 28, SHORT]) {
        match pattern.steps(&line.with(times), GROWING) {
            Ok(steps) => known.push((times as f64, steps as f64)),
            Err(OverBudget::Steps) => {
                let [.., (shorter, fewer), (longer, more)] = known[..] else { return false };
                let power = (more / fewer).ln() / (longer / shorter).ln();
                let at_least = GROWING as f64 * (SHORT as f64 / times as f64).powf(power);
                return at_least > limit as f64;
            }
            Err(_) => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::Case;

    fn found(source: &str, case: Case) -> Option<Hostile> {
        let pattern = Pattern::compile(source, case).unwrap();
        let hostile = hostile_line(&pattern, &PatternTree::new(source))?;
        let whole = Limits::VERDICT.steps + Limits::VERDICT.steps_per_byte * hostile.line.len() as u64;
        let steps = pattern.steps(&hostile.line, whole);
        assert_eq!(steps, Err(OverBudget::Steps), "`{source}` on {:?}", hostile.line);
        Some(hostile)
    }

    #[test]
    fn patterns_that_backtrack_are_found_with_a_line_that_shows_it() {
        // The pattern, and the repeat that causes the backtracking.
        let table = [
            ("^(a+)+$", Some("(a+)+")),
            ("(a+)+b", Some("(a+)+")),
            ("(a*)*b", Some("(a*)*")),
            ("^(a|a)*$", Some("(a|a)*")),
            ("^(a|aa)+$", Some("(a|aa)+")),
            (r"^(\w+\s?)+: booked$", Some(r"(\w+\s?)+")),
            (r"^(\w|\d)+!$", Some(r"(\w|\d)+")),
            (r"^(?:[a-z0-9]+-?)*/$", Some("(?:[a-z0-9]+-?)*")),
            (r"(?:.|\s)*bike(?:.|\s)*sold$", Some(r"(?:.|\s)*")),
            (r"^([a-zA-Z0-9._-]+)+@shop$", Some("([a-zA-Z0-9._-]+)+")),
            (r"^(([a-z])+.)+[A-Z]([a-z])+$", Some("(([a-z])+.)+")),
            (r"Slots:(\s*\d*,?)*;", Some(r"(\s*\d*,?)*")),
            (r"^(?:é+)+$", Some("(?:é+)+")),
            ("^(bike|bi|ke)+$", Some("(bike|bi|ke)+")),
            (r"^\s*\s*\s*\s*\s*\s*\s*x", None),
            (r"x(\d+\s*){9}y", None),
        ];
        let found = table.map(|(source, _)| {
            let blamed = found(source, Case::Matters).map(|hostile| hostile.repeat.map(|span| &source[span.range()]));
            (source, blamed)
        });
        assert_eq!(found, table.map(|(source, repeat)| (source, Some(repeat))));
    }

    #[test]
    fn patterns_that_end_have_no_hostile_line() {
        let table = [
            "",
            "booked",
            r"(?im)^(?:[-*]|[0-9]+\.)\s+.+",
            "(?i)(today.?s mission|mission|recommendation)",
            r"(?i)[0-9]{1,4}\s*(?:m|min|minute|minutes)",
            r"Total:\s*[0-9]+",
            r"Total:[^\n]{0,60}[0-9]+",
            ".*bike.*booked.*Thursday.*",
            r"^\w+(\s\w+)*: booked$",
            r"(\w+\s)+booked",
            r"(?:\d{3},)*\d+ bikes",
            r"^(?>a+)+$",
            r"^(?:a++)+$",
            r"^(a+)+",
            "(a+)+",
            r"(\w+\s*){3}:",
            r"\w+\s*\w+\s*\w+:",
            r"^(\s*-\s*\w+)+$",
            r"(?:booked|reserved|sold)+",
            r"^(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e).+$",
            r#""([^"\\]|\\.)*""#,
            r"\[[^\]]*\]\([^)]*\)",
            r"^\|(?:[^|]*\|)+$",
            r"\b\d{1,2}:\d{2}(?:\s*[ap]m)?\b",
            r"€\s*\d+(?:[.,]\d{2})?",
            r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}",
            "(?:a|a){1,12}b",
            "(a{0,3}){0,3}b",
            r"(x)\1*y*z*",
            "(?R)?a",
        ];
        for source in table {
            for case in [Case::Matters, Case::Ignored] {
                assert_eq!(found(source, case), None, "`{source}`");
            }
        }
    }

    #[test]
    fn every_pattern_is_analysed_quickly() {
        let evil = [
            "(".repeat(100) + "a+" + &")+".repeat(100) + "$",
            r"(\w+\s?)+".repeat(100) + "!",
            format!("({})+!", vec!["a+"; 300].join("|")),
            r"[a-z]*".repeat(300),
            "((a{1,50}){1,50}){1,20}b".to_owned(),
        ];
        for source in evil {
            if let Ok(pattern) = Pattern::compile(&source, Case::Ignored) {
                let lines = lines::lines(&pattern, &PatternTree::new(&source));
                assert!(lines.len() <= lines::MOST_LINES, "`{source}`");
                assert!(lines.iter().all(|line| line.with(SHORT).len() < 10_000), "`{source}`");
                found(&source, Case::Ignored);
            }
        }
    }
}
