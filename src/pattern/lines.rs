//! What becomes of a pattern for a whole text if each line is tried alone, as suites try it.

use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::{Class, Hir, HirKind};

/// How far a pattern of another program reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Whether a line break can be in what it matches.
    pub(crate) breaks: bool,
    /// Whether it looks at the start or end of the text.
    pub(crate) is_anchored: bool,
}

/// How far a pattern reaches. One with syntax that is not read here, such as a look-ahead, is judged by its signs.
pub(crate) fn reach(pattern: &str) -> Reach {
    let has = |signs: &[&str]| signs.iter().any(|sign| pattern.contains(sign));
    match regex_syntax::parse(pattern) {
        Ok(parsed) => {
            Reach { breaks: can_break(&parsed), is_anchored: parsed.properties().look_set().contains_anchor_haystack() }
        }
        Err(_) => Reach {
            // `s)` is the end of `(?s)`.
            breaks: has(&[r"\n", r"\r", r"\R", "\n", r"\s", r"\W", r"\D", "[^", "s)", "s:"]),
            is_anchored: has(&["^", "$", r"\A", r"\Z", r"\z"]),
        },
    }
}

/// The parts of a pattern that match within a line, if the pattern is a sequence: each is in every text that the pattern matches. None if
/// flags or other syntax may mean something else.
pub(crate) fn within_lines(pattern: &str) -> Vec<&str> {
    let parsed = ast::parse::Parser::new().parse(pattern);
    let Ok(Ast::Concat(sequence)) = &parsed else { return Vec::new() };
    if sequence.asts.iter().any(|part| matches!(part, Ast::Flags(_))) {
        return Vec::new();
    }
    let (mut parts, mut start) = (Vec::new(), None);
    for part in &sequence.asts {
        let span = part.span().start.offset..part.span().end.offset;
        if regex_syntax::parse(&pattern[span.clone()]).is_ok_and(|part| !can_break(&part)) {
            start.get_or_insert(span.start);
        } else if let Some(start) = start.take() {
            parts.push(&pattern[start..span.start]);
        }
    }
    parts.extend(start.map(|start| &pattern[start..]));
    let is_in_each = |part: &&str| regex_syntax::parse(part).is_ok_and(|it| it.properties().minimum_len() == Some(0));
    parts.retain(|part| !is_in_each(part));
    parts
}

/// Whether a line break can be in what the pattern matches.
fn can_break(pattern: &Hir) -> bool {
    match pattern.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.iter().any(|byte| matches!(byte, b'\n' | b'\r')),
        HirKind::Class(Class::Unicode(class)) => class.iter().any(|range| range.start() <= '\r' && '\n' <= range.end()),
        HirKind::Class(Class::Bytes(_)) => true,
        HirKind::Repetition(repetition) => can_break(&repetition.sub),
        HirKind::Capture(capture) => can_break(&capture.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(can_break),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    #[test]
    fn a_pattern_is_split_where_a_line_break_fits() {
        for (pattern, parts) in [
            (r"Total:\s*\$[0-9]+", &["Total:", r"\$[0-9]+"][..]),
            (r"a[^,]*b\W", &["a", "b"]),
            (r"(?:a\sb)c(d|e)?", &["c(d|e)?"]),
            (r"a\s?$", &["a"]),
            (r"a|b\s", &[]),
            (r"(?i)a\sb", &[]),
            (r"[\s\S]", &[]),
        ] {
            assert_eq!(within_lines(pattern), parts, "{pattern}");
        }
    }

    proptest! {
        /// Each part is on a line of what the pattern matches.
        #[test]
        fn each_part_is_in_each_match(pattern in r"[ab]?(\\s\*|\[\^a\]|\\W\+|\\n)[ab]{1,2}(\\D|\\b|\$)?b?", text in "[ab \n-]{0,12}") {
            let (whole, parts) = (Regex::new(&pattern).unwrap(), within_lines(&pattern));
            if whole.is_match(&text) {
                for part in parts {
                    let part = Regex::new(part).unwrap();
                    prop_assert!(text.lines().any(|line| part.is_match(line)), "{pattern} {text:?} {part}");
                }
            }
        }
    }
}
