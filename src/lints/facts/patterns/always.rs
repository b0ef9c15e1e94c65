//! Patterns that match in every line.

use crate::pattern::syntax::{Branch, Group, PartKind, PatternTree, TokenKind};
use crate::pattern::{Budget, Pattern};
use crate::text::Span;

/// The part of a pattern that matches in every line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Always {
    /// The whole pattern.
    Whole,
    /// One of its alternatives.
    Branch(Span),
    /// An empty alternative beside this `|`.
    EmptyBranch(Span),
}

/// Returns the part of `pattern` that matches in every line, if that is certain.
pub(crate) fn always_matches(pattern: &Pattern, tree: &PatternTree) -> Option<Always> {
    let branches = tree.branches();
    let traits = all_traits(pattern.source(), tree)?;
    let index = branches.iter().position(|branch| takes_any_line(pattern.source(), tree, branch, &traits))?;
    if !matches_all_probes(pattern) {
        return None;
    }
    let span = branches[index].span;
    Some(match branches {
        [_] => Always::Whole,
        _ if !span.is_empty() => Always::Branch(span),
        _ if index == 0 => Always::EmptyBranch(Span::new(span.end, span.end + 1)),
        _ => Always::EmptyBranch(Span::new(span.start - 1, span.start)),
    })
}

/// The traits of a part that are certain.
#[derive(Clone, Copy, Default)]
struct Traits {
    /// It matches at every place where it is tried.
    never_fails: bool,
    /// It is exactly one character, whichever.
    any_character: bool,
    /// From every place where it is tried, it can extend to the end of the line.
    reaches_the_end: bool,
    /// As the whole pattern it would match in every line.
    any_line: bool,
}

/// The traits of each part; `None` if a verb makes all of them uncertain.
fn all_traits(source: &str, tree: &PatternTree) -> Option<Vec<Traits>> {
    let mut traits: Vec<Traits> = Vec::with_capacity(tree.parts.len());
    for part in &tree.parts {
        let own = match &part.kind {
            PartKind::Word(TokenKind::Verb) => return None,
            PartKind::Word(word) => {
                let any_character = *word == TokenKind::Dot || is_any_character(&source[part.span.range()]);
                Traits { any_character, ..Traits::default() }
            }
            PartKind::Repeat { of, min, max } => {
                let of = traits[*of];
                let never_fails = *min == 0 || of.never_fails;
                let reaches_the_end = never_fails && max.is_none() && of.any_character;
                Traits { never_fails, reaches_the_end, any_line: never_fails, any_character: false }
            }
            PartKind::Group {
                group: Group::Capturing | Group::Named | Group::NonCapturing | Group::Flagged(_),
                branches,
            } => {
                let any = |of_branch: &dyn Fn(&Branch) -> bool| branches.iter().any(of_branch);
                Traits {
                    never_fails: any(&|branch| branch.parts.iter().all(|part| traits[*part].never_fails)),
                    any_character: any(&|branch| matches!(branch.parts[..], [part] if traits[part].any_character)),
                    reaches_the_end: any(&|branch| reaches_the_end(&branch.parts, &traits)),
                    any_line: any(&|branch| takes_any_line(source, tree, branch, &traits)),
                }
            }
            PartKind::Group { .. } => Traits::default(),
        };
        traits.push(own);
    }
    Some(traits)
}

/// Returns whether the alternative matches in every line.
fn takes_any_line(source: &str, tree: &PatternTree, branch: &Branch, traits: &[Traits]) -> bool {
    if let [only] = branch.parts[..]
        && traits[only].any_line
    {
        return true;
    }
    let is = |part: usize, anchors: &[&str]| {
        let part = &tree.parts[part];
        part.kind == PartKind::Word(TokenKind::Anchor) && anchors.contains(&&source[part.span.range()])
    };
    let at_start = branch.parts.iter().take_while(|part| is(**part, &["^", r"\A"])).count();
    let at_end = branch.parts[at_start..].iter().rev().take_while(|part| is(**part, &["$", r"\z", r"\Z"])).count();
    let between = &branch.parts[at_start..branch.parts.len() - at_end];
    let anchored_twice = at_start > 0 && at_end > 0;
    between.iter().all(|part| traits[*part].never_fails) && (!anchored_twice || reaches_the_end(between, traits))
}

fn reaches_the_end(parts: &[usize], traits: &[Traits]) -> bool {
    parts.iter().all(|part| traits[*part].never_fails) && parts.iter().any(|part| traits[*part].reaches_the_end)
}

/// Returns whether `word` is one of the other ways to write "any character of a line".
fn is_any_character(word: &str) -> bool {
    matches!(word, r"\N" | r"[^\n]" | r"[\s\S]" | r"[\S\s]" | r"[\d\D]" | r"[\D\d]" | r"[\w\W]" | r"[\W\w]")
}

/// Returns whether the pattern matches lines that have little in common. If it does not, the analysis above is wrong,
/// and nothing is reported.
fn matches_all_probes(pattern: &Pattern) -> bool {
    let long = "spoke ".repeat(200);
    let probes = ["", "q", "The saddle costs 40.", " \t\u{1}\u{7f}é\u{202e}😀\u{fffd}<>[]{}\\\"'", &long];
    let budget = Budget::default();
    probes.iter().all(|line| matches!(pattern.find(line, 0, &budget), Ok(Some(_))))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pattern::Case;

    #[test]
    fn only_patterns_that_match_every_line_are_reported() {
        let is_found = |source: &str| {
            let pattern = Pattern::compile(source, Case::Ignored).unwrap();
            always_matches(&pattern, &PatternTree::new(source)).is_some()
        };
        let all_lines = r"
            x* x? (?i)x{0,3}y* .* ^.* .*$ ^.*$ \A(.*)\z ^[\s\S]*$ ^[^\n]*?$ ^(?:.|x)*$ ^\s*.*$ (x*|y) (?:(?:^.*$))
            (x*)+ ^ $ ^x* x| (x|) x|(?#nothing) (?:)
        ";
        for source in all_lines.split_whitespace().chain([""]) {
            assert!(is_found(source), "`{source}`");
        }
        let some_lines = r"
            .+ x+ x \S*x ^$ ^\s*$ ^x*$ ^[^<]*$ ^[\x00-\x7f]*$ ^.{0,200}$ ^(?!.*sorry) ^(?!.*sorry).*$ (?=x)|y \b
            \b|\B (?>x|.*)$ ^(?>x|.*)$ (x)?(?(1)y|z) (x*)\1y x*(*FAIL) ^\p{Latin}*$ ^[^\S\n]*$ ^[^\r\n]*$ a$^b*
        ";
        for source in some_lines.split_whitespace() {
            assert!(!is_found(source), "`{source}`");
        }
    }

    fn words() -> impl Strategy<Value = String> {
        let words = [
            "a", "b", ".", r"[^\n]", "[^a]", "(?:", "(", ")", "|", "*", "?", "{0,2}", "+", "*?", "*+", "(?=", "(?!",
            "(?>", "^", "$", r"\b", "(?(1)", "(?1)", r"\1", "(?i)", "(?s)", "(?-s)", r"\Z", r"\R", r"\N", r"[\s\S]",
            r"[^\r]", r"[\d\D]",
        ];
        proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..8).prop_map(|words| words.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn reported_patterns_match_every_line(source in words(), line in "[ab ]{0,5}|[a\r\u{b}\u{c}\u{85}\u{2028}]{0,6}|.{0,40}") {
            let Ok(pattern) = Pattern::compile(&source, Case::Matters) else { return Ok(()) };
            if always_matches(&pattern, &PatternTree::new(&source)).is_some() {
                prop_assert!(matches!(pattern.find(&line, 0, &Budget::default()), Ok(Some(_))), "`{}`", source);
            }
        }
    }
}
