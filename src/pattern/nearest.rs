use super::syntax::{Group, Token, TokenKind, tokens};
use super::{Budget, Case, Limits, OverBudget, Pattern};
use crate::text::{Span, is_within_a_word};

/// How far a pattern matches if it matches no line: evidence for a person who searches for the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nearest {
    /// The part of the pattern that matches, in its bytes: the start of the pattern, or of one of its alternatives.
    pub(crate) part: Span,
    /// The first line, counted from 0, that this part matches.
    pub(crate) line: usize,
    /// The text that it matches there, in the line's bytes; never empty.
    pub(crate) span: Span,
}

/// Returns the longest start of the pattern, or of one of its top-level alternatives, that matches text on one of the
/// `lines`; `None` if not even its first item matches. Matches that start within a word do not count.
///
/// This is evidence, not a verdict, and costs little: at most 64 starts are tried, on the first 256 KiB of the lines, within
/// some 50 ms. What would need more steps is left out. A start that does not compile by itself counts as
/// matching nothing.
pub(crate) fn nearest(source: &str, case: Case, lines: &[&str]) -> Option<Nearest> {
    let mut search = Search::new(source, case, lines);
    let branches = branches(&tokens(source).collect::<Vec<_>>());
    branches.iter().fold(None, |best: Option<Nearest>, branch| {
        let found = search.longest(branch);
        // If two are equally long, the first one counts.
        if found.is_some_and(|found| best.is_none_or(|best| found.part.len() > best.part.len())) { found } else { best }
    })
}

/// The most places of a line from which the nearest text is searched: each costs a match.
const MOST_STARTS: usize = 64;
/// The longest answer in bytes in which the nearest text is searched: the search runs at each keystroke.
const MOST_BYTES: usize = 256 << 10;
const LIMITS: Limits = Limits { steps: 20_000, steps_per_byte: 4, case_steps: 2_000_000 };

/// A top-level alternative of the pattern.
#[derive(Debug, Default)]
struct Branch {
    start: usize,
    /// The flags at the top level before it, which still apply.
    flags: Vec<Span>,
    cuts: Vec<Cut>,
}

/// A place where the pattern may be cut.
#[derive(Clone, Copy, Debug)]
struct Cut {
    end: usize,
    /// The groups that are open there.
    open: usize,
    /// Whether it is within `\Q…\E`.
    quoted: bool,
}

fn branches(words: &[Token]) -> Vec<Branch> {
    let (mut branches, mut branch, mut flags) = (Vec::new(), Branch::default(), Vec::new());
    let (mut open, mut quoted) = (Vec::new(), false);
    for (at, word) in words.iter().enumerate() {
        match word.kind {
            TokenKind::Open(group) => open.push(group),
            TokenKind::Close if open.pop().is_none() => break,
            TokenKind::Quote => quoted = !quoted,
            TokenKind::Flags(_) if open.is_empty() => flags.push(word.span),
            TokenKind::Alternation if open.is_empty() => {
                let next = Branch { start: word.span.end, flags: flags.clone(), cuts: Vec::new() };
                branches.push(std::mem::replace(&mut branch, next));
                continue;
            }
            _ => {}
        }
        if ends_an_item(word.kind, &words[at + 1..]) && !open.iter().any(inverts_its_content) {
            branch.cuts.push(Cut { end: word.span.end, open: open.len(), quoted });
        }
    }
    branches.push(branch);
    branches
}

/// Returns whether a pattern may be cut after a word; `rest` are the words after it.
fn ends_an_item(kind: TokenKind, rest: &[Token]) -> bool {
    use TokenKind::{Alternation, Comment, Flags, Greed, Malformed, Open, Quote, Repeat, Space};
    let next = rest.iter().find(|word| !matches!(word.kind, Comment | Space | Quote)).map(|word| word.kind);
    !matches!(kind, Alternation | Comment | Flags(_) | Malformed | Open(_) | Quote | Space)
        && !matches!(next, Some(Repeat { .. } | Greed(_)))
}

/// Returns whether half of a group can match text that the group cannot match.
fn inverts_its_content(group: &Group) -> bool {
    matches!(group, Group::LookAhead { .. } | Group::LookBehind { .. } | Group::Conditional)
}

struct Search<'a> {
    source: &'a str,
    case: Case,
    lines: &'a [&'a str],
    budget: Budget,
    starts_left: usize,
}

impl<'a> Search<'a> {
    fn new(source: &'a str, case: Case, lines: &'a [&'a str]) -> Self {
        let mut bytes = 0;
        let enough = lines.iter().take_while(|line| {
            bytes += line.len() + 1;
            bytes <= MOST_BYTES
        });
        let lines = &lines[..enough.count()];
        Self { source, case, lines, budget: Budget::new(LIMITS), starts_left: MOST_STARTS }
    }

    /// If no group is open, a text that matches up to a cut matches up to every earlier cut, so a binary search finds
    /// the last one. The next item may be a group of which a part still matches.
    fn longest(&mut self, branch: &Branch) -> Option<Nearest> {
        let whole: Vec<usize> = (0..branch.cuts.len()).filter(|at| branch.cuts[*at].open == 0).collect();
        let (mut best, mut low, mut high) = (None, 0, whole.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.try_start(branch, branch.cuts[whole[middle]]) {
                Some(found) => (best, low) = (Some(found), middle + 1),
                None => high = middle,
            }
        }
        let from = low.checked_sub(1).map_or(0, |last| whole[last] + 1);
        let to = whole.get(low).copied().unwrap_or(branch.cuts.len());
        branch.cuts[from..to].iter().rev().find_map(|cut| self.try_start(branch, *cut)).or(best)
    }

    fn try_start(&mut self, branch: &Branch, cut: Cut) -> Option<Nearest> {
        self.starts_left = self.starts_left.checked_sub(1)?;
        let part = Span::new(branch.start, cut.end);
        let pattern = Pattern::compile(&self.text(branch, cut, part), self.case).ok()?;
        for (number, line) in self.lines.iter().enumerate() {
            let mut matches = pattern.matches(line, &self.budget);
            match matches.find(|found| found.as_ref().map_or(true, |span| !is_within_a_word(line, span.start))) {
                Some(Ok(span)) => return Some(Nearest { part, line: number, span }),
                Some(Err(OverBudget::CaseSteps)) => {
                    self.starts_left = 0;
                    return None;
                }
                Some(Err(_)) | None => {}
            }
        }
        None
    }

    fn text(&self, branch: &Branch, cut: Cut, part: Span) -> String {
        let mut text: String = branch.flags.iter().map(|flags| &self.source[flags.range()]).collect();
        text += &self.source[part.range()];
        text += if cut.quoted { r"\E" } else { "" };
        text + &")".repeat(cut.open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the part of the pattern that matched, the line, and the matched text.
    fn found<'a>(source: &'a str, lines: &[&'a str]) -> Option<(&'a str, usize, &'a str)> {
        let Nearest { part, line, span } = nearest(source, Case::Ignored, lines)?;
        Some((&source[part.range()], line, &lines[line][span.range()]))
    }

    #[test]
    fn the_longest_start_that_matches_is_found() {
        let lines = ["Nothing here", "Deployed build 17 on Monday", "deployed it"];
        let table = [
            (r"deployed build \d+ on friday", Some((r"deployed build \d+ on ", 1, "Deployed build 17 on "))),
            (r"^deployed (?:build \d{3}|release)", Some((r"^deployed (?:build ", 1, "Deployed build "))),
            (r"deployed (build|it) (\d+) off", Some((r"deployed (build|it) (\d+) o", 1, "Deployed build 17 o"))),
            (r"released|deployed build x", Some(("deployed build ", 1, "Deployed build "))),
            ("(?-i)Deployed|(?i)x|NOTHING THERE", Some(("(?-i)Deployed", 1, "Deployed"))),
            ("(?-i)x|NOTHING", Some(("N", 0, "N"))),
            (r"\QDeployed.\E", Some((r"\QDeployed", 1, "Deployed"))),
            ("(?x) build [ ] # which\n 18", Some(("(?x) build [ ] # which\n 1", 1, "build 1"))),
            (r"build (?!\d)", Some(("build ", 1, "build "))),
            (r"build (?=1[89])", Some(("build ", 1, "build "))),
            (r"here{2,}", Some(("her", 0, "her"))),
            ("z", None),
            (r"z*", None),
            ("", None),
            ("(", None),
            (r"\1(zz)", None),
        ];
        for (source, expected) in table {
            assert_eq!(found(source, &lines), expected, "`{source}`");
        }
    }

    #[test]
    fn patterns_that_match_or_do_not_compile_are_accepted() {
        assert_eq!(found("a+", &["c aat"]), Some(("a+", 0, "aa")));
        assert_eq!(found("ab)c", &["x abc"]), Some(("ab", 0, "ab")));
        assert_eq!(found("ab[", &["x abc"]), Some(("ab", 0, "ab")));
        assert_eq!(found("a", &[]), None);
    }

    #[test]
    fn a_match_that_starts_within_a_word_does_not_count() {
        assert_eq!(found("recommendation", &["Here it is"]), None);
        assert_eq!(found("recommendation", &["Here it is", "I recommend it"]), Some(("recommend", 1, "recommend")));
        assert_eq!(found(r"e+ slots", &["three slots"]), None);
        assert_eq!(found("東京駅", &["私は東京に行く"]), Some(("東京", 0, "東京")), "Japanese has no spaces");
    }

    #[test]
    fn long_patterns_and_long_texts_are_cheap() {
        let text = "abcdefghij".repeat(40);
        let pattern = text.clone() + "!" + &text;
        let lines = vec![text.as_str(); 2000];
        let nearest = nearest(&pattern, Case::Ignored, &lines).unwrap();
        assert_eq!((nearest.part, nearest.line), ((0..400).into(), 0));
        let mut search = Search::new(&pattern, Case::Ignored, &lines);
        assert!(search.lines.len() * 401 <= MOST_BYTES);
        search.longest(&branches(&tokens(&pattern).collect::<Vec<_>>())[0]);
        assert!(
            search.starts_left >= MOST_STARTS - 11,
            "a binary search of 801 cuts takes 10 tries, and nothing remains between"
        );
    }

    #[test]
    fn a_hostile_pattern_is_stopped() {
        let line = "a".repeat(5_000) + "!";
        let nearest = nearest(r"(?:a+)+(?:b|c)(?:(a*)*\1)+", Case::Ignored, &[&line]);
        assert_eq!(nearest.map(|nearest| nearest.part), Some((0..7).into()));
    }
}
