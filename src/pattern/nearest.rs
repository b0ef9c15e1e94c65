use crate::text::{Span, is_within_a_word};

use super::syntax::{Group, Token, TokenKind, tokens};
use super::{Budget, Case, Limits, OverBudget, Pattern, escape};

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
            TokenKind::Flags { .. } if open.is_empty() => flags.push(word.span),
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
    !matches!(kind, Alternation | Comment | Flags { .. } | Malformed | Open(_) | Quote | Space)
        && !matches!(next, Some(Repeat { .. } | Greed { .. }))
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

/// A minus sign, as people type it. Behind a word or a digit it is a dash, as in `3-5` and `GPT-5`.
const SIGN: &str = r"(?<![-–\w)\]])[-−–]";
/// No sign before the number, nor before a sign of money.
const NO_SIGN: &str = r"(?<!(?<![-–\w)\]])[-−–]\p{Sc}?)";
/// No more digits, and no decimals: `15`, `0.5`, `1,5`, `.5`. The dot of `No.5` and the last one of `...5` are none.
const NO_WHOLES: &str = r"(?<!\d)(?<!(?<![\p{L}.)\]])[.,])";
/// No thousands before three digits: `1 500`, `1'500`.
const NO_THOUSANDS: &str = r"(?<!\d[\h'’])";
/// No more digits, no decimals, no exponent and no fraction: `50`, `5.5`, `5,000`, `5e3`, `5½`.
const NO_MORE: &str = r"(?!\d|[.,]\d|e[-+−]?\d|[¼-¾⅐-⅞])";
/// No groups of thousands after one to three digits: `5 000`, `5'000`.
const NO_GROUPS: &str = r"(?![\h'’]\d{3}(?!\d))";

/// Returns a pattern that finds a number as it is written, with any minus sign, and not as a part of another number.
pub(crate) fn whole_number(number: &str) -> String {
    bounded(number, escape)
}

/// Returns a pattern that finds a number as [`whole_number`] does, also with commas between its thousands and zeros after its decimals:
/// `1204.5` is `1,204.50`.
pub(crate) fn equal_number(number: &str) -> String {
    bounded(number, |text| {
        let (wholes, decimals) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
        let groups = wholes.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok());
        let is_decimal = decimals.len() > 1 && decimals[1..].bytes().all(|byte| byte.is_ascii_digit());
        let zeros = if is_decimal && decimals.starts_with('.') { "0*" } else { "" };
        [&groups.collect::<Vec<_>>().join(",?"), &escape(decimals), zeros].concat()
    })
}

/// A pattern for a number between limits. `written` makes the pattern of its digits.
fn bounded(number: &str, written: impl Fn(&str) -> String) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let text = number.strip_prefix(['-', '−', '–']).unwrap_or(number);
    let begins = text.chars().next().unwrap_or_default();
    let before = match begins {
        _ if text.len() < number.len() => SIGN,
        c if c.is_alphabetic() => r"\b",
        _ => NO_SIGN,
    };
    let wholes = if is_digit(begins) || begins == '.' { NO_WHOLES } else { "" };
    let begins_with_group = text.find(|c| !is_digit(c)).unwrap_or(text.len()) == 3;
    let thousands = if begins_with_group { NO_THOUSANDS } else { "" };
    let after = match text.chars().next_back().unwrap_or_default() {
        c if is_digit(c) => NO_MORE,
        c if c.is_alphabetic() => r"\b",
        _ => "",
    };
    let rest = text.trim_end_matches(is_digit);
    let may_go_on = (1..=3).contains(&(text.len() - rest.len())) && !rest.ends_with(['.', ',']);
    let groups = if may_go_on { NO_GROUPS } else { "" };
    [before, wholes, thousands, &written(text), after, groups].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::{Budget, Case, Pattern};
    use proptest::prelude::*;

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

    fn finds(number: &str, text: &str) -> bool {
        let pattern = Pattern::compile(&whole_number(number), Case::Ignored).unwrap();
        pattern.find(text, 0, &Budget::default()).unwrap().is_some()
    }

    #[test]
    fn an_equal_number_has_commas_and_zeros() {
        let finds = |number: &str, text: &str| {
            let pattern = Pattern::compile(&equal_number(number), Case::Ignored).unwrap();
            pattern.find(text, 0, &Budget::default()).unwrap().is_some()
        };
        for (number, same, other) in [
            ("1204.5", ["1204.5", "1,204.50", "$1,204.5!"], ["12,04.5", "1204.51", "11,204.5"]),
            ("1234567", ["1,234,567", "1234567", "(1,234,567)"], ["1234,567,1", "1,234,567,890", "1,234,567.5"]),
            ("42", ["42", "42.", "is 42"], ["4,2", "42.5", "420"]),
            ("-1500", ["-1,500", "−1500", "is -1500"], ["1,500", "1500", "-15,00"]),
        ] {
            assert!(same.iter().all(|text| finds(number, text)), "{number}: {same:?}");
            assert!(!other.iter().any(|text| finds(number, text)), "{number}: {other:?}");
        }
    }

    /// A number, texts that have it, and texts that have only another one, with `|` between the texts.
    const TABLE: [(&str, &str, &str); 12] = [
        (
            "5",
            "5|5.|(5)|5, then|5,|5%|5 %|$5|€5|5 €|5km|x5|=5|:5|3-5|3–5|GPT-5|a - 5|—5|5-7|5/8|No.5|...5|[5]|5th\
             |5:30|**5**|`5`|5 50|5 bikes|5'|5. Next|5! 6|#5|~5|5e|5\u{a0}km|5'11|6 or 5|1, 5",
            "5.5|0.5|5,000|1,5|-5|−5|–5|5\u{a0}000|5\u{202f}000|5\u{2009}000|5 000|5'000|5’000|.5|(.5)|5e3|5E+3\
             |5e-3|15|55|5½|(-5)|x = -5|\"-5\"|$-5|-$5|−€5|1.5.2|2:-5| ,5|5\u{a0}000\u{a0}000|٣5",
        ),
        ("0.50", "0.50|0.50.|=0.50|0.50 ", "10.50|0.505|1.0.50| -0.50|0.50e2"),
        ("204", "204|€204,|x204|204km|204 50", "1,204|1 204|1\u{a0}204|1'204|2040|204.5|204,000"),
        ("2024", "in 2024 500 bikes|2024-11-28|2024.", "12024|2024.5|-2024"),
        ("28", "2024-11-28|28.", "128|28,5|28.11.2024."),
        ("1,234", "1,234|1,234.", "1,234,567|1,234.5|11,234|-1,234"),
        ("-5", "-5|−5|–5|(-5)|-5.|x=-5|$-5", "3-5|-5.5|-55|a-5|--5|-5,000|5"),
        ("12%", "12%|12%.|(12%)", "112%|1.12%|-12%|12 %"),
        ("€40", "€40|€40.", "€400|€40.5|-€40|€40 000"),
        (".5", ".5|(.5)", "0.5|.55|-.5"),
        ("12 kg", "12 kg|12 kg.|a 12 kg bag", "112 kg|12 kgs|1.12 kg"),
        ("5e3", "5e3|5E3.", "5e30|15e3|5e3.5"),
    ];

    #[test]
    fn a_number_is_not_found_in_another() {
        for (number, found, not_found) in TABLE {
            let missing: Vec<_> = found.split('|').filter(|text| !finds(number, text)).collect();
            let wrong: Vec<_> = not_found.split('|').filter(|text| finds(number, text)).collect();
            assert!(missing.is_empty() && wrong.is_empty(), "{number}: not in {missing:?}, but in {wrong:?}");
        }
    }

    proptest! {
        #[test]
        fn a_number_is_found_in_a_sentence(number in "[-−]?[$€]?([0-9]{1,4}|[1-9][0-9]{0,2}(,[0-9]{3}){1,2})([.][0-9]{1,3})?[%k]?") {
            for text in [number.clone(), format!("It is {number}."), format!("({number}), so"), format!("**{number}**")] {
                prop_assert!(finds(&number, &text), "{} in {}", number, text);
            }
            let longer = format!("7{number}");
            prop_assert!(!number.starts_with(|c: char| c.is_ascii_digit()) || !finds(&number, &longer), "{}", number);
        }
    }
}
